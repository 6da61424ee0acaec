/** The stat data of written files comes into git's index with the next one that is written, and never too late. */
import { execFileSync } from "node:child_process";
import { copyFileSync, lstatSync, renameSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { instantOf } from "../../../../src/model/time/instant.ts";
import { openGitRepo } from "../../../../src/store/git/repo.ts";
import type { Repo } from "../../../../src/store/repo.ts";
import { GIT_ENV, gitSite, quietEnv, type GitSite } from "../git-site.ts";
import { commit } from "../repo-contract.ts";

const HOME = "content/home.yaml";
const OTHER = "content/other.yaml";

let site: GitSite;
let repo: Repo | undefined;
afterEach(async () => {
  await repo?.close();
  repo = undefined;
  site.remove();
});

let laterMs = 0;

const open = async (): Promise<Repo> => {
  laterMs = 0;
  site = gitSite({ [HOME]: "n: 0\n", [OTHER]: "n: 0\n" });
  const env = { ...quietEnv(), now: () => instantOf(Date.now() + laterMs) };
  return (repo = await openGitRepo(site.dir, { env, lockWaitMs: 1_000 }));
};

const maintainLater = async (opened: Repo): Promise<void> => {
  laterMs += 10_000;
  await opened.maintain();
};

/** The files git would read because their entries have no, or other, stat data. It does not change the index. */
const unknownToGit = (): string => site.git("diff-files", "--name-only");

describe("the index after a commit", () => {
  it("is that of an unmodified tree to `git status`, at once", async () => {
    const opened = await open();
    await commit(opened, { [HOME]: "n: 1\n" });
    expect(unknownToGit()).toBe(`${HOME}\n`);
    expect(site.complaints()).toBe("");
  });

  it("gets the stat data with the next commit", async () => {
    const opened = await open();
    await commit(opened, { [HOME]: "n: 1\n" });
    await commit(opened, { [OTHER]: "n: 1\n" });
    expect(unknownToGit()).toBe(`${OTHER}\n`);
  });

  it.each([
    ["when no commit has come for some seconds", maintainLater],
    ["when it is closed", (opened: Repo) => opened.close().then(() => (repo = undefined))],
  ])("gets the stat data %s", async (_when, act) => {
    const opened = await open();
    await commit(opened, { [HOME]: "n: 1\n", "content/new.yaml": "n: 1\n" });
    await act(opened);
    expect(unknownToGit()).toBe("");
  });

  it("is not written again while commits may follow, nor while a git command is at work", async () => {
    const opened = await open();
    const index = join(site.dir, ".git/index");
    await commit(opened, { [HOME]: "n: 1\n" });
    const { ino } = lstatSync(index);
    await opened.maintain();
    expect(lstatSync(index).ino).toBe(ino);
    site.save("notes.txt", "by hand\n");
    site.git("add", "notes.txt");
    const { ino: inoOfGit } = lstatSync(index);
    await maintainLater(opened);
    expect(lstatSync(index).ino).toBe(inoOfGit);
    await commit(opened, { [OTHER]: "n: 1\n" });
    expect(unknownToGit()).toBe(`${OTHER}\n`);
  });

  it("shows a change by hand of the same size, made in the meantime", async () => {
    const opened = await open();
    await commit(opened, { [HOME]: "n: 1\n" });
    const { atime, mtime } = lstatSync(join(site.dir, HOME));
    site.save(HOME, "n: 2\n");
    utimesSync(join(site.dir, HOME), atime, mtime);
    await maintainLater(opened);
    expect(site.git("status", "--porcelain")).toBe(` M ${HOME}\n`);
  });

  it("leaves what a person has staged in the meantime", async () => {
    const opened = await open();
    await commit(opened, { [HOME]: "n: 1\n", [OTHER]: "n: 1\n" });
    site.save(HOME, "n: 2\n");
    site.git("add", HOME);
    site.git("rm", "--quiet", "--cached", OTHER);
    await maintainLater(opened);
    expect(site.git("diff", "--cached", "--name-status")).toBe(`M\t${HOME}\nD\t${OTHER}\n`);
  });

  it("is repaired when git had added the stat data to the entry it writes back", async () => {
    const opened = await open();
    await commit(opened, { [HOME]: "n: 1\n" });
    const index = join(site.dir, ".git/index");
    copyFileSync(index, `${index}.read`);
    const env = { ...GIT_ENV, GIT_INDEX_FILE: `${index}.read` };
    execFileSync("git", ["update-index", "--refresh"], { cwd: site.dir, env });
    await commit(opened, { [HOME]: "n: 2\n" });
    renameSync(`${index}.read`, index);
    await opened.maintain();
    expect(site.complaints()).toBe("");
  });
});
