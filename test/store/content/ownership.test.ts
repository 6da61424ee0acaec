/** Who has an id or an address that several files claim. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { ARTICLES, PAGES } from "../../../src/store/records/pages.ts";
import { pageIndex } from "../../../src/store/content/indexes/page-index.ts";
import { INLINE_CODEC } from "../../../src/store/codec/file-codec.ts";
import { openOwnerResolver, type OwnershipContext } from "../../../src/store/content/ownership.ts";
import type { History } from "../../../src/store/history/history.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import type { Snapshot } from "../../../src/store/snapshot.ts";
import type { Path } from "../../../src/store/repo.ts";
import { blankPage, LOCALES } from "../../model/page/blank-page.ts";
import { gitSite, GIT_ENV, quietEnv } from "../git/git-site.ts";
import {
  contentOver,
  EDITH,
  openContent as openPages,
  openMemory,
  openOnDisk,
  retitle,
  titleIn,
  type Content,
  type OpenGround,
} from "../store-site.ts";

const KINDS = [PAGES, ARTICLES];
const openContent = (ground: OpenGround, files: Readonly<Record<Path, string>>): Promise<Content> =>
  openPages(ground, files, { kinds: KINDS });

interface Text {
  readonly id: number;
  readonly title?: string;
  readonly permalink?: string;
  readonly created?: string;
  readonly more?: string;
}
const page = ({ id, title = `T${id}`, permalink = `/p${id}`, created = "2026-01-02", more = "" }: Text): string =>
  `id: ${id}\ndate_created: ${created}T00:00:00.000Z\n${more}translations:\n  en:\n    title: ${title}\n    permalink: ${permalink}\n    autopermalink: false\n`;

const ABOUT = "content/pages/about-us.yaml";
const COPY = "content/pages/zz.yaml";
const pathAt = (content: Snapshot, permalink: string): Path | undefined => {
  const found = pageIndex(content).byPermalink("en", permalink);
  return found && KINDS.flatMap((kind) => (content.find(kind, found.id) ? content.pathsOf(kind, found.id) : []))[0];
};
/** The same content as a process that starts now has it. */
const fresh = async ({ repo, hands }: Content): Promise<Content> => contentOver({ repo, hands }, { kinds: KINDS });

