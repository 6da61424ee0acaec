import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/model/input/json.ts";
import { MEDIA_RULES, PAGE_RULES } from "../../../src/model/merge/rules.ts";
import { mergeValues } from "../../../src/model/merge/values.ts";

type Case = [
  name: string,
  base: Json | undefined,
  ours: Json | undefined,
  theirs: Json | undefined,
  merged: Json | undefined,
];

const NOTE = "One.\n\nTwo.\n\nThree.\n";
const THEIR_DAY = "2026-03-01T00:00:00.000Z";
const OUR_DAY = "2026-03-02T00:00:00.000Z";
const OLD_DAY = "2026-01-01T00:00:00.000Z";

describe("mergeValues without a conflict", () => {
  // oxfmt-ignore
  it.each<Case>([
    // case                                       base                       ours                              theirs                            merged
    ["neither changed it",                        { a: 1 },                  { a: 1 },                         { a: 1 },                         { a: 1 }],
    ["only ours",                                 { a: 1 },                  { a: 2 },                         { a: 1 },                         { a: 2 }],
    ["only theirs",                               { a: 1 },                  { a: 1 },                         { a: 2 },                         { a: 2 }],
    ["both alike",                                { a: 1 },                  { a: 2 },                         { a: 2 },                         { a: 2 }],
    ["different keys",                            { a: 1, b: 1 },            { a: 2, b: 1 },                   { a: 1, b: 2 },                   { a: 2, b: 2 }],
    ["different keys, deep",                      { x: { y: { a: 1 } } },    { x: { y: { a: 1, b: 2 } } },     { x: { y: { a: 1, c: 3 } } },     { x: { y: { a: 1, b: 2, c: 3 } } }],
    ["a key removed by us",                       { a: 1, b: 1 },            { b: 1 },                         { a: 1, b: 2 },                   { b: 2 }],
    ["a key removed by both",                     { a: 1, b: 1 },            { b: 1 },                         { b: 2 },                         { b: 2 }],
    ["a language added by each",                  {},                        { t: { en: { a: 1 } } },          { t: { it: { a: 2 } } },          { t: { en: { a: 1 }, it: { a: 2 } } }],
    ["the same language added by both",           {},                        { it: { a: 1 } },                 { it: { b: 2 } },                 { it: { a: 1, b: 2 } }],
    ["a whole record added by both",              undefined,                 { id: 1, a: 1 },                  { id: 1, b: 2 },                  { id: 1, a: 1, b: 2 }],
    ["null is a value",                           { a: null },               { a: null },                      { a: 1 },                         { a: 1 }],
    ["keys of objects' own methods",              { constructor: 1 },        { constructor: 2 },               { constructor: 1, toString: 3 },  { constructor: 2, toString: 3 }],
    // lists by item
    ["items added at different places",           [1, 2, 3],                 [1, 9, 2, 3],                     [1, 2, 3, 4],                     [1, 9, 2, 3, 4]],
    ["items added at one place",                  [1, 2],                    [1, 2, 8],                        [1, 2, 9],                        [1, 2, 9, 8]],
    ["the same item added by both",               [1, 2],                    [1, 2, 9],                        [1, 2, 9],                        [1, 2, 9]],
    ["one of several added by both",              [],                        [7, 8],                           [8, 9],                           [8, 9, 7]],
    ["an item removed by each",                   [1, 2, 3],                 [2, 3],                           [1, 2],                           [2]],
    ["neighbours removed by each",                [1, 2, 3, 4],              [1, 3, 4],                        [1, 2, 4],                        [1, 4]],
    ["overlapping runs removed",                  [1, 2, 3, 4],              [1, 4],                           [1, 2],                           [1]],
    ["removed beside an addition",                [1, 2],                    [1],                              [1, 2, 3],                        [1, 3]],
    ["moved by one side",                         [1, 2, 3],                 [3, 1, 2],                        [1, 2, 3],                        [3, 1, 2]],
    ["different fields of one item",              [{ a: 1, b: 1 }],          [{ a: 2, b: 1 }],                 [{ a: 1, b: 2 }],                 [{ a: 2, b: 2 }]],
    ["fields of neighbouring items",              [{ a: 1 }, { a: 2 }],      [{ a: 9 }, { a: 2 }],             [{ a: 1 }, { a: 8 }],             [{ a: 9 }, { a: 8 }]],
    ["aliases from both",                         [{ from: "/a" }],          [{ from: "/a" }, { from: "/b" }], [{ from: "/a" }, { from: "/c" }], [{ from: "/a" }, { from: "/c" }, { from: "/b" }]],
    // lists of records
    ["different fields of one record",            [{ id: 1, a: 1, b: 1 }],   [{ id: 1, a: 2, b: 1 }],          [{ id: 1, a: 1, b: 2 }],          [{ id: 1, a: 2, b: 2 }]],
    ["one changed, one moved",                    [{ id: 1, a: 1 }, { id: 2 }], [{ id: 2 }, { id: 1, a: 1 }],  [{ id: 1, a: 5 }, { id: 2 }],     [{ id: 2 }, { id: 1, a: 5 }]],
    ["one added by each, behind one record",      [{ id: 1 }],               [{ id: 1 }, { id: 2 }],           [{ id: 1 }, { id: 3 }],           [{ id: 1 }, { id: 3 }, { id: 2 }]],
    ["one added by each, at the start",           [{ id: 1 }],               [{ id: 2 }, { id: 1 }],           [{ id: 3 }, { id: 1 }],           [{ id: 3 }, { id: 2 }, { id: 1 }]],
    ["one added to a list that was reordered",    [{ id: 1 }, { id: 2 }],    [{ id: 2 }, { id: 1 }],           [{ id: 1 }, { id: 3 }, { id: 2 }], [{ id: 2 }, { id: 1 }, { id: 3 }]],
    ["the same with the sides exchanged",         [{ id: 1 }, { id: 2 }],    [{ id: 1 }, { id: 3 }, { id: 2 }], [{ id: 2 }, { id: 1 }],          [{ id: 2 }, { id: 1 }, { id: 3 }]],
    ["removed by one side, unchanged by the other", [{ id: 1 }, { id: 2 }],  [{ id: 2 }],                      [{ id: 1 }, { id: 2, a: 1 }],     [{ id: 2, a: 1 }]],
    ["keyed by key",                              [{ key: "x", a: 1 }],      [{ key: "y" }, { key: "x", a: 1 }], [{ key: "x", a: 2 }],           [{ key: "y" }, { key: "x", a: 2 }]],
    // texts
    ["paragraphs of one text",                    NOTE,                      "One!\n\nTwo.\n\nThree.\n",       "One.\n\nTwo.\n\nThree!\n",       "One!\n\nTwo.\n\nThree!\n"],
    ["a paragraph more on one side",              "One.\n",                  "One.\n\nTwo.\n",                 "One.\n\nTwo.\n\nThree.\n",       "One.\n\nTwo.\n\nThree.\n"],
  ])("%s", (_case, base, ours, theirs, merged) => {
    const result = mergeValues(base, ours, theirs);
    expect(result).toEqual({ value: merged, ours: merged, conflicts: [] });
  });
});

