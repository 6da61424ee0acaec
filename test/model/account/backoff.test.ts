import { describe, expect, it } from "vitest";
import { networkOf } from "../../../src/actions/accounts/attempts.ts";
import { recordFailure, waitOf, type LimitRule, type FailureCount } from "../../../src/model/account/backoff.ts";

const RULE: LimitRule = { free: 3, firstWait: 1000, longestWait: 10_000, resetAfter: 60_000 };

const struck = (times: number, at = 0): FailureCount | undefined =>
  Array.from({ length: times }).reduce<FailureCount | undefined>(
    (before) => recordFailure(RULE, before, at),
    undefined,
  );

describe("the wait after failures", () => {
  // oxfmt-ignore
  it.each([
    // failures  moment   wait
    [0,          0,       0],
    [2,          0,       0],
    [3,          0,       1000],
    [4,          0,       2000],
    [5,          0,       4000],
    [6,          0,       8000],
    [7,          0,       10_000], // never longer
    [1000,       0,       10_000],
    [4,          1500,    500],
    [4,          2000,    0], // the moment itself counts
    [1000,       60_000,  0], // expired
  ])("%i failures: at %i ms it is %i ms", (failures, now, wait) => {
    expect(waitOf(RULE, struck(failures), now)).toBe(wait);
  });

  it("continues the count until it expires", () => {
    expect(waitOf(RULE, recordFailure(RULE, struck(4), 59_999), 59_999)).toBe(4000);
    expect(waitOf(RULE, recordFailure(RULE, struck(4), 60_000), 60_000)).toBe(0);
  });
});

describe("networkOf", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8:1:2::1", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:0db8:0000:0000:1::", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["", ""],
  ])("%s counts as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