describe.each([
  ["in memory", openMemory],
  ["on disk", openOnDisk],
])("an id that two files claim, %s", (_name, ground) => {
  it("stays with the file that was there, whatever the copy's name and date, in a running service and after a start", async () => {
    const content = await openContent(ground, { [ABOUT]: page({ id: 1, title: "About" }) });
    const { store, hands, logged } = content;
    hands.save(COPY, page({ id: 1, title: "Copy", created: "2020-01-01" }));
    await store.refresh();
    const check = async ({ store: opened }: Content): Promise<void> => {
      expect([titleIn(opened, 1), opened.current.pathsOf(PAGES, 1)]).toEqual(["About", [ABOUT]]);
      expect(opened.current.problems.map(showProblem)).toEqual([
        expect.stringMatching(/^content\/pages\/zz\.yaml: The id 1 belongs to content\/pages\/about-us\.yaml/),
      ]);
    };
    await check(content);
    expect(logged).toEqual([expect.stringContaining(`${COPY}: The id 1 belongs to ${ABOUT}`)]);
    await check(await fresh(content));
    hands.commit("Copy");
    await store.refresh();
    await check(content);
    await check(await fresh(content));
  });

  it("has what is written through the API in the owner's file", async () => {
    const { store, hands } = await openContent(ground, { [ABOUT]: page({ id: 1, title: "About" }) });
    const copy = page({ id: 1, title: "Copy" });
    hands.save(COPY, copy);
    await store.refresh();
    await store.transact(EDITH, retitle(1, "Mine"));
    expect([hands.text(ABOUT), hands.text(COPY)]).toEqual([expect.stringContaining("title: Mine"), copy]);
    await store.transact(EDITH, (tx) => tx.remove(PAGES, 1));
    expect([hands.text(ABOUT), hands.text(COPY), titleIn(store, 1)]).toEqual([undefined, copy, "Copy"]);
  });

  it("stays with the path that HEAD had it at, where that file was moved and another one was put there", async () => {
    const content = await openContent(ground, { [ABOUT]: page({ id: 1, title: "About" }) });
    const { store, hands } = content;
    hands.move(ABOUT, COPY);
    hands.save(ABOUT, page({ id: 1, title: "Another" }));
    await store.refresh();
    const owners = async (): Promise<unknown[]> => [
      store.current.pathsOf(PAGES, 1),
      (await fresh(content)).store.current.pathsOf(PAGES, 1),
    ];
    expect(await owners()).toEqual([[ABOUT], [ABOUT]]);
    hands.save(ABOUT, page({ id: 2, title: "Another", permalink: "/another" }));
    await store.refresh();
    expect(await owners()).toEqual([[COPY], [COPY]]);
    expect(store.current.problems).toEqual([]);
  });

  it("goes along with a file that is moved, before and after that is committed", async () => {
    const content = await openContent(ground, { [ABOUT]: page({ id: 1, title: "About" }) });
    const { store, hands } = content;
    hands.save(COPY, page({ id: 1, title: "Copy", created: "2020-01-01" }));
    hands.commit("Copy");
    hands.move(ABOUT, "content/pages/a/long/way/about-us.yaml");
    await store.refresh();
    for (const step of ["moved", "committed"]) {
      expect([step, titleIn(store, 1), titleIn((await fresh(content)).store, 1)]).toEqual([step, "About", "About"]);
      if (step === "moved") hands.commit("Move");
      await store.refresh();
    }
  });

  it("of a removed file stays with the one that has it since, and a file that comes later is a copy", async () => {
    const content = await openContent(ground, { [ABOUT]: page({ id: 1, title: "About" }) });
    const { store, hands } = content;
    hands.save(COPY, page({ id: 1, title: "Copy" }));
    hands.commit("Copy");
    hands.erase(ABOUT);
    await store.refresh();
    hands.save("content/pages/later.yaml", page({ id: 1, title: "Later", created: "2019-01-01" }));
    await store.refresh();
    expect(titleIn(store, 1)).toBe("Copy");
    // A start sees that one file is gone and another one new: a move.
    expect(titleIn((await fresh(content)).store, 1)).toBe("Later");
  });

  it("belongs to the file committed first; of files of one commit to the older record, then to the shorter path", async () => {
    const content = await openContent(ground, { "content/pages/other.yaml": page({ id: 9 }) });
    const { store, hands } = content;
    hands.save("content/pages/b.yaml", page({ id: 1, title: "B" }));
    hands.save("content/pages/aa.yaml", page({ id: 1, title: "AA" }));
    hands.save("content/pages/ccc.yaml", page({ id: 1, title: "CCC", created: "2026-01-01" }));
    hands.commit("Three");
    await store.refresh();
    const titles = async (): Promise<unknown[]> => [titleIn(store, 1), titleIn((await fresh(content)).store, 1)];
    expect(await titles()).toEqual(["CCC", "CCC"]);
    hands.erase("content/pages/ccc.yaml");
    await store.refresh();
    expect(await titles()).toEqual(["B", "B"]);
  });

  it("of files that are in no commit stays with the one that was served first", async () => {
    const content = await openContent(ground, { "content/pages/other.yaml": page({ id: 9 }) });
    const { store, hands } = content;
    hands.save("content/pages/first.yaml", page({ id: 1, title: "First" }));
    await store.refresh();
    hands.save("content/pages/b.yaml", page({ id: 1, title: "Second", created: "2020-01-01" }));
    await store.refresh();
    expect(titleIn(store, 1)).toBe("First");
    // Nothing tells a start which came first.
    expect(titleIn((await fresh(content)).store, 1)).toBe("Second");
  });

  it("is a problem of a page and an article as of two pages, and the loser is not served", async () => {
    const article = "content/articles/a.yaml";
    const content = await openContent(ground, { [ABOUT]: page({ id: 1, title: "About" }) });
    const { store, hands } = content;
    hands.save(article, page({ id: 1, title: "Article", permalink: "/article", created: "2020-01-01" }));
    await store.refresh();
    for (const { current } of [store, (await fresh(content)).store]) {
      expect([
        current.find(ARTICLES, 1),
        current.find(PAGES, 1)?.translations.en!.title,
        pathAt(current, "/article"),
      ]).toEqual([undefined, "About", undefined]);
      expect(current.problems.map(({ path }) => path)).toEqual([article]);
    }
    hands.erase(ABOUT);
    await store.refresh();
    expect([
      store.current.find(PAGES, 1),
      store.current.find(ARTICLES, 1)?.translations.en!.title,
      store.current.problems,
    ]).toEqual([undefined, "Article", []]);
  });
});

