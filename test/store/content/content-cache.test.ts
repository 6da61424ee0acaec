/** The content cache; numbers are those of the invariants in its header. */
import fc from "fast-check";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Instant } from "../../../src/model/time/instant.ts";
import type { Menu } from "../../../src/model/records/menu.ts";
import { EMPTY_GLOBALS, EMPTY_TEXT, type Page } from "../../../src/model/page/page.ts";
import type { ContentImage } from "../../../src/store/cache/cache-image.ts";
import { openContentCache, type ContentCache } from "../../../src/store/cache/content-cache.ts";
import { entryKey, filesKey, recordOf, summaryOf, type Entry } from "../../../src/store/snapshot.ts";
import type { AnyKind } from "../../../src/store/records/record-type.ts";
import { MENUS } from "../../../src/store/records/menus.ts";
import { mediaFiles } from "../../../src/store/records/media/media-files.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { openStore, type Store } from "../../../src/store/write/store.ts";
import { memoryRepo } from "../../support/memory-repo.ts";
import { record } from "../codec/sample.ts";
import { quietEnv } from "../git/git-site.ts";

const AT = "2026-01-01T00:00:00.000Z" as Instant;
const page = (id: number, extra: Partial<Page> = {}): Page => ({
  ...EMPTY_GLOBALS,
  id,
  model: "page",
  identifier: `p${id}`,
  deleted_at: null,
  date_created: AT,
  date_updated_at: AT,
  aliases: [{ language: "en", from: "/old" }],
  tags: [1],
  translations: {
    en: {
      ...EMPTY_TEXT,
      title: `T${id}`,
      permalink: `/p${id}`,
      indexable: false,
      template_data: { body: "è 😀", list: [1, null] },
    },
    it: EMPTY_TEXT,
  },
  drafts: { it: { payload: { title: "x" }, scheduled_for: AT, created_at: AT, updated_at: AT } },
  ...extra,
});
const files = (id: number): Map<string, string> =>
  new Map([
    [".yaml", String(id).padStart(40, "0")],
    [".draft.it.yaml", String(id).padStart(40, "1")],
  ]);
const PAGES_KEPT = Array.from({ length: 60 }, (_, at) => page(at + 1));

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "cms-cache-"))));
afterEach(() => rmSync(dir, { recursive: true }));

const MENU_FILE = "f".repeat(40);
const baseOf = (id: number): string => `content/pages/p${id}`;
const keyOf = (id: number): string => entryKey(PAGES, baseOf(id), filesKey(files(id)));
const setPage = (cache: ContentCache, each: Page): Entry =>
  cache.setRecord(PAGES, { record: each, base: baseOf(each.id), files: files(each.id) }, true);
const lookUp = (cache: ContentCache, kind: AnyKind, base: string, of: ReadonlyMap<string, string>) =>
  cache.find(kind, base, filesKey(of));
const entry = (cache: ContentCache, id: number, of = files(id)) => lookUp(cache, PAGES, baseOf(id), of);
const find = (cache: ContentCache, id: number, of = files(id)) => entry(cache, id, of)?.record;
const cacheFile = (): string => join(dir, readdirSync(dir)[0]!);

/** A cache file with all of `PAGES_KEPT` and one parsed file. */
async function filled(settings = "en", pages: readonly Page[] = PAGES_KEPT): Promise<void> {
  const cache = openContentCache(dir, settings);
  for (const each of pages) setPage(cache, each);
  cache.set(MENU_FILE, { data: { id: 7 } });
  await cache.flush(() => [MENU_FILE, ...pages.map(({ id }) => keyOf(id))]);
}

