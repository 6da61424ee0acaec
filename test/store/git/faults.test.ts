/**
 * A commit with a fault at each of its changing calls in turn.
 *
 * Checked each time: the repository is intact, the commit exists with all its files or not at all, an acknowledged one
 * exists, and the next write works.
 */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantOf } from "../../../src/model/time/instant.ts";
import { oidOf } from "../../../src/store/git/objects/object.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import type { Batch, BatchResult, Repo } from "../../../src/store/repo.ts";
import { bury, faultyFs, type Fault } from "./faulty-fs.ts";
import { gitSite, quietEnv, type GitSite } from "./git-site.ts";
import { batchOf, commit, EDITOR, plan } from "./repo-contract.ts";

const FAULTS: readonly Fault[] = [
  { kind: "killed", when: "before" },
  { kind: "killed", when: "half way" },
  { kind: "killed", when: "after" },
  { kind: "error", code: "ENOSPC", lasts: false },
  { kind: "error", code: "ENOSPC", lasts: true },
  { kind: "error", code: "EIO", lasts: true },
  { kind: "error", code: "EROFS", lasts: true },
  { kind: "error", code: "EIO", lasts: false, done: true },
  { kind: "error", code: "EIO", lasts: true, done: true },
];
/** More than a batch has calls: reaching it would mean that the loop never ends. */
const MANY = 1_000;

let site: GitSite;
beforeEach(() => {
  site = gitSite({ "content/home.yaml": "n: 0\n", "content/n0/page.yaml": "n: 0\n", "content/still.yaml": "still\n" });
});
afterEach(() => site.remove());

const open = (fs = faultyFs().fs) => openGitRepo(site.dir, { env: quietEnv(), fs, lockWaitMs: 30 });

/** Changes a file, adds one in a new folder, and removes one with its folder: in two commits, whatever round it is. */
async function nextBatch(repo: Repo, round: number): Promise<Batch> {
  const pages = [...(await repo.files(["content"])).keys()].filter((path) => path.endsWith("/page.yaml"));
  const gone = Object.fromEntries(pages.map((path) => [path, null]));
  return batchOf(
    repo,
    plan({ "content/home.yaml": `n: ${round}\n`, [`content/n${round}/page.yaml`]: `n: ${round}\n` }),
    plan({ ...gone, "content/home.yaml": `n: ${round}\nand: more\n` }),
  );
}

async function checkWhole(
  repo: Repo,
  round: number,
  before: string | null,
  outcome: BatchResult | undefined,
): Promise<void> {
  const where = `at call ${round}`;
  const { head } = await repo.state();
  const files = [...(await repo.files([""]))].map(([path, { oid }]) => [path, oid]);
  expect(new Map(files as [string, string][]), where).toEqual(await repo.tree(head!, [""]));
  const isThere = Buffer.from((await repo.read("content/home.yaml"))!.bytes).toString() === `n: ${round}\nand: more\n`;
  expect(isThere, where).toBe(head !== before);
  if (outcome?.made) expect(head, where).toBe(outcome.commits[1]);
  expect(locks(), where).toEqual([]);
  expect(site.git("status", "--porcelain"), where).toBe("");
}

function locks(): string[] {
  const gitDir = join(site.dir, ".git");
  return [...readdirSync(gitDir), ...readdirSync(join(gitDir, "refs/heads"))].filter((name) => name.includes(".lock"));
}

const nameOf = (fault: Fault): string =>
  fault.kind === "killed"
    ? `killed ${fault.when} a call`
    : `${fault.code} ${fault.done ? "reported after the deed " : ""}at one call${fault.lasts ? " and all after it" : ""}`;

describe.each(FAULTS.map((fault) => [nameOf(fault), fault] as const))("%s", (_name, fault) => {
  it("leaves all or nothing, at every call", { timeout: 60_000 }, async () => {
    let faulty = faultyFs();
    let repo = await open(faulty.fs);
    let round = 0;
    for (let hasFailed = true; hasFailed;) {
      round++;
      expect(round).toBeLessThan(MANY);
      const before = (await repo.state()).head;
      const batch = await nextBatch(repo, round);
      const start = faulty.calls();
      faulty.failAt(round, fault);
      let outcome: BatchResult | undefined;
      try {
        outcome = await repo.commit(batch);
      } catch (error) {
        if (fault.kind === "error") expect(error).toMatchObject({ code: "unavailable" });
      }
      hasFailed = faulty.calls() - start >= round;
      faulty.heal();
      if (fault.kind === "killed") {
        bury(join(site.dir, ".git"));
        await faulty.closeAll();
        faulty = faultyFs();
        repo = await open(faulty.fs);
      }
      await checkWhole(repo, round, before, outcome);
    }
    await commit(repo, { "content/still.yaml": "moved\n" });
    await repo.close();
    expect(round).toBeGreaterThan(50);
    expect(site.complaints()).toBe("");
  });
});

