import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bareRemote, complaintsOf, type Clone, type Remotes } from "./clones.ts";

const HOME = "content/pages/home.yaml";
const ABOUT = "content/pages/about.yaml";
const page = (id: number, title: string, titolo: string, more = ""): string => `id: ${id}
date_created: 2026-01-01T00:00:00.000Z
date_updated_at: 2026-01-01T00:00:00.000Z
translations:
  en:
    title: ${title}
    permalink: /${id}
    autopermalink: false
    published_at: 2026-01-01T00:00:00.000Z
  it:
    title: ${titolo}
    permalink: /it-${id}
    autopermalink: false
    published_at: 2026-01-01T00:00:00.000Z
${more}`;
const SITE = {
  "cms.config.yaml": "LANGUAGE_CODE: en\n",
  [HOME]: page(1, "Home", "Casa"),
  [ABOUT]: page(2, "About", "Chi siamo"),
  "notes.txt": "one\ntwo\nthree\nfour\nfive\n",
};

function pair(files: Readonly<Record<string, string>> = SITE) {
  const remote = bareRemote(files);
  return { remote, a: remote.clone(), b: remote.clone() };
}

/** Adds an entry as it is to the root of the remote's tree. @param entry latin1; is given the ids, byte by character */
function pushRoot(remote: Remotes, entry: (blob: string, tree: string) => string): void {
  const store = (type: string, content: Buffer): string =>
    execFileSync("git", ["hash-object", "-t", type, "-w", "--literally", "--stdin"], {
      ...{ cwd: remote.dir, input: content, encoding: "utf8" },
    }).trim();
  const bytes = (oid: string): string => Buffer.from(oid, "hex").toString("latin1");
  const blob = store("blob", Buffer.from("text\n"));
  const folder = store("tree", Buffer.from(`100644 inside.txt\0${bytes(blob)}`, "latin1"));
  const root = execFileSync("git", ["cat-file", "tree", "main^{tree}"], { cwd: remote.dir });
  const entries = entriesOf(root.toString("latin1") + entry(bytes(blob), bytes(folder)));
  const tree = store("tree", Buffer.from(entries.join(""), "latin1"));
  const person = "Mallory <mallory@example.org> 1767225600 +0000";
  const parent = remote.git("rev-parse", "main").trim();
  const commit = `tree ${tree}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n\nTree\n`;
  remote.git("update-ref", "refs/heads/main", store("commit", Buffer.from(commit)));
}