describe("mergeValues with a conflict", () => {
  // oxfmt-ignore
  it.each<[...Case, ours: Json | undefined, path: (string | number)[]]>([
    // case                              base                     ours                          theirs                         merged                         as ours                       path
    ["a value",                          { a: 1 },                { a: 2 },                     { a: 3 },                      { a: 3 },                      { a: 2 },                     ["a"]],
    ["a value that both added",          {},                      { a: 2 },                     { a: 3 },                      { a: 3 },                      { a: 2 },                     ["a"]],
    ["one line of text",                 { a: "x" },              { a: "y" },                   { a: "z" },                    { a: "z" },                    { a: "y" },                   ["a"]],
    ["changed by us, removed by them",   { a: 1, b: 1 },          { a: 2, b: 1 },               { b: 1 },                      { b: 1 },                      { a: 2, b: 1 },               ["a"]],
    ["removed by us, changed by them",   { a: 1, b: 1 },          { b: 1 },                     { a: 2, b: 1 },                { a: 2, b: 1 },                { b: 1 },                     ["a"]],
    ["a mapping and a text",             { a: "x" },              { a: { b: 1 } },              { a: [1] },                    { a: [1] },                    { a: { b: 1 } },              ["a"]],
    ["an item",                          [1, 2, 3],               [1, 8, 3],                    [1, 9, 3],                     [1, 9, 3],                     [1, 8, 3],                    [1]],
    ["an item replaced by several",      [1, 2, 3],               [1, 8, 3],                    [1, 9, 9, 3],                  [1, 9, 9, 3],                  [1, 8, 3],                    []],
    ["an item changed and removed",      [1, { a: 1 }, 3],        [1, { a: 2 }, 3],             [1, 3],                        [1, 3],                        [1, { a: 2 }, 3],             []],
    ["a field of an item",               [{ a: 1, b: 1 }, 0],     [{ a: 2, b: 5 }, 0],          [{ a: 3, b: 1 }, 0],           [{ a: 3, b: 5 }, 0],           [{ a: 2, b: 5 }, 0],          [0, "a"]],
    ["a field of a record behind a new", [{ id: 1, a: 1 }],       [{ id: 1, a: 2 }],            [{ id: 9 }, { id: 1, a: 3 }],  [{ id: 9 }, { id: 1, a: 3 }],  [{ id: 9 }, { id: 1, a: 2 }], [1, "a"]],
    ["a record changed and removed",     [{ id: 1, a: 1 }, { id: 2 }], [{ id: 1, a: 2 }, { id: 2 }], [{ id: 2 }],              [{ id: 2 }],                   [{ id: 1, a: 2 }, { id: 2 }], []],
    ["records in two orders",            [{ id: 1 }, { id: 2 }, { id: 3 }], [{ id: 2 }, { id: 1 }, { id: 3 }], [{ id: 1 }, { id: 3 }, { id: 2 }], [{ id: 1 }, { id: 3 }, { id: 2 }], [{ id: 2 }, { id: 1 }, { id: 3 }], []],
    ["a paragraph",                      NOTE,                    "One!\n\nTwo, ours.\n\nThree.\n", "One.\n\nTwo, theirs.\n\nThree!\n", "One!\n\nTwo, theirs.\n\nThree!\n", "One!\n\nTwo, ours.\n\nThree!\n", []],
    ["a text that both added",           undefined,               "A\nB\n",                     "A\nC\n",                      "A\nC\n",                      "A\nB\n",                     []],
  ])("%s", (_case, base, ours, theirs, merged, asOurs, path) => {
    const result = mergeValues(base, ours, theirs);
    expect([result.value, result.ours]).toEqual([merged, asOurs]);
    expect(result.conflicts.map((conflict) => conflict.path)).toEqual([path]);
  });

  it("names language and field, and has the values of all sides", () => {
    const text = (lead: string, title: string): Json => ({ translations: { it: { title, template_data: { lead } } } });
    expect(mergeValues(text("a", "A"), text("b", "B"), text("c", "A")).conflicts).toEqual([
      {
        kind: "field",
        path: ["translations", "it", "template_data", "lead"],
        language: "it",
        field: "template_data.lead",
        base: "a",
        ours: "b",
        theirs: "c",
      },
    ]);
  });
});

