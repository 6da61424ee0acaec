import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskFs, type Fs } from "../../../src/store/git/fs.ts";
import { initRepo, openGitRepo, type GitRepoOptions } from "../../../src/store/git/repo.ts";
import { memoryRepo } from "../../support/memory-repo.ts";
import type { Path, Repo } from "../../../src/store/repo.ts";
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
      receive: async (...given) => repo.receive(...given),
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
      receive: async (...given) => site.receive(...given),
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

  it("keeps a save of equal size, with the same modification time, of a file that was saved just before", async () => {
    const hand = "title: Hand\n";
    const path = `${site.dir}/${HOME}`;
    const moment = new Date(Math.floor(Date.now() / 1000) * 1000);
    utimesSync(path, moment, moment);
    await start({
      fs: {
        ...diskFs,
        async rename(from, to) {
          if (from.endsWith(HOME)) {
            writeFileSync(path, hand);
            utimesSync(path, moment, moment);
          }
          await diskFs.rename(from, to);
        },
      },
    });
    await commit(repo, { [HOME]: "title: Start\n" });
    expect(site.text(HOME)).toBe("title: Start\n");
    expect(site.kept()).toEqual([hand]);
  });

  it("keeps a save that comes in the very instant of the write", async () => {
    const hand = "title: Saved just now\n";
    await start({
      fs: {
        ...diskFs,
        async rename(from, to) {
          if (from.endsWith(HOME)) site.save(HOME, hand);
          await diskFs.rename(from, to);
        },
      },
    });
    await commit(repo, { [HOME]: "title: Start\n" });
    expect(site.text(HOME)).toBe("title: Start\n");
    expect(site.kept()).toEqual([hand]);
    expect(site.complaints()).toBe("");
  });

  /** As editors save: a new file is renamed over the old one. */
  const saveByRename = (path: Path, text: string): void => {
    site.save(`${path}~`, text);
    renameSync(`${site.dir}/${path}~`, `${site.dir}/${path}`);
  };
  /** A file system on which something happens before the first call that takes the file away, or that puts one there. */
  const fsWith = (happens: "before it is taken away" | "before one is put there", act: () => void): Fs => {
    let isDone = false;
    const once = (isNow: boolean): void => {
      if (!isNow || isDone) return;
      isDone = true;
      act();
    };
    return {
      ...diskFs,
      async rename(from, to) {
        once(happens === "before it is taken away" && [from, to].some((path) => path.endsWith(HOME)));
        await diskFs.rename(from, to);
      },
      async unlink(path, hasOtherName) {
        once(happens === "before it is taken away" && path.endsWith(HOME));
        await diskFs.unlink(path, hasOtherName);
      },
      async link(from, to) {
        once(happens === "before one is put there" && to.endsWith(HOME));
        await diskFs.link(from, to);
      },
    };
  };

  it.each(["title: Ours\n", null])(
    "keeps a save by rename in the instant before the file is replaced by %j",
    async (ours) => {
      const hand = "title: Saved just now\n";
      await start({ fs: fsWith("before it is taken away", () => saveByRename(HOME, hand)) });
      await commit(repo, { [HOME]: ours });
      expect(site.text(HOME) ?? null).toBe(ours);
      expect(site.kept()).toEqual([hand]);
      expect(site.complaints()).toBe("");
    },
  );

  it("leaves a save by rename in the instant in which there is no file, and adopts it with the next write", async () => {
    const hand = "title: Saved just now\n";
    await start({ fs: fsWith("before one is put there", () => saveByRename(HOME, hand)) });
    const id = await commit(repo, { [HOME]: "title: Ours\n" });
    expect(site.text(HOME)).toBe(hand);
    expect(site.git("show", `${id}:${HOME}`)).toBe("title: Ours\n");
    expect(site.git("status", "--porcelain")).toBe(` M ${HOME}\n`);
    expect(
      readdirSync(`${site.dir}/.git/cms/run`)
        .flatMap((run) => readdirSync(`${site.dir}/.git/cms/run/${run}`))
        .filter((name) => name.startsWith("new-")),
    ).toEqual([]);
  });

  it("leaves a save of a new file that is being written", async () => {
    const hand = "title: Saved just now\n";
    rmSync(`${site.dir}/${HOME}`);
    site.git("commit", "--quiet", "--all", "--message=Remove");
    await start({ fs: fsWith("before one is put there", () => saveByRename(HOME, hand)) });
    await commit(repo, { [HOME]: "title: Ours\n" });
    expect(site.text(HOME)).toBe(hand);
    expect(site.git("status", "--porcelain")).toBe(` M ${HOME}\n`);
  });

  it.each(["title: Ours\n", null])(
    "leaves a folder that takes the place of a file just before it becomes %j",
    async (ours) => {
      const makeFolder = (): void => {
        rmSync(`${site.dir}/${HOME}`);
        site.save(`${HOME}/mine.txt`, "mine\n");
      };
      await start({ fs: fsWith("before it is taken away", makeFolder) });
      await commit(repo, { [HOME]: ours });
      expect(site.text(`${HOME}/mine.txt`)).toBe("mine\n");
    },
  );

  it("keeps a link that takes the place of a file just before that is replaced", async () => {
    const makeLink = (): void => {
      rmSync(`${site.dir}/${HOME}`);
      symlinkSync("../../elsewhere", `${site.dir}/${HOME}`);
    };
    await start({ fs: fsWith("before it is taken away", makeLink) });
    await commit(repo, { [HOME]: "title: Ours\n" });
    expect(site.text(HOME)).toBe("title: Ours\n");
    expect(site.kept()).toEqual(["../../elsewhere"]);
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

  it("is not written where a folder became one after it was looked at", async () => {
    site.save("content/real/secret.yaml", "real: 1\n");
    const known = new Map<Path, boolean>();
    expect(await repo.read("content/real/secret.yaml", known)).toBeDefined();
    expect([...known]).toEqual([
      ["content", true],
      ["content/real", true],
    ]);
    rmSync(join(site.dir, "content/real"), { recursive: true });
    symlinkSync(outside.dir, join(site.dir, "content/real"));
    expect(await repo.read("content/real/secret.yaml")).toBeUndefined();
    const read = await repo.read("content/real/secret.yaml", known);
    const base = (await repo.state()).head;
    for (const oid of [read?.oid ?? null, null]) {
      const commits = [plan({ "content/real/secret.yaml": "x: 1\n" })];
      const batch = { base, commits, expect: new Map([["content/real/secret.yaml", oid]]) };
      await expect(repo.commit(batch)).rejects.toMatchObject({ code: "conflict" });
    }
    expect((await repo.state()).head).toBe(base);
  });
});

