/** A commit that dies or fails at each of its changing calls, of files in Git LFS: small ones, and one read as a stream. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { parsePointer, sha256Of } from "../../../src/store/git/lfs/pointer.ts";
import { prepareFile } from "../../../src/store/git/objects/file-content.ts";
import { HAS_GIT_LFS } from "../../support/git-lfs.ts";
import { bury, faultyFs, type Fault } from "./faulty-fs.ts";
import { GIT_ENV, gitSite, quietEnv } from "./git-site.ts";
import { batchOf, commit, plan } from "./repo-contract.ts";

const HOME = "media/home.jpg";
const MANY = 1_000;

describe.skipIf(!HAS_GIT_LFS)("a commit of files in Git LFS", () => {
  it.each<Fault>([
    { kind: "killed", when: "half way" },
    { kind: "error", code: "ENOSPC", lasts: false },
  ])("is made whole, with its objects, or not at all: %j", { timeout: 120_000 }, async (fault) => {
    const site = gitSite();
    onTestFinished(site.remove);
    site.git("lfs", "install", "--local");
    site.save(".gitattributes", "media/** filter=lfs diff=lfs merge=lfs -text\n");
    site.save(HOME, "picture 0\n");
    site.git("add", "--all");
    site.git("commit", "--quiet", "--message=Begin");
    const received = join(site.dir, ".git/received");
    const open = (fs = faultyFs().fs) => openGitRepo(site.dir, { env: quietEnv(), fs, lockWaitMs: 30 });
    let round = 0;
    for (let hasFailed = true; hasFailed;) {
      round++;
      expect(round).toBeLessThan(MANY);
      const faulty = faultyFs();
      const repo = await open(faulty.fs);
      const { head } = await repo.state();
      writeFileSync(received, `a film ${round}\n`.repeat(500));
      const film = await prepareFile(received);
      const { changes, ...rest } = plan({ [HOME]: `picture ${round}\n` });
      const batch = await batchOf(repo, { ...rest, changes: new Map([...changes, [`media/n${round}.mp4`, film]]) });
      const start = faulty.calls();
      faulty.failAt(round, fault);
      await repo.commit(batch).catch(() => undefined);
      hasFailed = faulty.calls() - start >= round;
      await repo.close().catch(() => undefined);
      bury(join(site.dir, ".git"));
      await faulty.closeAll();
      const again = await open();
      const where = `at call ${round}`;
      const isMade = (await again.state()).head !== head;
      expect(readFileSync(join(site.dir, HOME), "utf8") === `picture ${round}\n`, where).toBe(isMade);
      for (const path of isMade ? [HOME, `media/n${round}.mp4`] : []) {
        const stored = execFileSync("git", ["show", `HEAD:${path}`], { cwd: site.dir, env: GIT_ENV });
        const { sha256, size } = parsePointer(stored)!;
        const object = join(site.dir, ".git/lfs/objects", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
        expect(existsSync(object), where).toBe(true);
        const bytes = readFileSync(object);
        expect([sha256Of(bytes), bytes.length], where).toEqual([sha256, size]);
        expect(readFileSync(join(site.dir, path)).equals(bytes), where).toBe(true);
      }
      expect(site.git("status", "--porcelain"), where).toBe("");
      expect(site.kept(), where).toEqual([]);
      await again.close();
    }
    expect(round).toBeGreaterThan(30);
    const repo = await open();
    await commit(repo, { [HOME]: "the last picture\n" });
    await repo.close();
    expect(site.complaints()).toBe("");
    expect(site.git("lfs", "fsck")).toContain("Git LFS fsck OK");
  });
});