describe.each([
  ["in memory", openMemory],
  ["on disk", openOnDisk],
])("a permalink that two pages claim, %s", (_name, ground) => {
  it.each([
    ["a page", "content/pages/a.yaml"],
    ["an article", "content/articles/a.yaml"],
  ])("stays with the page that had it, whatever the dates of %s", async (_what, path) => {
    const published = (year: number): string => `    published_at: ${year}-01-01T00:00:00.000Z\n`;
    const content = await openContent(ground, { [ABOUT]: page({ id: 5, permalink: "/about" }) + published(2026) });
    const { store, hands, logged } = content;
    hands.save(
      path,
      page({ id: 2, permalink: "/about", created: "2019-01-01", more: "aliases: [{ language: en, from: /old }]\n" }) +
        published(2019),
    );
    for (const step of ["edited", "committed"]) {
      await store.refresh();
      for (const { current } of [store, (await fresh(content)).store]) {
        expect([step, pathAt(current, "/about")]).toEqual([step, ABOUT]);
        expect(current.problems.map(showProblem)).toEqual([
          expect.stringMatching(`^${path}:\\d+:\\d+: translations.en.permalink: /about belongs to ${ABOUT}`),
        ]);
      }
      if (step === "edited") hands.commit("New");
    }
    expect(logged).toHaveLength(1);
    hands.save(ABOUT, page({ id: 5, permalink: "/about-us" }));
    await store.refresh();
    expect([pathAt(store.current, "/about"), store.current.problems]).toEqual([path, []]);
    // Who gave it up has it no more.
    hands.commit("Give up");
    hands.save(ABOUT, page({ id: 5, permalink: "/about" }));
    await store.refresh();
    expect([pathAt(store.current, "/about"), pathAt((await fresh(content)).store.current, "/about")]).toEqual([
      path,
      path,
    ]);
  });

  it("is settled anew after a write of our own", async () => {
    const content = await openContent(ground, { [ABOUT]: page({ id: 5, permalink: "/about" }) });
    const { store, hands } = content;
    hands.save("content/pages/second.yaml", page({ id: 6, permalink: "/about" }));
    hands.commit("Second");
    hands.save("content/pages/a.yaml", page({ id: 2, permalink: "/about", created: "2019-01-01" }));
    hands.commit("Third");
    await store.refresh();
    expect(pathAt(store.current, "/about")).toBe(ABOUT);
    await store.transact(EDITH, (tx) => tx.remove(PAGES, 5));
    expect([pathAt(store.current, "/about"), pathAt((await fresh(content)).store.current, "/about")]).toEqual([
      "content/pages/second.yaml",
      "content/pages/second.yaml",
    ]);
  });
});

