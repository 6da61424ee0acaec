/** Several processes on one site: readers change nothing, writers survive interference, a server waits for the disk. */
import { existsSync, linkSync, lstatSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskFs, type Fs } from "../../../src/store/git/fs.ts";
import { HEARTBEAT_TIMEOUT_MS } from "../../../src/store/git/locks/heartbeat.ts";
import { openGitRepo, type GitRepoOptions } from "../../../src/store/git/repo.ts";
import { thisOwner } from "../../../src/store/git/locks/owner.ts";
import { takeServerLock } from "../../../src/store/git/locks/server-lock.ts";
import type { Repo } from "../../../src/store/repo.ts";
import { bury, faultyFs } from "./faulty-fs.ts";
import { gitSite, quietEnv, type GitSite } from "./git-site.ts";
import { commit } from "./repo-contract.ts";

const HOME = "content/home.yaml";

let site: GitSite;
let gitDir: string;
let run: string;
const repos: Repo[] = [];
beforeEach(() => {
  site = gitSite({ [HOME]: "n: 0\n" });
  gitDir = join(site.dir, ".git");
  run = join(gitDir, "cms/run");
});
afterEach(async () => {
  for (const repo of repos.splice(0)) await repo.close();
  site.remove();
});

async function open(options: GitRepoOptions = {}): Promise<Repo> {
  const repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 30, ...options });
  repos.push(repo);
  return repo;
}

const textOf = async (repo: Repo): Promise<string> => Buffer.from((await repo.read(HOME))!.bytes).toString();

/** A file system that acts after some of its renames and links. */
const after = (act: (to: string) => void, fs: Fs = diskFs): Fs => ({
  ...fs,
  async rename(from, to) {
    await fs.rename(from, to);
    act(to);
  },
  async link(from, to) {
    await fs.link(from, to);
    act(to);
  },
});

/** A commit whose process ends once the branch has moved: its files and the index are not written, its locks are left. */
async function dieAfterRef(text: string): Promise<void> {
  const faulty = faultyFs();
  const repo = await openGitRepo(site.dir, {
    env: quietEnv(),
    fs: after(
      (to) => to.endsWith("refs/heads/main") && faulty.failAt(1, { kind: "killed", when: "before" }),
      faulty.fs,
    ),
  });
  await commit(repo, { [HOME]: text }).catch(() => undefined);
  await faulty.closeAll();
  bury(gitDir);
}