/** One of each kind: a round of a merge takes ten git processes. */
const MERGE_FAULTS = FAULTS.filter((fault) => fault.kind === "killed" || (fault.done && fault.lasts));

describe.each(MERGE_FAULTS.map((fault) => [nameOf(fault), fault] as const))("a merge, %s", (_name, fault) => {
  it("is made or not, at every call, and both sides stay reachable", { timeout: 60_000 }, async () => {
    let faulty = faultyFs();
    let repo = await open(faulty.fs);
    let round = 0;
    for (let hasFailed = true; hasFailed;) {
      round++;
      expect(round).toBeLessThan(MANY);
      const root = (await repo.state()).head!;
      const texts = { "content/home.yaml": `n: ${round}\nand: more\n`, [`content/m${round}.yaml`]: `m: ${round}\n` };
      const other = site.receive(root, texts, "There");
      site.git("update-ref", "refs/remotes/origin/main", other);
      await commit(repo, { "content/still.yaml": `round: ${round}\n` });
      const base = (await repo.state()).head!;
      const changes = new Map([...(await repo.differences(root, other))].map(([path, { after }]) => [path, after]));
      const message = { author: EDITOR, at: instantOf(Date.UTC(2026, 2, 1)), message: "Merge" };
      const start = faulty.calls();
      faulty.failAt(round, fault);
      let outcome: BatchResult | undefined;
      try {
        outcome = await repo.merge({ base, other, commit: message, changes });
      } catch (error) {
        if (fault.kind === "error") expect(error).toMatchObject({ code: "unavailable" });
      }
      hasFailed = faulty.calls() - start >= round;
      faulty.heal();
      if (fault.kind === "killed") {
        bury(join(site.dir, ".git"));
        await faulty.closeAll();
        faulty = faultyFs();
        repo = await open(faulty.fs);
      }
      const { head } = await repo.state();
      const files = new Map([...(await repo.files([""]))].map(([path, { oid }]) => [path, oid]));
      expect(files, `at call ${round}`).toEqual(await repo.tree(head!, [""]));
      if (head === base) expect(outcome?.made ?? false, `at call ${round}`).toBe(false);
      else expect(site.git("rev-list", "--parents", "-1", head!).trim().split(" ").slice(1)).toEqual([base, other]);
      expect(locks(), `at call ${round}`).toEqual([]);
      expect(site.git("status", "--porcelain"), `at call ${round}`).toBe("");
    }
    await repo.close();
    expect(round).toBeGreaterThan(40);
    expect(site.complaints()).toBe("");
  });
});

it("recovery that is itself killed at any call is done by the next one", { timeout: 60_000 }, async () => {
  // After the branch has moved and before the files have: all of the recovery's work is to be done.
  let round = 0;
  for (let hasFailed = true; hasFailed;) {
    round++;
    expect(round).toBeLessThan(MANY);
    const first = await open();
    const before = (await first.state()).head;
    const batch = await nextBatch(first, round);
    await first.close();
    await killAfterRef(batch);
    const faulty = faultyFs();
    faulty.failAt(round, { kind: "killed", when: "after" });
    await open(faulty.fs).catch(() => undefined);
    hasFailed = faulty.calls() >= round;
    bury(join(site.dir, ".git"));
    await faulty.closeAll();
    const repo = await open();
    expect((await repo.state()).head).not.toBe(before);
    await checkWhole(repo, round, before, undefined);
    await repo.close();
  }
  expect(round).toBeGreaterThan(10);
  expect(site.complaints()).toBe("");
});

/** Commits, and dies as soon as the branch has been renamed into place, or the file at the path given moved aside. */
async function killAfterRef(
  batch: Batch,
  renamed = "refs/heads/main",
  atRename: () => void = () => undefined,
): Promise<void> {
  const faulty = faultyFs();
  const rename = faulty.fs.rename;
  const fs = {
    ...faulty.fs,
    async rename(from: string, to: string) {
      const isIt = [from, to].some((path) => path.endsWith(renamed));
      if (isIt) atRename();
      await rename(from, to);
      if (isIt) faulty.failAt(1, { kind: "killed", when: "before" });
    },
  };
  const repo = await open(fs);
  await repo.commit(batch).catch(() => undefined);
  await faulty.closeAll();
  bury(join(site.dir, ".git"));
}

