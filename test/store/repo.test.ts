import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskFs } from "../../src/store/git/fs.ts";
import { initRepo, openGitRepo, type GitRepoOptions } from "../../src/store/git/repo.ts";
import { memoryRepo } from "../support/memory-repo.ts";
import type { Repo } from "../../src/store/repo.ts";
import { batchOf, commit, describeRepo, logOf, plan } from "./repo-contract.ts";
import { gitSite, quietEnv, type GitSite } from "./git-site.ts";

describeRepo("memoryRepo", async (files) => {
  const repo = memoryRepo(files);
  return {
    repo,
    person: {
      save: (path, text) => repo.write(path, text),
      erase: (path) => repo.erase(path),
      commit: async (message) => repo.commitByHand(message),
      text: (path) => repo.text(path),
      beginMerge: () => repo.block("A merge is in progress."),
    },
    close: () => repo.close(),
  };
});

describeRepo("openGitRepo", async (files) => {
  const site = gitSite(files);
  const repo = await openGitRepo(site.dir, { env: quietEnv() });
  return {
    repo,
    person: {
      save: site.save,
      erase: (path) => rmSync(join(site.dir, path)),
      async commit(message) {
        site.git("add", "--all");
        site.git("commit", "--quiet", `--message=${message}`);
        return site.git("rev-parse", "HEAD").trim();
      },
      text: site.text,
      beginMerge: () => writeFileSync(join(site.dir, ".git/MERGE_HEAD"), site.git("rev-parse", "HEAD")),
    },
    async close() {
      await repo.close();
      expect(site.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
      site.remove();
    },
  };
});

describe("openGitRepo beside people and git", () => {
  let site: GitSite;
  let repo: Repo;
  const HOME = "content/home.yaml";
  const ABOUT = "content/about.yaml";
  const start = async (options: GitRepoOptions = {}) => {
    await repo?.close();
    repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 20, ...options });
  };
  beforeEach(async () => {
    site = gitSite({ [HOME]: "title: Home\n", [ABOUT]: "title: About\n", "notes.txt": "notes\n" });
    await start();
  });
  afterEach(async () => {
    await repo.close();
    site.remove();
  });

  it("leaves git nothing to complain about", async () => {
    await commit(repo, { [HOME]: "title: Start\n", "content/deep/er/new.yaml": "a: 1\n", [ABOUT]: null });
    expect(site.complaints()).toBe("");
    expect(site.git("ls-files", "--stage").split("\n")).toHaveLength(4);
    expect(site.git("log", "-1", "--format=%an <%ae>|%cn|%s|%aI")).toBe(
      "Edith Editor <edith@example.org>|git-cms|Change|2026-03-01T12:00:00+00:00\n",
    );
    expect(site.git("reflog", "-1", "--format=%gs")).toBe("commit: Change\n");
    expect(site.git("reflog", "main", "-1", "--format=%gs")).toBe("commit: Change\n");
  });

  it("leaves staged, modified and untracked files of others as they are", async () => {
    site.save(ABOUT, "title: Staged\n");
    site.git("add", ABOUT);
    site.save(ABOUT, "title: Staged, then changed\n");
    site.save("notes.txt", "modified\n");
    site.save("content/untracked.yaml", "mine\n");
    site.save("content/added.yaml", "added\n");
    site.git("add", "content/added.yaml");
    site.git("rm", "--quiet", "--cached", "notes.txt");
    const before = site.git("status", "--porcelain");
    const staged = site.git("ls-files", "--stage", ABOUT, "content/added.yaml");
    await commit(repo, { [HOME]: "title: Start\n", "content/new.yaml": "a: 1\n" });
    expect(site.git("status", "--porcelain")).toBe(before);
    expect(site.git("ls-files", "--stage", ABOUT, "content/added.yaml")).toBe(staged);
    expect(site.git("show", "--stat", "--format=", "HEAD")).toMatch(/2 files changed/);
  });

  it("keeps what a person has staged for the very file that is written", async () => {
    site.save(HOME, "title: Staged\n");
    site.git("add", HOME);
    site.save(HOME, "title: Home\n");
    await commit(repo, { [HOME]: "title: Start\n" });
    expect(site.complaints()).toBe("");
    expect(site.kept()).toEqual(["title: Staged\n"]);
  });

  it("removes folders that become empty, and only those", async () => {
    await commit(repo, { "content/a/b/c.yaml": "1\n", "content/a/d.yaml": "1\n" });
    site.save("content/a/b/untracked.txt", "mine\n");
    await commit(repo, { "content/a/b/c.yaml": null });
    expect(site.text("content/a/b/untracked.txt")).toBe("mine\n");
    rmSync(join(site.dir, "content/a/b/untracked.txt"));
    await commit(repo, { "content/a/d.yaml": null });
    expect(site.git("status", "--porcelain")).toBe("");
    await commit(repo, { "content/a": "now a file\n" }).catch((error: unknown) =>
      expect(error).toMatchObject({ code: "conflict" }),
    );
  });

  it("ignores .gitignore for the paths it is given", async () => {
    site.save(".git/info/exclude", "*.tmp.yaml\n");
    const id = await commit(repo, { "content/x.tmp.yaml": "1\n" });
    expect([...(await repo.tree(id, ["content"])).keys()]).toContain("content/x.tmp.yaml");
  });

  it.each(["index.lock", "refs/heads/main.lock"])("gives up when %s stays held, and changes nothing", async (lock) => {
    const head = (await repo.state()).head;
    writeFileSync(join(site.dir, ".git", lock), "");
    const failure = await commit(repo, { [HOME]: "title: Start\n" }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/has been held for \d+ s by git/),
    });
    expect((await repo.state()).head).toBe(head);
    expect(site.text(HOME)).toBe("title: Home\n");
    rmSync(join(site.dir, ".git", lock));
    await commit(repo, { [HOME]: "title: Start\n" });
    expect(site.complaints()).toBe("");
  });

  it("waits for a lock that is given back", async () => {
    await start({ lockWaitMs: 5_000 });
    const lock = join(site.dir, ".git/index.lock");
    writeFileSync(lock, "");
    const committed = commit(repo, { [HOME]: "title: Start\n" });
    setTimeout(() => rmSync(lock), 10);
    await committed;
    expect(site.complaints()).toBe("");
  });

  it("follows a branch that a person switches to", async () => {
    site.git("switch", "--quiet", "--create", "feature/x");
    const batch = await batchOf(repo, plan({ [HOME]: "title: Feature\n" }));
    expect((await repo.state()).branch).toBe("feature/x");
    site.git("pack-refs", "--all", "--prune");
    expect((await repo.commit(batch)).made).toBe(true);
    expect(site.git("show", "main:content/home.yaml")).toBe("title: Home\n");
    expect(site.git("show", "feature/x:content/home.yaml")).toBe("title: Feature\n");
    expect(site.complaints()).toBe("");
  });

  it("tells whose uncommitted edits are", async () => {
    expect(await repo.user()).toEqual({ name: "Pat Person", email: "pat@example.org" });
  });

  it("reads what is packed, and goes on while git packs", async () => {
    const first = await commit(repo, { [HOME]: "title: 0\n" });
    for (let i = 1; i <= 6; i++) {
      await commit(repo, { [HOME]: `title: ${i}\n` });
      if (i % 2) site.git("repack", "-a", "-d", "--quiet");
      else site.git("gc", "--quiet");
    }
    expect(await logOf(repo, (await repo.state()).head!)).toHaveLength(8);
    expect(await repo.resolveCommit(first.slice(0, 10))).toBe(first);
    expect(site.complaints()).toBe("");
  });

  it("walks merges, each commit before its parents", async () => {
    const base = (await repo.state()).head!;
    site.git("switch", "--quiet", "--create", "side");
    const side = await commit(repo, { [ABOUT]: "title: Side\n" });
    site.git("switch", "--quiet", "main");
    const main = await commit(repo, { [HOME]: "title: Main\n" });
    site.git("merge", "--quiet", "--no-edit", "side");
    const merge = (await repo.state()).head!;
    const entries = await logOf(repo, merge);
    const order = entries.map(({ id }) => id);
    expect(order[0]).toBe(merge);
    expect(order.at(-1)).toBe(base);
    expect(order.slice(1, 3).sort()).toEqual([main, side].sort());
    expect([...entries[0]!.changed.keys()]).toEqual([ABOUT]);
    expect((await logOf(repo, merge, main)).map(({ id }) => id)).toEqual([merge, side]);
  });

  it("keeps a save that comes in the very instant of the write", async () => {
    const hand = "title: Saved just now\n";
    await start({
      fs: {
        ...diskFs,
        async rename(from, to) {
          if (to.endsWith(HOME)) site.save(HOME, hand);
          await diskFs.rename(from, to);
        },
      },
    });
    await commit(repo, { [HOME]: "title: Start\n" });
    expect(site.text(HOME)).toBe("title: Start\n");
    expect(site.kept()).toEqual([hand]);
    expect(site.complaints()).toBe("");
  });

  it("leaves a file that a person saves after the commit was certain", async () => {
    await start({
      fs: {
        ...diskFs,
        async rename(from, to) {
          if (to.endsWith("refs/heads/main")) site.save(HOME, "title: Mine\n");
          await diskFs.rename(from, to);
        },
      },
    });
    const id = await commit(repo, { [HOME]: "title: Start\n" });
    expect(site.git("show", `${id}:${HOME}`)).toBe("title: Start\n");
    expect(site.text(HOME)).toBe("title: Mine\n");
    expect(site.git("status", "--porcelain")).toBe(` M ${HOME}\n`);
  });

  it("puts objects back that a prune removes before the branch has moved", async () => {
    await start({
      fs: {
        ...diskFs,
        async link(from, to) {
          if (to.endsWith("main.lock")) site.git("prune", "--expire=now");
          await diskFs.link(from, to);
        },
      },
    });
    await commit(repo, { [HOME]: "title: Start\n" });
    expect(site.complaints()).toBe("");
  });
});

