/** Look-ups over pages stay right through any sequence of writes. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseInstant } from "../../../src/model/time/instant.ts";
import type { Page } from "../../../src/model/page/page.ts";
import {
  highestOrdering,
  nextMoment,
  pageIndex,
  scheduledPages,
} from "../../../src/store/content/indexes/page-index.ts";
import type { Entity, Reader } from "../../../src/store/records/record-type.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { SharedMap } from "../../../src/store/maps/shared-map.ts";
import { changeTable, makeTable, Snapshot, type Entry, type Table } from "../../../src/store/snapshot.ts";
import { openTransaction } from "../../../src/store/write/transaction.ts";
import { systemEnv } from "../../../src/env.ts";
import { at, blankPage } from "../../model/page/blank-page.ts";

const IDS = 24;
const ids = Array.from({ length: IDS }, (_, id) => id);

const page = (id: number, slug: number, parent: number, day: number): Page =>
  blankPage({
    id,
    identifier: day === 7 ? null : `i${slug}`,
    ordering: day * slug,
    parent_page: parent === id ? null : parent,
    date_created: at(`2026-01-${String(id + 1).padStart(2, "0")}`),
    aliases: ["", "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h"]
      .slice(0, day % 2 === 0 ? 0 : day === 5 ? 9 : 1)
      .map((more) => ({ language: "en", from: `/old-${slug}${more}` })),
    translations: {
      en: { permalink: day === 8 ? null : `/${slug}`, published_at: at(`2026-03-${String(day + 1).padStart(2, "0")}`) },
    },
    drafts: day % 3 === 0 ? { en: { scheduled_for: at("2026-05-01") } } : {},
  });

const contentOf = (table: Table): Snapshot => new Snapshot(null, new Map([[PAGES, table]]), []);
const slugs = [0, 1, 2, 3, 4];

const foundIn = (reader: Reader): object => {
  const index = pageIndex(reader);
  return {
    permalinks: slugs.map((slug) => index.byPermalink("en", `/${slug}`)?.id),
    aliases: slugs.map((slug) => index.byAlias("en", `/old-${slug}`)?.id),
    claimants: slugs.map((slug) => index.claimants("permalinks en", `/${slug}`).map((each) => each.id)),
    children: slugs.map((id) => index.children(id).map((child) => child.id)),
    identifiers: slugs.map((slug) => index.byIdentifier("page", `i${slug}`)?.id),
    has: ids.map((id) => index.has(id)),
  };
};

const asked = (content: Snapshot): object => ({
  ...foundIn(content),
  scheduled: scheduledPages(content).map((each) => each.id),
  next: nextMoment(content, parseInstant("2026-03-04T00:00:00Z")!),
  highest: highestOrdering(content, PAGES),
});

const entry = (id: number, slug: number, parent: number, day: number): Entry => ({
  base: `b${id}`,
  record: page(id, slug, parent, day) as Entity,
  files: new Map(),
});
const change = fc.tuple(fc.nat(IDS - 1), fc.nat(4), fc.nat(4), fc.nat(8), fc.boolean());
const first = new Map(ids.map((id): [string, Entry] => [`b${id}`, entry(id, id % 5, 0, id % 9)]));

it("answers as an index built from nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 90 }), async (changes) => {
      let table = await makeTable(new SharedMap(first));
      asked(contentOf(table));
      for (const [id, slug, parent, day, isGone] of changes) {
        table = (await changeTable(table, new Map([[`b${id}`, isGone ? null : entry(id, slug, parent, day)]])))!;
        const anew = await makeTable(new SharedMap(new Map(table.byBase)));
        expect(asked(contentOf(table))).toEqual(asked(contentOf(anew)));
      }
    }),
    { numRuns: 60 },
  );
});

it("answers in a transaction as an index over what it has put, and leaves that of the content as it was", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(change, fc.boolean()), { minLength: 1, maxLength: 40 }), async (changes) => {
      const content = contentOf(await makeTable(new SharedMap(first)));
      const before = asked(content);
      const { tx } = openTransaction(content, systemEnv(), at("2026-03-01"));
      for (const [[id, slug, parent, day, isGone], isAsked] of changes) {
        // What ends as it began was not touched.
        if (!isGone) tx.put(PAGES, day === 8 ? (first.get(`b${id}`)!.record as Page) : page(id, slug, parent, day));
        else if (tx.find(PAGES, id)) tx.remove(PAGES, id);
        if (!isAsked) continue;
        const records = tx
          .all(PAGES)
          .map((record): [string, Entry] => [`b${record.id}`, { ...first.get(`b${record.id}`)!, record }]);
        expect(foundIn(tx)).toEqual(foundIn(contentOf(await makeTable(new SharedMap(new Map(records))))));
      }
      expect(asked(content)).toEqual(before);
    }),
    { numRuns: 60 },
  );
});