/** Everything below a folder, with what tells one state of it from another. */
const stateOf = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${lstatSync(path).ino} ${lstatSync(path).mtimeMs}`)
    .toSorted();

describe("a repository opened for reading", () => {
  it("does not recover what a dead process left, and reads the files", async () => {
    await dieAfterRef("n: 1\n");
    const before = stateOf(gitDir);
    expect(before.filter((line) => line.includes("index.lock"))).toHaveLength(1);
    const reader = await open({ use: "read" });
    expect(await textOf(reader)).toBe("n: 0\n");
    expect(await reader.state()).toEqual({ branch: "main", head: site.git("rev-parse", "HEAD").trim(), blocked: null });
    await reader.close();
    expect(stateOf(gitDir)).toEqual(before);
    expect(await textOf(await open())).toBe("n: 1\n");
  });

  it("does not touch the files of a process it cannot see", async () => {
    const writer = await open();
    await commit(writer, { [HOME]: "n: 1\n" });
    const [name = ""] = readdirSync(run);
    writeFileSync(join(run, name, "owner"), JSON.stringify({ ...thisOwner(gitDir), pid: 2 ** 22 + 1, ns: "pid:[1]" }));
    for (const use of ["read", "write", "serve"] as const) await (await open({ use })).close();
    expect(readdirSync(run)).toContain(name);
  });

  it("works on a disk that cannot be written", async () => {
    const faulty = faultyFs();
    faulty.failAt(1, { kind: "error", code: "EROFS", lasts: true });
    const reader = await open({ use: "read", fs: faulty.fs });
    expect(await textOf(reader)).toBe("n: 0\n");
    expect([...(await reader.files(["content"])).keys()]).toEqual([HOME]);
    await reader.close();
    expect(existsSync(run)).toBe(false);
  });
});

describe("a scratch folder that is removed under a running process", () => {
  it("is created again, with a journal for recovery", async () => {
    const writer = await open();
    await commit(writer, { [HOME]: "n: 1\n" });
    rmSync(run, { recursive: true });
    await commit(writer, { [HOME]: "n: 2\n" });
    const faulty = faultyFs();
    const doomed = await openGitRepo(site.dir, {
      env: quietEnv(),
      fs: after(
        (to) => to.endsWith("refs/heads/main") && isLast && faulty.failAt(1, { kind: "killed", when: "before" }),
        faulty.fs,
      ),
    });
    let isLast = false;
    await commit(doomed, { [HOME]: "n: 3\n" });
    rmSync(run, { recursive: true });
    isLast = true;
    await commit(doomed, { [HOME]: "n: 4\n" }).catch(() => undefined);
    await faulty.closeAll();
    bury(gitDir);
    expect(await textOf(await open())).toBe("n: 4\n");
    expect(site.complaints()).toBe("");
  });

  it.each([
    ["index.lock is taken", "index.lock"],
    ["the branch's lock is taken", "main.lock"],
    ["the branch has moved", "heads/main"],
  ])("once %s: the write fails or is finished, and the next one goes through", async (_when, name) => {
    let isArmed = true;
    const writer = await open({
      fs: after((to) => {
        if (!isArmed || !to.endsWith(name)) return;
        isArmed = false;
        rmSync(run, { recursive: true });
      }),
    });
    const first = await commit(writer, { [HOME]: "n: 1\n" }).then(
      () => "made",
      (error: unknown) => error,
    );
    if (first !== "made") expect(first).toMatchObject({ code: "unavailable" });
    expect(isArmed).toBe(false);
    await commit(writer, { [HOME]: "n: 2\n" });
    expect(await textOf(writer)).toBe("n: 2\n");
    expect(site.complaints()).toBe("");
  });
});

describe("a lock", () => {
  it("is taken and released although the file system reports an error", async () => {
    const faulty = faultyFs();
    let links = 0;
    const fs: Fs = {
      ...faulty.fs,
      async link(from, to) {
        await faulty.fs.link(from, to);
        if (!to.endsWith(".lock")) return;
        links++;
        throw Object.assign(new Error("EIO: injected"), { code: "EIO" });
      },
    };
    const writer = await open({ fs });
    for (let n = 1; n <= 3; n++) await commit(writer, { [HOME]: `n: ${n}\n` });
    expect(links).toBe(9); // index, HEAD and the branch, three times
    expect(readdirSync(gitDir)).not.toContain("index.lock");
    expect(site.complaints()).toBe("");
  });
});

describe("a server", () => {
  it.each(["ENOSPC", "EROFS", "EIO"])(
    "starts with a recovery pending on a disk that says %s, and finishes it when the disk allows",
    async (code) => {
      await dieAfterRef("n: 1\n");
      const faulty = faultyFs();
      faulty.failAt(1, { kind: "error", code, lasts: true });
      const lines: string[] = [];
      const env = {
        ...quietEnv(),
        log: {
          info: (line: string) => void lines.push(line),
          warn() {},
          error: (line: string) => void lines.push(line),
        },
      };
      const server = await open({ use: "serve", fs: faulty.fs, env });
      expect(await textOf(server)).toBe("n: 0\n");
      await server.recover();
      const { blocked } = await server.state();
      expect(blocked).toMatch(/^The disk .*, and nothing can be written\.$/);
      expect(blocked).not.toContain("/");
      expect(lines).toHaveLength(1);
      faulty.heal();
      await server.recover();
      expect((await server.state()).blocked).toBeNull();
      expect(lines.slice(1)).toEqual([
        expect.stringMatching(/^After an unclean end: .*finished commit/),
        "The repository can be written again.",
      ]);
      expect(await textOf(server)).toBe("n: 1\n");
      await commit(server, { [HOME]: "n: 2\n" });
      expect(site.complaints()).toBe("");
      await server.close();
      repos.pop();
      expect(readdirSync(join(gitDir, "cms"))).not.toContain("server.lock");
    },
  );

  it("survives an error at any call of its start", { timeout: 60_000 }, async () => {
    let round = 0;
    for (let hasFailed = true; hasFailed;) {
      round++;
      await dieAfterRef(`n: ${round}\n`);
      const faulty = faultyFs();
      faulty.failAt(round, { kind: "error", code: "EIO", lasts: false, done: round % 2 === 0 });
      const server = await open({ use: "serve", fs: faulty.fs });
      hasFailed = faulty.calls() >= round;
      await server.recover();
      expect([round, (await server.state()).blocked, await textOf(server)]).toEqual([round, null, `n: ${round}\n`]);
      await server.close();
      repos.pop();
    }
    expect(round).toBeGreaterThan(10);
    expect(site.complaints()).toBe("");
  });

  it("finishes the batch of a command that was killed beside it", async () => {
    const server = await open({ use: "serve" });
    await dieAfterRef("n: 1\n");
    await server.recover();
    expect(await textOf(server)).toBe("n: 1\n");
    await commit(server, { [HOME]: "n: 2\n" });
    expect(site.complaints()).toBe("");
  });

  it("refuses writes once another has its lock", async () => {
    const server = await open({ use: "serve" });
    const lock = join(gitDir, "cms/server.lock");
    rmSync(lock);
    linkSync(join(gitDir, "HEAD"), lock);
    await server.recover();
    expect((await server.state()).blocked).toMatch(/another server has taken it/);
    await server.close();
    repos.pop();
    expect(existsSync(lock)).toBe(true);
  });
});

describe("the server lock of a process elsewhere", () => {
  let stateDir: string;
  let path: string;
  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), "cms-state-"));
    path = join(stateDir, "server.lock");
    writeFileSync(path, JSON.stringify({ ...thisOwner(stateDir), ns: "pid:[1]", host: "web-1" }));
  });
  afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

  const lines: string[] = [];
  const log = { info: (line: string) => void lines.push(line), warn() {}, error() {} };

  it("is waited for, and taken if there is no heartbeat", async () => {
    lines.length = 0;
    let waits = 0;
    const lock = await takeServerLock(stateDir, {
      log,
      async pause() {
        // The time of the lock is what it was: only the clock goes on.
        const at = (Date.now() - (HEARTBEAT_TIMEOUT_MS * ++waits) / 3) / 1000;
        if (waits === 3) utimesSync(path, at, at - 1);
      },
    });
    expect(waits).toBe(3);
    expect(lines).toEqual([
      expect.stringMatching(
        /^The server lock names process \d+ on host web-1: if it is not refreshed within (29|30) s, this server takes over\.$/,
      ),
    ]);
    await lock.check();
    await lock.release();
    expect(readdirSync(stateDir)).toEqual([]);
  });

  it("is not taken after the first heartbeat", async () => {
    const taking = takeServerLock(stateDir, { pause: () => diskFs.refresh(path) });
    await expect(taking).rejects.toMatchObject({
      code: "setup",
      message: expect.stringMatching(/^Process \d+ on host web-1 serves this site already/),
    });
    expect(readdirSync(stateDir)).toEqual(["server.lock"]);
  });

  it("is taken when it is released while waiting", async () => {
    const lock = await takeServerLock(stateDir, { pause: async () => rmSync(path) });
    await lock.release();
  });

  it("is taken although the file system reports an error", async () => {
    rmSync(path);
    const faulty = faultyFs();
    const fs: Fs = {
      ...faulty.fs,
      async link(from, to) {
        await faulty.fs.link(from, to);
        throw Object.assign(new Error("EIO: injected"), { code: "EIO" });
      },
    };
    const lock = await takeServerLock(stateDir, { fs });
    await lock.check();
    await lock.release();
    expect(readdirSync(stateDir)).toEqual([]);
  });
});