describe("initRepo", () => {
  it("makes a repository git and we can work in, once", async () => {
    const outer = gitSite();
    const dir = join(outer.dir, "site");
    mkdirSync(dir);
    expect(await initRepo(dir, { branch: "trunk" })).toBe(true);
    expect(await initRepo(dir, { branch: "other" })).toBe(false);
    const repo = await openGitRepo(dir, { env: quietEnv() });
    expect(await repo.state()).toEqual({ branch: "trunk", head: null, blocked: null });
    await commit(repo, { "content/home.yaml": "title: Home\n" });
    await repo.close();
    expect(outer.git("-C", "site", "status", "--porcelain", "--branch")).toBe("## trunk\n");
    expect(outer.git("-C", "site", "fsck", "--full", "--strict")).toBe("");
    outer.remove();
  });
});

describe("a path through a symbolic link", () => {
  let site: GitSite;
  let outside: GitSite;
  let repo: Repo;
  beforeEach(async () => {
    outside = gitSite({ "secret.yaml": "secret: 1\n" });
    site = gitSite({ "content/home.yaml": "title: Home\n" });
    symlinkSync(outside.dir, join(site.dir, "content/folder"));
    symlinkSync(join(outside.dir, "secret.yaml"), join(site.dir, "content/file.yaml"));
    symlinkSync("nowhere", join(site.dir, "content/dangling.yaml"));
    repo = await openGitRepo(site.dir, { env: quietEnv() });
  });
  afterEach(async () => {
    await repo.close();
    expect(outside.git("status", "--porcelain")).toBe("");
    outside.remove();
    site.remove();
  });

  it("is listed as unreadable, and not followed", async () => {
    const files = await repo.files(["content", "content/folder"]);
    expect(
      [...files].map(([path, { unreadable }]) => [path, unreadable?.includes("symbolic link") ?? false]).sort(),
    ).toEqual([
      ["content/dangling.yaml", true],
      ["content/file.yaml", true],
      ["content/folder", true],
      ["content/home.yaml", false],
    ]);
    expect(await repo.read("content/file.yaml")).toBeUndefined();
    expect((await repo.files(["content/folder/secret.yaml"])).size).toBe(0);
    expect(await repo.read("content/folder/secret.yaml")).toBeUndefined();
  });

  it.each([
    "content/folder/new.yaml",
    "content/folder/secret.yaml",
    "content/file.yaml",
    "content/dangling.yaml",
    "content/folder",
  ])("is not written: %s", async (path) => {
    const base = (await repo.state()).head;
    for (const text of ["x: 1\n", null]) {
      const batch = { base, commits: [plan({ [path]: text })], expect: new Map([[path, null]]) };
      await expect(repo.commit(batch)).rejects.toMatchObject({ code: "conflict" });
    }
    expect((await repo.state()).head).toBe(base);
  });
});