describe("recovery", () => {
  const HOME = "content/home.yaml";
  const homeBatch = async () => {
    const repo = await open();
    const batch = await batchOf(repo, plan({ [HOME]: "n: new\n" }));
    await repo.close();
    return batch;
  };

  it.each([
    ["empty", ""],
    ["garbage", "\0".repeat(41)],
  ])("gives a branch whose file is %s the commit it was to have", async (_what, bytes) => {
    await killAfterRef(await homeBatch());
    const tip = site.git("rev-parse", "HEAD");
    writeFileSync(join(site.dir, ".git/refs/heads/main"), bytes);
    await (await open()).close();
    expect(site.git("rev-parse", "HEAD")).toBe(tip);
    expect(site.text(HOME)).toBe("n: new\n");
    expect(site.complaints()).toBe("");
  });

  it("gives it the commit before when the new one is not whole", async () => {
    const before = site.git("rev-parse", "HEAD");
    await killAfterRef(await homeBatch());
    const tree = site.git("rev-parse", "HEAD:content").trim();
    rmSync(join(site.dir, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    rmSync(join(site.dir, ".git/cms/recent", tree));
    writeFileSync(join(site.dir, ".git/refs/heads/main"), "");
    await (await open()).close();
    expect(site.git("rev-parse", "HEAD")).toBe(before);
    expect(site.text(HOME)).toBe("n: 0\n");
    expect(site.git("status", "--porcelain")).toBe("");
  });

  it("takes back what is in the index of a batch that was not made", async () => {
    const batch = await homeBatch();
    await killAfterRef(batch, ".git/index");
    expect(site.git("diff", "--cached", "--name-only")).toBe(`${HOME}\n`);
    await (await open()).close();
    expect(site.text(HOME)).toBe("n: 0\n");
    expect(site.complaints()).toBe("");
  });

  it("keeps a save that came in the instant of the crash", async () => {
    await killAfterRef(await homeBatch(), HOME, () => site.save(HOME, "n: by hand\n"));
    await (await open()).close();
    expect(site.text(HOME)).toBe("n: new\n");
    expect(site.kept()).toEqual(["n: by hand\n"]);
    expect(site.complaints()).toBe("");
  });

  it("leaves a file that a person saved after the crash", async () => {
    await killAfterRef(await homeBatch());
    site.save(HOME, "n: by hand\n");
    await (await open()).close();
    expect(site.text(HOME)).toBe("n: by hand\n");
    expect(site.git("show", `HEAD:${HOME}`)).toBe("n: new\n");
    expect(site.git("status", "--porcelain")).toBe(` M ${HOME}\n`);
  });

  it("lets a later commit have the say", async () => {
    await killAfterRef(await homeBatch());
    for (const lock of ["index.lock", "HEAD.lock", "refs/heads/main.lock"]) rmSync(join(site.dir, ".git", lock));
    site.git("commit", "--quiet", "--all", "--message=Everything as it lies here");
    await (await open()).close();
    expect(site.text(HOME)).toBe("n: 0\n");
    expect(site.complaints()).toBe("");
  });
});

describe("objects that are there already", () => {
  const TEXT = "n: again\n";
  const fileOf = (oid: string) => join(site.dir, ".git/objects", oid.slice(0, 2), oid.slice(2));
  const write = async () => {
    const repo = await open();
    await commit(repo, { "content/home.yaml": TEXT });
    await repo.close();
  };

  it.each([
    ["empty", Buffer.alloc(0)],
    ["cut short", deflateSync("blob 9\0n: again").subarray(0, 8)],
    ["of other content", deflateSync("blob 9\0n: other\n")],
  ])("are replaced when they are %s", async (_what, bytes) => {
    const oid = oidOf("blob", Buffer.from(TEXT));
    mkdirSync(dirname(fileOf(oid)), { recursive: true });
    writeFileSync(fileOf(oid), bytes);
    await write();
    expect(site.complaints()).toBe("");
  });

  it("are made to look fresh, so that a prune leaves them", async () => {
    site.save("other.txt", TEXT);
    const oid = site.git("hash-object", "-w", "other.txt").trim();
    rmSync(join(site.dir, "other.txt"));
    utimesSync(fileOf(oid), 1_000_000_000, 1_000_000_000);
    await write();
    expect(Date.now() - statSync(fileOf(oid)).mtimeMs).toBeLessThan(60_000);
  });
});
