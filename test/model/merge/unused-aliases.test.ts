import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/model/input/json.ts";
import { statedAliases, withoutUnusedAliases } from "../../../src/model/merge/unused-aliases.ts";

const LOCALES = { codes: ["en", "it"], default: "en" };
const page = (aliases?: Json): JsonObject => ({ id: 5, ...(aliases !== undefined && { aliases }), ordering: 1 });
const row = (language: string, from: string): JsonObject => ({ language, from });

describe("withoutUnusedAliases", () => {
  // oxfmt-ignore
  it.each<[string, Json | undefined, kept: Json | undefined]>([
    // case                              aliases                                     are then
    ["the permalink of a page",          [row("en", "/old"), row("en", "/news")],    [row("en", "/old")]],
    ["in another form",                  [row("EN", "/News/"), row("en", "/old")],   [row("en", "/old")]],
    ["without a language: the default",  [{ from: "/news" }, row("it", "/old")],     [row("it", "/old")]],
    ["twice",                            [row("en", "/news"), row("en", "/news")],   undefined],
    ["the only one",                     [row("en", "/news")],                       undefined],
    ["in another language",              [row("it", "/news")],                       [row("it", "/news")]],
    ["a language that is gone",          [row("de", "/news")],                       [row("de", "/news")]],
    ["rows that are no aliases",         ["/news", 3, {}, row("en", "/news")],       ["/news", 3, {}]],
    ["no list",                          "/news",                                    "/news"],
    ["none",                             undefined,                                  undefined],
  ])("%s", (_case, aliases, kept) => {
    const isUnused = ({ language, from }: { language: string; from: string }): boolean =>
      language === "en" && from === "/news";
    const before = page(aliases);
    const after = withoutUnusedAliases(before, LOCALES, isUnused);
    expect(after).toEqual(page(kept));
    expect(Object.keys(after)).toEqual(Object.keys(page(kept)));
    expect(withoutUnusedAliases(after, LOCALES, isUnused)).toBe(after);
  });

  it("is the same object where nothing is dropped", () => {
    const before = page([row("en", "/old")]);
    expect(withoutUnusedAliases(before, LOCALES, () => false)).toBe(before);
  });
});

describe("statedAliases", () => {
  it("gives them in the canonical form", () => {
    const rows = [row("EN", "/News/"), { from: "/old" }, row("de", "/weg"), "/no"];
    expect(statedAliases(page(rows), LOCALES)).toEqual([row("en", "/news"), row("en", "/old")]);
  });
});
