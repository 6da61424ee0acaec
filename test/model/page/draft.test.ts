import { describe, expect, it } from "vitest";
import { discardDraft, dueLanguages, isDue, overlayDraft, saveDraft } from "../../../src/model/page/draft.ts";
import type { JsonObject } from "../../../src/model/input/json.ts";
import { textOf } from "../../../src/model/page/page.ts";
import { at, blankPage, LOCALES } from "./blank-page.ts";

const now = at("2026-03-01");

describe("saveDraft", () => {
  const stored: JsonObject = { title: "Old", meta: { a: 1 }, translations: { en: { keywords: "k" } } };
  // oxfmt-ignore
  it.each<[string, "merge" | "replace", JsonObject | undefined, JsonObject, JsonObject | undefined]>([
    // case                                mode       stored     sent                                          payload
    ["the first, merged",                  "merge",   undefined, { title: "New" },                             { title: "New" }],
    ["the first, replaced",                "replace", undefined, { title: "New" },                             { title: "New" }],
    ["a new key joins",                    "merge",   stored,    { og_title: "O" },                            { ...stored, og_title: "O" }],
    ["a key sent again replaces",          "merge",   stored,    { meta: { b: 2 } },                           { ...stored, meta: { b: 2 } }],
    ["translations replace as a whole",    "merge",   stored,    { translations: { it: { title: "I" } } },     { ...stored, translations: { it: { title: "I" } } }],
    ["nothing sent changes nothing",       "merge",   stored,    {},                                           stored],
    ["PUT replaces everything",            "replace", stored,    { title: "New" },                             { title: "New" }],
    ["by nothing: there is none then",     "replace", stored,    {},                                           undefined],
    ["nothing sent makes none",            "merge",   undefined, {},                                           undefined],
    ["null is kept",                       "merge",   stored,    { meta: null },                               { ...stored, meta: null }],
  ])("%s", (_case, mode, payload, sent, expected) => {
    const page = blankPage({ drafts: payload ? { en: { payload } } : {} });
    expect(saveDraft(page, "en", sent, now, { mode }).drafts.en?.payload).toEqual(expected);
  });

  // oxfmt-ignore
  it.each([
    // mode     given                before                  after
    ["merge",   undefined,           null,                   null],
    ["merge",   undefined,           at("2026-04-01"),       at("2026-04-01")], // both keep the schedule
    ["replace", undefined,           at("2026-04-01"),       at("2026-04-01")],
    ["merge",   at("2026-05-01"),    at("2026-04-01"),       at("2026-05-01")],
    ["merge",   null,                at("2026-04-01"),       null],
  ] as const)("%s with schedule %s over %s leaves %s", (mode, given, before, after) => {
    const page = blankPage({ drafts: { en: { payload: stored, scheduled_for: before } } });
    expect(saveDraft(page, "en", { title: "New" }, now, { mode, scheduledFor: given }).drafts.en?.scheduled_for).toBe(after);
  });

  it("is one per language, has a modification time, and changes nothing live", () => {
    const page = blankPage({ translations: { en: { title: "Live" } }, drafts: { it: { payload: { title: "I" } } } });
    const first = saveDraft(page, "en", { title: "1" }, now, { mode: "merge" });
    const second = saveDraft(first, "en", { title: "2" }, at("2026-03-02"), { mode: "merge" });
    expect(second).toEqual({
      ...page,
      drafts: {
        ...page.drafts,
        en: { payload: { title: "2" }, scheduled_for: null, created_at: now, updated_at: at("2026-03-02") },
      },
    });
  });

  it("treats __proto__ as an ordinary key", () => {
    const payload = JSON.parse('{"__proto__": {"title": "x"}}') as JsonObject;
    const page = saveDraft(blankPage({ drafts: { en: { payload: { a: 1 } } } }), "en", payload, now, { mode: "merge" });
    expect(JSON.stringify(page.drafts.en?.payload)).toBe('{"a":1,"__proto__":{"title":"x"}}');
  });
});

