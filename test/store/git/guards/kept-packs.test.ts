/** Batches whose objects are written as a pack: what a crash, a full disk, git and a merge of packs leave of them. */
import { cpSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openScratch } from "../../../../src/store/git/locks/scratch.ts";
import { openKeptPacks } from "../../../../src/store/git/guards/kept-packs.ts";
import { openGitRepo } from "../../../../src/store/git/repo.ts";
import type { Batch, BatchResult, Oid, Repo } from "../../../../src/store/repo.ts";
import { bury, faultyFs, type Fault } from "../faulty-fs.ts";
import { gitSite, quietEnv, type GitSite } from "../git-site.ts";
import { batchOf, commit, plan } from "../repo-contract.ts";

const HOME = "content/home.yaml";
/** Each is a blob, two trees and a commit: more objects than are written loose. */
const COMMITS = 12;
const MANY = 1_000;

let site: GitSite;
beforeEach(() => {
  site = gitSite({ [HOME]: "n: 0\n" });
});
afterEach(() => site.remove());

const packDir = (): string => join(site.dir, ".git/objects/pack");
const files = (suffix: string): string[] => readdirSync(packDir()).filter((name) => name.endsWith(suffix));
const open = (fs = faultyFs().fs): Promise<Repo> => openGitRepo(site.dir, { env: quietEnv(), fs, lockWaitMs: 30 });

const batchOfRound = (repo: Repo, round: number): Promise<Batch> =>
  batchOf(repo, ...Array.from({ length: COMMITS }, (_, n) => plan({ [HOME]: `n: ${round}\nstep: ${n}\n` })));

/** @returns the commits */
async function commitRound(repo: Repo, round: number): Promise<readonly Oid[]> {
  const result = await repo.commit(await batchOfRound(repo, round));
  if (!result.made) throw new Error("The batch was not made");
  return result.commits;
}

describe.each<Fault>([
  { kind: "killed", when: "half way" },
  { kind: "killed", when: "after" },
  { kind: "error", code: "ENOSPC", lasts: true },
  { kind: "error", code: "EIO", lasts: false, done: true },
])("a fault at every call of a batch: %o", (fault) => {
  it("leaves all of its commits or none", { timeout: 60_000 }, async () => {
    let round = 0;
    for (let hasFailed = true; hasFailed;) {
      round++;
      expect(round).toBeLessThan(MANY);
      const where = `at call ${round}`;
      const faulty = faultyFs();
      const repo = await open(faulty.fs);
      const before = (await repo.state()).head;
      const batch = await batchOfRound(repo, round);
      const start = faulty.calls();
      faulty.failAt(round, fault);
      const outcome: BatchResult | undefined = await repo.commit(batch).catch(() => undefined);
      hasFailed = faulty.calls() - start >= round;
      faulty.heal();
      if (fault.kind === "killed") {
        bury(join(site.dir, ".git"));
        await faulty.closeAll();
      } else await repo.close();
      const again = await open();
      const { head } = await again.state();
      if (outcome?.made) expect(head, where).toBe(outcome.commits.at(-1));
      expect(site.text(HOME) === `n: ${round}\nstep: ${COMMITS - 1}\n`, where).toBe(head !== before);
      expect(site.git("status", "--porcelain"), where).toBe("");
      await again.close();
    }
    expect(round).toBeGreaterThan(25);
    const repo = await open();
    await commit(repo, { [HOME]: "n: last\n" });
    await repo.close();
    expect(site.complaints()).toBe("");
  });
});

it("a large batch is one pack, in which versions of a folder are deltas", async () => {
  const repo = await open();
  for (let n = 0; n < 200; n++) site.save(`content/p${n}.yaml`, `n: ${n}\n`);
  site.git("add", "--all");
  site.git("commit", "--quiet", "--message=Pages");
  const loose = site.git("count-objects");
  const commits = await commitRound(repo, 1);
  expect(site.git("count-objects")).toBe(loose);
  expect([files(".pack").length, files(".idx").length, files(".keep").length]).toEqual([1, 1, 1]);
  // One tree of 200 files takes more than 4 kB.
  expect(statSync(join(packDir(), files(".pack")[0]!)).size).toBeLessThan(COMMITS * 1_000);
  expect(site.git("rev-list", "HEAD", "--max-count", String(COMMITS)).trim().split("\n").reverse()).toEqual(commits);
  expect(site.complaints()).toBe("");
  await repo.close();
});

