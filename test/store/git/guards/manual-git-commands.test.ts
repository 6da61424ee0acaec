/** Git commands of a person that no repair may undo, and commands between a crash and the next start. */
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { diskFs, type Fs } from "../../../../src/store/git/fs.ts";
import { openGitRepo } from "../../../../src/store/git/repo.ts";
import type { Repo } from "../../../../src/store/repo.ts";
import { bury, faultyFs } from "../faulty-fs.ts";
import { gitSite, quietEnv, type GitSite } from "../git-site.ts";
import { commit } from "../repo-contract.ts";

const HOME = "content/home.yaml";
let site: GitSite;
let repo: Repo | undefined;
afterEach(async () => {
  await repo?.close().catch(() => undefined);
  repo = undefined;
  site.remove();
});
const open = async (fs: Fs = diskFs): Promise<Repo> =>
  (repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 50, fs }));
const head = (): string => site.git("rev-parse", "HEAD").trim();

describe("a reset that races with a commit", () => {
  const race = (id: string): void => {
    site.git("read-tree", "--reset", "-u", id);
    site.git("update-ref", "-m", "reset: moving to HEAD", "HEAD", id);
  };

  it.each([
    ["git reset", ["reset", "--quiet", "--hard", "HEAD~1"]],
    ["git update-ref, which says nothing in the reflog", ["update-ref", "refs/heads/main", "HEAD~1"]],
  ])("is undone, but a later %s to the same commit is not", async (_what, command) => {
    site = gitSite({ [HOME]: "n: 0\n" });
    const opened = await open();
    const before = await commit(opened, { [HOME]: "n: 1\n" });
    const id = await commit(opened, { [HOME]: "n: 2\n" });
    race(before);
    await opened.maintain();
    expect(head()).toBe(id);
    site.git(...command);
    await opened.maintain();
    expect(head()).toBe(before);
  });

  it("is undone by the next start if the service was killed before it could do so", async () => {
    site = gitSite({ [HOME]: "n: 0\n" });
    const opened = await open();
    const before = await commit(opened, { [HOME]: "n: 1\n" });
    const id = await commit(opened, { [HOME]: "n: 2\n" });
    race(before);
    bury(join(site.dir, ".git"));
    const next = await open();
    await next.maintain();
    expect(head()).toBe(id);
    expect(site.complaints()).toBe("");
  });
});

describe("an intended command that looks like a race", () => {
  it("a reset to a tag with the name of the branch", async () => {
    site = gitSite({ [HOME]: "n: 0\n" });
    const opened = await open();
    const tagged = await commit(opened, { [HOME]: "n: 1\n" });
    await commit(opened, { [HOME]: "n: 2\n" });
    site.git("tag", "main", tagged);
    site.git("reset", "--quiet", "--hard", "main");
    await opened.maintain();
    expect(head()).toBe(tagged);
    expect(site.complaints()).toBe("");
  });

  it("a removal that a person carries over to another branch", async () => {
    site = gitSite({ [HOME]: "n: 0\n", "content/gone.yaml": "g\n" });
    site.git("branch", "other");
    const opened = await open();
    await commit(opened, { "content/gone.yaml": null });
    site.git("switch", "--quiet", "other");
    site.git("merge", "--quiet", "--squash", "main");
    await opened.maintain();
    expect(site.git("status", "--porcelain")).toBe("D  content/gone.yaml\n");
  });
});

describe("the index before the commit", () => {
  it("is not lost when the scratch folder is removed between index and branch", async () => {
    site = gitSite({ [HOME]: "n: 0\n", "notes.txt": "0\n" });
    site.save("notes.txt", "mine\n");
    site.git("add", "notes.txt");
    const opened = await open({
      ...diskFs,
      async rename(from, to) {
        await diskFs.rename(from, to);
        if (to.endsWith("/index")) rmSync(join(site.dir, ".git/cms/run"), { recursive: true, force: true });
      },
    });
    await commit(opened, { [HOME]: "n: 1\n" }).catch(() => undefined);
    await opened.close().catch(() => undefined);
    expect(existsSync(join(site.dir, ".git/index"))).toBe(true);
    expect(site.git("diff", "--cached", "--name-only")).toBe("notes.txt\n");
  });
});

