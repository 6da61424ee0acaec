/** Git commands and a second process of the service working in the same repository at the same time. */
import { spawn } from "node:child_process";
import { linkSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { thisOwner } from "../../../src/store/git/locks/owner.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { takeServerLock } from "../../../src/store/git/locks/server-lock.ts";
import type { Oid, Repo } from "../../../src/store/repo.ts";
import { bury } from "./faulty-fs.ts";
import { GIT_ENV, gitSite, quietEnv, type GitSite } from "./git-site.ts";
import { commitStubbornly, logOf, plan } from "./repo-contract.ts";

let site: GitSite;
let repo: Repo;
beforeEach(async () => {
  site = gitSite({ "content/home.yaml": "title: Home\n", "notes.txt": "0\n" });
  repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 10_000 });
});
afterEach(async () => {
  await repo.close();
  site.remove();
});

/** Runs a shell script in the site. @returns the lines it printed */
function shell(script: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", script], { cwd: site.dir, env: GIT_ENV, stdio: ["ignore", "pipe", "ignore"] });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => (printed += chunk));
    child.on("error", reject);
    child.on("close", () => resolve(printed.split("\n").filter(Boolean)));
  });
}

/** Commits until the other work has ended. @returns the ids */
async function writeDuring<T>(other: Promise<T>, to: Repo = repo): Promise<{ ids: Oid[]; result: T }> {
  const ids: Oid[] = [];
  let isOver = false;
  const ended = other.finally(() => (isOver = true));
  for (let n = 0; !isOver; n++) {
    ids.push(
      ...(await commitStubbornly(
        to,
        plan({ "content/home.yaml": `n: ${n}\n`, [`content/n/${n % 7}.yaml`]: `n: ${n}\n` }),
      )),
    );
    // A person's git gives up at once when it finds the lock held: it must find it free at times.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { ids, result: await ended };
}

async function expectReachable(ids: readonly Oid[]): Promise<void> {
  const reachable = new Set((await logOf(repo, (await repo.state()).head!)).map(({ id }) => id));
  expect(ids.filter((id) => !reachable.has(id))).toEqual([]);
}

it("loses no commit, neither a person's nor its own", { timeout: 30_000 }, async () => {
  const { ids, result } = await writeDuring(
    shell(
      'for i in $(seq 40); do echo $i > notes.txt; git commit -qm "Hand $i" notes.txt && echo "Hand $i"; done; true',
    ),
  );
  await expectReachable(ids);
  const subjects = new Set(site.git("log", "--format=%s").split("\n"));
  expect(result.filter((subject) => !subjects.has(subject))).toEqual([]);
  expect(Math.min(result.length, ids.length)).toBeGreaterThan(0);
  expect(site.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
  expect(site.git("status", "--porcelain", "content")).toBe("");
});

it.each([
  ["pack-refs", "git pack-refs --all --prune"],
  ["repack", "git repack -adq"],
  ["gc", "git gc -q"],
])("works while git runs %s repeatedly", { timeout: 30_000 }, async (_name, command) => {
  const { ids } = await writeDuring(shell(`for i in $(seq 12); do ${command}; done`));
  expect(ids.length).toBeGreaterThan(0);
  await expectReachable(ids);
  expect(site.complaints()).toBe("");
});

it("shares the repository with another process of ours", { timeout: 30_000 }, async () => {
  const other = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 10_000 });
  const theirs = (async () => {
    const ids: Oid[] = [];
    for (let n = 0; n < 25; n++)
      ids.push(...(await commitStubbornly(other, plan({ "content/home.yaml": `theirs: ${n}\n` }))));
    return ids;
  })();
  const { ids, result } = await writeDuring(theirs);
  await other.close();
  await expectReachable([...ids, ...result]);
  expect(site.complaints()).toBe("");
});

it("does not recover the batch of a running process", async () => {
  await commitStubbornly(repo, plan({ "content/home.yaml": "title: Start\n" }));
  const other = await openGitRepo(site.dir, { env: quietEnv() });
  await other.close();
  await commitStubbornly(repo, plan({ "content/home.yaml": "title: Again\n" }));
  expect(site.complaints()).toBe("");
});

it("logs one line about the recovery after a crash, and nothing at the next start", async () => {
  const lines: string[] = [];
  const env = { ...quietEnv(), log: { info: (line: string) => void lines.push(line), warn() {}, error() {} } };
  await commitStubbornly(repo, plan({ "content/home.yaml": "title: Start\n" }));
  site.git("update-ref", "refs/heads/other", "HEAD");
  const run = join(site.dir, ".git/cms/run");
  linkSync(join(run, readdirSync(run)[0]!, "owner"), join(site.dir, ".git/index.lock"));
  bury(join(site.dir, ".git"));
  for (let i = 0; i < 2; i++) await (await openGitRepo(site.dir, { env })).close();
  expect(lines).toEqual(["After an unclean end: removed index.lock."]);
});

describe("takeServerLock", () => {
  let stateDir: string;
  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), "cms-state-"));
  });
  afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

  it("is held by one at a time, and names the holder", async () => {
    const lock = await takeServerLock(stateDir);
    await expect(takeServerLock(stateDir)).rejects.toMatchObject({
      code: "setup",
      message: expect.stringContaining(String(process.pid)),
    });
    await lock.release();
    await (await takeServerLock(stateDir)).release();
  });

  it.each([
    ["a process that has ended", { pid: 2 ** 22 + 1, start: "1", boot: null }],
    ["an earlier process of the same number", { pid: process.pid, start: "1" }],
    ["an earlier start of the machine", { boot: "earlier" }],
  ])("is taken from %s", async (_who, holder) => {
    writeFileSync(join(stateDir, "server.lock"), JSON.stringify({ ...thisOwner(stateDir), ...holder }));
    await (await takeServerLock(stateDir)).release();
  });

  it("is not taken if the file names no process", async () => {
    writeFileSync(join(stateDir, "server.lock"), "");
    await expect(takeServerLock(stateDir)).rejects.toMatchObject({ code: "setup" });
  });
});
