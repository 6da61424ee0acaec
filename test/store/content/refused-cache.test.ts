/** A disk that refuses the content cache, and records that are written while others are parsed. */
import fs, { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Instant } from "../../../src/model/time/instant.ts";
import { EMPTY_GLOBALS, type Page } from "../../../src/model/page/page.ts";
import { openContentCache, type ContentCache } from "../../../src/store/cache/content-cache.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { entryKey, filesKey, type Entry } from "../../../src/store/snapshot.ts";

/** With more records in memory, they are written. */
const HELD_MAX = 10;
const AT = "2026-01-01T00:00:00.000Z" as Instant;
const page = (id: number, identifier = `p${id}`): Page => ({
  ...EMPTY_GLOBALS,
  ...{ id, model: "page", identifier, deleted_at: null, date_created: AT, date_updated_at: AT },
  ...{ aliases: [], tags: [], translations: {}, drafts: {} },
});
const PAGE_COUNT = 60;
/** More than are in memory at first, and more than are written together later. */
const MANY = 600;
const baseOf = (id: number): string => `content/pages/p${id}`;
const filesOf = (id: number, version = "0") => new Map([[".yaml", version + String(id).padStart(39, "0")]]);
const keyOf = (id: number, version?: string): string => entryKey(PAGES, baseOf(id), filesKey(filesOf(id, version)));
const setPage = (cache: ContentCache, each: Page, version?: string): Entry =>
  cache.setRecord(PAGES, { record: each, base: baseOf(each.id), files: filesOf(each.id, version) }, true);
const found = (cache: ContentCache, id: number, version?: string) =>
  cache.find(PAGES, baseOf(id), filesKey(filesOf(id, version)))?.record;
const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

const { openSync } = fs;
let dir: string;
let opened: ContentCache[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "cms-refused-"));
  opened = [];
});
afterEach(() => {
  fs.openSync = openSync;
  syncBuiltinESMExports();
  for (const cache of opened) cache.close();
  rmSync(dir, { recursive: true });
});

function open(heldMax?: number): ContentCache {
  const cache = openContentCache(dir, "en", true, heldMax);
  opened.push(cache);
  return cache;
}

/** @param open in place of opening a new file */
function openNewFilesBy(open: () => number): void {
  fs.openSync = (path, flags, mode) => (String(path).endsWith(".tmp") ? open() : openSync(path, flags, mode));
  syncBuiltinESMExports();
}

const refuse = (): never => {
  throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
};

describe.each([
  ["a new file", refuse],
  ["its content", () => openSync("/dev/full", "r+")],
])("a disk that refuses %s", (_what, opens) => {
  it.skipIf(!existsSync("/dev/full")).each([
    ["at the end", undefined],
    ["while others are parsed", HELD_MAX],
  ])("leaves records in memory, and the cache before it: %s", async (_when, heldMax) => {
    const before = open();
    for (const id of ids(PAGE_COUNT)) setPage(before, page(id));
    await before.flush(() => ids(PAGE_COUNT).map((id) => keyOf(id)));
    openNewFilesBy(opens);
    const cache = open(heldMax);
    const entries = ids(MANY).map((id) => setPage(cache, page(id, `new-${id}`), "1"));
    await cache.flush(() => ids(MANY).map((id) => keyOf(id, "1")));
    expect(entries.map(({ record }) => record)).toEqual(ids(MANY).map((id) => page(id, `new-${id}`)));
    expect(readdirSync(dir)).toEqual(["content.cache"]);
    expect(found(open(), 3)).toEqual(page(3));
  });
});

describe("records that are written while others are parsed", () => {
  const keptKeys = (): string[] => ids(MANY).map((id) => keyOf(id));

  it("are read from their file before and after it is complete", async () => {
    const cache = open(HELD_MAX);
    const entries = ids(MANY).map((id) => setPage(cache, page(id)));
    expect(readdirSync(dir)).toEqual([expect.stringMatching(/^content\.cache\..*\.tmp$/)]);
    const pages = ids(MANY).map((id) => page(id));
    expect(entries.map(({ record }) => record)).toEqual(pages);
    await cache.flush(keptKeys);
    expect(readdirSync(dir)).toEqual(["content.cache"]);
    const again = open();
    expect(ids(MANY).map((id) => found(again, id))).toEqual(pages);
  });

  it("do not stay in memory", async () => {
    const cache = open(HELD_MAX);
    const entries = ids(MANY).map((id) => setPage(cache, page(id)));
    const isParsedAgain = entries.map(({ cached }) => (cached as { record?: Page }).record === undefined);
    expect(isParsedAgain.filter((each) => !each).length).toBeLessThan(MANY / 2);
  });

  it("are found in their newest version, and the older ones are not in the next cache", async () => {
    const cache = open(HELD_MAX);
    for (const id of ids(MANY)) setPage(cache, page(id, "older-".repeat(100)));
    for (const id of ids(MANY)) setPage(cache, page(id, `new-${id}`), "1");
    const keys = ids(MANY).map((id) => keyOf(id, "1"));
    await cache.flush(() => keys);
    const size = (): number => statSync(join(dir, "content.cache")).size;
    const first = size();
    const again = open();
    expect(ids(MANY).map((id) => found(again, id, "1"))).toEqual(ids(MANY).map((id) => page(id, `new-${id}`)));
    expect(found(again, 3)).toBeUndefined();
    for (const id of ids(PAGE_COUNT)) setPage(again, page(id, `new-${id}`), "1");
    await again.flush(() => keys);
    expect(size()).toBeLessThan(first / 2);
  });

  it("are beside those of the cache before", async () => {
    const before = open();
    for (const id of ids(PAGE_COUNT)) setPage(before, page(id));
    await before.flush(() => ids(PAGE_COUNT).map((id) => keyOf(id)));
    const cache = open(HELD_MAX);
    for (const id of ids(MANY).slice(PAGE_COUNT)) setPage(cache, page(id));
    await cache.flush(keptKeys);
    const again = open();
    expect(ids(MANY).map((id) => found(again, id))).toEqual(ids(MANY).map((id) => page(id)));
  });

  it("go to other processes, too", () => {
    const cache = open(HELD_MAX);
    for (const id of ids(MANY)) setPage(cache, page(id));
    const other = openContentCache(null, "en");
    other.add(cache.share());
    expect(ids(MANY).map((id) => found(other, id))).toEqual(ids(MANY).map((id) => page(id)));
  });

  it("leave no file where the process stops before it is complete", () => {
    const cache = open(HELD_MAX);
    for (const id of ids(MANY)) setPage(cache, page(id));
    cache.close();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("begin with the removal of what a process that was killed an hour ago has left, and of nothing else", async () => {
    const names = ["content.cache.1.tmp", "content.cache.2.tmp", "other.1.tmp"];
    for (const name of names) writeFileSync(join(dir, name), "");
    const old = new Date(Date.now() - 3_600_000);
    for (const name of [names[0]!, names[2]!]) utimesSync(join(dir, name), old, old);
    const cache = open(HELD_MAX);
    for (const id of ids(MANY)) setPage(cache, page(id));
    await cache.flush(keptKeys);
    expect(readdirSync(dir)).toEqual(["content.cache", ...names.slice(1)]);
  });
});