it("git leaves the pack alone for an hour, also a repack that began before the branch moved", async () => {
  let isRepacked = false;
  const faulty = faultyFs();
  const fs = {
    ...faulty.fs,
    async rename(from: string, to: string) {
      if (to.endsWith("refs/heads/main")) {
        site.git("repack", "-a", "-d", "--quiet");
        site.git("prune", "--expire=now");
        isRepacked = true;
      }
      await faulty.fs.rename(from, to);
    },
  };
  const repo = await open(fs);
  const commits = await commitRound(repo, 1);
  expect(isRepacked).toBe(true);
  site.git("gc", "--quiet", "--prune=now");
  expect(site.git("rev-parse", "HEAD").trim()).toBe(commits.at(-1));
  expect(site.complaints()).toBe("");
  const [keep] = files(".keep");
  const old = Date.now() / 1000 - 3_700;
  utimesSync(join(packDir(), keep!), old, old);
  await repo.close();
  const later = await open();
  await later.maintain();
  expect(files(".keep")).toEqual([]);
  await later.close();
});

it("a commit in a pack is known as ours: a `git reset` that had not seen it does not discard it", async () => {
  const repo = await open();
  const before = site.git("rev-parse", "HEAD").trim();
  const tip = (await commitRound(repo, 1)).at(-1);
  // What a `git reset --hard` leaves that had read HEAD before the commit.
  site.git("update-ref", "-m", "reset: moving to HEAD", "refs/heads/main", before);
  await repo.maintain();
  expect(site.git("rev-parse", "HEAD").trim()).toBe(tip);
  await repo.close();
});

it("small packs are merged, and none of their objects is lost", async () => {
  const repo = await open();
  const commits: Oid[] = [];
  for (let round = 1; round <= 17; round++) {
    commits.push(...(await commitRound(repo, round)));
    // The same content as before, in commits of their own: packs that share objects.
    if (round === 5) commits.push(...(await commitRound(repo, 5)), ...(await commitRound(repo, 3)));
  }
  const count = files(".pack").length;
  await repo.maintain();
  expect(files(".pack").length).toBeLessThan(count / 2);
  expect(files(".idx").length).toBe(files(".pack").length);
  expect(files(".keep").length).toBe(files(".pack").length);
  expect(site.git("rev-list", "HEAD").trim().split("\n").slice(0, -1).reverse()).toEqual(commits);
  for (const name of files(".idx")) site.git("verify-pack", join(packDir(), name));
  site.git("gc", "--quiet");
  expect(site.complaints()).toBe("");
  for (const id of commits.slice(0, 20)) expect(await repo.resolveCommit(id)).toBe(id);
  await repo.close();
});

it.each<Fault>([
  { kind: "killed", when: "half way" },
  { kind: "killed", when: "after" },
  { kind: "error", code: "EIO", lasts: false },
])("a fault at every call of a merge loses nothing: %o", { timeout: 60_000 }, async (fault) => {
  const repo = await open();
  for (let round = 1; round <= 16; round++) await commitRound(repo, round);
  await repo.close();
  const separate = join(site.dir, ".git/separate");
  cpSync(packDir(), separate, { recursive: true });
  let call = 0;
  for (let hasFailed = true; hasFailed;) {
    call++;
    expect(call).toBeLessThan(MANY);
    const faulty = faultyFs();
    const gitDir = join(site.dir, ".git");
    const packs = openKeptPacks(faulty.fs, gitDir, openScratch(faulty.fs, gitDir));
    faulty.failAt(call, fault);
    await packs.mergeSmall().catch(() => undefined);
    hasFailed = faulty.calls() >= call;
    await faulty.closeAll();
    expect(site.complaints(), `at call ${call}`).toBe("");
    rmSync(packDir(), { recursive: true, force: true });
    cpSync(separate, packDir(), { recursive: true });
  }
  expect(call).toBeGreaterThan(50);
});

it("a keep file of a person or of git is left alone, and so is its pack", async () => {
  const repo = await open();
  site.git("repack", "-a", "-d", "--quiet");
  const [pack] = files(".pack");
  const keep = join(packDir(), pack!.replace(".pack", ".keep"));
  writeFileSync(keep, "");
  utimesSync(keep, 1_000_000_000, 1_000_000_000);
  for (let round = 1; round <= 17; round++) await commitRound(repo, round);
  await repo.maintain();
  expect(files(".keep")).toContain(pack!.replace(".pack", ".keep"));
  rmSync(keep);
  expect(site.complaints()).toBe("");
  await repo.close();
});