describe("where branches come together", () => {
  it("what HEAD had before a merge has it, however old the other branch is", async () => {
    const site = gitSite({ "content/pages/other.yaml": page({ id: 9 }) });
    onTestFinished(site.remove);
    const at = (when: string, ...args: string[]): string =>
      execFileSync("git", args, {
        cwd: site.dir,
        env: { ...GIT_ENV, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    site.git("checkout", "--quiet", "-b", "branch");
    site.save("content/pages/a.yaml", page({ id: 1, title: "Branch", permalink: "/x", created: "2019-01-01" }));
    site.git("add", "--all");
    at("2026-01-02T00:00:00Z", "commit", "--quiet", "--message=Branch");
    site.git("checkout", "--quiet", "main");
    site.save("content/pages/long-name.yaml", page({ id: 1, title: "Main", permalink: "/x" }));
    site.git("add", "--all");
    at("2026-01-03T00:00:00Z", "commit", "--quiet", "--message=Main");
    at("2026-01-04T00:00:00Z", "merge", "--quiet", "--no-edit", "branch");
    const repo = await openGitRepo(site.dir, { env: quietEnv() });
    const { store } = await contentOver({ repo, hands: (await openMemory({})).hands }, { kinds: KINDS });
    expect(store.current.pathsOf(PAGES, 1)).toEqual(["content/pages/long-name.yaml"]);
  });
});

describe("in a shallow clone, whose history does not tell which file was first", () => {
  it.each([
    ["the older record", "2026-01-01", "content/pages/a-long-name.yaml"],
    ["of records of one age, the file with the shorter path", "2026-01-02", "content/pages/b.yaml"],
  ])("an id and a permalink belong to %s", async (_rule, created, owner) => {
    const origin = gitSite({ "content/pages/b.yaml": page({ id: 1, title: "First", permalink: "/x" }) });
    onTestFinished(origin.remove);
    origin.save("content/pages/a-long-name.yaml", page({ id: 1, title: "Second", permalink: "/x", created }));
    origin.git("add", "--all");
    origin.git("commit", "--quiet", "--message=Second");
    origin.git("commit", "--quiet", "--allow-empty", "--message=Third");
    const ownerIn = async (dir: string): Promise<readonly Path[]> => {
      const repo = await openGitRepo(dir, { env: quietEnv() });
      const { store } = await contentOver({ repo, hands: (await openMemory({})).hands }, { kinds: KINDS });
      return store.current.pathsOf(PAGES, 1);
    };
    expect(await ownerIn(origin.dir)).toEqual(["content/pages/b.yaml"]);
    const shallow = `${origin.dir}-shallow`;
    onTestFinished(() => rmSync(shallow, { recursive: true, force: true }));
    origin.git("clone", "--quiet", "--depth=1", `file://${origin.dir}`, shallow);
    expect(await ownerIn(shallow)).toEqual([owner]);
  });
});

it("an id drawn for a new record is none of another kind of page, a file's that is not served included", async () => {
  const { store, hands } = await openContent(openMemory, {
    [ABOUT]: page({ id: 1001 }),
    "content/articles/a.yaml": page({ id: 1002, permalink: "/a" }),
  });
  hands.save(COPY, page({ id: 1003, permalink: "/c" }));
  await store.refresh();
  const drawn = await store.transact(EDITH, (tx) => tx.newId());
  expect(drawn.value).toBe(1004);
});

describe("whatever is done by hand", () => {
  const PATHS = [
    "content/pages/a.yaml",
    "content/pages/bb.yaml",
    "content/pages/sub/c.yaml",
    "content/articles/d.yaml",
  ] as const;
  const at = fc.nat(PATHS.length - 1);
  const edit = fc.oneof(
    fc.record({ do: fc.constant("copy" as const), a: at, b: at }),
    fc.record({ do: fc.constant("move" as const), a: at, b: at }),
    fc.record({
      do: fc.constant("save" as const),
      a: at,
      id: fc.integer({ min: 1, max: 3 }),
      link: fc.integer({ min: 1, max: 3 }),
      year: fc.integer({ min: 2019, max: 2025 }),
    }),
    fc.record({ do: fc.constant("erase" as const), a: at }),
    fc.record({ do: fc.constant("commit" as const) }),
    fc.record({ do: fc.constant("look" as const) }),
    fc.record({ do: fc.constant("write" as const), id: fc.integer({ min: 1, max: 3 }) }),
  );
  const wordsOf = (content: Snapshot): unknown => ({
    ids: [1, 2, 3].map((id) => KINDS.map((kind) => content.pathsOf(kind, id))),
    links: [1, 2, 3].map((n) => pathAt(content, `/x${n}`)),
    problems: content.problems.map(showProblem).sort(),
  });

  it(
    "a running service and a fresh start agree on every commit, and nothing new takes over what is served",
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 20 }), async (edits) => {
          const content = await openContent(openMemory, {
            [PATHS[0]]: page({ id: 1, permalink: "/x1" }),
            [PATHS[1]]: page({ id: 2, permalink: "/x2" }),
          });
          const { store, hands } = content;
          for (const step of edits) {
            const before = store.current;
            if (step.do === "copy" || step.do === "move") {
              const text = hands.text(PATHS[step.a]!);
              if (text === undefined || step.a === step.b) continue;
              hands.save(PATHS[step.b]!, text);
              if (step.do === "move") hands.erase(PATHS[step.a]!);
            } else if (step.do === "save")
              hands.save(
                PATHS[step.a]!,
                page({
                  id: step.id,
                  title: `Y${step.year}`,
                  permalink: `/x${step.link}`,
                  created: `${step.year}-01-01`,
                }),
              );
            else if (step.do === "erase") {
              if (hands.text(PATHS[step.a]!) !== undefined) hands.erase(PATHS[step.a]!);
            } else if (step.do === "commit") {
              hands.commit("By hand");
              await store.refresh();
              expect(wordsOf(store.current)).toEqual(wordsOf((await fresh(content)).store.current));
            } else if (step.do === "look") {
              await store.refresh();
              // A file that has the id in HEAD, too, keeps it, unless a commit made at the same time says otherwise.
              if (before.commit !== store.current.commit) continue;
              for (const kind of KINDS) {
                for (const { id } of before.all(kind)) {
                  const [path] = before.pathsOf(kind, id);
                  const entry = [...store.current.table(kind).byBase.values()].find(
                    ({ base, record }) => path?.startsWith(`${base}.`) && record.id === id,
                  );
                  const committed = (await content.repo.committed(store.current.commit, [path!])).get(path!);
                  const text = committed && new TextDecoder().decode(await content.repo.blob(committed));
                  if (!entry || !text?.startsWith(`id: ${id}\n`)) continue;
                  // Of two files that have the id in HEAD, the older claim counts again once its file is back.
                  // It may be an article, since pages and articles share their ids.
                  const [owner = ""] = KINDS.flatMap((each) => store.current.pathsOf(each, id));
                  const ownBlob = (await content.repo.committed(store.current.commit, [owner])).get(owner);
                  const ownText = ownBlob && new TextDecoder().decode(await content.repo.blob(ownBlob));
                  if (!ownText?.startsWith(`id: ${id}\n`))
                    expect([step.do, store.current.pathsOf(kind, id)]).toEqual([step.do, [path]]);
                }
              }
            } else {
              const kind = KINDS.find((each) => store.current.find(each, step.id));
              if (kind !== PAGES) continue;
              const others = PATHS.filter((path) => !store.current.pathsOf(kind, step.id).includes(path)).map(
                (path) => [path, hands.text(path)],
              );
              await store.transact(EDITH, retitle(step.id, "Written")).catch(() => undefined);
              for (const [path, text] of others)
                if (!store.current.pathsOf(kind, step.id).includes(path!)) expect(hands.text(path!)).toBe(text);
            }
          }
          hands.commit("At last");
          await store.refresh();
          expect(wordsOf(store.current)).toEqual(wordsOf((await fresh(content)).store.current));
        }),
        { numRuns: Number(process.env.RUNS ?? 100) },
      );
    },
  );
});

