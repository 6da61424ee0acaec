/** Processes that open one site together each parse a share of its records, and all end with everything. */
import { renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { diskFs, type Fs } from "../../../src/store/git/fs.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { mediaFiles } from "../../../src/store/records/media/media-files.ts";
import { MENUS } from "../../../src/store/records/menus.ts";
import { ARTICLES, PAGES } from "../../../src/store/records/pages.ts";
import type { AnyKind } from "../../../src/store/records/record-type.ts";
import type { Path, Repo } from "../../../src/store/repo.ts";
import type { Sharing } from "../../../src/store/content/shared-reads.ts";
import { openStore, type Store } from "../../../src/store/write/store.ts";
import { gitSite, quietEnv, type GitSite } from "../git/git-site.ts";

const COUNT = 150;
const KINDS: readonly AnyKind[] = [PAGES, ARTICLES, MENUS, mediaFiles([])];
const LONG_AGO = new Date(Date.now() - 60_000);
const pageFile = (id: number): Path => `content/pages/p${id}.yaml`;
const pageText = (id: number, title = `T${id}`): string =>
  `id: ${id}\ntranslations:\n  en:\n    title: "${title}"\n    permalink: /p${id}\n    template_data: {n: ${id}, text: è}\n`;
const isContent = (path: string): boolean => /\.(yaml|jpg)$/.test(path);

let site: GitSite;
/** Called for each page that is parsed, by whichever process. */
const parsed = vi.spyOn(PAGES, "fromFiles");
beforeEach(() => {
  parsed.mockClear();
  const ids = Array.from({ length: COUNT }, (_, at) => at + 1);
  const files: [Path, string][] = [
    ...ids.map((id): [Path, string] => [pageFile(id), pageText(id)]),
    ...ids
      .slice(0, 20)
      .map((id): [Path, string] => [
        `content/menus/m${id}.yaml`,
        `id: ${5_000 + id}\nkey: m${id}\ntranslations: {en: {nodes: []}}\n`,
      ]),
    ...ids.slice(0, 20).map((id): [Path, string] => [`media/${id}.jpg`, `not really ${id}`]),
  ];
  site = gitSite(Object.fromEntries(files));
  onTestFinished(site.remove);
  for (const [path] of files) age(path);
});
const age = (path: Path): void => utimesSync(join(site.dir, path), LONG_AGO, LONG_AGO);

/** One that opens the site, and what it did for it. */
interface Opened {
  readonly repo: Repo;
  readonly store: Store;
  readonly read: Path[];
  readonly examined: Path[];
}

async function open(sharing: Sharing | undefined, writesCache = true): Promise<Opened> {
  const did = { read: [] as Path[], examined: [] as Path[] };
  const note = (list: Path[], path: string): void =>
    void (isContent(path) && list.push(path.slice(site.dir.length + 1)));
  const fs: Fs = {
    ...diskFs,
    readRegular: (path) => (note(did.read, path), diskFs.readRegular(path)),
  };
  const repo = await openGitRepo(site.dir, { env: quietEnv(), fs });
  const store = await openStore({
    repo,
    writesCache,
    readOnly: true,
    kinds: KINDS,
    env: quietEnv(),
    locales: { codes: ["en"], default: "en" },
    cacheDir: repo.stateDir,
    ...(sharing && { sharing }),
    examine: async (path) => (did.examined.push(path), { trouble: "broken" }),
  });
  return { repo, store, ...did };
}

/** Several at once, as they exchange what they give. @param between called when all have given and nobody has got anything */
async function openTogether(of: number, between: (shares: Uint8Array[]) => void = () => undefined): Promise<Opened[]> {
  const shares: Uint8Array[] = [];
  let given = 0;
  let go = (): void => undefined;
  const all = new Promise<void>((resolve) => (go = resolve));
  const sharingOf = (number: number): Sharing => ({
    number,
    of,
    async exchange(mine) {
      shares[number] = mine;
      if (++given === of) {
        between(shares);
        go();
      }
      await all;
      return shares.filter((_, at) => at !== number);
    },
  });
  return Promise.all(Array.from({ length: of }, (_, number) => open(sharingOf(number), number === 0)));
}

/** Everything a store serves. */
const contentOf = ({ store }: Pick<Opened, "store">) => KINDS.map((kind) => store.current.all(kind));
const problemsOf = ({ store }: Opened) => store.current.problems.map(({ path }) => path);
/** Not closed, so that nothing is left for others. */
const alone = async () => contentOf(await open(undefined, false));
const sorted = (lists: readonly (readonly Path[])[]): Path[] => lists.flat().sort();

describe.each([2, 3, 5])("%i of them", (of) => {
  it("parse everything once, and know all of it", async () => {
    const expected = await alone();
    parsed.mockClear();
    const opened = await openTogether(of);
    const paths = site.git("ls-files").split("\n").filter(Boolean).sort();
    expect(paths).toHaveLength(COUNT + 40);
    expect(parsed).toHaveBeenCalledTimes(COUNT);
    expect(sorted(opened.map(({ examined }) => examined))).toEqual(paths.filter((path) => path.endsWith(".jpg")));
    for (const each of opened) {
      expect(each.read.toSorted()).toEqual(paths);
      expect(contentOf(each)).toEqual(expected);
      expect(problemsOf(each)).toEqual([]);
    }
    expect(contentOf(opened[0]!)[0]).toHaveLength(COUNT);
  });

  it("leave all of it for the next start", async () => {
    const opened = await openTogether(of);
    const expected = contentOf(opened[0]!);
    for (const { store, repo } of opened) {
      await store.close();
      await repo.close();
    }
    const next = await open(undefined);
    expect([next.read, next.examined]).toEqual([[], []]);
    expect(contentOf(next)).toEqual(expected);
  });
});

it("looks again at once when somebody asks for everything later", async () => {
  const [one, two] = await openTogether(2);
  const theirs = one!.read.find((path) => path.startsWith("content/pages/"))!;
  const id = Number(/\d+/.exec(theirs)![0]);
  site.save(theirs, pageText(id, "Another"));
  expect(await two!.store.refresh()).toBe("other");
  expect(two!.store.current.get(PAGES, id).translations.en?.title).toBe("Another");
});

it("looks again at a file so young that a change would not show", async () => {
  const path = pageFile(7);
  site.save(path, pageText(7, "Young"));
  utimesSync(join(site.dir, path), new Date(Date.now() + 60_000), new Date(Date.now() + 60_000));
  const opened = await openTogether(2, () => {
    site.save(path, pageText(7, "Other"));
    utimesSync(join(site.dir, path), new Date(Date.now() + 60_000), new Date(Date.now() + 60_000));
  });
  for (const { store } of opened) {
    expect(await store.refresh()).toBe("other");
    expect(store.current.get(PAGES, 7).translations.en?.title).toBe("Other");
  }
});

it.each<[string, (share: Uint8Array) => Uint8Array]>([
  ["is damaged", (share) => Uint8Array.from(share, (byte, at) => (at === share.length - 9 ? byte ^ 1 : byte))],
  ["is cut short", (share) => share.subarray(0, share.length - 1)],
  ["is none", () => new Uint8Array(3)],
])("parses everything where what another gives %s", async (_, harm) => {
  const expected = await alone();
  parsed.mockClear();
  const opened = await openTogether(2, (shares) => void shares.splice(0, 2, ...shares.map(harm)));
  for (const each of opened) expect(contentOf(each)).toEqual(expected);
  expect(parsed).toHaveBeenCalledTimes(2 * COUNT);
});

it("tells of every file that does not load, whoever has read it", async () => {
  for (const id of [3, 12, 90]) {
    site.save(pageFile(id), `id: ${id}\ntranslations: [\n`);
    age(pageFile(id));
  }
  for (const each of await openTogether(2)) {
    expect(problemsOf(each).sort()).toEqual([3, 12, 90].map(pageFile).sort());
    expect(contentOf(each)[0]).toHaveLength(COUNT); // as last committed
  }
});

it("serves what it looked at, and later a file that appears once all have given", async () => {
  const opened = await openTogether(2, () => site.save("content/pages/late.yaml", pageText(999)));
  for (const { store } of opened) {
    expect(store.current.find(PAGES, 999)).toBeUndefined();
    await store.refresh();
    expect(store.current.find(PAGES, 999)).toBeDefined();
  }
});

describe.each<[string, () => void]>([
  ["nothing", () => undefined],
  ["a page that is deleted", () => rmSync(join(site.dir, pageFile(7)))],
  ["pages deleted from both shares", () => [1, 2, 9, 10, 17, 18].forEach((id) => rmSync(join(site.dir, pageFile(id))))],
  [
    "a page whose file is renamed",
    () => renameSync(join(site.dir, pageFile(7)), join(site.dir, "content/pages/other.yaml")),
  ],
  ["a page that is edited", () => (site.save(pageFile(7), pageText(7, "Other")), age(pageFile(7)))],
  ["a menu that is deleted", () => rmSync(join(site.dir, "content/menus/m3.yaml"))],
  ["a medium that is deleted", () => rmSync(join(site.dir, "media/3.jpg"))],
])("with %s once all have given", (_, change) => {
  it("the next start finds what lies there", async () => {
    for (const { store, repo } of await openTogether(2, change)) {
      await store.close();
      await repo.close();
    }
    const next = await open(undefined);
    expect(contentOf(next)).toEqual(await alone());
    expect(next.read.length).toBeLessThanOrEqual(1);
  });
});

it("leaves the version that counts where two have read the same file, the one before and the other after an edit", async () => {
  let wait = (): void => undefined;
  const edited = new Promise<void>((resolve) => (wait = resolve));
  const shares: Uint8Array[] = [];
  let given = 0;
  let go = (): void => undefined;
  const all = new Promise<void>((resolve) => (go = resolve));
  const sharingOf = (number: number): Sharing => ({
    number,
    of: 2,
    async exchange(mine) {
      shares[number] = mine;
      if (number === 0) wait();
      if (++given === 2) go();
      await all;
      return [shares[1 - number]!];
    },
  });
  const first = open(sharingOf(0));
  await edited;
  // More files shift what is whose.
  for (let n = 0; n < 8; n++) {
    site.save(`content/pages/a${n}.yaml`, pageText(2_000 + n));
    age(`content/pages/a${n}.yaml`);
  }
  for (let id = 1; id <= COUNT; id++) {
    site.save(pageFile(id), pageText(id, `Changed ${id}`));
    age(pageFile(id));
  }
  const opened = await Promise.all([first, open(sharingOf(1), false)]);
  expect(opened.map((each) => contentOf(each)[0]!.length)).toEqual([COUNT, COUNT + 8]);
  for (const { store, repo } of opened) {
    await store.close();
    await repo.close();
  }
  expect(contentOf(await open(undefined))).toEqual(await alone());
});
