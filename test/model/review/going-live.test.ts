import { describe, expect, it } from "vitest";
import type { Instant } from "../../../src/model/time/instant.ts";
import { discardDraft } from "../../../src/model/page/draft.ts";
import { withText, type Page } from "../../../src/model/page/page.ts";
import { goingLive, hashOfDraft } from "../../../src/model/review/going-live.ts";
import { at, blankPage } from "../page/blank-page.ts";

const LOCALES = { codes: ["en", "it"], default: "en" };
const [PAST, NOW, SOON, LATER] = [at("2026-02-01"), at("2026-03-01"), at("2026-04-01"), at("2026-05-01")];

const page = (published_at: Instant | null, title = "Old"): Page =>
  withText(blankPage(), "it", { title, published_at });
const drafted = (of: Page, title = "New", scheduled_for: Instant | null = null): Page => ({
  ...of,
  drafts: { it: { payload: { title_it: title }, scheduled_for, created_at: PAST, updated_at: PAST } },
});
const titled = (of: Page, title: string): Page => withText(of, "it", { title });
const planned = (of: Page, published_at: Instant | null): Page => withText(of, "it", { published_at });
/** As publishing does it. */
const published = (of: Page, title = "New"): Page => planned(titled(discardDraft(of, "it"), title), NOW);

/** With a text that Italian shows for want of its own, in a language that is public itself, or not. */
const lent = (description: string, english: Instant | null): Page =>
  withText(PUBLIC, "en", { description, published_at: english });

const [HIDDEN, PUBLIC] = [page(null), page(PAST)];
const SCHEDULED = planned(drafted(HIDDEN, "New", SOON), SOON);

describe("goingLive", () => {
  // What goes live, by the draft that has to be approved: "New" is one, "-" the page without a draft, "by hand" none.
  // oxfmt-ignore
  it.each<[string, Page | undefined, Page, readonly string[]]>([
    ["a new hidden page",                      undefined,             HIDDEN,                                       []],
    ["a new public page",                      undefined,             PUBLIC,                                       ["by hand"]],
    ["a draft is saved",                       PUBLIC,                drafted(PUBLIC),                              []],
    ["a draft is discarded",                   drafted(PUBLIC),       PUBLIC,                                       []],
    ["a draft is published",                   drafted(PUBLIC),       titled(PUBLIC, "New"),                        ["New"]],
    ["a draft is published for the first time", drafted(HIDDEN),      published(HIDDEN),                            ["New"]],
    ["a page without a draft is published",    HIDDEN,                planned(HIDDEN, NOW),                         ["-"]],
    ["and its values change with it",          HIDDEN,                published(HIDDEN),                            ["by hand"]],
    ["hidden values are changed",              HIDDEN,                titled(HIDDEN, "New"),                        []],
    ["public values are changed",              PUBLIC,                titled(PUBLIC, "New"),                        ["by hand"]],
    ["they are below a draft",                 drafted(PUBLIC),       titled(drafted(PUBLIC), "Other"),             ["by hand"]],
    ["a date is changed",                      PUBLIC,                planned(PUBLIC, NOW),                         ["-"]],
    ["a page is hidden",                       PUBLIC,                HIDDEN,                                       []],
    ["a page moves to the trash",              PUBLIC,                { ...PUBLIC, deleted_at: NOW },               []],
    ["it comes back",                          { ...PUBLIC, deleted_at: NOW }, PUBLIC,                              []],
    ["it is changed there",                    { ...PUBLIC, deleted_at: NOW }, { ...titled(PUBLIC, "New"), deleted_at: NOW }, ["by hand"]],
    ["an order is changed",                    PUBLIC,                { ...PUBLIC, ordering: 7 },                   []],
    ["a draft is scheduled",                   drafted(PUBLIC),       drafted(PUBLIC, "New", SOON),                 ["New"]],
    ["and then edited",                        drafted(PUBLIC, "New", SOON), drafted(PUBLIC, "Other", SOON),        []],
    ["and then moved",                         drafted(PUBLIC, "New", SOON), drafted(PUBLIC, "New", LATER),         ["New"]],
    ["a page is planned with its draft",       drafted(HIDDEN),       SCHEDULED,                                    ["New"]],
    ["a page is planned without it",           drafted(HIDDEN),       planned(drafted(HIDDEN), SOON),               ["-"]],
    ["the planned draft is edited",            SCHEDULED,             planned(drafted(HIDDEN, "Other", SOON), SOON), ["Other"]],
    ["the planned draft is discarded",         SCHEDULED,             discardDraft(SCHEDULED, "it"),                ["-"]],
    ["the page below the planned draft",       SCHEDULED,             titled(SCHEDULED, "Other"),                   []],
    ["a planned page is changed",              planned(HIDDEN, SOON), planned(titled(HIDDEN, "New"), SOON),         ["-"]],
    ["a hidden text that it shows",            lent("A", null),       lent("B", null),                              ["by hand"]],
    ["one of a language that is public",       withText(lent("A", PAST), "en", { title: "X" }), withText(lent("A", PAST), "en", { title: "X" }), []],
    ["a planned page is published now",        planned(HIDDEN, SOON), planned(HIDDEN, NOW),                         ["-"]],
  ])("%s", (_what, before, after, expected) => {
    const pages = [before, after].filter((each) => each !== undefined);
    const names = new Map(
      pages.flatMap((each) => [
        [hashOfDraft(discardDraft(each, "it"), "it", LOCALES), "-"],
        ...(each.drafts.it ? [[hashOfDraft(each, "it", LOCALES), String(each.drafts.it.payload.title_it)]] : []),
      ] as [string, string][]),
    );
    const found = goingLive(before, after, { now: NOW, locales: LOCALES });
    expect(found.map(({ hashes }) => (hashes[0] ? names.get(hashes[0].hash) : "by hand"))).toEqual(expected);
    expect(found.every(({ language }) => language === "it")).toBe(true);
  });

  it("takes a draft that was removed by hand as applied only where the page shows just its values", () => {
    const byHand = { now: NOW, locales: LOCALES, isByHand: true };
    const before = drafted(PUBLIC);
    expect(goingLive(before, titled(PUBLIC, "New"), byHand)[0]?.hashes).toHaveLength(1);
    expect(goingLive(before, titled(PUBLIC, "Another"), byHand)[0]?.hashes).toEqual([]);
  });
});

describe("hashOfDraft", () => {
  const hash = (of: Page) => hashOfDraft(of, "it", LOCALES);

  it("differs with every value that would be shown, and not with its moment", () => {
    const known = hash(drafted(PUBLIC));
    expect(hash(drafted(PUBLIC, "New", SOON))).toBe(known);
    expect(hash({ ...drafted(PUBLIC), ordering: 9 })).toBe(known);
    expect(hash(drafted(HIDDEN))).toBe(known);
    for (const other of [
      drafted(PUBLIC, "Other"),
      { ...drafted(PUBLIC), robots: "noindex" },
      withText(drafted(PUBLIC), "it", { description: "D" }),
    ])
      expect(hash(other)).not.toBe(known);
  });

  it("is the same whatever another language has", () => {
    expect(hash(withText(drafted(PUBLIC), "en", { title: "Else" }))).toBe(hash(drafted(PUBLIC)));
  });
});