describe("the content cache", () => {
  it("returns the records of the same files, and parsed files", async () => {
    await filled();
    const cache = openContentCache(dir, "en");
    for (const each of PAGES_KEPT) expect(find(cache, each.id)).toEqual(each);
    expect(entry(cache, 3)!.files).toEqual(files(3));
    expect(cache.get(MENU_FILE)).toEqual({ data: { id: 7 } });
  });

  it("returns any page as it was", async () => {
    const property = fc.asyncProperty(record, record, async (data, meta) => {
      const translations = { it: { ...EMPTY_TEXT, title: "", content: "x\n", template_data: data } };
      const [first] = PAGES_KEPT;
      const before = { ...first!, meta, translations };
      await filled("en", [before, ...PAGES_KEPT.slice(1)]);
      expect(find(openContentCache(dir, "en"), before.id)).toEqual(JSON.parse(JSON.stringify(before)));
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it("has the summary of a record, from which the record is found", async () => {
    await filled();
    const found = entry(openContentCache(dir, "en"), 3)!;
    const summary = summaryOf(found);
    expect(found.cached!.isSelfContained).toBe(true);
    expect(summary).toEqual({
      ...pick(page(3), ["id", "model", "identifier", "parent_page", "ordering", "paginate", "deleted_at", "robots"]),
      ...pick(page(3), ["date_created", "date_updated_at", "aliases"]),
      translations: {
        en: { permalink: "/p3", published_at: null },
        it: { permalink: null, published_at: null },
      },
      drafts: { it: { scheduled_for: AT } },
    });
    expect(recordOf(summary)).toEqual(page(3));
  });

  it("does not depend on the order of a record's files", async () => {
    await filled();
    expect(find(openContentCache(dir, "en"), 3, new Map([...files(3)].reverse()))).toEqual(page(3));
  });

  it("is not written where too little of it is new", async () => {
    await filled("en", PAGES_KEPT.slice(0, 10));
    expect(readdirSync(dir)).toEqual([]);
  });

  it("reads the records that were set from its file once that is written", async () => {
    const cache = openContentCache(dir, "en");
    const entries = PAGES_KEPT.map((each) => setPage(cache, each));
    expect(entries[0]!.record).toEqual(page(1));
    await cache.flush(() => PAGES_KEPT.map(({ id }) => keyOf(id)));
    expect(entries[1]!.record).toEqual(page(2));
    truncateSync(cacheFile());
    expect(entries[1]!.record).toEqual(page(2));
    expect(() => entries[0]!.record).toThrow(expect.objectContaining({ code: "unavailable" }));
  });

  it("keeps so many of the records that it has read in memory", async () => {
    await filled();
    const bytes = JSON.stringify(page(1)).length * 3.5;
    const cache = openContentCache(dir, "en", true, undefined, bytes);
    const entries = PAGES_KEPT.slice(0, 5).map(({ id }) => entry(cache, id)!);
    for (const { record } of entries) expect(record).toEqual(page(record.id));
    truncateSync(cacheFile());
    for (const id of [3, 4, 5]) expect(entries[id - 1]!.record).toEqual(page(id));
    expect(() => entries[0]!.record).toThrow(expect.objectContaining({ code: "unavailable" }));
  });

  it("keeps the record of a summary in memory as long as its entry", async () => {
    await filled();
    const cache = openContentCache(dir, "en", true, undefined, 0);
    const entries = PAGES_KEPT.slice(0, 3).map(({ id }) => entry(cache, id)!);
    const records = entries.map((each) => recordOf(summaryOf(each)));
    expect(records).toEqual([page(1), page(2), page(3)]);
    for (const [at, each] of entries.entries()) expect(each.record).toBe(records[at]);
    truncateSync(cacheFile());
    for (const [at, each] of entries.entries()) expect(recordOf(summaryOf(each))).toBe(records[at]);
  });

  it("keeps the records that were set in memory where its file cannot be written, or is that of another", async () => {
    const cache = openContentCache(dir, "en");
    const other = openContentCache(dir, "en");
    const [entries] = [cache, other].map((each) => PAGES_KEPT.map((record) => setPage(each, record)));
    const keys = (): string[] => PAGES_KEPT.map(({ id }) => keyOf(id));
    rmSync(dir, { recursive: true });
    await cache.flush(keys);
    mkdirSync(dir);
    await other.flush(keys);
    truncateSync(cacheFile());
    expect(entries!.map(({ record }) => record)).toEqual(PAGES_KEPT);
  });

  it("shares what was set, and nothing that was read from its file", async () => {
    await filled();
    const one = openContentCache(dir, "en");
    setPage(one, page(100));
    const other = openContentCache(null, "en");
    other.add(one.share());
    expect([find(other, 100), find(other, 1)]).toEqual([page(100), undefined]);
  });
});

describe("invariant 1: a record is found under its files only", () => {
  // oxfmt-ignore
  it.each<[string, (cache: ContentCache) => unknown]>([
    ["another blob id",            (cache) => find(cache, 3, files(4))],
    ["one file less",              (cache) => find(cache, 3, new Map([...files(3)].slice(1)))],
    ["one file more",              (cache) => find(cache, 3, new Map([...files(3), [".draft.en.yaml", "2".repeat(40)]]))],
    ["another path",               (cache) => lookUp(cache, PAGES, "content/pages/else", files(3))],
    ["another kind",               (cache) => lookUp(cache, MENUS, baseOf(3), files(3))],
    ["a file of another blob id",  (cache) => cache.get("e".repeat(40))],
  ])("not for %s", async (_what, ask) => {
    await filled();
    expect(ask(openContentCache(dir, "en"))).toBeUndefined();
  });
});

it("frees the text of a file from which a summary has a substring", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heapBytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapBytes();
  const cache = openContentCache(dir, "en");
  const entries = PAGES_KEPT.map(({ id }) => {
    const text = Buffer.alloc(1_000_000, `identifier-of-page-${id} `).toString("latin1");
    return setPage(cache, page(id, { identifier: text.slice(0, text.indexOf(" ")) }));
  });
  await cache.flush(() => PAGES_KEPT.map(({ id }) => keyOf(id)));
  expect(heapBytes() - before).toBeLessThan(20_000_000);
  expect(entries.map((each) => each.record.id)).toEqual(PAGES_KEPT.map(({ id }) => id));
  cache.close();
});

const FOOT_BYTES = 12;
/** Where the bodies end. */
const indexAt = (cache: Buffer): number => cache.length - FOOT_BYTES - cache.readUInt32LE(cache.length - 8);

it("invariants 2 and 4: another format, a damaged index or a truncated file is an empty cache", async () => {
  await filled();
  const whole = readFileSync(cacheFile());
  const expectEmpty = (bytes: Uint8Array): void => {
    writeFileSync(cacheFile(), bytes);
    expect(find(openContentCache(dir, "en"), 3)).toBeUndefined();
  };
  const older = Buffer.from(whole);
  const foot = older.length - FOOT_BYTES;
  older.writeUInt32LE(older.readUInt32LE(foot) - 1, foot);
  older.writeUInt32LE(crc32(older.subarray(indexAt(older), foot + 8)), foot + 8);
  expectEmpty(older);
  for (const length of [0, 3, 4, 40, Math.floor(whole.length / 2), whole.length - 1])
    expectEmpty(whole.subarray(0, length));
  for (const from of [1, indexAt(whole), indexAt(whole) + 1]) expectEmpty(whole.subarray(from));
  expectEmpty(Buffer.concat([whole, Buffer.from("x")]));
  expectEmpty(Buffer.concat([Buffer.from("x"), whole]));
  for (const at of [indexAt(whole), foot - 1, foot, foot + 4, foot + 8]) {
    const damaged = Buffer.from(whole);
    damaged[at] = damaged[at]! ^ 1;
    expectEmpty(damaged);
  }
  expectEmpty(Buffer.from('{"version":1,"entries":[]}'));
});

describe("invariant 4: a damaged body", () => {
  const damage = (at: number): void => {
    const bytes = readFileSync(cacheFile());
    const place = indexAt(bytes) - at;
    bytes[place] = bytes[place]! ^ 1;
    writeFileSync(cacheFile(), bytes);
  };

  it.each([3, 200])(
    "refuses the reader, tells the owner once, and removes the file: %s bytes before the index",
    async (at) => {
      await filled();
      damage(at);
      const cache = openContentCache(dir, "en");
      let told = 0;
      cache.onDamage(() => told++);
      const [whole, damaged] = [entry(cache, 59)!, entry(cache, 60)!];
      for (let turn = 0; turn < 2; turn++)
        expect(() => damaged.record).toThrow(expect.objectContaining({ code: "unavailable", retryAfter: 1 }));
      expect([whole.record, find(cache, 58), told, readdirSync(dir)]).toEqual([page(59), undefined, 1, []]);
    },
  );

  it("is not written on", async () => {
    await filled();
    damage(3);
    const cache = openContentCache(dir, "en");
    for (let id = 100; id < 160; id++) setPage(cache, page(id));
    await cache.flush(() => [keyOf(60), keyOf(100)]);
    expect(readdirSync(dir)).toEqual([]);
  });

  it("has a store parse all files again, while it is open and at its start", async () => {
    const textOf = (id: number): string => `id: ${id}\ntranslations:\n  en: {title: T${id}, permalink: /p${id}}\n`;
    const repo = memoryRepo(Object.fromEntries(PAGES_KEPT.map(({ id }) => [`${baseOf(id)}.yaml`, textOf(id)])));
    const options = { repo, env: quietEnv(), cacheDir: dir, readOnly: true, locales: { codes: ["en"], default: "en" } };
    const open = (...kinds: AnyKind[]) => openStore({ ...options, kinds });
    const titles = (store: Store) => store.current.all(PAGES).map(({ translations }) => translations.en!.title);
    const expected = titles(await open(PAGES));
    damage(3);
    const store = await open(PAGES);
    expect(() => titles(store)).toThrow(expect.objectContaining({ code: "unavailable" }));
    await store.refresh();
    expect(titles(store)).toEqual(expected);
    await (await open(PAGES)).flushCache();
    damage(3);
    // Reads every page as it is loaded.
    const derives = { from: PAGES.dir, derive: (own: ReadonlyMap<string, Menu>) => ({ records: own, problems: [] }) };
    expect(titles(await open(PAGES, { ...MENUS, derives }))).toEqual(expected);
  });
});

describe("invariant 3: a cache of other settings is ignored", () => {
  it("in a file and in a share", async () => {
    await filled("en");
    expect(find(openContentCache(dir, "it"), 3)).toBeUndefined();
    const [one, other] = [openContentCache(null, "en"), openContentCache(null, "it")];
    setPage(one, page(3));
    other.add(one.share());
    expect(find(other, 3)).toBeUndefined();
  });

  it("languages are settings: a page is read again once a language is added", async () => {
    const repo = memoryRepo(
      Object.fromEntries(
        PAGES_KEPT.map(({ id }) => [
          `${baseOf(id)}.yaml`,
          `id: ${id}\ntranslations:\n  en: {title: T, permalink: /p${id}}\n  it: {title: I, permalink: /p${id}}\n`,
        ]),
      ),
    );
    const languagesOf = async (...codes: string[]) => {
      const options = { repo, kinds: [PAGES], env: quietEnv(), cacheDir: dir, readOnly: true };
      const store = await openStore({ ...options, locales: { codes, default: "en" } });
      return Object.keys(store.current.get(PAGES, 3).translations).sort();
    };
    const expected = [await languagesOf("en"), await languagesOf("en", "it")];
    rmSync(cacheFile());
    expect([await languagesOf("en"), await languagesOf("en", "it")]).toEqual(expected);
    expect(expected[0]).not.toEqual(expected[1]);
  });
});

it("invariant 5: what was opened does not change when the file is replaced, and then overwritten or truncated", async () => {
  await filled();
  const cache = openContentCache(dir, "en");
  const entries = [5, 6, 7].map((id) => entry(cache, id)!);
  await cache.flush(() => []);
  const next = openContentCache(dir, "other settings");
  for (const each of PAGES_KEPT) setPage(next, page(1000 + each.id));
  await next.flush(() => PAGES_KEPT.map(({ id }) => keyOf(1000 + id)));
  expect(entries[0]!.record).toEqual(page(5));
  copyFileSync(import.meta.filename, cacheFile());
  expect(entries[1]!.record).toEqual(page(6));
  truncateSync(cacheFile());
  expect(entries[2]!.record).toEqual(page(7));
  expect(find(cache, 8)).toBeUndefined();
});

it("invariant 6: what was examined of a file that changed meanwhile is not kept for its former bytes", async () => {
  const files = Object.fromEntries(PAGES_KEPT.map(({ id }) => [`media/${id}.txt`, `text ${id}`]));
  const repo = memoryRepo(files);
  const kinds = [mediaFiles([])];
  const open = (during: (path: string) => void, examined: string[]) =>
    openStore({
      ...{ repo, kinds, env: quietEnv(), cacheDir: dir, readOnly: true, locales: { codes: ["en"], default: "en" } },
      examine: async (path) => {
        examined.push(path);
        during(path);
        return { mime: "text/plain", image: null, trouble: null };
      },
    });
  await open((path) => path === "media/3.txt" && repo.write(path, "changed"), []);
  repo.write("media/3.txt", files["media/3.txt"]!);
  const again: string[] = [];
  await open(() => undefined, again);
  expect(again).toEqual(["media/3.txt"]);
});

it("invariant 7: only what the content consists of is kept", async () => {
  await filled();
  const cache = openContentCache(dir, "en");
  for (const each of PAGES_KEPT.slice(1)) setPage(cache, each);
  await cache.flush(() => PAGES_KEPT.slice(1).map(({ id }) => keyOf(id)));
  const next = openContentCache(dir, "en");
  expect([find(next, 1), find(next, 2), next.get(MENU_FILE)]).toEqual([undefined, page(2), undefined]);
  expect(readdirSync(dir)).toHaveLength(1);
});

describe("invariant 8: an image is of exactly the records in its file", () => {
  const image = (count = PAGES_KEPT.length): ContentImage => ({
    count,
    files: PAGES_KEPT.map(({ id }) => [`${baseOf(id)}.yaml`, files(id).get(".yaml")!] as const),
    lookups: [
      {
        name: "texts",
        entries: PAGES_KEPT.map(({ id }) => [`/p${id}`, id % 2 ? id : [id, 7]] as const),
        isSorted: false,
      },
      {
        name: "numbers",
        entries: [
          [-3, 1],
          [2 ** 40, 2],
        ],
        isSorted: true,
      },
      { name: "none", entries: [], isSorted: false },
    ],
  });
  const keys = PAGES_KEPT.map(({ id }) => keyOf(id));

  /** @param heldMax see `openContentCache`: -1 has each page written at once */
  async function storedWith(fill: (cache: ContentCache) => void, of: readonly string[], heldMax: number) {
    const cache = openContentCache(dir, "en", true, heldMax);
    fill(cache);
    await cache.flush(
      () => of,
      () => image(),
    );
    return openContentCache(dir, "en");
  }
  const setAll = (cache: ContentCache): void => PAGES_KEPT.forEach((each) => setPage(cache, each));

  it.each([-1, 1000])("has the records, their files and the look-ups (held: %s)", async (heldMax) => {
    const { stored } = await storedWith(setAll, keys, heldMax);
    const { records, image: kept, entryAt } = stored!;
    for (const { id } of PAGES_KEPT) {
      const place = records.ids.placeOf(id)!;
      expect(entryAt(place).record).toEqual(page(id));
      expect(records.bases.placeOf(baseOf(id))).toBe(place);
      expect(kept.oids.at(kept.paths.placeOf(`${baseOf(id)}.yaml`)!)).toBe(files(id).get(".yaml"));
      expect(kept.lookups.get("texts")!.get(`/p${id}`)).toEqual(id % 2 ? id : [id, 7]);
    }
    expect([...kept.lookups.get("numbers")!]).toEqual([
      [-3, 1],
      [2 ** 40, 2],
    ]);
    expect([...kept.lookups.get("none")!]).toEqual([]);
    expect([records.ids.placeOf(61), kept.paths.placeOf("no"), kept.lookups.get("texts")!.get("/p61")]).toEqual(
      Array.from({ length: 3 }),
    );
  });

  const another = new Map([[".yaml", "9".repeat(40)]]);
  const anotherKey = entryKey(PAGES, baseOf(1), filesKey(another));
  const setAllButOne = (cache: ContentCache): void => PAGES_KEPT.slice(1).forEach((each) => setPage(cache, each));
  const setOneTwice = (cache: ContentCache): void => {
    cache.setRecord(PAGES, { record: page(1), base: baseOf(1), files: another }, true);
    setAll(cache);
  };
  // oxfmt-ignore
  it.each<[string, (cache: ContentCache) => void, readonly string[]]>([
    ["a record is missing",                    setAllButOne, keys],
    ["the content has another version of one", setAll,       [...keys.slice(1), anotherKey]],
    ["a record was parsed twice",              setOneTwice,  keys],
  ])("is not written where %s", async (_what, fill, of) => {
    expect((await storedWith(fill, of, -1)).stored).toBeUndefined();
  });

  it("is written later, where the file has none", async () => {
    await filled();
    const cache = openContentCache(dir, "en");
    expect(cache.stored).toBeUndefined();
    await cache.flush(
      () => keys,
      () => image(10),
    );
    expect(openContentCache(dir, "en").stored).toBeUndefined();
    const again = openContentCache(dir, "en");
    await again.flush(
      () => keys,
      () => image(),
    );
    expect(openContentCache(dir, "en").stored).toBeDefined();
  });
});

const pick = <T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
