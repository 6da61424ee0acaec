/** What is kept between starts is what would be read again. */
import fc from "fast-check";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Instant } from "../../src/model/instant.ts";
import { EMPTY_GLOBALS, EMPTY_TEXT, type Page } from "../../src/model/page.ts";
import { openContentCache, type ContentCache } from "../../src/store/cache/content-cache.ts";
import { partsName } from "../../src/store/content/snapshot.ts";
import type { AnyKind } from "../../src/store/content/record-type.ts";
import { PAGE_PACKING } from "../../src/store/content/records/page-summary.ts";
import { MENUS } from "../../src/store/content/records/menus.ts";
import { PAGES } from "../../src/store/content/records/pages.ts";
import { record } from "./codec/sample.ts";

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

async function filled(setting = "en"): Promise<void> {
  const cache = await openContentCache(dir, setting);
  for (const each of PAGES_KEPT) cache.setRecord(PAGES, `content/pages/p${each.id}`, files(each.id), each, true);
  cache.set("f".repeat(40), { data: { id: 7 } });
  await cache.flush(() => ["f".repeat(40)]);
}
const named = (cache: ContentCache, kind: AnyKind, base: string, of: ReadonlyMap<string, string>) =>
  cache.find(kind, base, partsName(of));
const find = (cache: ContentCache, id: number, of = files(id)) =>
  named(cache, PAGES, `content/pages/p${id}`, of)?.record;

describe("a page that is packed", () => {
  it("comes out as it went in, whatever it holds", () => {
    fc.assert(
      fc.property(record, record, (data, meta) => {
        const before = page(1, {
          meta,
          translations: { it: { ...EMPTY_TEXT, title: "", content: "x\n", template_data: data } },
        });
        const { outline, texts } = PAGE_PACKING.pack(before);
        const after = PAGE_PACKING.unpack({ outline: JSON.parse(JSON.stringify(outline)), texts: (at) => texts[at]! });
        expect(JSON.stringify(after)).toBe(JSON.stringify(JSON.parse(JSON.stringify(after))));
        expect(after).toEqual(JSON.parse(JSON.stringify(before)));
        // Copies see what the original has.
        expect({ ...after.translations.it }).toEqual(before.translations.it);
      }),
    );
  });
});

describe("the content cache", () => {
  it("gives the records of the same files back", async () => {
    await filled();
    const cache = await openContentCache(dir, "en");
    for (const each of PAGES_KEPT) expect(find(cache, each.id)).toEqual(each);
    expect(cache.get("f".repeat(40))).toEqual({ data: { id: 7 } });
  });

  it("does not care in which order the files of a record come", async () => {
    await filled();
    expect(find(await openContentCache(dir, "en"), 3, new Map([...files(3)].reverse()))).toEqual(page(3));
  });

  it("gives texts after its end, also when another has taken its place", async () => {
    await filled();
    const cache = await openContentCache(dir, "en");
    const entries = [5, 6].map((id) => named(cache, PAGES, `content/pages/p${id}`, files(id))!);
    await cache.flush(() => []);
    const next = await openContentCache(dir, "another");
    for (const each of PAGES_KEPT)
      next.setRecord(PAGES, `else${each.id}`, new Map([[".yaml", `${each.id}`]]), page(1000 + each.id), true);
    await next.flush(() => []);
    expect(entries[0]!.record).toEqual(page(5));
    expect(entries[0]!.files).toEqual(files(5));
    expect(find(cache, 6)).toBeUndefined();
    expect(entries[1]!.record).toEqual(page(6));
  });

  it("says so when another one has been copied over it", async () => {
    await filled();
    const cache = await openContentCache(dir, "en");
    const entry = named(cache, PAGES, "content/pages/p5", files(5))!;
    const file = join(dir, readdirSync(dir)[0]!);
    writeFileSync(file, readFileSync(file));
    utimesSync(file, new Date(), new Date(Date.now() + 5_000));
    expect(() => entry.record).toThrow("written over");
  });

  // oxfmt-ignore
  it.each<[string, (cache: ContentCache) => unknown]>([
    ["another file",       (cache) => find(cache, 3, files(4))],
    ["one file less",      (cache) => find(cache, 3, new Map([...files(3)].slice(1)))],
    ["another path",       (cache) => named(cache, PAGES, "content/pages/else", files(3))],
    ["a kind kept in files", (cache) => named(cache, MENUS, "content/pages/p3", files(3))],
  ])("knows nothing of %s", async (_what, ask) => {
    await filled();
    expect(ask(await openContentCache(dir, "en"))).toBeUndefined();
  });

  it("knows nothing after another setting", async () => {
    await filled("en");
    expect(find(await openContentCache(dir, "it"), 3)).toBeUndefined();
  });

  it("is empty when its file is cut short or is something else, and says nothing", async () => {
    await filled();
    const file = join(dir, readdirSync(dir)[0]!);
    const whole = readFileSync(file);
    for (const length of [0, 3, 4, 40, Math.floor(whole.length / 2), whole.length - 1]) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      expect(find(await openContentCache(dir, "en"), 3)).toBeUndefined();
    }
    writeFileSync(file, Buffer.concat([whole, Buffer.from("x")]));
    expect(find(await openContentCache(dir, "en"), 3)).toBeUndefined();
    for (const at of [30, whole.length - 200, whole.length - 3]) {
      const damaged = Buffer.from(whole);
      damaged[at] = damaged[at]! ^ 1;
      writeFileSync(file, damaged);
      expect(find(await openContentCache(dir, "en"), 3)).toBeUndefined();
    }
    writeFileSync(file, '{"version":1,"entries":[]}');
    expect(find(await openContentCache(dir, "en"), 3)).toBeUndefined();
  });

  it("keeps nothing of what nobody asked for", async () => {
    await filled();
    const cache = await openContentCache(dir, "en");
    for (const each of PAGES_KEPT.slice(1))
      cache.setRecord(PAGES, `content/pages/p${each.id}`, files(each.id), each, true);
    await cache.flush(() => []);
    const next = await openContentCache(dir, "en");
    expect([find(next, 1), find(next, 2)]).toEqual([undefined, page(2)]);
    expect(readdirSync(dir)).toHaveLength(1);
  });
});
