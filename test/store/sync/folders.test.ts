/** A remote that puts a folder in the place of a file or link, or the other way round. */
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import type { MergedFile, Path } from "../../../src/store/repo.ts";
import { bury, faultyFs } from "../git/faulty-fs.ts";
import { gitSite, quietEnv } from "../git/git-site.ts";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

/** By path: the text of a file, or the target of a link. */
type Tree = Readonly<Record<string, string | { readonly link: string }>>;

const FILE: Tree = { "static/f": "f\n" };
const LINK: Tree = { "static/f": { link: "../elsewhere" } };
const FOLDER: Tree = { "static/f/g": "g\n" };
const DEEP: Tree = { "static/f/a/b/c/d": "d\n", "static/f/a/x": "x\n", "static/f/.hidden": "h\n" };
const TOP: Tree = { static: "one file\n" };
const TREES = { FILE, LINK, FOLDER, DEEP, TOP };
const PAIRS = Object.keys(TREES).flatMap((from) =>
  Object.keys(TREES).flatMap((to) => (from === to ? [] : [[from, to]])),
);

function put(clone: Clone, tree: Tree): void {
  rmSync(join(clone.dir, "static"), { recursive: true, force: true });
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(clone.dir, path)), { recursive: true });
    if (typeof content === "string") clone.save(path, content);
    else symlinkSync(content.link, join(clone.dir, path));
  }
}

function expectTree(clone: Clone, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const file = join(clone.dir, path);
    if (typeof content === "string") expect(readFileSync(file, "utf8")).toBe(content);
    else expect(readlinkSync(file)).toBe(content.link);
  }
  const listed = clone.git("ls-files", "static").trim().split("\n");
  expect(listed).toEqual(Object.keys(tree).sort());
}

/** Two clones that have the first tree, of which the second has pushed another one. */
async function changedBy(from: Tree, to: Tree): Promise<[Clone, Clone]> {
  const remote = bareRemote({ "cms.config.yaml": "LANGUAGES: { en: English }\n", "notes.txt": "notes\n" });
  const b = remote.clone();
  put(b, from);
  b.commit("From");
  b.git("push", "--quiet");
  const a = remote.clone();
  put(b, to);
  b.commit("To");
  b.git("push", "--quiet");
  return [a, b];
}

describe.each(PAIRS)("%s that becomes %s", { timeout: 60_000 }, (from, to) => {
  const [before, after] = [TREES[from as keyof typeof TREES], TREES[to as keyof typeof TREES]];

  it("is taken over by a fast-forward and by a merge", async () => {
    const [a, b] = await changedBy(before, after);
    expect(await a.sync()).toMatchObject({ outcome: "forwarded", conflicts: [] });
    expectTree(a, after);
    put(b, before);
    b.commit("Back");
    b.git("push", "--quiet");
    a.save("notes.txt", "ours\n");
    a.commit("Ours");
    expect(await a.sync()).toMatchObject({ outcome: "merged", conflicts: [] });
    expectTree(a, before);
    expect(complaintsOf(a)).toBe("");
  });
});

it.each([
  ["a folder", { "static/f": "f\n" }, { "static/f": null, "static/f/a/g": "g\n" }],
  ["a file", { "static/f/a/g": "g\n" }, { "static/f/a/g": null, "static/f": "f\n" }],
])("becomes %s as a whole wherever the process dies", { timeout: 120_000 }, async (_name, before, changes) => {
  for (let round = 1, hasFailed = true; hasFailed; round += 2) {
    const site = gitSite({ "notes.txt": "notes\n", ...before });
    const base = site.git("rev-parse", "HEAD").trim();
    const other = site.receive(base, changes, "Other");
    const faulty = faultyFs();
    const dying = await openGitRepo(site.dir, { env: quietEnv(), fs: faulty.fs });
    const merged = new Map<Path, MergedFile | null>();
    for (const [path, { after }] of await dying.differences(base, other)) merged.set(path, after);
    const calls = faulty.calls();
    faulty.failAt(round, { kind: "killed", when: "after" });
    await dying.merge({ base, other, commit: null, changes: merged }).catch(() => undefined);
    hasFailed = faulty.calls() - calls >= round;
    await dying.close().catch(() => undefined);
    await faulty.closeAll();
    bury(join(site.dir, ".git"));
    await (await openGitRepo(site.dir, { env: quietEnv() })).close();
    expect(site.complaints(), `round ${round}`).toBe("");
    const isMade = site.git("rev-parse", "HEAD").trim() === other;
    for (const [path, text] of Object.entries(isMade ? changes : before))
      if (text !== null) expect(site.text(path), `round ${round}`).toBe(text);
    site.remove();
  }
});

it("leaves a folder that has a file of a person, and says which path it is about", async () => {
  const [a] = await changedBy(FOLDER, FILE);
  a.save("static/f/mine.txt", "mine\n");
  await expect(a.sync()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("static/f") });
  expect(a.text("static/f/mine.txt")).toBe("mine\n");
  rmSync(join(a.dir, "static/f/mine.txt"));
  mkdirSync(join(a.dir, "static/f/empty/folder"), { recursive: true });
  expect(await a.sync()).toMatchObject({ outcome: "forwarded" });
  expectTree(a, FILE);
});

it("leaves a file of a person where the remote has a folder", async () => {
  const [a] = await changedBy({ "static/other": "o\n" }, FOLDER);
  a.save("static/f", "mine\n");
  await expect(a.sync()).rejects.toMatchObject({ code: "conflict" });
  expect(a.text("static/f")).toBe("mine\n");
});

it.each([
  ["file", FILE, FOLDER],
  ["folder", FOLDER, FILE],
])("has the folder where one side changed the %s, and the file is a conflict", async (_name, from, to) => {
  const [a] = await changedBy(from, to);
  for (const path of Object.keys(from)) a.save(path, "ours\n");
  a.commit("Ours");
  const { outcome, conflicts } = await a.sync();
  expect(outcome).toBe("merged");
  expect(conflicts.map(({ path }) => path)).toContain("static/f");
  expect(lstatSync(join(a.dir, "static/f")).isDirectory()).toBe(true);
  expect(existsSync(join(a.dir, "static/f/g"))).toBe(true);
  expect(complaintsOf(a)).toBe("");
});
