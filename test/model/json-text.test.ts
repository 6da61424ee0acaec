import { describe, expect, it } from "vitest";
import { jsonTextDepth } from "../../src/model/json-text.ts";

describe("jsonTextDepth", () => {
  it.each([
    ["1", 0],
    ["[]", 1],
    ['{"a":[{}]}', 3],
    ["[[],[[]]]", 3],
    ['"[[["', 0],
    ['["\\"[[", "\\\\", [1]]', 2],
    ['{"[{":"}]"}', 1],
    ['["\\', 1], // no JSON, and no matter
    ["", 0],
  ])("%s is %i levels deep", (text, depth) => {
    expect(jsonTextDepth(text, 64)).toBe(depth);
  });

  it("stops where it has seen enough", () => {
    expect(jsonTextDepth("[".repeat(1000), 64)).toBe(65);
  });
});
