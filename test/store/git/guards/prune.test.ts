/**
 * `git prune`, `git gc --prune=now` and `git repack -ad` during writes.
 *
 * A prune first computes what is reachable, then deletes the rest. Both halves are run between any two changing calls of
 * a commit, so that every moment at which a prune can begin and delete is tested.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskFs, type Fs } from "../../../../src/store/git/fs.ts";
import { openGitRepo } from "../../../../src/store/git/repo.ts";
import type { Oid, Repo } from "../../../../src/store/repo.ts";
import { GIT_ENV, gitSite, quietEnv, type GitSite } from "../git-site.ts";
import { commit, commitStubbornly, plan } from "../repo-contract.ts";

/** Seconds that each command runs beside writes; by hand: PRUNE_SECONDS=60. */
const SECONDS = Number(process.env.PRUNE_SECONDS ?? 1);
const PAGES = Number(process.env.PRUNE_PAGES ?? 500);
/** Every so many calls are tried; by hand, all of them: PRUNE_STEP=1. */
const STEP = Number(process.env.PRUNE_STEP ?? 4);
const MANY = 1_000;

let site: GitSite;
let repo: Repo | undefined;
beforeEach(() => {
  site = gitSite({ "content/home.yaml": "n: 0\n", "content/n0/page.yaml": "n: 0\n" });
});
afterEach(async () => {
  await repo?.close();
  repo = undefined;
  site.remove();
});

/** A file system that calls back before each changing call. */
function countingFs(before: (call: number) => void): Fs {
  let calls = 0;
  const step =
    <A extends unknown[], R>(act: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      before(++calls);
      return act(...args);
    };
  return {
    ...diskFs,
    create: step(diskFs.create),
    append: step(diskFs.append),
    syncDir: step(diskFs.syncDir),
    mkdir: step(diskFs.mkdir),
    rename: step(diskFs.rename),
    link: step(diskFs.link),
    unlink: step(diskFs.unlink),
    rmdir: step(diskFs.rmdir),
    touch: step(diskFs.touch),
  };
}

/** The first half of a prune: what it will leave. */
const reachable = (): Set<Oid> =>
  new Set(
    site
      .git("rev-list", "--objects", "--all", "--reflog", "--indexed-objects")
      .split("\n")
      .map((line) => line.slice(0, 40)),
  );

/** The second half: everything loose that was not reachable then is deleted, however new it is. */
function deleteAllBut(keep: ReadonlySet<Oid>): void {
  const objects = join(site.dir, ".git/objects");
  for (const dir of readdirSync(objects).filter((name) => name.length === 2)) {
    for (const name of readdirSync(join(objects, dir)))
      if (!keep.has(dir + name)) rmSync(join(objects, dir, name), { force: true });
    try {
      rmdirSync(join(objects, dir));
    } catch {
      // Not empty.
    }
  }
}

/** Commits once with a prune around its calls. @returns how many calls there were */
async function commitWithin(round: number, before: (call: number) => void): Promise<number> {
  let calls = 0;
  let isOn = false;
  const opened = await openGitRepo(site.dir, { env: quietEnv(), fs: countingFs(() => void (isOn && before(++calls))) });
  const pages = [...(await opened.files(["content"])).keys()].filter((path) => path.endsWith("/page.yaml"));
  const gone = Object.fromEntries(pages.map((path) => [path, null]));
  isOn = true;
  const id = await commit(opened, {
    ...gone,
    "content/home.yaml": `n: ${round}\n`,
    [`content/n${round}/page.yaml`]: `n: ${round}\n`,
  });
  isOn = false;
  await opened.maintain();
  expect(site.git("rev-parse", "HEAD").trim()).toBe(id);
  expect(site.complaints(), `round ${round}`).toBe("");
  await opened.close();
  return calls;
}

it("a complete prune before any one call loses nothing", { timeout: 120_000 }, async () => {
  let calls = MANY;
  for (let at = 1; at <= calls; at += STEP)
    calls = await commitWithin(at, (call) => void (call === at && site.git("prune", "--expire=now")));
  expect(calls).toBeGreaterThan(30);
});

it(
  "a prune that began before any one call, and deletes before a later one or after the answer, takes nothing",
  { timeout: 240_000 },
  async () => {
    let calls = MANY;
    for (let from = 1; from <= calls; from += STEP) {
      // Spread over the calls that follow, the last of them after the answer.
      const to = from + 1 + ((from * 7) % Math.max(1, Math.min(calls, 60) - from));
      let keep: Set<Oid> | undefined;
      let isDeleted = false;
      const remove = (): void => {
        if (keep) deleteAllBut(keep);
        isDeleted = true;
      };
      calls = await commitWithin(from, (call) => {
        if (call === from) keep = reachable();
        else if (call === to) remove();
      });
      if (!isDeleted) remove();
      repo = await openGitRepo(site.dir, { env: quietEnv() });
      expect(site.complaints(), `began at ${from}`).toBe("");
      await repo.close();
    }
  },
);

