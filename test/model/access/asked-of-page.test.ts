import { describe, expect, it } from "vitest";
import { pageActions } from "../../../src/model/access/asked-of-page.ts";
import type { Asked } from "../../../src/model/access/asked.ts";
import { EMPTY_PAGE, EMPTY_TEXT, type Draft, type Page, type PageText } from "../../../src/model/page/page.ts";
import type { JsonObject } from "../../../src/model/input/json.ts";
import type { Instant } from "../../../src/model/time/instant.ts";
import { LOCALES as locales } from "../page/blank-page.ts";

const PAST = "2026-01-01T00:00:00.000Z" as Instant;
const LATER = "2027-01-01T00:00:00.000Z" as Instant;

const text = (values: Partial<PageText>): PageText => ({ ...EMPTY_TEXT, ...values });
const draft = (payload: JsonObject, scheduled_for: Instant | null = null): Draft => ({
  ...{ payload, scheduled_for },
  created_at: PAST,
  updated_at: PAST,
});
const page = (en: Partial<PageText>, more: Partial<Page> = {}): Page => ({
  ...EMPTY_PAGE,
  id: 1,
  translations: { en: text(en) },
  ...more,
});

/** `edit en.title, publish en`. */
const said = (asked: readonly Asked[]): string =>
  asked
    .map(({ action, language, field }) => [action, [language, field].filter(Boolean).join(".")].join(" ").trim())
    .join(", ");

const hidden = page({ title: "A" });
const live = page({ title: "A", published_at: PAST });
const planned = page({ title: "A", published_at: LATER });
const drafted = page({ title: "A", published_at: PAST }, { drafts: { en: draft({ title: "B", description: "D" }) } });
const timed = page({ title: "A", published_at: PAST }, { drafts: { en: draft({ title: "B" }, LATER) } });
const trashed = { ...live, deleted_at: PAST };
const two = page(
  { title: "A" },
  { translations: { en: text({ title: "A" }), it: text({ title: "A", published_at: PAST }) } },
);
const lent = (description: string, it: Partial<PageText> = {}): Page => ({
  ...two,
  translations: {
    ...two.translations,
    en: text({ title: "A", description }),
    it: text({ ...two.translations.it, ...it }),
  },
});

describe("pageActions", () => {
  // oxfmt-ignore
  it.each<[string, Page | undefined, Page | undefined, string]>([
    ["a new page",                    undefined, hidden,                                        "create en"],
    ["a new page without texts",      undefined, EMPTY_PAGE,                                    "create en"],
    ["a new public page",             undefined, live,                                          "create en, publish en"],
    ["a new planned page",            undefined, planned,                                       "create en, publish en"],
    ["a new page with a timed draft", undefined, { ...EMPTY_PAGE, drafts: timed.drafts },       "create en, publish en"],
    ["a removed page",                live, undefined,                                          "delete"],
    ["a text of a hidden page",       hidden, page({ title: "B" }),                             "edit en.title"],
    ["a text of a public page",       live, page({ title: "B", published_at: PAST }),           "edit en.title, publish en"],
    ["a text of a planned page",      planned, page({ title: "B", published_at: LATER }),       "edit en.title, publish en"],
    ["a field of all languages",      two, { ...two, ordering: 2 },                             "edit ordering, publish it"],
    ["publication",                   hidden, live,                                             "publish en"],
    ["a plan",                        hidden, planned,                                          "publish en"],
    ["hiding",                        live, hidden,                                             "publish en"],
    ["a draft",                       live, drafted,                                            "edit en.title, edit en.description"],
    ["a draft of the live values",    live, { ...live, drafts: { en: draft({ title: "A" }) } }, ""],
    ["a draft of another language",   two, { ...two, drafts: { en: draft({ title_it: "B" }) } }, "edit it.title"],
    ["a draft of a place",            live, { ...live, drafts: { en: draft({ parent_page: 7 }) } }, "edit parent_page"],
    ["a draft that cannot be read",   live, { ...live, drafts: { en: draft({ title: [] }) } },   "edit en.*"],
    ["a draft that is published",     drafted, page({ title: "B", description: "D", published_at: PAST }), "publish en"],
    ["with another value",            drafted, page({ title: "C", description: "D", published_at: PAST }), "edit en.title, publish en"],
    ["a discarded draft",             drafted, live,                                            "edit en.title, edit en.description"],
    ["a moment for a draft",          { ...timed, drafts: { en: draft({ title: "B" }) } }, timed, "publish en"],
    ["no moment any more",            timed, { ...timed, drafts: { en: draft({ title: "B" }) } }, "publish en"],
    ["a timed draft",                 timed, { ...timed, drafts: { en: draft({ title: "C" }, LATER) } }, "edit en.title, publish en"],
    ["a timed draft of two languages", two, { ...two, drafts: { en: draft({ title_it: "B" }, LATER) } }, "edit it.title, publish en, publish it"],
    ["the trash",                     live, trashed,                                            "trash"],
    ["a text in the trash",           trashed, { ...trashed, ...page({ title: "B", published_at: PAST }), deleted_at: PAST }, "edit en.title"],
    ["out of the trash",              trashed, live,                                            "trash, publish en"],
    ["an automatic permalink",        hidden, page({ title: "A", permalink: "/a" }),            ""],
    ["of a public page",              page({ published_at: PAST, permalink: "/a" }), page({ published_at: PAST, permalink: "/b" }), "publish en"],
    ["a hidden text that a public language shows", lent("A"), lent("B"),                       "edit en.description, publish en"],
    ["one that has its own",          lent("A", { description: "I" }), lent("B", { description: "I" }), "edit en.description"],
    ["to show that of the default",   lent("A", { description: "I" }), lent("A"),              "edit it.description, publish it"],
    ["a permalink of one's own",      hidden, page({ permalink: "/a", autopermalink: false, title: "A" }), "edit en.autopermalink, edit en.permalink"],
    ["a former permalink alone",      hidden, { ...hidden, aliases: [{ language: "en", from: "/b" }] }, "edit aliases"],
  ])("%s", (_what, before, after, expected) => {
    const sorted = (list: string): string[] => list.split(", ").sort();
    expect(sorted(said(pageActions(before, after, { locales, isAwaited: () => false })))).toEqual(sorted(expected));
  });

  it("takes what a scheduled release publishes for public", () => {
    const isAwaited = (_page: Page, lang: string): boolean => lang === "en";
    const changed = page({ title: "B" });
    expect(said(pageActions(hidden, changed, { locales, isAwaited }))).toBe("edit en.title, publish en");
    const draftedAfter = { ...hidden, drafts: { en: draft({ title: "B" }) } };
    expect(said(pageActions(hidden, draftedAfter, { locales, isAwaited }))).toBe("edit en.title, publish en");
  });
});
