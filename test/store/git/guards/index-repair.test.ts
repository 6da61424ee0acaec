/** What other git processes undo of a commit of ours, and how it is put right. */
import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  encodeIndex,
  EMPTY_INDEX,
  entriesOf,
  parseIndex,
  updateIndex,
  type IndexFile,
} from "../../../../src/store/git/index/index-format.ts";
import {
  isReverted,
  openReplacedEntries,
  RACE_WINDOW_MS,
  type ReplacedEntry,
} from "../../../../src/store/git/guards/replaced-entries.ts";
import { openGitRepo } from "../../../../src/store/git/repo.ts";
import type { Oid, Repo } from "../../../../src/store/repo.ts";
import { GIT_ENV, gitSite, quietEnv, type GitSite } from "../git-site.ts";
import { commit } from "../repo-contract.ts";
import { contentOver, EDITH, handsOn, retitle } from "../../store-site.ts";

const HOME = "content/home.yaml";
const file = (id: number): string => `content/pages/p${id}.yaml`;
const page = (id: number, title: string): string =>
  `id: ${id}\ntranslations:\n  en:\n    title: ${title}\n    permalink: /p${id}\n`;

let site: GitSite;
let repo: Repo | undefined;
afterEach(async () => {
  await repo?.close();
  repo = undefined;
  site.remove();
});

const open = async (files: Readonly<Record<string, string>>): Promise<Repo> => {
  site = gitSite(files);
  return (repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 1_000 }));
};

/** Lets a git command that has read the index before `work` write it afterwards, as it does: byte for byte. */
async function withOlderIndex(work: () => Promise<unknown>): Promise<void> {
  const index = join(site.dir, ".git/index");
  copyFileSync(index, `${index}.read`);
  await work();
  renameSync(`${index}.read`, index);
}

describe("an older index written over ours", () => {
  it.each([
    ["a new page", { "content/new.yaml": "n: 1\n" }],
    ["a changed page", { [HOME]: "n: 1\n" }],
    ["a removed page", { "content/gone.yaml": null }],
  ])("does not undo %s, nor what the person had staged", async (_what, changes) => {
    const opened = await open({ [HOME]: "n: 0\n", "content/gone.yaml": "n: 0\n", "notes.txt": "0\n" });
    site.save("notes.txt", "mine\n");
    site.git("add", "notes.txt");
    await withOlderIndex(() => commit(opened, changes));
    expect(site.git("diff", "--cached", "--name-only").split("\n").filter(Boolean)).toHaveLength(2);
    await opened.maintain();
    expect(site.git("status", "--porcelain")).toBe("M  notes.txt\n");
    site.git("commit", "--quiet", "--message=The retry");
    expect(site.git("show", "--format=", "--name-only", "HEAD")).toBe("notes.txt\n");
  });

  it("is put right by the next commit of ours, too", async () => {
    const opened = await open({ [HOME]: "n: 0\n" });
    await withOlderIndex(async () => {
      await commit(opened, { "content/a.yaml": "n: 1\n" });
      await commit(opened, { "content/a.yaml": "n: 2\n", "content/b.yaml": "n: 2\n" });
    });
    await commit(opened, { [HOME]: "n: 3\n" });
    expect(site.complaints()).toBe("");
  });

  it("does not put back what a person has changed since", async () => {
    const opened = await open({ [HOME]: "n: 0\n" });
    await commit(opened, { [HOME]: "n: 1\n" });
    site.save(HOME, "by hand\n");
    site.git("add", HOME);
    await opened.maintain();
    expect(site.git("status", "--porcelain")).toBe(`M  ${HOME}\n`);
  });
});

