import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/model/input/json.ts";
import type { FieldConflict } from "../../../src/model/merge/conflict.ts";
import { isDraftable, keepAsDraft } from "../../../src/model/merge/kept-draft.ts";
import { PAGE_RULES } from "../../../src/model/merge/rules.ts";
import { mergeValues } from "../../../src/model/merge/values.ts";
import { applyDraft } from "../../../src/model/page/draft.ts";
import { readPageChange } from "../../../src/model/page/page-input.ts";
import { textOf, type Draft, type PageText } from "../../../src/model/page/page.ts";
import { at, blankPage, LOCALES } from "../page/blank-page.ts";

const now = at("2026-03-01");
const earlier = at("2026-02-01");

const en = (text: JsonObject): JsonObject => ({ id: 12, translations: { en: text } });

/** The draft of a merge of three versions of a page. */
function drafted(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  draft: JsonObject | null = null,
): JsonObject | null {
  const { value, conflicts } = mergeValues(base, ours, theirs, PAGE_RULES);
  return keepAsDraft({ draft, language: "en", conflicts, page: value as JsonObject, now });
}

describe("keepAsDraft", () => {
  it("makes a draft of our value", () => {
    expect(drafted(en({ title: "A" }), en({ title: "B" }), en({ title: "C" }))).toEqual({
      language: "en",
      created_at: now,
      updated_at: now,
      payload: { translations: { en: { title: "B" } } },
    });
  });

  // oxfmt-ignore
  it.each<[string, base: JsonObject, ours: JsonObject, theirs: JsonObject, payload: JsonObject]>([
    // case                              base                                          ours                                          theirs                                        payload
    ["a removed text is null",           en({ title: "A" }),                           en({}),                                       en({ title: "C" }),                           { translations: { en: { title: null } } }],
    ["a removed flag is its default",    en({ indexable: false }),                     en({}),                                       { ...en({}), translations: { en: { indexable: 3 } } }, { translations: { en: { indexable: true } } }],
    ["data: only our keys",              en({ template_data: { a: 1, b: 1, c: 1 } }),  en({ template_data: { a: 2, b: 1, c: 2 } }),  en({ template_data: { a: 3, b: 3, c: 1 } }),  { translations: { en: { template_data: { a: 2 } } } }],
    ["data: a removed key is null",      en({ template_data: { a: 1 } }),              en({ template_data: {} }),                    en({ template_data: { a: 3 } }),              { translations: { en: { template_data: { a: null } } } }],
    ["data: a list as a whole",          en({ template_data: { a: [{ x: 1, y: 1 }, { z: 1 }] } }), en({ template_data: { a: [{ x: 2, y: 1 }, { z: 1 }] } }), en({ template_data: { a: [{ x: 3, y: 3 }, { z: 1 }] } }), { translations: { en: { template_data: { a: [{ x: 2, y: 3 }, { z: 1 }] } } } }],
    ["a field without languages",        { ordering: 1 },                              { ordering: 2 },                              { ordering: 3 },                              { ordering: 2 }],
    ["a removed field without languages", { ordering: 1 },                             {},                                           { ordering: 3 },                              { ordering: 0 }],
    ["a manual permalink",               en({ permalink: "/a", autopermalink: false }), en({ permalink: "/b", autopermalink: false }), en({ permalink: "/c", autopermalink: false }), { translations: { en: { permalink: "/b" } } }],
    ["a whole language",                 { translations: { en: { title: "A" } } },     { translations: { en: { title: "B" } } },     { translations: {} },                         { translations: { en: { title: "B" } } }],
  ])("%s", (_case, base, ours, theirs, payload) => {
    expect(drafted(base, ours, theirs)?.payload).toEqual(payload);
  });

  // oxfmt-ignore
  it.each<[string, stored: JsonObject, payload: JsonObject]>([
    // case                                 stored                                                    payload
    ["another field joins",                 { description: "D" },                                     { description: "D", translations: { en: { title: "B" } } }],
    ["the draft's own value stays",         { translations: { en: { title: "Mine" } } },              { translations: { en: { title: "Mine" } } }],
    ["in each of its forms: flat",          { title: "Mine" },                                        { title: "Mine" }],
    ["in each of its forms: with a suffix", { title_EN: "Mine" },                                     { title_EN: "Mine" }],
    ["null is a value",                     { title: null },                                          { title: null }],
  ])("merges into a draft: %s", (_case, stored, payload) => {
    const draft = { language: "en", scheduled_for: at("2027-01-01"), created_at: earlier, updated_at: earlier, payload: stored };
    const updated = payload === stored || JSON.stringify(payload) === JSON.stringify(stored) ? earlier : now;
    const kept = drafted(en({ title: "A" }), en({ title: "B" }), en({ title: "C" }), draft);
    expect(kept).toEqual({ ...draft, updated_at: updated, payload });
  });

  it("adds keys to data that the draft has, in the form it has it", () => {
    const data = (a: number): JsonObject => en({ template_data: { a, b: 0 } });
    const draft = { language: "en", payload: { template_data_en: { b: 5 } } };
    expect(drafted(data(1), data(2), data(3), draft)?.payload).toEqual({ template_data_en: { a: 2, b: 5 } });
  });

  it("gives the given draft where nothing can be kept", () => {
    const moment = (day: string): JsonObject => ({ deleted_at: null, ...en({ published_at: at(day) }) });
    expect(drafted(moment("2026-01-01"), moment("2026-01-02"), moment("2026-01-03"))).toBeNull();
    const draft = { language: "en", payload: { title: "Mine" } };
    expect(drafted(en({ title: "A" }), en({ title: "B" }), en({ title: "C" }), draft)).toBe(draft);
  });

  it("makes ours live when the draft is published, and reverts nothing of the remote's", () => {
    const page12 = (text: string, more: JsonObject = {}): JsonObject =>
      en({ title: "T", template_data: { body: text, ...more } });
    const { value, conflicts } = mergeValues(
      page12("One.\n\nTwo.\n\nThree.\n"),
      page12("One.\n\nTwo, ours.\n\nThree.\n"),
      page12("One.\n\nTwo, theirs.\n\nThree, theirs.\n", { lead: "theirs" }),
    );
    const kept = keepAsDraft({ draft: null, language: "en", conflicts, page: value as JsonObject, now });
    const { translations } = value as { readonly translations: { readonly [lang: string]: Partial<PageText> } };
    const page = blankPage({ translations });
    const change = readPageChange(kept?.payload, LOCALES, "en");
    const draft: Draft = { payload: {}, scheduled_for: null, created_at: now, updated_at: now };
    const body = "One.\n\nTwo, ours.\n\nThree, theirs.\n";
    expect(textOf(applyDraft(page, draft, change), "en").template_data).toEqual({ body, lead: "theirs" });
  });
});

describe("isDraftable", () => {
  // oxfmt-ignore
  it.each<[boolean, FieldConflict["path"]]>([
    [true,  ["translations", "en", "title"]],
    [true,  ["translations", "en", "template_data", "rows", 0, "x"]],
    [true,  ["og_image"]],
    [true,  ["translations", "en"]],
    [false, ["translations", "en", "published_at"]],
    [false, ["deleted_at"]],
    [false, ["aliases"]],
    [false, ["id"]],
    [false, ["title"]], // no field of the page itself
    [false, ["translations", "en", "ordering"]],
    [false, []],
  ])("%s for %j", (expected, path) => {
    const ours: Json = path.length === 2 ? { title: "x" } : "x";
    expect(isDraftable({ kind: "field", path, field: "", base: null, ours, theirs: null })).toBe(expected);
  });
});