describe("the rules of fields", () => {
  // oxfmt-ignore
  it.each<[string, Json, Json, Json, Json, number]>([
    // case                            base                          ours                          theirs                          merged                        conflicts
    ["the later stamp, ours",          { date_updated_at: OLD_DAY }, { date_updated_at: OUR_DAY }, { date_updated_at: THEIR_DAY }, { date_updated_at: OUR_DAY }, 0],
    ["the later stamp, theirs",        { date_updated_at: OLD_DAY }, { date_updated_at: THEIR_DAY }, { date_updated_at: OUR_DAY }, { date_updated_at: OUR_DAY }, 0],
    ["in other zones",                 {},                           { updated_at: "2026-03-02T00:30+02:00" }, { updated_at: "2026-03-01T23:00Z" }, { updated_at: "2026-03-01T23:00Z" }, 0],
    ["only at the top",                { a: { updated_at: OLD_DAY } }, { a: { updated_at: OUR_DAY } }, { a: { updated_at: THEIR_DAY } }, { a: { updated_at: THEIR_DAY } }, 1],
    ["no moment",                      { updated_at: OLD_DAY },      { updated_at: "later" },      { updated_at: THEIR_DAY },      { updated_at: THEIR_DAY },    1],
    ["published by us",                { t: 1, published_at: null }, { t: 1, published_at: OUR_DAY }, { t: 2, published_at: null }, { t: 2, published_at: OUR_DAY }, 0],
    ["published at two moments",       { published_at: OLD_DAY },    { published_at: OUR_DAY },    { published_at: THEIR_DAY },    { published_at: THEIR_DAY },  1],
    ["put in the trash by both",       {},                           { deleted_at: OUR_DAY },      { deleted_at: THEIR_DAY },      { deleted_at: THEIR_DAY },    0],
    ["restored by us, and unchanged",  { deleted_at: OLD_DAY },      {},                           { deleted_at: OLD_DAY, a: 1 },  { a: 1 },                     0],
  ])("%s", (_case, base, ours, theirs, merged, conflicts) => {
    const result = mergeValues(base, ours, theirs, PAGE_RULES);
    expect([result.value, result.conflicts.length]).toEqual([merged, conflicts]);
  });

  it("takes what was computed from a file from one side as a whole", () => {
    const computed = (source: string): Json => ({
      source,
      renditions: { md: { file: `${source}.webp` } },
      thumbnail: source,
    });
    expect(mergeValues(computed("a"), computed("b"), computed("c"), MEDIA_RULES)).toMatchObject({
      value: computed("c"),
      conflicts: [],
    });
    expect(mergeValues(computed("a"), computed("b"), computed("a"), MEDIA_RULES)).toMatchObject({
      value: computed("b"),
      conflicts: [],
    });
  });

  const page = (title: string, permalink: string, more: object = {}): Json => ({
    translations: { en: { title, permalink, ...more } },
  });

  it("keeps an automatic permalink of ours as an alias", () => {
    const result = mergeValues(page("A", "/a"), page("B", "/b"), page("C", "/c"), PAGE_RULES);
    expect(result.value).toEqual({ ...(page("C", "/c") as object), aliases: [{ language: "en", from: "/b" }] });
    expect(result.conflicts.map(({ field }) => field)).toEqual(["title"]);
  });

  it("has a conflict of a permalink that an editor chose, and an alias", () => {
    const manual = { autopermalink: false };
    const result = mergeValues(page("A", "/a", manual), page("A", "/b", manual), page("A", "/c", manual), PAGE_RULES);
    expect(result.value).toEqual({ ...(page("A", "/c", manual) as object), aliases: [{ language: "en", from: "/b" }] });
    expect(result.conflicts.map(({ field, ours }) => [field, ours])).toEqual([["permalink", "/b"]]);
  });

  it("has no alias where nothing else clashes", () => {
    expect(mergeValues(page("A", "/a"), page("B", "/b"), page("A", "/a"), PAGE_RULES).value).toEqual(page("B", "/b"));
  });
});
