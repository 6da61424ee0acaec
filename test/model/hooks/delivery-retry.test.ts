import { describe, expect, it } from "vitest";
import { DELIVERY_WAITS, waitAfter } from "../../../src/model/hooks/delivery-retry.ts";

describe("waitAfter", () => {
  // oxfmt-ignore
  it.each([
    // failures  random  milliseconds
    [1,          0.5,    5_000],
    [1,          0,      4_000],
    [1,          1,      6_000],
    [2,          0.5,    30_000],
    [3,          0.25,   108_000],
    [9,          0.5,    8 * 3_600_000],
    [10,         0.5,    undefined],
  ])("after %d failures, with %d, it is %d", (failures, random, wait) => {
    expect(waitAfter(failures, random)).toBe(wait);
  });

  it("grows, and ends within a day", () => {
    expect(DELIVERY_WAITS.toSorted((a, b) => a - b)).toEqual(DELIVERY_WAITS);
    const longest = DELIVERY_WAITS.reduce((sum, _, at) => sum + waitAfter(at + 1, 1)!, 0);
    expect(longest).toBeLessThan(24 * 3_600_000);
  });
});