it("looks at the folders above a file once for all that are read with the same known folders", async () => {
  const site = gitSite({ "content/pages/a.yaml": "a: 1\n", "content/pages/b.yaml": "b: 1\n" });
  const looked: string[] = [];
  const lstat = (path: string) => {
    looked.push(path.slice(site.dir.length + 1));
    return diskFs.lstat(path);
  };
  const repo = await openGitRepo(site.dir, { env: quietEnv(), fs: { ...diskFs, lstat } });
  const known = new Map<Path, boolean>();
  await repo.read("content/pages/a.yaml", known);
  looked.length = 0;
  expect(Buffer.from((await repo.read("content/pages/b.yaml", known))!.bytes).toString()).toBe("b: 1\n");
  expect(await repo.read("content/none/c.yaml", known)).toBeUndefined();
  expect(await repo.read("content/none/d.yaml", known)).toBeUndefined();
  expect(looked).toEqual(["content/pages/b.yaml", "content/none"]);
  await repo.close();
  site.remove();
});

describe("a merge of what is no regular file", () => {
  let site: GitSite;
  let repo: Repo;
  beforeEach(async () => {
    site = gitSite({
      "run.sh": "echo\n",
      "plain.txt": "plain\n",
      "a/b.txt": "b\n",
      "content/home.yaml": "title: Home\n",
    });
    symlinkSync("plain.txt", join(site.dir, "link"));
    site.git("add", "--all");
    site.git("commit", "--quiet", "--message=Link");
    repo = await openGitRepo(site.dir, { env: quietEnv() });
  });
  afterEach(async () => {
    await repo.close();
    expect(site.complaints()).toBe("");
    site.remove();
  });

  /** Commits on a branch of its own, as another clone would, and comes back. */
  function elsewhere(act: () => void): string {
    site.git("switch", "--quiet", "--create", "there");
    act();
    site.git("add", "--all");
    site.git("commit", "--quiet", "--message=There");
    const id = site.git("rev-parse", "HEAD").trim();
    site.git("switch", "--quiet", "main");
    return id;
  }

  async function forward(other: string): Promise<void> {
    const base = (await repo.state()).head!;
    const changes = new Map([...(await repo.differences(base, other))].map(([path, { after }]) => [path, after]));
    expect(await repo.merge({ base, other, commit: null, changes })).toEqual({ made: true, commits: [other] });
  }

  it("keeps executable files, symbolic links and folders as git would check them out", async () => {
    const other = elsewhere(() => {
      chmodSync(join(site.dir, "run.sh"), 0o755);
      rmSync(join(site.dir, "link"));
      symlinkSync("a/b.txt", join(site.dir, "link"));
      symlinkSync("nowhere", join(site.dir, "a/new-link"));
      site.save("tool", "#!/bin/sh\n");
      chmodSync(join(site.dir, "tool"), 0o755);
    });
    await forward(other);
    expect(statSync(join(site.dir, "run.sh")).mode & 0o111).toBe(0o111);
    expect(statSync(join(site.dir, "tool")).mode & 0o111).toBe(0o111);
    expect(readlinkSync(join(site.dir, "link"))).toBe("a/b.txt");
    expect(readlinkSync(join(site.dir, "a/new-link"))).toBe("nowhere");
  });

  it("removes a symbolic link, and puts a file in its place", async () => {
    const removed = elsewhere(() => rmSync(join(site.dir, "link")));
    await forward(removed);
    expect(existsSync(join(site.dir, "link"))).toBe(false);
    site.git("branch", "--delete", "there");
    await forward(elsewhere(() => site.save("link", "a file now\n")));
    expect(site.text("link")).toBe("a file now\n");
  });

  it("is refused for a symbolic link that was changed by hand", async () => {
    const other = elsewhere(() => {
      rmSync(join(site.dir, "link"));
      symlinkSync("a/b.txt", join(site.dir, "link"));
    });
    rmSync(join(site.dir, "link"));
    symlinkSync("elsewhere", join(site.dir, "link"));
    await expect(forward(other)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("link") });
    expect(readlinkSync(join(site.dir, "link"))).toBe("elsewhere");
    site.git("checkout", "--", "link");
  });

  it("is refused for a path that has a change staged", async () => {
    const other = elsewhere(() => site.save("plain.txt", "there\n"));
    site.save("plain.txt", "staged\n");
    site.git("add", "plain.txt");
    site.save("plain.txt", "plain\n");
    await expect(forward(other)).rejects.toMatchObject({ code: "conflict", message: /plain\.txt .*staged/ });
    expect(site.git("diff", "--cached", "--name-only")).toBe("plain.txt\n");
    site.git("reset", "--quiet");
  });

  it("leaves staged and unstaged changes of other paths", async () => {
    const other = elsewhere(() => site.save("content/home.yaml", "title: There\n"));
    site.save("plain.txt", "staged\n");
    site.git("add", "plain.txt");
    site.save("a/b.txt", "unstaged\n");
    await forward(other);
    expect(site.git("status", "--porcelain")).toBe(" M a/b.txt\nM  plain.txt\n");
    expect(site.text("content/home.yaml")).toBe("title: There\n");
    site.git("reset", "--quiet", "--hard");
  });
});