/** The entries of a tree in git's order, in which the name of a folder ends in a slash. */
function entriesOf(tree: string): string[] {
  const keyOf = (entry: string): string => {
    const name = entry.slice(entry.indexOf(" ") + 1, entry.indexOf("\0"));
    return entry.startsWith("40000") ? `${name}/` : name;
  };
  const entries = tree.match(/\d+ [^\0]+\0[^]{20}/g) ?? [];
  return entries.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function expectSame(...clones: readonly Clone[]): void {
  const trees = clones.map((clone) => clone.git("rev-parse", "HEAD^{tree}"));
  expect(new Set(trees).size).toBe(1);
  for (const clone of clones) expect(complaintsOf(clone)).toBe("");
}

describe("without a conflict", () => {
  it("does nothing where there is nothing to do", async () => {
    const { a } = pair();
    expect(await a.sync()).toMatchObject({ outcome: "unchanged", pulled: 0, pushed: 0, conflicts: [] });
  });

  it("pushes what is new here, and moves forward to what is new there", async () => {
    const { remote, a, b } = pair();
    a.save(HOME, page(1, "Start", "Casa"));
    const head = a.commit("Start");
    expect(await a.sync()).toMatchObject({ outcome: "unchanged", pulled: 0, pushed: 1, commit: head });
    expect(remote.git("rev-parse", "main").trim()).toBe(head);
    expect(await b.sync()).toMatchObject({ outcome: "forwarded", pulled: 1, pushed: 0, commit: head });
    expect(b.text(HOME)).toContain("title: Start");
    expectSame(a, b);
  });

  it("merges two languages of one page, and texts by line, in one commit with two parents", async () => {
    const { a, b } = pair();
    a.save(HOME, page(1, "Start", "Casa"));
    a.save("notes.txt", "ONE\ntwo\nthree\nfour\nfive\n");
    const ours = a.commit("English");
    b.save(HOME, page(1, "Home", "Inizio"));
    b.save("notes.txt", "one\ntwo\nthree\nfour\nFIVE\n");
    const theirs = b.commit("Italian");
    await b.sync();
    const report = await a.sync();
    expect(report).toMatchObject({ outcome: "merged", pulled: 1, pushed: 2, conflicts: [] });
    expect(a.git("rev-list", "--parents", "-1", "HEAD").trim().split(" ").slice(1)).toEqual([ours, theirs]);
    expect(a.text(HOME)).toBe(page(1, "Start", "Inizio"));
    expect(a.text("notes.txt")).toBe("ONE\ntwo\nthree\nfour\nFIVE\n");
    expect(a.git("log", "-1", "--format=%an %s")).toBe("Person 1 Merge origin/main\n");
    await b.sync();
    expectSame(a, b);
  });

  it("keeps the modes of other files", async () => {
    const { a, b } = pair();
    a.save("notes.txt", "ONE\ntwo\nthree\nfour\nfive\n");
    a.commit("Text");
    chmodSync(join(b.dir, "notes.txt"), 0o755);
    b.commit("Mode");
    await b.sync();
    await a.sync();
    expect(a.git("ls-files", "--stage", "notes.txt")).toMatch(/^100755 /);
    expect(a.text("notes.txt")).toMatch(/^ONE/);
    await b.sync();
    expectSame(a, b);
  });

  it("follows a page that one side renamed and the other changed", async () => {
    const { a, b } = pair();
    a.git("mv", HOME, "content/pages/start.yaml");
    a.commit("Rename");
    b.save(HOME, page(1, "Home", "Inizio"));
    b.save("content/pages/home.draft.en.yaml", "payload:\n  title: Later\n");
    b.commit("Change");
    await b.sync();
    await a.sync();
    expect(a.text(HOME)).toBeUndefined();
    expect(a.text("content/pages/start.yaml")).toBe(page(1, "Home", "Inizio"));
    expect(a.text("content/pages/start.draft.en.yaml")).toContain("Later");
    expect(a.text("content/pages/home.draft.en.yaml")).toBeUndefined();
    await b.sync();
    expectSame(a, b);
  });

  const LEFT = "content/pages/home.draft.en.yaml";
  const draft = (title: string): string => `payload:\n  title: ${title}\n`;

  it.each<[string, Readonly<Record<string, string>>, string | undefined, left: string | undefined]>([
    ["changed neither", { [ABOUT]: page(2, "About us", "A") }, undefined, "Former"],
    ["changed the page", { [HOME]: page(1, "Home", "Inizio") }, undefined, "Former"],
    ["changed the draft", { [LEFT]: draft("Changed") }, "Changed", undefined],
  ])("keeps a draft that a move left behind when the other side %s", async (_case, files, follows, left) => {
    const { a, b } = pair({ ...SITE, [LEFT]: draft("Former") });
    a.git("mv", HOME, "content/pages/start.yaml");
    a.commit("Move the page alone");
    for (const [path, text] of Object.entries(files)) b.save(path, text);
    b.commit("Change");
    await b.sync();
    await a.sync();
    expect(a.text("content/pages/start.yaml")).toContain("Home");
    expect([a.text("content/pages/start.draft.en.yaml"), a.text(LEFT)]).toEqual(
      [follows, left].map((title) => title && draft(title)),
    );
    await b.sync();
    expectSame(a, b);
  });

  it.each<[string, boolean, (clone: Clone) => void]>([
    ["made since", false, (b) => b.save(HOME, page(1, "Home", "Inizio"))],
    ["made since", false, (b) => b.save("content/pages/home.draft.it.yaml", draft("Bozza"))],
    ["of before", true, (b) => b.save(HOME, page(1, "Home", "Inizio"))],
    ["of before", true, (b) => b.save(LEFT, `${draft("Former")}  description: Changed\n`)],
    [
      "of before",
      true,
      (b) => {
        b.git("mv", HOME, "content/pages/first.yaml");
        b.git("mv", LEFT, "content/pages/first.draft.en.yaml");
      },
    ],
  ])(
    "keeps a draft %s the fork (%s) that a move left behind, although the page has another",
    async (_case, old, act) => {
      const { a, b } = pair({ ...SITE, ...(old && { [LEFT]: draft("Former") }) });
      a.save(LEFT, draft("Former"));
      if (!old) a.commit("Draft");
      a.git("mv", HOME, "content/pages/start.yaml");
      a.commit("Move the page alone");
      a.save("content/pages/start.draft.en.yaml", draft("Later"));
      a.commit("Another draft");
      act(b);
      b.commit("Change");
      await b.sync();
      await a.sync();
      const name = a.text("content/pages/first.yaml") === undefined ? "start" : "first";
      expect(a.text(`content/pages/${name}.draft.en.yaml`)).toContain("Later");
      expect(a.text(LEFT)).toBe(draft("Former"));
      await b.sync();
      expectSame(a, b);
    },
  );

  it("removes a draft that a move left behind when the other side removed it", async () => {
    const { a, b } = pair({ ...SITE, [LEFT]: draft("Former") });
    a.git("mv", HOME, "content/pages/start.yaml");
    a.commit("Move the page alone");
    b.erase(LEFT);
    b.commit("Discard");
    await b.sync();
    await a.sync();
    expect([a.text(LEFT), a.text("content/pages/start.draft.en.yaml")]).toEqual([undefined, undefined]);
    await b.sync();
    expectSame(a, b);
  });

  it("keeps a draft that was changed when its page was removed without it", async () => {
    const { a, b } = pair({ ...SITE, [LEFT]: draft("Former"), "content/pages/home.draft.it.yaml": draft("Bozza") });
    a.erase(HOME);
    a.save(LEFT, draft("Changed"));
    a.commit("Remove the page alone");
    b.erase("content/pages/home.draft.it.yaml");
    b.commit("Discard");
    await b.sync();
    await a.sync();
    expect([a.text(HOME), a.text(LEFT), a.text("content/pages/home.draft.it.yaml")]).toEqual([
      undefined,
      draft("Changed"),
      undefined,
    ]);
    await b.sync();
    expectSame(a, b);
  });

  it("keeps a new record under the name that the other side moved a record to", async () => {
    const { a, b } = pair();
    a.git("mv", HOME, "content/pages/start.yaml");
    a.commit("Move");
    b.save("content/pages/start.yaml", page(3, "Start", "Inizio"));
    b.commit("New");
    await b.sync();
    await a.sync();
    expect(a.text("content/pages/start.yaml")).toContain("id: 3");
    expect(a.text("content/pages/start-2.yaml")).toBe(SITE[HOME]);
    await b.sync();
    expectSame(a, b);
  });

  const news = (id: number, day: string, permalink: string): string =>
    `# ${day}\n${page(id, "News", "Novità").replace("2026-01-01", day).replace(`: /${id}`, `: ${permalink}`)}`;

  it.each<[string, ours: string, theirs: string, kept: string, other: string]>([
    ["ours is older", "2026-01-02", "2026-01-03", "ours", "theirs"],
    ["the remote's is older", "2026-01-03", "2026-01-02", "theirs", "ours"],
    ["of one age, the remote's", "2026-01-02", "2026-01-02", "theirs", "ours"],
  ])("of two new pages with one id and permalink one gets others: %s", async (_case, our, their, kept, other) => {
    const ids: unknown[] = [];
    for (const isSwapped of our === their ? [false] : [false, true]) {
      const { a, b } = pair({ ...SITE, "content/pages/taken.yaml": news(7, "2026-01-01", "/news-2") });
      const [first, second] = isSwapped ? [b, a] : [a, b];
      first.save("content/pages/ours.yaml", news(5, our, "/news"));
      second.save("content/pages/theirs.yaml", news(5, their, "/news"));
      first.commit("Ours");
      second.commit("Theirs");
      await b.sync();
      expect((await a.sync()).conflicts).toEqual([]);
      expect(a.text(`content/pages/${kept}.yaml`)).toBe(news(5, kept === "ours" ? our : their, "/news"));
      const text = a.text(`content/pages/${other}.yaml`) ?? "";
      const id = /^id: (\d+)$/m.exec(text)?.[1];
      expect(id).not.toBe("5");
      const expected = news(5, other === "ours" ? our : their, "/news-3").replace("/it-5", "/it-5-2");
      expect(text).toBe(expected.replace("id: 5", `id: ${id}`));
      expect(a.git("log", "-1", "--format=%b")).toContain(
        `content/pages/${other}.yaml: id 5 is now ${id}\n` +
          `content/pages/${other}.yaml: permalink (en) "/news" is now "/news-3"\n`,
      );
      await b.sync();
      expectSame(a, b);
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(1);
  });

  it("of a new and a moved permalink one gets another, and what one side contested already stays", async () => {
    const { a, b } = pair();
    a.save(HOME, page(1, "Home", "Casa").replace(": /1", ": /news"));
    a.commit("Ours");
    b.save("content/pages/new.yaml", news(5, "2026-01-02", "/news"));
    b.save("content/pages/copy-1.yaml", page(8, "Copy", "Copia").replace("/it-8", "/copia"));
    b.save("content/pages/copy-2.yaml", page(8, "Copy", "Copia").replace("/it-8", "/copia"));
    b.commit("Theirs");
    await b.sync();
    await a.sync();
    expect(a.text(HOME)).toContain("permalink: /news\n");
    expect(a.text("content/pages/new.yaml")).toBe(news(5, "2026-01-02", "/news-2"));
    expect(a.text("content/pages/copy-1.yaml")).toBe(a.text("content/pages/copy-2.yaml"));
    await b.sync();
    expectSame(a, b);
  });

  it("gives the second of two records with one file name another", async () => {
    const { a, b } = pair();
    a.save("content/pages/news.yaml", page(3, "Ours", "Nostre"));
    a.commit("Ours");
    b.save("content/pages/news.yaml", page(4, "Theirs", "Loro"));
    b.commit("Theirs");
    await b.sync();
    await a.sync();
    expect(a.text("content/pages/news.yaml")).toContain("Theirs");
    expect(a.text("content/pages/news-2.yaml")).toContain("Ours");
    await b.sync();
    expectSame(a, b);
  });
});

describe("with a conflict", () => {
  it("keeps the remote's title live, and ours as the page's draft", async () => {
    const { a, b } = pair();
    a.save(HOME, page(1, "Ours", "Casa"));
    a.commit("Ours");
    b.save(HOME, page(1, "Theirs", "Inizio"));
    b.commit("Theirs");
    await b.sync();
    const { conflicts } = await a.sync();
    expect(conflicts).toMatchObject([
      { kind: "field", path: HOME, isDrafted: true, value: { field: "title", ours: "Ours", theirs: "Theirs" } },
    ]);
    expect(a.text(HOME)).toBe(page(1, "Theirs", "Inizio"));
    expect(a.text("content/pages/home.draft.en.yaml")).toContain("Ours");
    expect(a.git("log", "-1", "--format=%(trailers:key=Cms-Conflict,valueonly)")).toContain(HOME);
    await b.sync();
    expectSame(a, b);
  });

  it.each<[string, (clone: Clone) => void, (clone: Clone) => void, "ours" | "theirs"]>([
    ["here", (a) => a.erase(HOME), (b) => b.save(HOME, page(1, "Changed", "Casa")), "ours"],
    ["there", (a) => a.save(HOME, page(1, "Changed", "Casa")), (b) => b.erase(HOME), "theirs"],
  ])("keeps a page that was removed %s and changed on the other side", async (_where, actA, actB, by) => {
    const { a, b } = pair();
    actA(a);
    a.commit("A");
    actB(b);
    b.commit("B");
    await b.sync();
    expect((await a.sync()).conflicts).toEqual([{ kind: "deleted", path: HOME, by }]);
    expect(a.text(HOME)).toBe(page(1, "Changed", "Casa"));
    await b.sync();
    expectSame(a, b);
  });

  it("keeps all files of a page that was removed here, of which there only the draft was changed", async () => {
    const draft = "content/pages/home.draft.en.yaml";
    const { a, b } = pair({ ...SITE, [draft]: "payload:\n  title: Draft\n" });
    a.erase(HOME);
    a.erase(draft);
    a.commit("Remove");
    b.save(draft, "payload:\n  title: Changed\n");
    b.commit("Draft");
    await b.sync();
    await a.sync();
    expect(a.text(HOME)).toBe(SITE[HOME]);
    expect(a.text(draft)).toContain("Changed");
    await b.sync();
    expectSame(a, b);
  });

  it("keeps the remote's version of a text whose lines clash, and of a binary file", async () => {
    const { a, b } = pair({ ...SITE, "media/x.bin": "\0base" });
    for (const [clone, name] of [
      [a, "ours"],
      [b, "theirs"],
    ] as const) {
      clone.save("notes.txt", `${name}\ntwo\nthree\nfour\nfive\n`);
      clone.save("media/x.bin", `\0${name}`);
      clone.commit(name);
    }
    await b.sync();
    const { conflicts } = await a.sync();
    expect(conflicts.map(({ kind, path }) => [kind, path])).toEqual([
      ["file", "media/x.bin"],
      ["file", "notes.txt"],
    ]);
    expect([a.text("notes.txt"), a.text("media/x.bin")]).toEqual(["theirs\ntwo\nthree\nfour\nfive\n", "\0theirs"]);
    await b.sync();
    expectSame(a, b);
  });
});

describe("held and failed syncs leave everything as it was", () => {
  /** Runs a sync that must be refused, and checks that branch, files and status are unchanged. */
  async function expectRefused(clone: Clone, message: RegExp, code = "conflict"): Promise<void> {
    const before = [clone.head(), clone.git("status", "--porcelain"), clone.text(HOME)];
    await expect(clone.sync()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect([clone.head(), clone.git("status", "--porcelain"), clone.text(HOME)]).toEqual(before);
  }

  /** B has pushed a change of the home page. */
  async function withPushed(files: Readonly<Record<string, string>> = SITE) {
    const clones = pair(files);
    clones.b.save(HOME, page(1, "Theirs", "Casa"));
    clones.b.commit("Theirs");
    await clones.b.sync();
    return clones;
  }

  it("for an uncommitted change in the way, and goes on when it is committed", async () => {
    const { a } = await withPushed();
    a.save(HOME, page(1, "Home", "Per ora"));
    await expectRefused(a, /content\/pages\/home\.yaml has a change that is not committed/);
    a.commit("By hand");
    await a.sync();
    expect(a.text(HOME)).toBe(page(1, "Theirs", "Per ora"));
  });

  it("but not for one that is not in the way", async () => {
    const { a } = await withPushed();
    a.save(ABOUT, page(2, "Half done", "A"));
    a.save("notes.txt", "staged\n");
    a.git("add", "notes.txt");
    await a.sync();
    expect(a.text(HOME)).toContain("Theirs");
    expect(a.git("status", "--porcelain")).toBe(` M ${ABOUT}\nM  notes.txt\n`);
  });

  it("for a remote that removes more than half of the pages, until it is accepted", async () => {
    const { a, b } = pair();
    b.erase(HOME);
    b.erase(ABOUT);
    b.commit("Remove");
    await b.sync();
    await expectRefused(a, /remove 2 of 2 pages.*--accept-deletions/);
    expect(await a.sync({ acceptsDeletions: true })).toMatchObject({ outcome: "forwarded" });
    expect(a.text(HOME)).toBeUndefined();
  });

  it("but not for a folder that was moved", async () => {
    const { a, b } = pair();
    b.git("mv", HOME, "content/pages/first.yaml");
    b.git("mv", ABOUT, "content/pages/second.yaml");
    b.commit("Move");
    await b.sync();
    expect(await a.sync()).toMatchObject({ outcome: "forwarded" });
  });

  it("for histories without a common ancestor", async () => {
    const { a } = pair();
    a.git("checkout", "--quiet", "--orphan", "other");
    a.commit("Another beginning");
    a.git("branch", "--force", "main", "HEAD");
    a.git("switch", "--quiet", "main");
    await expectRefused(a, /no commit in common/);
  });

  it("for a remote that is gone, and one that is not configured", async () => {
    const { remote, a } = pair();
    rmSync(remote.dir, { recursive: true });
    await expectRefused(a, /does not exist/, "unavailable");
    a.git("remote", "remove", "origin");
    await expectRefused(a, /no remote "origin"/, "setup");
  });

  it.each(["--upload-pack=x", "-o", "a b", "../x", "a..b", "x.lock"])(
    "for %j as the name of a remote",
    async (name) => {
      const { a } = pair();
      await expect(a.sync({ remote: name })).rejects.toMatchObject({ code: "setup" });
      await expect(a.sync({ branch: name })).rejects.toMatchObject({ code: "setup" });
    },
  );

  it("for a merge in progress", async () => {
    const { a } = await withPushed();
    writeFileSync(join(a.dir, ".git/MERGE_HEAD"), a.head());
    await expect(a.sync()).rejects.toMatchObject({ code: "unavailable", message: /A merge is in progress/ });
  });

  it("for a hook of the remote that refuses; what was merged stays, and is pushed by the next sync", async () => {
    const { remote, a } = await withPushed();
    a.save(ABOUT, page(2, "Ours", "Chi siamo"));
    a.commit("Ours");
    const hook = join(remote.dir, "hooks/pre-receive");
    writeFileSync(hook, "#!/bin/sh\necho not today >&2\nexit 1\n", { mode: 0o755 });
    await expect(a.sync()).rejects.toMatchObject({
      code: "unavailable",
      message: /A hook of the remote refused.*not today/,
    });
    expect(a.text(HOME)).toContain("Theirs");
    rmSync(hook);
    expect(await a.sync()).toMatchObject({ outcome: "unchanged", pushed: 2 });
  });

  it("for a dry run, which says what would be done", async () => {
    const { a } = await withPushed();
    const before = a.head();
    expect(await a.sync({ isDryRun: true })).toMatchObject({ outcome: "forwarded", pulled: 1 });
    expect(a.head()).toBe(before);
    expect(a.text(HOME)).toBe(SITE[HOME]);
  });

  it("for symbolic links in the content", async () => {
    const { a, b } = pair();
    b.git("config", "core.symlinks", "false");
    const blob = b.git("hash-object", "-w", "notes.txt").trim();
    b.git("update-index", "--add", "--cacheinfo", `120000,${blob},content/pages/link.yaml`);
    b.git("commit", "--quiet", "--message=Link");
    b.git("push", "--quiet");
    await expectRefused(a, /content\/pages\/link\.yaml is a symbolic link/);
  });

  it("for a path that must not be checked out", async () => {
    const { a, b } = pair();
    const blob = b.git("hash-object", "-w", "notes.txt").trim();
    b.git("update-index", "--add", "--cacheinfo", `100644,${blob},content/back\\slash.yaml`);
    b.git("commit", "--quiet", "--message=Path");
    b.git("push", "--quiet");
    await expectRefused(a, /the remote has a path that is refused/);
  });

  it.each<[string, RegExp, name: (blob: string) => string]>([
    ["is too long", /nnn… is too long/, (blob) => `100644 ${"n".repeat(256)}\0${blob}`],
    ["is not UTF-8", /is not UTF-8: rename it/, (blob) => `100644 a\xff\xfe.txt\0${blob}`],
  ])("for a name that %s", async (_, message, entry) => {
    const { remote, a } = pair();
    pushRoot(remote, entry);
    await expectRefused(a, message);
  });

  it.each<[string, RegExp, entry: (blob: string, tree: string) => string]>([
    ["a mode that is none", /malformed or unsafe.*badFilemode/, (blob) => `777777 seven.txt\0${blob}`],
    [
      "a name twice",
      /malformed or unsafe.*duplicateEntries/,
      (blob, tree) => `120000 evil\0${blob}40000 evil\0${tree}`,
    ],
    ["a path as a name", /malformed or unsafe.*fullPathname/, (blob) => `100644 a/b.txt\0${blob}`],
    ["a folder that is called a file", /damaged.*is a tree, not a blob/, (_, tree) => `100644 file.txt\0${tree}`],
  ])("for a tree that has %s", async (_, message, entry) => {
    const { remote, a } = pair();
    pushRoot(remote, entry);
    await expectRefused(a, message, "unavailable");
  });
});

it("takes over objects that a prune does not delete which began before the fetch", async () => {
  const { a, b } = pair();
  b.save(HOME, page(1, "Theirs", "Casa"));
  b.commit("Theirs");
  await b.sync();
  const loose = (): string[] =>
    readdirSync(join(a.dir, ".git/objects"), { recursive: true, encoding: "utf8" }).filter((name) =>
      /^[0-9a-f]{2}.[0-9a-f]{38}$/.test(name),
    );
  const before = new Set(loose());
  expect(await a.sync()).toMatchObject({ outcome: "forwarded" });
  for (const name of loose()) if (!before.has(name)) rmSync(join(a.dir, ".git/objects", name), { force: true });
  expectSame(a, b);
});

describe("pushes that come first", () => {
  it("are merged, and the push is tried again", async () => {
    const { a, b } = pair();
    a.save(HOME, page(1, "Ours", "Casa"));
    a.commit("Ours");
    b.save(ABOUT, page(2, "Theirs", "Chi siamo"));
    b.commit("Theirs");
    const hook = join(a.dir, ".git/hooks/pre-push");
    writeFileSync(hook, `#!/bin/sh\ncd ${b.dir} && env -u GIT_DIR git push --quiet origin main; rm ${hook}\n`, {
      mode: 0o755,
    });
    expect(await a.sync()).toMatchObject({ outcome: "merged", pulled: 1 });
    await b.sync();
    expectSame(a, b);
  });

  it("a branch that does not exist there yet is created", async () => {
    const { remote, a } = pair();
    a.git("switch", "--quiet", "--create", "drafts");
    a.save(HOME, page(1, "Ours", "Casa"));
    const head = a.commit("Ours");
    expect(await a.sync()).toMatchObject({ outcome: "unchanged", commit: head });
    expect(remote.git("rev-parse", "drafts").trim()).toBe(head);
  });
});