describe("isReverted", () => {
  const [A, B] = ["a".repeat(40), "b".repeat(40)];
  const NOW = 1_000_000;
  const stat = {
    ctimeNs: 5_000_000_000n,
    mtimeNs: 5_000_000_000n,
    dev: 1n,
    ino: 2n,
    uid: 0n,
    gid: 0n,
    size: 5n,
  } as never;
  const indexWith = (oid: Oid | null, hasStat = true): IndexFile =>
    oid === null ? EMPTY_INDEX : updateIndex(EMPTY_INDEX, new Map([[HOME, { oid, stat: hasStat ? stat : undefined }]]));
  const ownOf = async (before: IndexFile, base: Oid | null, after: Oid | null): Promise<ReplacedEntry> => {
    const own = openReplacedEntries(() => NOW);
    await own.recordReplaced(before, { ref: "refs/heads/main", commits: [] }, [
      { path: HOME, base, before: base, after },
    ]);
    return [...own][0]![1];
  };
  it.each<[string, IndexFile, IndexFile, Oid | null, Oid | null, Oid | null, number, boolean]>([
    ["the very entry, an hour later", indexWith(A), indexWith(A), A, B, B, 3_000_000, true],
    ["the same content, staged anew", indexWith(A), indexWith(A, false), A, B, B, 0, false],
    ["an entry never looked at, at once", indexWith(A, false), indexWith(A, false), A, B, B, 0, true],
    ["an entry never looked at, later", indexWith(A, false), indexWith(A, false), A, B, B, RACE_WINDOW_MS + 1, false],
    ["no entry for a new file, at once", indexWith(null), indexWith(null), null, B, B, 0, true],
    [
      "no entry for a new file, later: `git rm --cached`",
      indexWith(null),
      indexWith(null),
      null,
      B,
      B,
      RACE_WINDOW_MS + 1,
      false,
    ],
    ["an entry of a removed file", indexWith(A), indexWith(A), A, null, null, 0, true],
    ["our own content", indexWith(A), indexWith(B), A, B, B, 0, false],
    ["HEAD has moved on", indexWith(A), indexWith(A), A, B, A, 0, false],
  ])("%s: %s", async (_what, before, now, base, after, head, laterMs, expected) => {
    const { parts, end } = encodeIndex(now);
    const entries = entriesOf(parseIndex(Buffer.concat([...parts, await end()])), HOME);
    expect(isReverted(await ownOf(before, base, after), { entries, head, indexAt: NOW + laterMs })).toBe(expected);
  });
});

it("a file saved in the second of git's last look, with the same size, is still seen as changed", async () => {
  const opened = await open({ [HOME]: "n: 0\n", "notes.txt": "10\n" });
  const at = Math.floor(Date.now() / 1000) - 10;
  const notes = join(site.dir, "notes.txt");
  utimesSync(notes, at, at);
  site.git("update-index", "--refresh");
  utimesSync(join(site.dir, ".git/index"), at, at);
  writeFileSync(notes, "11\n");
  utimesSync(notes, at + 0.5, at + 0.5);
  await commit(opened, { [HOME]: "n: 1\n" });
  expect(site.git("status", "--porcelain")).toBe(" M notes.txt\n");
});

describe("a command that read HEAD before our commit", () => {
  // Each moves the branch back to the commit it had read, with this line in the reflog.
  it.each([
    ["git reset", "reset: moving to HEAD"],
    ["git rebase --abort", "rebase (abort): returning to refs/heads/main"],
  ])("does not discard it: %s", async (_command, line) => {
    const opened = await open({ [HOME]: "n: 0\n" });
    await commit(opened, { [HOME]: "n: 1\n" });
    const before = site.git("rev-parse", "HEAD").trim();
    const id = await commit(opened, { [HOME]: "n: 2\n", "content/new.yaml": "n: 2\n" });
    site.git("read-tree", "--reset", "-u", before);
    site.git("update-ref", "-m", line, "HEAD", before);
    await opened.maintain();
    expect(site.git("rev-parse", "HEAD").trim()).toBe(id);
    expect(site.complaints()).toBe("");
  });

  it.each([
    ["a commit", ["commit", "--quiet", "--all", "--message=By hand"]],
    [
      "two commits",
      ["commit", "--quiet", "--all", "--message=By hand"],
      ["commit", "--quiet", "--allow-empty", "-m", "2"],
    ],
  ])("does not discard it where %s of a person came before we looked: it is merged", async (_what, ...commands) => {
    const opened = await open({ [HOME]: "n: 0\n", [file(9)]: "n: 0\n", "notes.txt": "0\n" });
    await commit(opened, { [HOME]: "n: 1\n" });
    const before = site.git("rev-parse", "HEAD").trim();
    const id = await commit(opened, { [HOME]: "n: 2\n", "content/new.yaml": "n: 2\n", [file(9)]: null });
    site.git("read-tree", "--reset", "-u", before);
    site.git("update-ref", "-m", "rebase (abort): returning to refs/heads/main", "HEAD", before);
    site.save("notes.txt", "1\n");
    for (const command of commands) site.git(...command);
    await opened.maintain();
    expect(site.git("rev-list", "HEAD").split("\n")).toContain(id);
    expect(site.git("show", `HEAD:${HOME}`)).toBe("n: 2\n");
    expect(readFileSync(join(site.dir, "content/new.yaml"), "utf8")).toBe("n: 2\n");
    expect(existsSync(join(site.dir, file(9)))).toBe(false);
    expect(site.git("show", "HEAD:notes.txt")).toBe("1\n");
    expect(site.git("status", "--porcelain")).toBe("");
    const head = site.git("rev-parse", "HEAD");
    await opened.maintain();
    await commit(opened, { [HOME]: "n: 3\n" });
    expect(site.git("rev-parse", "HEAD~1")).toBe(head);
    expect(site.complaints()).toBe("");
  });

  it("keeps the version of the branch where both changed a file, and ours in the history", async () => {
    const opened = await open({ [HOME]: "n: 0\n" });
    const before = site.git("rev-parse", "HEAD").trim();
    const id = await commit(opened, { [HOME]: "n: 2\n", "content/new.yaml": "n: 2\n" });
    site.git("read-tree", "--reset", "-u", before);
    site.git("update-ref", "-m", "reset: moving to HEAD", "HEAD", before);
    site.save(HOME, "n: by hand\n");
    site.git("commit", "--quiet", "--all", "--message=By hand");
    await opened.maintain();
    expect(site.git("show", `HEAD:${HOME}`)).toBe("n: by hand\n");
    expect(site.git("show", "HEAD:content/new.yaml")).toBe("n: 2\n");
    expect(site.git("rev-list", "HEAD").split("\n")).toContain(id);
  });

  it("waits while a person edits a file of it, and does not hold up writes", async () => {
    const opened = await open({ [HOME]: "n: 0\n", [file(9)]: "n: 0\n", "notes.txt": "0\n" });
    const before = site.git("rev-parse", "HEAD").trim();
    const id = await commit(opened, { [HOME]: "n: 2\n" });
    site.git("read-tree", "--reset", "-u", before);
    site.git("update-ref", "-m", "reset: moving to HEAD", "HEAD", before);
    site.save("notes.txt", "1\n");
    site.git("commit", "--quiet", "--all", "--message=By hand");
    site.save(HOME, "n: by hand\n");
    await opened.maintain();
    expect(site.git("rev-list", "HEAD").split("\n")).not.toContain(id);
    site.git("checkout", "--", HOME);
    await opened.maintain();
    expect(site.git("rev-list", "HEAD").split("\n")).toContain(id);
    expect(site.git("show", `HEAD:${HOME}`)).toBe("n: 2\n");
  });

  it("discards it when the person names the commit", async () => {
    const opened = await open({ [HOME]: "n: 0\n" });
    const before = site.git("rev-parse", "HEAD").trim();
    await commit(opened, { [HOME]: "n: 1\n" });
    site.git("reset", "--quiet", "--hard", "HEAD~1");
    await opened.maintain();
    expect(site.git("rev-parse", "HEAD").trim()).toBe(before);
    expect(site.complaints()).toBe("");
  });
});