it("asks the history again since when pages have had their titles only where HEAD has changed their files", async () => {
  const { repo } = await openMemory({});
  const read: Path[] = [];
  const history: Partial<History> = {
    read: async () => (path) => {
      read.push(path);
      return [];
    },
    changedSince: async (commit) => (commit === "old" ? (path) => path === ABOUT : undefined),
  };
  const context: OwnershipContext = {
    ...{ repo, codec: INLINE_CODEC, kinds: KINDS, locales: LOCALES, log: quietEnv().log },
    history: history as History,
  };
  const sinceOf = async (before: string, path: Path, known?: number): Promise<number> => {
    const text = { title: "About", permalink: null };
    const entry = {
      base: path.replace(".yaml", ""),
      record: blankPage({ id: 1, translations: { en: text } }),
      files: new Map([[".yaml", "oid"]]),
    };
    return openOwnerResolver(context, "new", new Map(), before).since({ kind: PAGES, entry }, "en", known);
  };
  expect([await sinceOf("old", COPY, 3), await sinceOf("new", ABOUT, 3), read]).toEqual([3, 3, []]);
  expect([await sinceOf("old", ABOUT, 3), await sinceOf("gone", COPY, 3)]).toEqual([Infinity, Infinity]);
  expect([await sinceOf("old", COPY, Infinity), await sinceOf("old", COPY)]).toEqual([Infinity, Infinity]);
  expect(read).toEqual([ABOUT, COPY, COPY, COPY]);
});