describe("files that could not be written at the time of the commit", () => {
  const stubborn = (): { fs: Fs; heal(): void } => {
    let isSick = true;
    return {
      fs: {
        ...diskFs,
        async rename(from, to) {
          if (isSick && from.endsWith(HOME)) throw Object.assign(new Error("EIO: injected"), { code: "EIO" });
          return diskFs.rename(from, to);
        },
      },
      heal: () => void (isSick = false),
    };
  };

  it("are not written over another branch that a person has checked out since", async () => {
    site = gitSite({ [HOME]: "n: 0\n", x: "0" });
    site.git("branch", "other");
    const { fs, heal } = stubborn();
    const opened = await open(fs);
    const id = await commit(opened, { [HOME]: "n: 1\n" });
    rmSync(join(site.dir, ".git/index.lock"));
    site.git("reset", "--quiet", "--hard");
    site.git("switch", "--quiet", "other");
    heal();
    await opened.read(HOME).catch(() => undefined);
    expect(site.complaints()).toBe("");
    expect(site.text(HOME)).toBe("n: 0\n");
    expect(site.git("rev-parse", "main").trim()).toBe(id);
  });

  it("are written by the next start on a branch that a person has created from it", async () => {
    site = gitSite({ [HOME]: "n: 0\n" });
    const opened = await open(stubborn().fs);
    await commit(opened, { [HOME]: "n: 1\n" });
    rmSync(join(site.dir, ".git/index.lock"));
    bury(join(site.dir, ".git"));
    site.git("switch", "--quiet", "--create", "fresh");
    await open();
    expect(site.text(HOME)).toBe("n: 1\n");
    expect(site.complaints()).toBe("");
  });

  it("are written by the next start though a person has amended the commit", async () => {
    site = gitSite({ [HOME]: "n: 0\n" });
    const { fs } = stubborn();
    const opened = await open(fs);
    await commit(opened, { [HOME]: "n: 1\n" });
    rmSync(join(site.dir, ".git/index.lock"));
    bury(join(site.dir, ".git"));
    site.git("commit", "--quiet", "--amend", "--message=Amended");
    const next = await open();
    await next.maintain();
    expect(site.text(HOME)).toBe("n: 1\n");
    expect(site.complaints()).toBe("");
  });
});

describe("a save by an editor that has the file open", () => {
  // "w" truncates it when it opens it, "r+" and "a" leave what is there until they write.
  it.each(["w", "r+", "a"])("(%s) while it is replaced is kept", async (flags) => {
    site = gitSite({ [HOME]: "n: 0\n" });
    let held = 0;
    const opened = await open({
      ...diskFs,
      async rename(from, to) {
        if (from.endsWith(HOME)) held = openSync(from, flags);
        await diskFs.rename(from, to);
      },
    });
    await commit(opened, { [HOME]: "n: 1\n" });
    writeSync(held, "by hand\n");
    closeSync(held);
    await opened.close();
    expect([site.text(HOME), ...site.kept()].join()).toContain("by hand");
  });
});

describe("a folder that refuses files", () => {
  it.each(["EACCES", "EXDEV", "EROFS"])("refuses the write before anything is committed (%s)", async (code) => {
    site = gitSite({ [HOME]: "n: 0\n", "content/blog/a.yaml": "n: 0\n" });
    const refuse = (to: string): void => {
      if (to.includes("/content/blog/")) throw Object.assign(new Error(`${code}: injected`), { code });
    };
    const opened = await open({
      ...diskFs,
      rename: async (from, to) => (refuse(to), diskFs.rename(from, to)),
      link: async (from, to) => (refuse(to), diskFs.link(from, to)),
    });
    const before = head();
    for (const path of ["content/blog/a.yaml", "content/blog/new/b.yaml"]) {
      await expect(commit(opened, { [path]: "n: 1\n" })).rejects.toMatchObject({ code: "unavailable" });
    }
    expect(head()).toBe(before);
    await commit(opened, { [HOME]: "n: 1\n" });
    expect(site.complaints()).toBe("");
    expect(readdirSync(join(site.dir, "content/blog"))).toEqual(["a.yaml"]);
  });

  it("is found out with one folder for all, which is made again where it is missing", async () => {
    site = gitSite(Object.fromEntries(["a", "b", "c"].map((name) => [`content/${name}/x.yaml`, "n: 0\n"])));
    const made: string[] = [];
    const opened = await open({
      ...diskFs,
      mkdir: async (path, mode) => (made.push(path), diskFs.mkdir(path, mode)),
    });
    const spare = join(site.dir, ".git/cms/rename-check");
    const madeForCheck = (): number => made.filter((path) => path === spare).length;
    await commit(opened, { "content/a/x.yaml": "n: 1\n" });
    await commit(opened, { "content/b/x.yaml": "n: 1\n" });
    expect(madeForCheck()).toBe(1);
    rmdirSync(spare);
    await commit(opened, { "content/c/x.yaml": "n: 1\n" });
    expect(madeForCheck()).toBe(2);
    for (const name of ["a", "b", "c"]) expect(readdirSync(join(site.dir, "content", name))).toEqual(["x.yaml"]);
  });
});

