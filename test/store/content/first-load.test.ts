/** A start with the image of the content cache has the content of a start that reads all files. */
import fc from "fast-check";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KINDS } from "../../../src/cms.ts";
import type { Instant } from "../../../src/model/time/instant.ts";
import type { PageSummary } from "../../../src/model/page/page.ts";
import { showProblem } from "../../../src/model/text/problem.ts";
import { PAGE_KEYS } from "../../../src/store/records/key-index.ts";
import {
  highestOrdering,
  nextMoment,
  scheduleAt,
  scheduledPages,
} from "../../../src/store/content/indexes/page-index.ts";
import { OPEN_IN_FOLDER } from "../../../src/store/content/names/holders.ts";
import type { Entity } from "../../../src/store/records/record-type.ts";
import { ARTICLES, PAGES } from "../../../src/store/records/pages.ts";
import { summaryOf, type Snapshot } from "../../../src/store/snapshot.ts";
import { openStore, type Store } from "../../../src/store/write/store.ts";
import { memoryRepo, type MemoryRepo } from "../../support/memory-repo.ts";
import { quietEnv } from "../git/git-site.ts";
import { EDITH, retitle } from "../store-site.ts";

const AT = "2026-01-01T00:00:00.000Z" as Instant;
const LOCALES = { codes: ["en", "it"], default: "en" };

let dir: string;
const newDir = (): void => void (dir = mkdtempSync(join(tmpdir(), "cms-first-load-")));
const removeDir = (): void => rmSync(dir, { recursive: true });
beforeEach(newDir);
afterEach(removeDir);

const open = (repo: MemoryRepo, cacheDir: string | null, readOnly = true): Promise<Store> =>
  openStore({ repo, kinds: KINDS, env: quietEnv(), cacheDir, readOnly, locales: LOCALES });

const page = (id: number, more = "", text = `permalink: /p${id}, title: T${id}`): string =>
  `id: ${id}\nidentifier: i${id}\nordering: ${id % 7}\n${more}` +
  `translations:\n  it: {permalink: /i${id}}\n  en: {${text}}\n`;
const baseOf = (n: number): string => `content/pages/p${n}`;
const pathOf = (n: number): string => `${baseOf(n)}.yaml`;
const articleOf = (n: number): string => `content/articles/a${n}.yaml`;

const MENU = "content/menus/main.yaml";

/** Enough pages for a cache to be written. */
const SITE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [pathOf(n + 1), page(n + 1)])),
  [pathOf(2)]: page(2, "parent_page: 1\naliases: [{ language: en, from: /former }]\n"),
  [pathOf(3)]: page(3, "parent_page: 1\n", 'permalink: /p3, title: T, published_at: "2026-03-01T00:00:00.000Z"'),
  [articleOf(101)]: page(101),
  [articleOf(102)]: page(102),
  [MENU]: "id: 40\ntranslations:\n  en:\n    nodes:\n      - { title: A, link: { link_type: RE, url_node: /p4 } }\n",
};

/** The same of a summary as of the record that a write leaves in its place. */
const summarized = (summary: Entity): unknown => {
  const { translations = {}, drafts = {}, ...page } = summary as Partial<PageSummary>;
  const addresses = Object.entries(translations).map(([lang, text]) => [lang, text.permalink, text.published_at]);
  return [
    page.id,
    page.model,
    page.identifier,
    page.parent_page,
    page.ordering,
    page.aliases,
    addresses.sort(),
    Object.keys(drafts),
  ];
};

/** All that can be asked of the content, without what depends on how it was loaded. */
function contentOf(content: Snapshot) {
  const tables = [...content.tables()].map(([kind, table]) => [
    kind.name,
    table.all,
    table.summaries.map(summarized),
    [...table.byBase.keys()].sort(),
    [...table.byId.keys()]
      .sort((a, b) => a - b)
      .map((id) => [id, content.version(kind, id), content.pathsOf(kind, id)]),
    table.completed !== undefined,
  ]);
  const keys = [PAGES, ARTICLES].flatMap((kind) => {
    const index = content.table(kind).byId.index(PAGE_KEYS);
    return [...index.maps].flatMap(([name, map]) =>
      [...map.keys()].map((key) => [kind.name, name, key, [...index.claimants(name, key)].sort()].join(" ")),
    );
  });
  const open = [...content.table(PAGES).byBase.index(OPEN_IN_FOLDER)].map(([folder, bases]) => [
    folder,
    [...bases].sort(),
  ]);
  return {
    tables: tables.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    keys: keys.sort(),
    open: open.sort(),
    problems: content.problems.map(showProblem),
    owners: [...content.owners].sort(),
    names: [...content.names.keys()].sort(),
    scheduled: scheduledPages(content).map(({ id }) => id),
    moments: [
      nextMoment(content, AT),
      nextMoment(content, "2026-03-01T00:00:00.000Z" as Instant),
      scheduleAt(content, AT),
    ],
    highest: [highestOrdering(content, PAGES), highestOrdering(content, ARTICLES)],
  };
}

