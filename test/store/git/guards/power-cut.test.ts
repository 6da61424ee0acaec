/**
 * Power cuts after each changing call of a batch: what was not synced is lost, in whole or in part.
 *
 * Checked each time: the repository is intact, an acknowledged batch is there, any other is there as a whole or not at
 * all, nothing looks like a change of a person, and the next write works.
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openGitRepo } from "../../../../src/store/git/repo.ts";
import type { Batch, Repo } from "../../../../src/store/repo.ts";
import type { Fs } from "../../../../src/store/git/fs.ts";
import { bury } from "../faulty-fs.ts";
import { gitSite, quietEnv, siteIn } from "../git-site.ts";
import { powerCutFs, writeImage, type Cut, type Image } from "./power-cut-fs.ts";
import { batchOf, commit, plan } from "../repo-contract.ts";

/** Numbers from 0 to 1, the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
}

/** Another one tries other parts, at other calls (CONTRIBUTING.md). */
const SEED = Number(process.env.PROPERTY_SEED ?? 1);
/** Of how many calls one is tried where most leave another image. */
const EVERY = Number(process.env.CUT_EVERY ?? 3);
const isTried = (call: number): boolean => (call + SEED) % EVERY === 0;

/** undefined for a call that is not tried. */
type CutAt = (call: number) => Cut | undefined;

const CUTS: Readonly<Record<string, CutAt>> = {
  "nothing that was not synced": () => ({ isKept: () => false, contentOf: (synced) => synced }),
  "entries of folders, not the contents of files": (call) =>
    isTried(call) ? { isKept: () => true, contentOf: (synced) => synced } : undefined,
  "any part": (call) => {
    if (!isTried(call)) return undefined;
    const random = randomNumbers(call * 7919 + SEED);
    return {
      isKept: () => random() < 0.5,
      contentOf: (synced, content) =>
        [synced, content, content.subarray(0, content.length >> 1)][Math.floor(random() * 3)]!,
    };
  },
};

/** What a cut left, and how many batches were begun and acknowledged then. */
interface Left {
  readonly image: Image;
  readonly begun: number;
  readonly acknowledged: number;
  readonly call: number;
}

/** The first one makes what later ones find, the last one is a pack. */
const BATCHES = 3;
/** A batch of more objects is written as one pack (objects/kept-packs.ts). */
const PACKED = 32;

/** Changes a file, adds some in a new folder, and removes that of the round before: in two commits. */
function nextBatch(repo: Repo, round: number): Promise<Batch> {
  const files = round === BATCHES ? PACKED : 1;
  const added = Array.from({ length: files }, (_, n) => [`content/n${round}/page${n}.yaml`, `n: ${round}.${n}\n`]);
  return batchOf(
    repo,
    plan({ "content/home.yaml": `n: ${round}\n`, ...(Object.fromEntries(added) as Record<string, string>) }),
    plan({ [`content/n${round - 1}/page0.yaml`]: null, "content/home.yaml": `n: ${round}\nand: more\n` }),
  );
}

/** Counts batches: an image is taken after each changing call once one was begun. */
interface Progress {
  begun: number;
  acknowledged: number;
}

/** @returns the ids of the newest commit: at the start, then after each batch */
type Scenario = (dir: string, fs: Fs, progress: Progress) => Promise<readonly (string | null)[]>;

const commitBatches: Scenario = async (dir, fs, progress) => {
  const repo = await openGitRepo(dir, { env: quietEnv(), fs });
  const heads = [(await repo.state()).head];
  for (let round = 1; round <= BATCHES; round++) {
    const batch = await nextBatch(repo, round);
    progress.begun++;
    const result = await repo.commit(batch);
    if (!result.made) throw new Error(`Batch ${round} was not made`);
    heads.push(result.commits.at(-1)!);
    progress.acknowledged++;
  }
  await repo.close();
  return heads;
};

/** The process is killed as soon as the branch has moved; the next one finishes the batch. */
const recoverBatch: Scenario = async (dir, fs, progress) => {
  const repo = await openGitRepo(dir, { env: quietEnv(), fs: killedAfterMove(fs) });
  const before = (await repo.state()).head;
  const batch = await nextBatch(repo, 1);
  progress.begun++;
  await repo.commit(batch).catch(() => undefined);
  bury(join(dir, ".git"));
  const next = await openGitRepo(dir, { env: quietEnv(), fs });
  const { head } = await next.state();
  await next.close();
  return [before, head];
};

function killedAfterMove(fs: Fs): Fs {
  let isDead = false;
  const calls = Object.entries(fs) as [string, (...args: unknown[]) => Promise<unknown>][];
  const killed = calls.map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      if (isDead) throw new Error("killed");
      const result = await call(...args);
      isDead = name === "rename" && String(args[1]).endsWith("/refs/heads/main");
      return result;
    },
  ]);
  return Object.fromEntries(killed) as Fs;
}

async function imagesOf(cutAt: CutAt, scenario: Scenario) {
  const site = gitSite({
    "content/home.yaml": "n: 0\n",
    "content/n0/page0.yaml": "n: 0\n",
    "content/still.yaml": "s\n",
  });
  onTestFinished(() => site.remove());
  const seen = new Map<string, Left>();
  const progress = { begun: 0, acknowledged: 0 };
  let call = 0;
  const take = (): void => {
    call++;
    const cut = cutAt(call);
    if (progress.begun === 0 || !cut) return;
    const image = disk.image(cut);
    const hash = createHash("sha1").update(JSON.stringify(progress));
    for (const [path, { content }] of image) hash.update(`\n${path} ${content.length} `).update(content);
    seen.set(hash.digest("hex"), { image, ...progress, call });
  };
  const disk = powerCutFs(site.dir, take);
  const heads = await scenario(site.dir, disk.fs, progress);
  return { dir: site.dir, heads, left: [...seen.values()] };
}

describe.each(Object.entries(CUTS))("a power cut that keeps %s", (_name, cutAt) => {
  it.each([
    ["leaves acknowledged batches, and of others all or nothing", commitBatches, 20],
    ["leaves all or nothing while a killed process is recovered from", recoverBatch, 5],
  ])("%s", { timeout: 120_000 }, async (_case, scenario, least) => {
    const { dir, heads, left } = await imagesOf(cutAt, scenario);
    expect(new Set(heads).size).toBe(heads.length);
    expect(left.length).toBeGreaterThan(least);
    for (const { image, begun, acknowledged, call } of left) {
      const where = `cut after call ${call}, with ${acknowledged} of ${begun} batches acknowledged`;
      const folder = mkdtempSync(join(tmpdir(), "cms-cut-"));
      try {
        await checkImage(image, dir, join(folder, "site"), heads.slice(acknowledged, begun + 1), where);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  });
});

/** @param to where the disk is after the cut; `heads` are the commits that the branch may have then */
async function checkImage(
  image: Image,
  from: string,
  to: string,
  heads: readonly (string | null)[],
  where: string,
): Promise<void> {
  mkdirSync(to);
  writeImage(image, from, to);
  bury(join(to, ".git"));
  const site = siteIn(to);
  const repo = await openGitRepo(to, { env: quietEnv(), lockWaitMs: 30 });
  const { head } = await repo.state();
  expect(heads, where).toContain(head);
  const files = new Map([...(await repo.files([""]))].map(([path, { oid }]) => [path, oid]));
  expect(files, where).toEqual(await repo.tree(head!, [""]));
  expect(site.complaints(), where).toBe("");
  await commit(repo, { "content/still.yaml": "moved\n" });
  await repo.close();
  expect(site.git("status", "--porcelain"), where).toBe("");
}
