/** Kept lists, compared with lists that are made anew. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { parseInstant, type Instant } from "../../src/model/time/instant.ts";
import type { Json } from "../../src/model/input/json.ts";
import { EMPTY_GLOBALS, EMPTY_TEXT, type Page, type PageSummary } from "../../src/model/page/page.ts";
import { readQuery } from "../../src/model/lists/query.ts";
import { PAGE_SUMMARIES } from "../../src/store/records/page-summary.ts";
import { PAGES } from "../../src/store/records/pages.ts";
import { SharedMap } from "../../src/store/maps/shared-map.ts";
import { cachedEntry, changeTable, makeTable, Snapshot, type Entry, type Table } from "../../src/store/snapshot.ts";
import { list, type RecordListing } from "../../src/views/lists/listing.ts";
import { PAGE_LIST } from "../../src/views/page/page-list.ts";
import { listKind } from "../../src/views/lists/table-list.ts";
import type { View } from "../../src/views/view.ts";

const day = (number: number): Instant => parseInstant(`2026-01-${String(number).padStart(2, "0")}T00:00Z`)!;
const days = fc.integer({ min: 1, max: 20 }).map(day);
const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });
const word = fc.constantFrom("", "Alpha", "béta", "beta gamma", "Ünder", "zeta");

const text = fc
  .record({
    title: orNull(word),
    permalink: orNull(word.map((each) => `/${each}`)),
    published_at: orNull(days),
    template_data: fc.constantFrom<Json>({}, { place: 1 }, { place: "x" }),
  })
  .map((some) => ({ ...EMPTY_TEXT, ...some }));
const draft = fc.record({ scheduled_for: orNull(days), payload: fc.constant({ title: "t" }) });
const pages = (id: number): fc.Arbitrary<Page> =>
  fc
    .record({
      ordering: fc.integer({ min: 0, max: 3 }),
      identifier: word.map((each) => `${each}-${id}`),
      parent_page: orNull(fc.integer({ min: 1, max: 12 })),
      robots: fc.constantFrom("", "noindex"),
      deleted_at: orNull(days),
      date_created: days,
      date_updated_at: days,
      translations: fc.dictionary(fc.constantFrom("en", "it"), text),
      drafts: fc.dictionary(
        fc.constantFrom("en", "it"),
        draft.map((each) => ({ ...each, created_at: day(1), updated_at: day(1) })),
      ),
    })
    .map((some) => ({ ...EMPTY_GLOBALS, model: "page", aliases: [], ...some, id }));

const QUERIES = [
  "",
  "order=desc",
  "sort=title",
  "sort=-title&order=desc",
  "sort=id",
  "sort=status",
  "sort=parent_page__title",
  "fltr=status%3DPUB",
  "fltr=status_it%3DPUB&sort=title",
  "fltr=is_public%3Dfalse",
  "fltr=due_for_publish%3Dtrue OR has_draft%3Dtrue",
  "fltr=scheduled%3Dtrue&sort=pubblication_date",
  "fltr=title__icontains%3Dbeta",
  "fltr=parent_page__title%3DAlpha",
  "fltr=template_data__place%3D1",
  "fltr=deleted_at__isnull%3Dtrue&search=eta",
  "search=eta&order=desc",
  "search=-1",
];

/** Odd ids are as read from the content cache. @param onParse called for each record that is parsed */
function entryOf(page: Page, onParse: () => void = () => undefined): Entry {
  const base = `content/pages/p${page.id}`;
  if (page.id % 2 === 0) return { record: page, base, files: new Map([[".yaml", "a"]]) };
  const parts = { summary: PAGE_SUMMARIES.summarize(page), isSelfContained: true, filesKey: ".yaml a" };
  return cachedEntry(base, parts, () => {
    onParse();
    return page;
  });
}

const tableOf = (entries: readonly Entry[]): Promise<Table> =>
  makeTable(new SharedMap(new Map(entries.map((each) => [each.base, each]))));