/** Opens it as a process that is killed just before it moves the branch. */
async function killedBeforeTheBranch(): Promise<void> {
  const faulty = faultyFs();
  const fs: Fs = {
    ...faulty.fs,
    async rename(from, to) {
      if (to.endsWith("heads/main")) faulty.failAt(1, { kind: "killed", when: "before" });
      return faulty.fs.rename(from, to);
    },
  };
  const dying = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 50, fs });
  await expect(commit(dying, { [HOME]: "n: 1\n" })).rejects.toThrow();
  await faulty.closeAll();
}

/** Only what is in `.git/cms/run` and was not there before belongs to the dead. */
function buryAllBut(names: readonly string[]): void {
  const run = join(site.dir, ".git/cms/run");
  const aside = `${run}-living`;
  for (const name of names) renameSync(join(run, name), `${aside}-${name}`);
  bury(join(site.dir, ".git"));
  for (const name of names) renameSync(`${aside}-${name}`, join(run, name));
}

describe("a process killed between index and branch", () => {
  it("does not block a server when a person has removed its index.lock", async () => {
    site = gitSite({ [HOME]: "n: 0\n" });
    repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 50, use: "serve" });
    const server = repo;
    await commit(server, { [HOME]: "n: 0.5\n" });
    const living = readdirSync(join(site.dir, ".git/cms/run"));
    await killedBeforeTheBranch();
    buryAllBut(living);
    rmSync(join(site.dir, ".git/index.lock"));
    await server.recover();
    await commit(server, { "content/other.yaml": "n: 2\n" });
    expect(site.complaints()).toBe("");
    expect(readdirSync(join(site.dir, ".git")).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });

  it("leaves nothing staged on a branch that a person has switched to since", async () => {
    site = gitSite({ [HOME]: "n: 0\n" });
    site.git("branch", "other");
    await killedBeforeTheBranch();
    bury(join(site.dir, ".git"));
    for (const name of ["index.lock", "HEAD.lock"]) rmSync(join(site.dir, ".git", name));
    site.git("switch", "--quiet", "other");
    await open();
    expect(site.complaints()).toBe("");
  });

  it("is recovered after a merge that a person has begun since", async () => {
    site = gitSite({ [HOME]: "n: 0\n", "notes.txt": "0\n" });
    site.git("switch", "--quiet", "--create", "other");
    site.save("notes.txt", "other\n");
    site.git("commit", "--quiet", "--all", "--message=Other");
    site.git("switch", "--quiet", "main");
    await killedBeforeTheBranch();
    bury(join(site.dir, ".git"));
    for (const name of ["index.lock", "HEAD.lock", "refs/heads/main.lock"]) rmSync(join(site.dir, ".git", name));
    site.save(".git/MERGE_HEAD", site.git("rev-parse", "other"));
    repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 50, use: "serve" });
    rmSync(join(site.dir, ".git/MERGE_HEAD"));
    await repo.recover();
    expect(site.complaints()).toBe("");
  });
});

describe("a process killed after the branch has moved", () => {
  it("leaves staged what `git reset --soft` has staged since", async () => {
    site = gitSite({ [HOME]: "n: 0\n" });
    const faulty = faultyFs();
    const fs: Fs = {
      ...faulty.fs,
      async link(from, to) {
        if (to.endsWith(HOME)) faulty.failAt(1, { kind: "killed", when: "after" });
        return faulty.fs.link(from, to);
      },
    };
    await commit(await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 50, fs }), { [HOME]: "n: 1\n" });
    await faulty.closeAll();
    bury(join(site.dir, ".git"));
    for (const name of ["index.lock", "HEAD.lock"]) rmSync(join(site.dir, ".git", name), { force: true });
    site.git("reset", "--quiet", "--soft", "HEAD~1");
    const before = head();
    const next = await open();
    await next.maintain();
    expect(head()).toBe(before);
    expect(site.git("status", "--porcelain")).toBe(`M  ${HOME}\n`);
  });
});

describe("a lock that a person removed while the disk was blocked", () => {
  it("fails the write, and keeps what was staged in between", async () => {
    site = gitSite({ [HOME]: "n: 0\n", "notes.txt": "0\n" });
    const opened = await open({
      ...diskFs,
      link(from, to) {
        // The last of the three locks.
        if (to.endsWith("/refs/heads/main.lock")) {
          rmSync(join(site.dir, ".git/index.lock"));
          site.save("notes.txt", "mine\n");
          site.git("add", "notes.txt");
        }
        return diskFs.link(from, to);
      },
    });
    await expect(commit(opened, { [HOME]: "n: 1\n" })).rejects.toThrow("was removed");
    expect(site.git("status", "--porcelain")).toBe("M  notes.txt\n");
  });
});
