/** Look-ups over pages stay right through any sequence of writes, whether laid over or built anew. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseInstant } from "../../src/model/instant.ts";
import type { Page } from "../../src/model/page.ts";
import { pageIndex, type PageIndex } from "../../src/store/content/indexes/page-index.ts";
import type { Entity, Reader } from "../../src/store/content/record-type.ts";
import { PAGES } from "../../src/store/content/records/pages.ts";
import { changeTable, makeTable, Snapshot, type Entry, type Table } from "../../src/store/content/snapshot.ts";
import { at, blankPage } from "../model/blank-page.ts";

const page = (id: number, slug: number, parent: number, day: number): Page =>
  blankPage({
    id,
    identifier: `i${slug}`,
    parent_page: parent === id ? null : parent,
    date_created: at(`2026-01-${String(id + 1).padStart(2, "0")}`),
    aliases: [{ language: "en", from: `/old-${slug}` }],
    translations: { en: { permalink: `/${slug}`, published_at: at(`2026-03-${String(day + 1).padStart(2, "0")}`) } },
    drafts: day % 3 === 0 ? { en: { scheduled_for: at("2026-05-01") } } : {},
  });

const reader = (table: Table): Reader => new Snapshot(null, new Map([[PAGES, table]]), []);
const slugs = [0, 1, 2, 3, 4];

const asked = (index: PageIndex): unknown => ({
  permalinks: slugs.map((slug) => index.byPermalink("en", `/${slug}`)?.id),
  aliases: slugs.map((slug) => index.byAlias("en", `/old-${slug}`)?.id),
  children: slugs.map((id) => index.children(id).map((child) => child.id)),
  identifiers: slugs.map((slug) => index.byIdentifier("page", `i${slug}`)?.id),
  scheduled: index.scheduled.map((each) => each.id).sort(),
});

it("answers as an index built from nothing", () => {
  const change = fc.tuple(fc.nat(9), fc.nat(4), fc.nat(4), fc.nat(8), fc.boolean());
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 90 }), (changes) => {
      let table: Table = makeTable(new Map());
      for (const [id, slug, parent, day, isGone] of changes) {
        const entry: Entry | null = isGone
          ? null
          : { base: `b${id}`, record: page(id, slug, parent, day) as Entity, files: new Map() };
        table = changeTable(table, new Map([[`b${id}`, entry]]))!;
        const anew = reader({ ...table, all: [...table.all] });
        expect(asked(pageIndex(reader(table)))).toEqual(asked(pageIndex(anew)));
        const after = parseInstant("2026-03-04T00:00:00Z")!;
        const [next, exact] = [pageIndex(reader(table)).nextMoment(after), pageIndex(anew).nextMoment(after)];
        // Too early is allowed, too late never.
        if (exact !== undefined) expect(next! <= exact).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