/** How many summaries are parsed while the store is opened. */
async function summariesRead(repo: MemoryRepo): Promise<number> {
  const parse = vi.spyOn(JSON, "parse");
  await open(repo, dir);
  const texts = parse.mock.calls.map(([text]) => text).filter((text) => text.startsWith('{"id":'));
  parse.mockRestore();
  return texts.length;
}

describe("a start with the image of the content cache", () => {
  it("parses the summary of no record, but of one that a menu names, and of those that changed", async () => {
    const repo = memoryRepo(SITE);
    await open(repo, dir);
    expect(await summariesRead(repo)).toBe(1);
    repo.write(pathOf(9), page(9, "", "permalink: /another, title: T"));
    repo.write("content/pages/p1/new.yaml", page(200));
    repo.erase(articleOf(101));
    expect(await summariesRead(repo)).toBeLessThan(10);
    expect(contentOf((await open(repo, dir)).current)).toEqual(contentOf((await open(repo, null)).current));
  });

  const MODEL = "content/page-models/recipe.yaml";
  const PICTURE = "template_data: { picture: oven.jpg }";
  const draftOf = (n: number): string => `${baseOf(n)}.draft.en.yaml`;
  const own = (n: number): string => `permalink: /p${n}, title: T`;
  const published = (n: number): string => `${own(n)}, published_at: "${day("02", n)}"`;
  const day = (month: string, n: number): string => `2026-${month}-0${(n % 9) + 1}T00:00:00.000Z`;
  const modelWith = (kind: string): string => `schema:\n  - { name: picture, kind: ${kind} }\n`;
  const move: Change = (repo, n) => {
    repo.write(`content/pages/to/${n}.yaml`, repo.text(pathOf(n)) ?? page(n));
    repo.erase(pathOf(n));
  };
  type Change = (repo: MemoryRepo, n: number) => void;
  // oxfmt-ignore
  const CHANGES: Readonly<Record<string, Change>> = {
    "a text":                 (repo, n) => repo.write(pathOf(n), page(n, "", `permalink: /p${n}, title: Changed`)),
    "a permalink":            (repo, n) => repo.write(pathOf(n), page(n, "", `permalink: /moved-${n}, title: T`)),
    "a permalink of another": (repo, n) => repo.write(pathOf(n), page(n, "", `permalink: /p${n % 60 + 1}, title: T`)),
    "no permalink":           (repo, n) => repo.write(pathOf(n), page(n, "", `title: Derived ${n % 3}`)),
    "an id of another":       (repo, n) => repo.write(`${baseOf(n)}-copy.yaml`, page(n)),
    "an article's id":        (repo, n) => repo.write(articleOf(n), page(n)),
    "a new page":             (repo, n) => repo.write(pathOf(n + 200), page(n + 200)),
    "a page in a folder":     (repo, n) => repo.write(`${baseOf(n)}/child.yaml`, page(n + 300)),
    "a page beside a folder": (repo, n) => repo.write("content/pages/folder.yaml", page(n + 400)),
    "a page of that folder":  (repo, n) => repo.write(`content/pages/folder/${n}.yaml`, page(n + 500)),
    "a parent":               (repo, n) => repo.write(pathOf(n), page(n, `parent_page: ${n % 60 + 1}\n`)),
    "a parent by name":       (repo, n) => repo.write(pathOf(n), page(n, `parent_page: /p${n % 60 + 1}\n`)),
    "another ordering":       (repo, n) => repo.write(pathOf(n), page(n).replace(/ordering: .*/, `ordering: ${n}00`)),
    "a published text":       (repo, n) => repo.write(pathOf(n), page(n, "", published(n))),
    "a scheduled draft":      (repo, n) => repo.write(draftOf(n), `title: Draft\nscheduled_for: "${day("04", n)}"\n`),
    "no draft":               (repo, n) => repo.erase(draftOf(n)),
    "a draft alone":          (repo, n) => repo.erase(pathOf(n)),
    "a removed page":         (repo, n) => [pathOf(n), draftOf(n)].forEach(repo.erase),
    "a moved page":           move,
    "a file that is broken":  (repo, n) => repo.write(pathOf(n), "id: [\n"),
    "a page model":           (repo, n) => repo.write(MODEL, modelWith(n % 2 ? "media" : "text")),
    "a page of the model":    (repo, n) => repo.write(pathOf(n), page(n, "model: recipe\n", `${own(n)}, ${PICTURE}`)),
    "a menu":                 (repo, n) => repo.write(MENU, SITE[MENU]!.replace("/p4", `/p${n}`)),
    "a commit":               (repo) => void repo.commitByHand("By hand"),
  };

  it(
    "has the content of a start that reads all files, whatever was changed since, and before",
    { timeout: 240_000 },
    async () => {
      const change = fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.integer({ min: 1, max: 60 }));
      const phase = fc.array(change, { maxLength: 4 });
      const property = fc.asyncProperty(fc.array(phase, { minLength: 1, maxLength: 3 }), async (phases) => {
        removeDir();
        newDir();
        const repo = memoryRepo(SITE);
        await open(repo, dir);
        for (const changes of phases) {
          for (const [name, n] of changes) CHANGES[name]!(repo, n);
          const expected = contentOf((await open(repo, null)).current);
          expect(contentOf((await open(repo, dir)).current)).toEqual(expected);
          // The cache is written anew from what was read from it.
          for (let n = 1; n <= 60; n++)
            repo.write(articleOf(n + 900), page(n + 900, "", `permalink: /n${n}, title: T${phases.length}`));
          await open(repo, dir);
          expect(contentOf((await open(repo, dir)).current)).toEqual(contentOf((await open(repo, null)).current));
        }
      });
      await fc.assert(property, { numRuns: 40 });
    },
  );

  it.each(Object.keys(CHANGES))("has it after %s", async (name) => {
    const repo = memoryRepo(SITE);
    await open(repo, dir);
    CHANGES[name]!(repo, 7);
    CHANGES[name]!(repo, 8);
    const expected = contentOf((await open(repo, null)).current);
    expect(contentOf((await open(repo, dir)).current)).toEqual(expected);
  });

  it("accepts writes as any other start", async () => {
    const repo = memoryRepo(SITE);
    await open(repo, dir);
    const store = await open(repo, dir, false);
    await store.transact(EDITH, retitle(5, "By the service"));
    await store.transact(EDITH, (tx) => tx.remove(PAGES, 3));
    expect(contentOf(store.current)).toEqual(contentOf((await open(repo, null)).current));
    expect(contentOf((await open(repo, dir)).current)).toEqual(contentOf(store.current));
  });

  it("is not made of content in which a record depends on others, or does not load", async () => {
    for (const name of [
      "no permalink",
      "a parent by name",
      "an id of another",
      "a permalink of another",
      "a file that is broken",
    ]) {
      removeDir();
      newDir();
      const repo = memoryRepo(SITE);
      CHANGES[name]!(repo, 7);
      await open(repo, dir);
      expect([name, await summariesRead(repo)]).toEqual([name, expect.toSatisfy((count: number) => count > 50)]);
    }
  });

  it("is made once the content allows it", async () => {
    const repo = memoryRepo({ ...SITE, [pathOf(7)]: page(7, "", "permalink: /p8, title: T") });
    await open(repo, dir);
    repo.write(pathOf(7), page(7));
    await open(repo, dir);
    expect(await summariesRead(repo)).toBe(1);
  });

  it("is of the records in its file only: what was written before the cache is read from the files", async () => {
    const repo = memoryRepo(SITE);
    const store = await openStore({
      ...{ repo, kinds: KINDS, env: quietEnv(), cacheDir: dir, readOnly: false, locales: LOCALES, defersCache: true },
    });
    await store.transact(EDITH, retitle(5, "By the service"));
    await store.flushCache();
    const again = await open(repo, dir);
    expect(contentOf(again.current)).toEqual(contentOf(store.current));
  });

  it("has the summaries parsed when all of them are asked for at once", async () => {
    const repo = memoryRepo(SITE);
    await open(repo, dir);
    const store = await open(repo, dir);
    await store.readSummaries();
    const parse = vi.spyOn(JSON, "parse");
    for (const entry of store.current.table(PAGES).byId.values()) summaryOf(entry);
    expect(parse.mock.calls).toEqual([]);
    parse.mockRestore();
  });
});