it("a prune that deletes after the answer loses nothing, even if the service is killed", async () => {
  repo = await openGitRepo(site.dir, { env: quietEnv() });
  const keep = reachable();
  const id = await commit(repo, { "content/home.yaml": "n: acknowledged\n" });
  deleteAllBut(keep);
  expect(
    Buffer.from(
      await repo.blob((await repo.committed(id, ["content/home.yaml"])).get("content/home.yaml")!),
    ).toString(),
  ).toBe("n: acknowledged\n");
  const next = await openGitRepo(site.dir, { env: quietEnv() });
  expect(site.complaints()).toBe("");
  await next.close();
});

it("restores each of many objects that a prune has removed", { timeout: 120_000 }, async () => {
  repo = await openGitRepo(site.dir, { env: quietEnv() });
  const keep = reachable();
  for (let n = 0; n < 60; n++) {
    // Loose: fewer in a batch than are written as a pack. Together enough for eight in some of the 256 folders.
    const files = Array.from({ length: 20 }, (_, k) => [`content/p${k}.yaml`, `n: ${n}, ${k}\n`]);
    await commit(repo, Object.fromEntries(files) as Record<string, string>);
  }
  deleteAllBut(keep);
  await repo.maintain();
  expect(site.complaints()).toBe("");
});

describe("a missing object of HEAD's commit", () => {
  const fileOf = (oid: string): string => join(site.dir, ".git/objects", oid.slice(0, 2), oid.slice(2));
  const opened = async (): Promise<Repo> => (repo = await openGitRepo(site.dir, { env: quietEnv() }));

  it.each([
    ["a blob, from its working file", "HEAD:content/home.yaml"],
    ["a tree, from the index", "HEAD:content"],
    ["the topmost tree, from the index", "HEAD^{tree}"],
  ])("is rebuilt: %s", async (_what, name) => {
    rmSync(fileOf(site.git("rev-parse", name).trim()));
    await (await opened()).maintain();
    expect(await repo?.findDamage()).toBeNull();
    expect(site.complaints()).toBe("");
  });

  it("is reported with the solution if it cannot be rebuilt", async () => {
    const oid = site.git("rev-parse", "HEAD:content/home.yaml").trim();
    rmSync(fileOf(oid));
    site.save("content/home.yaml", "changed by hand\n");
    await (await opened()).maintain();
    expect(await repo?.findDamage()).toMatch(new RegExp(`damaged: blob ${oid} of content/home.yaml is missing.*clone`));
  });

  it("is also searched for in packs", async () => {
    site.git("gc", "-q");
    expect(await (await opened()).findDamage()).toBeNull();
  });
});

describe("at full pace", () => {
  it.each([
    ["gc --prune=now", "git gc --quiet --prune=now"],
    ["prune", "git prune --expire=now"],
    ["repack -ad", "git repack -adq; git prune-packed -q"],
    ["all three", "git gc --quiet --prune=now & git prune --expire=now; git repack -adq; git prune-packed -q; wait"],
  ])(
    "%s in a loop: every acknowledged commit can be read",
    { timeout: SECONDS * 1000 + 120_000 },
    async (name, command) => {
      for (let n = 0; n < PAGES; n++) {
        mkdirSync(join(site.dir, "content/pages"), { recursive: true });
        writeFileSync(join(site.dir, `content/pages/p${n}.yaml`), `id: ${n}\ntitle: Page ${n}\n`);
      }
      site.git("add", "--all");
      site.git("commit", "--quiet", "--message=Pages");
      repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 10_000 });
      const script = `end=$(($(date +%s) + ${SECONDS})); n=0; while [ $(date +%s) -lt $end ]; do ${command}; n=$((n+1)); done; echo $n`;
      const child = spawn("sh", ["-c", script], { cwd: site.dir, env: GIT_ENV, stdio: ["ignore", "pipe", "ignore"] });
      let rounds = "";
      child.stdout.on("data", (chunk: Buffer) => (rounds += chunk));
      let isOver = false;
      const ended = new Promise<void>((resolve) => child.on("close", () => resolve())).finally(() => (isOver = true));
      const ids: Oid[] = [];
      for (let n = 0; !isOver; n++) {
        ids.push(
          ...(await commitStubbornly(
            repo,
            plan({ [`content/pages/p${(n * 37) % PAGES}.yaml`]: `id: ${n}\ntitle: Written ${n}\n` }),
          )),
        );
        if (n % 5 === 0) await repo.maintain();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await ended;
      await repo.maintain();
      const known = new Set(site.git("rev-list", "HEAD").split("\n"));
      expect(ids.filter((id) => !known.has(id))).toEqual([]);
      expect(site.complaints()).toBe("");
      execFileSync("git", ["rev-list", "--objects", "HEAD"], { cwd: site.dir, env: GIT_ENV, maxBuffer: 256 << 20 });
      if (process.env.PRUNE_SECONDS)
        console.log(`${name}: ${rounds.trim()} rounds, ${ids.length} acknowledged, 0 lost`);
    },
  );
});