describe("new files", () => {
  it("are not looked at before they are linked, apart from the folders above each", async () => {
    const site = gitSite({ "content/pages/a.yaml": "a: 1\n" });
    const looked = new Map<string, number>();
    let isMade = false;
    const fs: Fs = {
      ...diskFs,
      async rename(from, to) {
        await diskFs.rename(from, to);
        if (to.endsWith("refs/heads/main")) isMade = true;
      },
      lstat(path) {
        const name = path.slice(site.dir.length + 1);
        if (isMade && name.startsWith("content")) looked.set(name, (looked.get(name) ?? 0) + 1);
        return diskFs.lstat(path);
      },
    };
    const repo = await openGitRepo(site.dir, { env: quietEnv(), fs });
    await commit(repo, { "content/pages/b.yaml": "b: 1\n", "content/pages/c.yaml": "c: 1\n" });
    expect(Object.fromEntries(looked)).toEqual({
      content: 2,
      "content/pages": 2,
      // Their stat for the index.
      "content/pages/b.yaml": 1,
      "content/pages/c.yaml": 1,
    });
    await repo.close();
    site.remove();
  });

  it("are not written through a folder that became a symbolic link as the branch moved", async () => {
    const site = gitSite({ "content/pages/a.yaml": "a: 1\n" });
    const outside = mkdtempSync(join(tmpdir(), "cms-outside-"));
    const fs: Fs = {
      ...diskFs,
      async rename(from, to) {
        await diskFs.rename(from, to);
        if (!to.endsWith("refs/heads/main")) return;
        rmSync(join(site.dir, "content/pages"), { recursive: true });
        symlinkSync(outside, join(site.dir, "content/pages"));
      },
    };
    const repo = await openGitRepo(site.dir, { env: quietEnv(), fs });
    await commit(repo, { "content/pages/b.yaml": "b: 1\n" });
    expect(readdirSync(outside)).toEqual([]);
    expect(site.git("show", "HEAD:content/pages/b.yaml")).toBe("b: 1\n");
    await repo.close();
    site.remove();
    rmSync(outside, { recursive: true });
  });

  it("do not replace one that a person saves as the branch moves", async () => {
    const site = gitSite({ "content/pages/a.yaml": "a: 1\n" });
    const fs: Fs = {
      ...diskFs,
      async rename(from, to) {
        await diskFs.rename(from, to);
        if (to.endsWith("refs/heads/main")) site.save("content/pages/b.yaml", "mine: 1\n");
      },
    };
    const repo = await openGitRepo(site.dir, { env: quietEnv(), fs });
    await commit(repo, { "content/pages/b.yaml": "b: 1\n" });
    expect(site.text("content/pages/b.yaml")).toBe("mine: 1\n");
    expect(site.git("status", "--porcelain")).toBe(" M content/pages/b.yaml\n");
    await repo.close();
    site.remove();
  });
});
