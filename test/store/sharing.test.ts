/** Programs that open one site together each read a share, and all end with everything. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Instant } from "../../src/model/instant.ts";
import { EMPTY_TEXT, type Page } from "../../src/model/page.ts";
import { openContentCache, type ContentCache } from "../../src/store/content-cache.ts";
import { partsName } from "../../src/store/snapshot.ts";
import { PAGES } from "../../src/store/kinds/pages.ts";
import { readTogether } from "../../src/store/sharing.ts";

const AT = "2026-01-01T00:00:00.000Z" as Instant;
const page = (id: number): Page => ({
  id, model: "page", identifier: null, parent_page: null, template: null, ordering: 0, og_image: null, meta: {}, deleted_at: null, date_created: AT, date_updated_at: AT,
  aliases: [], author: null, highlight_image: null, tags: [], translations: { en: { ...EMPTY_TEXT, title: `T${id}`, template_data: { n: id, text: "è" } } }, drafts: {},
});
const COUNT = 700;
const files = (id: number): Map<string, string> => new Map([[".yaml", String(id).padStart(40, "0")]]);
const base = (id: number): string => `content/pages/p${id}`;
const ids = Array.from({ length: COUNT }, (_, at) => at + 1);

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "cms-sharing-"))));
afterEach(() => rmSync(dir, { recursive: true }));

const listFor = (cache: ContentCache, read: number[]) => ids.map((id) => async () => {
  read.push(id);
  cache.setRecord(PAGES, base(id), files(id), page(id), true);
});

it.each([2, 3, 5])("%i of them read everything once and know all of it", async (of) => {
  const read: number[][] = [];
  const given: Promise<Uint8Array>[] = [];
  const give: ((share: Uint8Array) => void)[] = [];
  for (let at = 0; at < of; at++) given.push(new Promise((resolve) => give.push(resolve)));
  const caches = await Promise.all(given.map((_, number) => openContentCache(dir, "", number === 0)));
  await Promise.all(caches.map((cache, number) => {
    read[number] = [];
    return readTogether(listFor(cache, read[number]), cache, {
      number, of,
      async exchange(mine) {
        give[number]!(mine);
        return (await Promise.all(given)).filter((_, at) => at !== number);
      },
    });
  }));
  expect(read.flat().sort((a, b) => a - b)).toEqual(ids);
  expect(read.every((each) => each.length > 0)).toBe(true);
  for (const cache of caches) expect(ids.map((id) => cache.find(PAGES, base(id), partsName(files(id)))?.record)).toEqual(ids.map(page));
  await Promise.all(caches.map((cache) => cache.retire({ oids: () => [], resting: () => undefined, files: new Map(), isWanted: false, seen: () => undefined }).write()));
  // The first has left all of it for the next start.
  const next = await openContentCache(dir);
  expect(ids.map((id) => next.find(PAGES, base(id), partsName(files(id)))?.record)).toEqual(ids.map(page));
});

it("lacks only what another has not given, or gave under another setting", async () => {
  const cache = await openContentCache(null);
  const other = await openContentCache(null, "another");
  other.setRecord(PAGES, base(1), files(1), page(1), true);
  const read: number[] = [];
  await readTogether(listFor(cache, read), cache, { number: 1, of: 2, exchange: async () => [other.packed(), new Uint8Array(3)] });
  const known = ids.filter((id) => cache.find(PAGES, base(id), partsName(files(id))) !== undefined);
  expect(known).toEqual(read);
  expect(known.length).toBeLessThan(COUNT);
});