const idsOf = (found: RecordListing<Page>): unknown =>
  "items" in found ? [found.items.map(({ id }) => id), found.paginator] : found.map(({ id }) => id);

/** A site of its own, since lists are kept for each. */
function openSite() {
  const locales = { codes: ["en", "it"], default: "en" };
  const viewOf = (table: Table, now: Instant, lang: string): View => ({
    content: new Snapshot(null, new Map([[PAGES, table]]), []),
    config: defaultConfig(),
    locales,
    lang,
    now,
    surface: "editor",
    origin: "",
  });
  const queryOf = (params: string) => readQuery(new URLSearchParams(params), PAGE_LIST, locales);
  return { viewOf, queryOf };
}

const step = fc.record({
  query: fc.constantFrom(...QUERIES),
  paging: fc.constantFrom("", "&items=3&page=1", "&items=2&page=2", "&items=4&page=99"),
  lang: fc.constantFrom("en", "it"),
  now: days,
  changes: fc.array(
    fc.integer({ min: 1, max: 12 }).chain((id) => fc.tuple(fc.constant(id), orNull(pages(id)))),
    { maxLength: 3 },
  ),
  isWhole: fc.boolean(),
});

describe("lists of a table", () => {
  it("are those that are made anew, after any changes and at any time", async () => {
    const start = fc.tuple(...Array.from({ length: 8 }, (_, at) => pages(at + 1)));
    const property = fc.asyncProperty(start, fc.array(step, { minLength: 1, maxLength: 12 }), async (first, steps) => {
      const { viewOf, queryOf } = openSite();
      let table = await tableOf(first.map((page) => entryOf(page)));
      for (const { query, paging, lang, now, changes, isWhole } of steps) {
        const changed = new Map(changes.map(([id, page]) => [`content/pages/p${id}`, page && entryOf(page)]));
        const next = await changeTable(table, changed);
        table = isWhole || !next ? await tableOf([...(next ?? table).byBase.values()]) : next;
        const view = viewOf(table, now, lang);
        const asked = () => queryOf(query + paging);
        const expected = idsOf(await list(view.content.all(PAGES), asked(), view));
        expect(idsOf(await listKind(PAGES, asked(), view)), `${query}${paging} ${lang} ${now}`).toEqual(expected);
      }
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it("parse the records of the page alone, where the query reads summaries", async () => {
    const { viewOf, queryOf } = openSite();
    const parsed = new Set<number>();
    const shape = { ...EMPTY_GLOBALS, model: "page", aliases: [], drafts: {}, deleted_at: null, translations: {} };
    const all = Array.from({ length: 200 }, (_, at): Page => ({
      ...shape,
      ...{ id: 2 * at + 1, identifier: `p${at}`, ordering: at, date_created: day(1), date_updated_at: day(1) },
    }));
    const view = viewOf(await tableOf(all.map((page) => entryOf(page, () => parsed.add(page.id)))), day(2), "en");
    await listKind(PAGES, queryOf("items=20&fltr=status%3DDRF"), view);
    expect(parsed.size).toBe(20);
    await listKind(PAGES, queryOf("items=20&search=p1"), view);
    expect(parsed.size).toBe(200);
  });
});

it("a field that reads a summary has the same value of it as of the page", async () => {
  const { viewOf } = openSite();
  const fields = Object.entries(PAGE_LIST.fields).filter(
    ([, field]) => field.type !== "reference" && field.reads === "summary",
  );
  expect(fields.length).toBeGreaterThan(15);
  const property = fc.asyncProperty(pages(1), days, async (page, now) => {
    const view = viewOf(await tableOf([entryOf(page)]), now, "en");
    for (const [name, field] of fields) {
      const valueOf = (of: PageSummary, lang: string): unknown => field.get(of as Page, view, lang);
      for (const lang of ["en", "it"])
        expect(valueOf(PAGE_SUMMARIES.summarize(page) as PageSummary, lang), name).toEqual(valueOf(page, lang));
    }
  });
  await fc.assert(property);
});