describe("discardDraft", () => {
  it("drops one language's draft", () => {
    const page = blankPage({ drafts: { en: {}, it: {} } });
    expect(Object.keys(discardDraft(page, "en").drafts)).toEqual(["it"]);
  });

  it("returns the same page when there is none", () => {
    const page = blankPage({ drafts: { en: {} } });
    expect(discardDraft(page, "it")).toBe(page);
  });
});

describe("isDue", () => {
  // oxfmt-ignore
  it.each([
    [undefined,    false], // no draft
    [null,         false], // no schedule
    ["2020-01-01", true],
    ["2026-03-01", true], // the instant itself counts
    ["2026-03-02", false],
  ])("%s: %s", (moment, due) => {
    const page = blankPage({ drafts: moment === undefined ? {} : { en: { scheduled_for: moment === null ? null : at(moment) } } });
    expect(isDue(page.drafts.en, now)).toBe(due);
    expect(dueLanguages(page, LOCALES.codes, now)).toEqual(due ? ["en"] : []);
  });
});

describe("overlayDraft", () => {
  const live = blankPage({
    meta: { a: 1, b: { c: 1 } },
    translations: {
      en: { title: "Live", permalink: "/live", published_at: at("2026-01-01"), template_data: { x: { y: 1 } } },
      it: { title: "Vivo", permalink: "/vivo" },
    },
  });
  const overlay = (payload: JsonObject, lang = "en"): ReturnType<typeof overlayDraft> =>
    overlayDraft({ ...live, drafts: blankPage({ drafts: { [lang]: { payload } } }).drafts }, lang, LOCALES);

  // oxfmt-ignore
  it.each<[string, JsonObject, object]>([
    ["flat text",                        { title: "New" },                                { en: { title: "New" } }],
    ["text by suffix",                   { title_en: "New" },                             { en: { title: "New" } }],
    ["text of every language it names",  { translations: { it: { title: "Nuovo" } } },    { en: { title: "Live" }, it: { title: "Nuovo" } }],
    ["JSON merges",                      { template_data: { x: { z: 2 } } },              { en: { template_data: { x: { y: 1, z: 2 } } } }],
    ["a stamp never shows",              { published_at_en: null },                       { en: { published_at: at("2026-01-01") } }],
    ["nor does another language's",      { published_at_it: "2026-01-01T00:00:00Z" },     { it: { published_at: null } }],
    ["an automatic permalink stays",     { title: "New", permalink: "/new" },             { en: { permalink: "/live" } }],
    ["a manual permalink shows",         { autopermalink: false, permalink: "/new" },     { en: { permalink: "/new" } }],
    ["in the shape it will have",        { autopermalink: false, permalink: "New one/" }, { en: { permalink: "/new-one" } }],
    ["an empty draft shows nothing",     {},                                              { en: { title: "Live" } }],
    ["a draft that does not fit, too",   { title: "New", ordering: "x" },                 { en: { title: "Live" } }],
    ["unknown keys show nothing",        { nonsense: 1 },                                 { en: { title: "Live" } }],
  ])("%s", (_case, payload, translations) => {
    expect(overlay(payload).translations).toMatchObject(translations);
  });

  it("puts global fields over the live ones", () => {
    expect(overlay({ ordering: 9, meta: { b: { d: 2 } } })).toMatchObject({
      ordering: 9,
      meta: { a: 1, b: { c: 1, d: 2 } },
    });
  });

  it("shows a language its own draft only", () => {
    const page = { ...live, drafts: blankPage({ drafts: { it: { payload: { title: "Nuovo" } } } }).drafts };
    expect(overlayDraft(page, "en", LOCALES)).toBe(page);
    expect(textOf(overlayDraft(page, "it", LOCALES), "it").title).toBe("Nuovo");
  });

  it("keeps the draft, which the payload shows", () => {
    expect(overlay({ title: "New" }).drafts.en?.payload).toEqual({ title: "New" });
  });
});