describe("`git switch` held between its index and HEAD", () => {
  it("keeps writes off until HEAD has moved", { timeout: 60_000 }, async () => {
    site = gitSite({ [file(1)]: page(1, "One"), [file(2)]: page(2, "Two") });
    site.git("switch", "--quiet", "--create", "other");
    site.save(file(2), page(2, "UNPUBLISHED"));
    site.git("commit", "--quiet", "--all", "--message=Other");
    site.git("switch", "--quiet", "main");
    const opened = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 1_000 });
    const { store } = await contentOver({ repo: opened, hands: handsOn(site) });
    await store.transact(EDITH, retitle(1, "Before"));
    const [held, go] = [join(site.dir, ".git/held"), join(site.dir, ".git/go")];
    mkdirSync(join(site.dir, ".git/hooks"), { recursive: true });
    const hook = join(site.dir, ".git/hooks/post-index-change");
    writeFileSync(hook, `#!/bin/sh\ntouch ${held}\nwhile [ ! -e ${go} ]; do sleep 0.02; done\n`);
    chmodSync(hook, 0o755);
    const child = spawn("git", ["switch", "--quiet", "other"], { cwd: site.dir, env: GIT_ENV, stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("close", resolve));
    while (!existsSync(held)) await new Promise((resolve) => setImmediate(resolve));
    for (const id of [1, 2]) {
      const refused = {
        code: "unavailable",
        message: expect.stringContaining("branch other are checked out") as string,
      };
      await expect(store.transact(EDITH, retitle(id, "During"))).rejects.toMatchObject(refused);
    }
    writeFileSync(go, "");
    await ended;
    rmSync(hook);
    await store.transact(EDITH, retitle(2, "After"));
    expect(site.git("log", "--format=%s", "main", "-SUNPUBLISHED")).toBe("");
    expect(site.git("log", "--format=%an", "other", "-1")).toBe("Edith Editor\n");
    expect(site.complaints()).toBe("");
  });
});

it("a batch that empties nested folders is finished", async () => {
  const logged: string[] = [];
  site = gitSite({ [HOME]: "n: 0\n", "content/a/b/x.yaml": "x\n", "content/a/c/y.yaml": "y\n" });
  const log = { info() {}, warn() {}, error: (line: string) => void logged.push(line) };
  repo = await openGitRepo(site.dir, { env: { ...quietEnv(), log } });
  await commit(repo, { "content/a/b/x.yaml": null, "content/a/c/y.yaml": null });
  expect(logged).toEqual([]);
  expect(existsSync(join(site.dir, ".git/index.lock"))).toBe(false);
  expect(site.complaints()).toBe("");
});
