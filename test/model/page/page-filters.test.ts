import { describe, expect, it } from "vitest";
import { CmsError } from "../../../src/errors.ts";
import { parseInstant, type Instant } from "../../../src/model/time/instant.ts";
import {
  filterPages,
  PAGE_FILTERS,
  type PageConditions,
  type PageFilter,
} from "../../../src/model/page/page-filters.ts";
import { EMPTY_GLOBALS, EMPTY_TEXT, type Draft, type Page } from "../../../src/model/page/page.ts";

const at = (day: string): Instant => parseInstant(`${day}T00:00Z`)!;
const now = at("2026-03-01");
const PAST = "2026-02-28";
const FUTURE = "2026-03-02";

interface Shape {
  readonly en?: string;
  readonly it?: string;
  readonly deleted?: boolean;
  /** Language -> day it is scheduled for; null: not scheduled. */
  readonly drafts?: Readonly<Record<string, string | null>>;
}

function page(id: number, { en, it, deleted, drafts = {} }: Shape = {}): Page {
  const text = (day: string | undefined) => ({ ...EMPTY_TEXT, published_at: day === undefined ? null : at(day) });
  const draft = (day: string | null): Draft => ({
    payload: {},
    scheduled_for: day === null ? null : at(day),
    created_at: now,
    updated_at: now,
  });
  return {
    ...EMPTY_GLOBALS,
    id,
    model: "page",
    ordering: id,
    deleted_at: deleted ? at(PAST) : null,
    date_created: now,
    date_updated_at: now,
    aliases: [],
    translations: { en: text(en), it: text(it) },
    drafts: Object.fromEntries(Object.entries(drafts).map(([lang, day]) => [lang, draft(day)])),
  };
}

describe("the filters, in English", () => {
  const all: readonly PageFilter[] = [
    "public",
    "alive",
    "trashed",
    "draft",
    "scheduled",
    "due_for_publish",
    "first_publish_pending",
    "is_public",
  ];
  // oxfmt-ignore
  it.each<[string, Shape, PageFilter[]]>([
    // page                              is
    ["new",                              {},                                              ["alive"]],
    ["public",                           { en: PAST },                                    ["public", "alive", "is_public"]],
    ["public this very instant",         { en: "2026-03-01" },                            ["public", "alive", "is_public"]],
    ["public in Italian only",           { it: PAST },                                    ["alive"]],
    ["planned",                          { en: FUTURE },                                  ["alive", "scheduled", "first_publish_pending"]],
    ["planned in Italian only",          { it: FUTURE },                                  ["alive"]],
    ["public and in the trash",          { en: PAST, deleted: true },                     ["trashed"]],
    ["planned and in the trash",         { en: FUTURE, deleted: true },                   ["trashed", "scheduled"]],
    ["drafted",                          { en: PAST, drafts: { en: null } },              ["public", "alive", "draft", "is_public"]],
    ["drafted in Italian",               { en: PAST, drafts: { it: null } },              ["public", "alive", "draft", "is_public"]],
    ["with a draft for later",           { en: PAST, drafts: { en: FUTURE } },            ["public", "alive", "draft", "scheduled", "is_public"]],
    ["with an Italian draft that is due", { drafts: { it: PAST } },                       ["alive", "draft", "scheduled", "due_for_publish"]],
    ["with a draft due this instant",    { drafts: { en: "2026-03-01" } },                ["alive", "draft", "scheduled", "due_for_publish"]],
    ["due in the trash",                 { deleted: true, drafts: { en: PAST } },         ["trashed", "draft", "scheduled", "due_for_publish"]],
  ])("a page that is %s", (_name, shape, expected) => {
    expect(all.filter((name) => PAGE_FILTERS[name](page(1, shape), "en", now))).toEqual(expected);
  });

  it("are all tested", () => {
    expect(Object.keys(PAGE_FILTERS)).toEqual(all);
  });
});

describe("filterPages", () => {
  const pages = [
    page(1),
    page(2, { en: PAST }),
    page(3, { en: FUTURE }),
    page(4, { en: PAST, deleted: true }),
    page(5, { it: PAST, drafts: { it: null } }),
  ];

  // oxfmt-ignore
  it.each<[PageConditions, string, number[]]>([
    // asked                                     in    gives
    [{},                                         "en", [1, 2, 3, 4, 5]],
    [{ status: "PUB" },                          "en", [2]],
    [{ status: "PUB" },                          "it", [5]],
    [{ status: "TRS" },                          "it", [4]],
    [{ status__in: ["DRF", "PLA"] },             "en", [1, 3, 5]],
    [{ status__in: [] },                         "en", []],
    [{ is_public: true },                        "en", [2]],
    [{ is_public: false },                       "en", [1, 3, 4, 5]], // the complement, the trash included
    [{ trashed: false, public: false },          "en", [1, 3, 5]],
    [{ status: "DRF", draft: true },             "en", [5]],
    [{ status: undefined, draft: true },         "en", [5]],
  ])("%j in %s", (conditions, lang, ids) => {
    expect(filterPages(pages, conditions, lang, now).map(({ id }) => id)).toEqual(ids);
  });

  // oxfmt-ignore
  it.each<[object, Record<string, string[]>]>([
    [{ status: "LIVE" },                         { status: ['"LIVE" is not a status: PUB, DRF, PLA, TRS.'] }],
    [{ status__in: ["PUB", "X", "Y"] },          { status__in: ['"X" is not a status: PUB, DRF, PLA, TRS.', '"Y" is not a status: PUB, DRF, PLA, TRS.'] }],
    [{ status__in: "PUB" },                      { status__in: ["Expected a list of statuses."] }],
    [{ public: "yes", secret: true },            { public: ["Must be true or false."], secret: ["There is no such filter."] }],
    [{ constructor: true },                      { constructor: ["There is no such filter."] }],
  ])("refuses %j", (conditions, fields) => {
    expect(() => filterPages(pages, conditions as PageConditions, "en", now)).toThrow(
      expect.objectContaining({ code: "invalid", fields }) as CmsError,
    );
  });
});
