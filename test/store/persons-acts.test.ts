/** Deliberate acts of a person, which no repair of the service undoes, and acts between a crash and the next start. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { diskFs, type Fs } from "../../src/store/git/fs.ts";
import { openGitRepo } from "../../src/store/git/repo.ts";
import type { Repo } from "../../src/store/repo.ts";
import { bury } from "./faulty-fs.ts";
import { gitSite, quietEnv, type GitSite } from "./git-site.ts";
import { commit } from "./repo-contract.ts";

const HOME = "content/home.yaml";
let site: GitSite;
let repo: Repo | undefined;
afterEach(async () => {
  await repo?.close().catch(() => undefined);
  repo = undefined;
  site.remove();
});
const open = async (fs: Fs = diskFs): Promise<Repo> => (repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 50, fs }));
const head = (): string => site.git("rev-parse", "HEAD").trim();

describe("a racing reset", () => {
  const race = (id: string): void => {
    site.git("read-tree", "--reset", "-u", id);
    site.git("update-ref", "-m", "reset: moving to HEAD", "HEAD", id);
  };

  it("that was undone does not undo a later deliberate reset to the same commit", async () => {
    site = gitSite({ [HOME]: "n: 0\n" });
    const opened = await open();
    const before = await commit(opened, { [HOME]: "n: 1\n" });
    const id = await commit(opened, { [HOME]: "n: 2\n" });
    race(before);
    await opened.tend?.();
    expect(head()).toBe(id);
    site.git("reset", "--quiet", "--hard", "HEAD~1");
    await opened.tend?.();
    expect(head()).toBe(before);
    expect(site.complaints()).toBe("");
  });

  it("is undone by the next start when the service was killed before it could", async () => {
    site = gitSite({ [HOME]: "n: 0\n" });
    const opened = await open();
    const before = await commit(opened, { [HOME]: "n: 1\n" });
    const id = await commit(opened, { [HOME]: "n: 2\n" });
    race(before);
    bury(join(site.dir, ".git"));
    const next = await open();
    await next.tend?.();
    expect(head()).toBe(id);
    expect(site.complaints()).toBe("");
  });
});

describe("the index that was there before", () => {
  it("is not removed when the scratch folder goes between index and branch", async () => {
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
