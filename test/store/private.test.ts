import { execFile, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CmsError } from "../../src/errors.ts";
import { privateFile, type PrivateFile } from "../../src/store/private/private-file.ts";
import { stateDirOf } from "../../src/store/private/private-state.ts";
import { HEARTBEAT_TIMEOUT_MS } from "../../src/store/git/locks/heartbeat.ts";
import { thisOwner } from "../../src/store/git/locks/owner.ts";

interface Counter {
  readonly count: number;
}

let root: string;
let dir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cms-private-"));
  dir = join(root, "state");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Each is what one process would have: its own queue and memory. */
const counter = (lockTimeoutMs?: number): PrivateFile<Counter> =>
  privateFile<Counter>({
    dir,
    name: "counter.json",
    empty: { count: 0 },
    parse: (raw) => raw as Counter,
    lockTimeoutMs,
  });

const increment = (file: PrivateFile<Counter>): Promise<number> =>
  file.update(({ count }) => [{ count: count + 1 }, count + 1]);

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("privateFile", () => {
  it("counts as empty until it is written, and makes nothing by being read", async () => {
    expect(await counter().read()).toEqual({ count: 0 });
    expect(existsSync(dir)).toBe(false);
  });

  it("is for its owner alone", async () => {
    await increment(counter());
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, "counter.json")).mode & 0o777).toBe(0o600);
  });

  it("leaves nothing but itself behind", async () => {
    await increment(counter());
    await increment(counter());
    expect(readdirSync(dir)).toEqual(["counter.json"]);
  });

  it("sees what another process wrote", async () => {
    const [server, command] = [counter(), counter()];
    await increment(server);
    expect(await server.read()).toEqual({ count: 1 });
    await increment(command);
    expect(await server.read()).toEqual({ count: 2 });
  });

  it("gives the very same object until the file changes", async () => {
    const file = counter();
    await increment(file);
    const first = await file.read();
    expect(await file.read()).toBe(first);
    await increment(file);
    expect(await file.read()).not.toBe(first);
  });

  it("writes nothing when nothing changed", async () => {
    const file = counter();
    await increment(file);
    const before = statSync(join(dir, "counter.json"), { bigint: true });
    expect(await file.update((value) => [value, "seen"])).toBe("seen");
    expect(statSync(join(dir, "counter.json"), { bigint: true }).ino).toBe(before.ino);
  });

  it("keeps the content, and lets go of the lock, when the change throws", async () => {
    const file = counter();
    await increment(file);
    const failure = await failureOf(
      file.update(() => {
        throw new Error("no");
      }),
    );
    expect(failure).toEqual(new Error("no"));
    expect(await increment(file)).toBe(2);
  });

  it("loses no change of several at once", async () => {
    const files = [counter(), counter(), counter()];
    await Promise.all(Array.from({ length: 30 }, (_, i) => increment(files[i % 3]!)));
    expect(await counter().read()).toEqual({ count: 30 });
  });

  it("loses no change of two processes", async () => {
    const program = `
      const { createJiti } = await import("jiti");
      const { privateFile } = await createJiti(process.cwd() + "/", { fsCache: false }).import("./src/store/private/private-file.ts");
      const file = privateFile({ dir: process.argv[1], name: "counter.json", empty: { count: 0 }, parse: (raw) => raw });
      for (let i = 0; i < 20; i++) await file.update(({ count }) => [{ count: count + 1 }, undefined]);`;
    const start = (): Promise<unknown> =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, dir]);
    await Promise.all([start(), start()]);
    expect(await counter().read()).toEqual({ count: 40 });
    expect(readdirSync(dir)).toEqual(["counter.json"]);
  });

  describe("finding a lock", () => {
    const lock = "0b6c6e0a-8a5e-4a52-9a55-5f4f6a1f3c11";
    const path = (): string => join(dir, "counter.json.lock");
    /** @param text the owner's note names the folder, which is there by then */
    const leave = (text: () => string, ageMs = 0): void => {
      mkdirSync(dir, { mode: 0o700 });
      writeFileSync(path(), text());
      const moment = new Date(Date.now() - ageMs);
      utimesSync(path(), moment, moment);
    };
    const elsewhere = () => ({ ...thisOwner(dir), ns: "pid:[1]", lock });

    it("takes it away when its holder is gone", async () => {
      const { pid } = spawnSync(process.execPath, ["-e", ""]);
      leave(() => JSON.stringify({ ...thisOwner(dir), pid, lock }));
      expect(await Promise.all([increment(counter()), increment(counter())])).toEqual(expect.arrayContaining([1, 2]));
      expect(readdirSync(dir)).toEqual(["counter.json"]);
    });

    it("takes it away when its holder was an earlier process of the same number", async () => {
      leave(() => JSON.stringify({ ...thisOwner(dir), start: "1", lock }));
      expect(await increment(counter())).toBe(1);
    });

    it.each([
      ["by a process that runs", () => JSON.stringify({ ...thisOwner(dir), lock }), `process ${process.pid}`],
      ["by nobody knows whom", () => "", "another process"],
    ])("gives up in the end when it is held %s", async (_by, text, who) => {
      leave(text);
      const failure = await failureOf(increment(counter(0)));
      expect(failure).toMatchObject({ code: "unavailable", retryAfter: 1, message: expect.stringContaining(who) });
      expect(existsSync(path())).toBe(true);
    });

    it.each([
      ["in another container, that was held a moment ago", 0, false],
      ["in another container, that gave no sign of life for long", HEARTBEAT_TIMEOUT_MS + 1_000, true],
    ])("of a process %s", async (_which, ageMs, isTaken) => {
      leave(() => JSON.stringify(elsewhere()), ageMs);
      const failure = await failureOf(increment(counter(100)));
      if (isTaken) expect(failure).toBeUndefined();
      else
        expect(failure).toMatchObject({
          code: "unavailable",
          message: expect.stringContaining(`process ${process.pid} of another container`),
        });
    });

    it("takes it away when it came with a copy of the folder", async () => {
      leave(() => JSON.stringify({ ...thisOwner(dir), place: { path: "/srv/original", ino: "1" }, lock }));
      expect(await increment(counter())).toBe(1);
    });

    it("takes away one whose maker ended before it was written, and a marker of one that ended while it did so", async () => {
      leave(() => "", HEARTBEAT_TIMEOUT_MS + 1_000);
      writeFileSync(`${path()}.unnamed.broken`, "");
      const long = new Date(Date.now() - HEARTBEAT_TIMEOUT_MS - 1_000);
      utimesSync(`${path()}.unnamed.broken`, long, long);
      expect(await increment(counter())).toBe(1);
      expect(readdirSync(dir)).toEqual(["counter.json"]);
    });

    it("lets one that is being taken away by another be", async () => {
      leave(() => JSON.stringify({ ...thisOwner(dir), start: "1", lock }));
      writeFileSync(`${path()}.${lock}.broken`, "");
      expect(await failureOf(increment(counter(0)))).toMatchObject({ code: "unavailable" });
    });
  });

  it("refuses a folder that others can look into", async () => {
    mkdirSync(dir);
    chmodSync(dir, 0o750);
    expect(await failureOf(increment(counter()))).toMatchObject({
      code: "setup",
      message: expect.stringContaining("chmod 700"),
    });
  });

  it("does not quote a file it cannot read", async () => {
    await increment(counter());
    writeFileSync(join(dir, "counter.json"), "{ scrypt$65536$secret");
    const failure = await failureOf(counter().read());
    expect(failure).toMatchObject({ code: "setup", cause: undefined });
    expect((failure as CmsError).message).not.toContain("scrypt");
  });

  it("does not name the path when the disk refuses", async () => {
    await increment(counter());
    mkdirSync(join(dir, "counter.json.new"));
    const failure = await failureOf(increment(counter()));
    expect(failure).toMatchObject({ code: "unavailable" });
    expect((failure as CmsError).message).not.toContain(root);
    expect(JSON.parse(readFileSync(join(dir, "counter.json"), "utf8"))).toEqual({ count: 1 });
  });
});

describe("stateDirOf", () => {
  it("is in the git directory of the root", () => {
    mkdirSync(join(root, ".git"));
    expect(stateDirOf(root, {})).toBe(join(root, ".git", "cms"));
  });

  it("is never in the repository of a folder above", () => {
    mkdirSync(join(root, ".git"));
    mkdirSync(join(root, "sites", "one"), { recursive: true });
    expect(() => stateDirOf(join(root, "sites", "one"), {})).toThrow(
      /is a folder of the repository .*git init.*git subtree split.*top/,
    );
  });

  it("is CMS_STATE_DIR when that is set", () => {
    expect(stateDirOf(root, { CMS_STATE_DIR: "/srv/state" })).toBe("/srv/state");
    expect(stateDirOf(root, { CMS_STATE_DIR: "../state" })).toBe(join(root, "..", "state"));
  });

  it("is nowhere outside of a repository, or where .git is a file", () => {
    mkdirSync(join(root, ".git"));
    mkdirSync(join(root, "worktree"));
    writeFileSync(join(root, "worktree", ".git"), "gitdir: elsewhere\n");
    expect(() => stateDirOf(join(root, "worktree"), {})).toThrow(/is a linked worktree/);
  });
});
