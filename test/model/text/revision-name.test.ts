import { expect, it } from "vitest";
import { parseRevisionName } from "../../../src/model/text/revision-name.ts";

it.each<[text: string, base: string, steps: number[]]>([
  ["main", "main", []],
  ["HEAD~", "HEAD", [1]],
  ["HEAD^", "HEAD", [1]],
  ["HEAD~3", "HEAD", [1, 1, 1]],
  ["v1.0~1", "v1.0", [1]],
  ["origin/main~2^2", "origin/main", [1, 1, 2]],
  ["main^^", "main", [1, 1]],
  ["main^0", "main", []],
  ["main~0", "main", []],
  // No steps: no branch and no tag has such a name.
  ["~1", "~1", []],
  ["main~x", "main~x", []],
  ["main^{commit}", "main^{commit}", []],
  ["", "", []],
])("%j starts at %j, and follows the parents %j", (text, base, steps) => {
  expect(parseRevisionName(text)).toEqual({ base, steps });
});

it("refuses over 100,000 steps", () => {
  expect(parseRevisionName("main~100000")?.steps).toHaveLength(100_000);
  expect(parseRevisionName("main~100001")).toBeUndefined();
  expect(parseRevisionName("main~60000^~60000")).toBeUndefined();
});
