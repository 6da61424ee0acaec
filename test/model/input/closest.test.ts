/** Suggestions for mistyped names. */
import { describe, expect, it } from "vitest";
import { closest } from "../../../src/model/input/closest.ts";

const NAMES = ["title", "description", "permalink", "parent_page", "og_title", "ordering", "template", "template_data"];

describe("closest", () => {
  it.each([
    ["titel", "title"],
    ["Title", "title"],
    ["tilte", "title"],
    ["titl", "title"],
    ["titles", "title"],
    ["permalnik", "permalink"],
    ["descripton", "description"],
    ["ogtitle", "og_title"],
    ["parent", "parent_page"],
    ["templates", "template"],
    ["order", "ordering"],
    ["nonsense", undefined],
    ["x", undefined],
    ["", undefined],
    ["constructor", undefined],
  ])("of %j is %j", (written, meant) => {
    expect(closest(written, NAMES)).toBe(meant);
  });

  it("is not searched for long texts", () => {
    expect(closest("title".repeat(100_000), NAMES)).toBeUndefined();
  });
});
