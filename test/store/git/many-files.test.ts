/** A write of many pages: it yields to other requests, and its look-ups grow only linearly. */
import { setImmediate } from "node:timers";
import { expect, it } from "vitest";
import { withText } from "../../../src/model/page/page.ts";
import { CONTENTS } from "../../../src/store/records/contents.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import type { Repo } from "../../../src/store/repo.ts";
import type { Author, Store, Written } from "../../../src/store/write/store.ts";
import type { Sync, Tx } from "../../../src/store/write/transaction.ts";
import { memorySite } from "../../site.ts";
import { contentOver, EDITH, openMemory } from "../store-site.ts";

const pageFiles = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `content/pages/p${n}.yaml`,
      `id: ${n + 1}\nidentifier: p${n}\n${n === 0 ? "" : "parent_page: 1\n"}translations:\n  en:\n    title: Page ${n}\n`,
    ]),
  );

const retitleAll = (tx: Tx): void => {
  for (const page of tx.all(PAGES)) tx.put(PAGES, withText(page, "en", { description: "New" }));
};

it("yields to other requests between the files of one write", async () => {
  const { repo, hands } = await openMemory(pageFiles(600));
  let turns = 0;
  const readAt: number[] = [];
  const watched: Repo = {
    ...repo,
    read(path) {
      readAt.push(turns);
      return repo.read(path);
    },
  };
  const { store } = await contentOver({ repo: watched, hands });
  readAt.length = 0;
  let isOver = false;
  const tick = (): void => {
    turns++;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await store.transact(EDITH, retitleAll);
  isOver = true;
  expect(readAt.length).toBeGreaterThanOrEqual(600);
  expect(readAt.at(-1)! - readAt[0]!).toBeGreaterThan(1);
});

it("the number of commit reads does not depend on the number of files that a person has added", async () => {
  const looks = async (count: number): Promise<number> => {
    const { repo, hands } = await openMemory({ "content/pages/other.yaml": "id: 900\n" });
    let trees = 0;
    const watched: Repo = {
      ...repo,
      tree(commit, under) {
        trees++;
        return repo.tree(commit, under);
      },
    };
    const { store } = await contentOver({ repo: watched, hands });
    for (const [path, text] of Object.entries(pageFiles(count))) hands.save(path, text);
    await store.refresh();
    trees = 0;
    await store.transact(EDITH, retitleAll);
    return trees;
  };
  expect(await looks(40)).toBe(await looks(4));
});

it("a look at some hundred changed files of many looks at these alone", async () => {
  const { repo, hands } = await openMemory(pageFiles(2_600));
  let looked: readonly string[] = [];
  const watched: Repo = {
    ...repo,
    files(under, except, contents) {
      looked = under;
      return repo.files(under, except, contents);
    },
  };
  const { store } = await contentOver({ repo: watched, hands });
  const changed = Object.entries(pageFiles(600)).map(([path, text]) => [path, text.replace("Page", "New")] as const);
  for (const [path, text] of changed) hands.save(path, text);
  await store.refresh(undefined, new Set(changed.map(([path]) => path)));
  expect(looked).toHaveLength(600);
  expect(store.current.get(PAGES, 500)?.translations.en?.title).toBe("New 499");
  expect(store.current.get(PAGES, 700)?.translations.en?.title).toBe("Page 699");
});

it("blocks of pages that are removed are sorted out as often, however many pages there are", async () => {
  const listings = async (count: number): Promise<number> => {
    const blocks = Array.from({ length: count }, (_, n) => [
      `content/contents/b${n}.yaml`,
      `id: ${n + 1001}\nidentifier: block-${n}\npage: ${n + 1}\n`,
    ]);
    const site = await memorySite({ ...pageFiles(count), ...Object.fromEntries(blocks) });
    expect(site.cms.store.current.all(CONTENTS)).toHaveLength(count);
    const seen = new Set<unknown>();
    const watched = (tx: Tx): Tx => ({
      ...tx,
      all(kind) {
        const all = tx.all(kind);
        if ((kind as unknown) === CONTENTS) seen.add(all);
        return all;
      },
    });
    const store: Store = site.cms.store;
    const { transact } = store;
    store.transact = <R>(by: Author, work: (tx: Tx) => Sync<R>): Promise<Written<R>> =>
      transact(by, (tx) => work(watched(tx)));
    expect((await site.ask("DELETE", "api:pages/1/", { as: "staff" })).status).toBe(204);
    expect(store.current.all(CONTENTS)).toHaveLength(0);
    return seen.size;
  };
  expect(await listings(30)).toBe(await listings(3));
});

it("a chain of moved pages is walked once, not once per page", async () => {
  const finds = async (length: number): Promise<number> => {
    const chain = Array.from({ length }, (_, n) => [
      `content/pages/p${n}.yaml`,
      `id: ${n + 1}\nidentifier: p${n}\n${n === 0 ? "" : `parent_page: ${n}\n`}translations:\n  en:\n    title: P\n`,
    ]);
    const site = await memorySite(Object.fromEntries(chain));
    const store: Store = site.cms.store;
    const { transact } = store;
    let count = 0;
    const watched = (tx: Tx): Tx => ({
      ...tx,
      find(kind, id) {
        count++;
        return tx.find(kind, id);
      },
    });
    store.transact = <R>(by: Author, work: (tx: Tx) => Sync<R>): Promise<Written<R>> =>
      transact(by, (tx) => work(watched(tx)));
    await site.api("PATCH", "pages/1/", { title_en: "Q" });
    expect((await site.api("GET", "pages/3/")).permalink).toBe("/q/p/p");
    return count;
  };
  expect(await finds(120)).toBeLessThan(2.5 * (await finds(60)));
});
