/** Commits that no git command would make: each is refused with a reason, and nothing of it is written. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openCms } from "../../../src/cms.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { PAGE } from "../../cli/process.ts";
import { GIT_ENV, quietEnv } from "../git/git-site.ts";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

const HOME = "content/pages/home.yaml";
const FILES = { "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n", [HOME]: PAGE(1, "Home") };

type Entry = readonly [mode: string, name: string, oid: string];
const [FILE, LINK, SUBMODULE, FOLDER] = ["100644", "120000", "160000", "40000"];

/** Writes objects as they are given, which `git mktree` would refuse. */
function objectsOf(clone: Clone) {
  const write = (type: string, content: Uint8Array): string =>
    execFileSync("git", ["hash-object", "-t", type, "-w", "--stdin", "--literally"], {
      ...{ cwd: clone.dir, env: GIT_ENV, input: content, encoding: "utf8" },
    }).trim();
  const blob = (text: string): string => write("blob", Buffer.from(text));
  const tree = (entries: readonly Entry[]): string =>
    write(
      "tree",
      Buffer.concat(
        entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")]),
      ),
    );
  return { blob, tree };
}

/** Adds entries to the top of the tree, and pushes that. */
function push(clone: Clone, added: readonly Entry[]): void {
  const entries = clone
    .git("ls-tree", "HEAD")
    .trim()
    .split("\n")
    .map((line): Entry => {
      const [, mode = "", oid = "", name = ""] = /^0*(\d+) \w+ (\w+)\t(.*)$/.exec(line) ?? [];
      return [mode, name, oid];
    });
  const names = new Set(added.map(([, name]) => name));
  const kept = entries.filter(([, name]) => !names.has(name));
  const tree = objectsOf(clone).tree([...kept, ...added].sort(([, a], [, b]) => (a < b ? -1 : 1)));
  const commit = clone.git("commit-tree", tree, "-p", "HEAD", "-m", "Hostile").trim();
  clone.git("push", "--quiet", "origin", `${commit}:main`);
}

type Objects = ReturnType<typeof objectsOf>;

/** Ten entries of one tree, level upon level. */
function nested({ tree }: Objects, leaf: Entry, levels: number): Entry {
  let entry = leaf;
  for (let level = 0; level < levels; level++) {
    const ten = Array.from({ length: 10 }, (_, n): Entry => [entry[0], `${n}`, entry[2]]);
    entry = [FOLDER!, "many", tree(ten)];
  }
  return entry;
}

const deep = ({ tree }: Objects, leaf: Entry, levels: number): Entry => {
  let entry = leaf;
  for (let level = 0; level < levels; level++) entry = [FOLDER!, "d".repeat(200), tree([entry])];
  return entry;
};

const HOSTILE: readonly [string, (objects: Objects) => readonly Entry[], RegExp][] = [
  [
    "git's own folder",
    (o) => [[FOLDER!, ".git", o.tree([[FILE!, "config", o.blob("[core]\n")]])]],
    /The remote has an object/,
  ],
  [
    "it in other letters",
    (o) => [[FOLDER!, ".GiT", o.tree([[FILE!, "config", o.blob("x")]])]],
    /The remote has an object/,
  ],
  ["its short name", (o) => [[FOLDER!, "git~1", o.tree([[FILE!, "config", o.blob("x")]])]], /The remote has an object/],
  ["a parent folder", (o) => [[FOLDER!, "..", o.tree([[FILE!, "x", o.blob("x")]])]], /The remote has an object/],
  ["a name with a slash", (o) => [[FILE!, "../../x", o.blob("x")]], /The remote has an object/],
  ["a link in the content", (o) => [[FOLDER!, "content", o.tree([[LINK!, "pages", o.blob("/etc")]])]], /symbolic link/],
  ["the content as a link", (o) => [[LINK!, "content", o.blob("/etc")]], /content is a symbolic link/],
  ["a submodule in media", () => [[SUBMODULE!, "media", "1".repeat(40)]], /submodule/],
  ["a long name", (o) => [[FILE!, "x".repeat(300), o.blob("x")]], /too long/],
  ["a deep path", (o) => [deep(o, [FILE!, "x", o.blob("x")], 11)], /too long/],
  ["a million files", (o) => [nested(o, [FILE!, "x", o.blob("x")], 6)], /More than 200000 files/],
  ["folders without end", (o) => [nested(o, [FOLDER!, "x", o.tree([])], 30)], /files and folders/],
];

describe("a remote with", () => {
  it.each(HOSTILE)("%s is refused, with the reason", { timeout: 60_000 }, async (_name, entries, reason) => {
    const remote = bareRemote(FILES);
    const [a, b] = [remote.clone(), remote.clone()];
    push(b, entries(objectsOf(b)));
    const head = a.head();
    // Both as what the branch moves to, and in a merge. The large ones take seconds.
    for (const ours of /files/.test(reason.source) ? [true] : [false, true]) {
      if (ours) {
        a.save("notes.txt", "Ours\n");
        a.commit("Ours");
      }
      await expect(a.sync()).rejects.toMatchObject({ message: expect.stringMatching(reason) });
      expect(a.git("merge-base", "HEAD", head).trim()).toBe(head);
      expect(a.git("status", "--porcelain")).toBe("");
      expect(a.text(HOME)).toBe(FILES[HOME]);
    }
  });

  it("texts that are costly to parse is merged, and they are problems", { timeout: 60_000 }, async () => {
    const remote = bareRemote(FILES);
    const [a, b] = [remote.clone(), remote.clone()];
    const bomb = Array.from(
      { length: 40 },
      (_, n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(n === 0 ? 0 : 9)} 1]\n`,
    ).join("");
    b.save("content/pages/aliases.yaml", bomb);
    b.save("content/pages/nested.yaml", `id: 9\ntemplate_data: ${"[".repeat(2000)}${"]".repeat(2000)}\n`);
    b.save(HOME, `${FILES[HOME]}template_data: { a: ${"{a: ".repeat(900)}1${"}".repeat(900)} }\n`);
    b.commit("Costly");
    b.git("push", "--quiet");
    const cms = await openCms(a.dir, { env: quietEnv() });
    a.save(HOME, PAGE(1, "Ours"));
    a.commit("Ours");
    await cms.store.refresh();
    expect(await a.sync({ merge: cms.store.merge, inTurn: cms.store.inTurn })).toMatchObject({ outcome: "merged" });
    const paths = new Set(cms.store.current.problems.map(({ path }) => path));
    expect(paths).toContain("content/pages/aliases.yaml");
    expect(paths).toContain("content/pages/nested.yaml");
    expect(cms.store.current.find(PAGES, 1)?.translations.en?.title).toMatch(/Ours|Home/);
    await cms.close();
    expect(complaintsOf(a)).toBe("");
  });
});
