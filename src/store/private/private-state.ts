/**
 * Private state: JSON files outside every tree, for this machine's user alone.
 *
 * Several processes may use one file at a time (a server, and `cms user add` beside it): a change is made under a lock
 * on the newest content, and a reader notices that the file was replaced.
 */
import { randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { open, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { CmsError, setup } from "../../errors.ts";
import { gitDirOf } from "../git/layout.ts";
import { diskFs, makeDirs } from "../git/fs.ts";
import { isAlive, heartbeatAgeOf, HEARTBEAT_TIMEOUT_MS } from "../git/locks/heartbeat.ts";
import { describeOwner, parseOwner, thisOwner, type Owner } from "../git/locks/owner.ts";
import type { Repo } from "../repo.ts";

export interface PrivateFile<T> {
  /** The very same object until the file changes on disk, or what the file counts as when there is none. */
  read(): Promise<T>;
  /**
   * Replaces the content, durable when it answers; the same object back means that nothing is written.
   *
   * @param change sees the newest content; when it throws, nothing happened
   * @throws CmsError `unavailable` when another process keeps the lock, or the disk refuses
   */
  update<R>(change: (value: T) => readonly [next: T, result: R]): Promise<R>;
}

export interface PrivateFileOptions<T> {
  readonly dir: string;
  readonly name: string;
  /** What a missing file counts as. */
  readonly empty: T;
  /** Turns the file's JSON into records. What it throws must not quote the content. */
  readonly parse: (raw: unknown) => T;
  /** How long to wait for a lock. */
  readonly patienceMs?: number;
}

/**
 * The folder of the private state: `CMS_STATE_DIR`, relative to the root, or `cms` in the git directory.
 *
 * @throws CmsError `setup` where the root is not the top of a repository, in the words with which opening it is refused
 */
export function stateDirOf(root: string, environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.CMS_STATE_DIR) return resolve(root, environment.CMS_STATE_DIR);
  return join(gitDirOf(resolve(root)), "cms");
}

/**
 * Private state in the site's folder must not have been committed: whoever clones the site would have it.
 *
 * @throws CmsError `setup`
 */
export async function refuseTracked(repo: Repo): Promise<void> {
  const below = relative(repo.root, repo.stateDir).replaceAll("\\", "/");
  const { head } = await repo.state();
  if (head === null || below === "" || below.startsWith("..") || isAbsolute(below)) return;
  const [tracked] = (await repo.tree(head, [below])).keys();
  if (tracked === undefined) return;
  throw setup(
    `${tracked} is committed, but ${below} is the private state: take it out of the repository and its history, or set CMS_STATE_DIR to a folder elsewhere.`,
  );
}

export function privateFile<T>({ dir, name, empty, parse, patienceMs = 5000 }: PrivateFileOptions<T>): PrivateFile<T> {
  const path = join(dir, name);
  let known: { readonly stamp: string; readonly value: T } | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function read(): Promise<T> {
    const now = await stat(path, { bigint: true }).catch(undefinedIf("ENOENT"));
    if (!now) return empty;
    if (known?.stamp === stampOf(now)) return known.value;
    await refuseOpenFolder(dir);
    const file = await open(path).catch(undefinedIf("ENOENT"));
    if (!file) return empty;
    try {
      const stamp = stampOf(await file.stat({ bigint: true }));
      known = { stamp, value: parse(jsonOf(await file.readFile("utf8"), name)) };
      return known.value;
    } finally {
      await file.close();
    }
  }

  async function change<R>(work: (value: T) => readonly [next: T, result: R]): Promise<R> {
    try {
      await makeDirs(diskFs, dir, 0o700);
      await refuseOpenFolder(dir);
      return await withLock(dir, name, patienceMs, async (isHeld) => {
        const value = await read();
        const [next, result] = work(value);
        if (next !== value) await replace(dir, name, `${JSON.stringify(next, null, 2)}\n`, isHeld);
        return result;
      });
    } catch (cause) {
      // The system's own message names the path, which is nothing to tell over HTTP.
      if (cause instanceof Error && "syscall" in cause) {
        throw new CmsError("unavailable", `${name} cannot be written just now (${codeOf(cause)}).`, { cause });
      }
      throw cause;
    }
  }

  return {
    read,
    update(work) {
      const done = queue.then(() => change(work));
      queue = done.catch(() => undefined); // the failure is its caller's, not that of the next in line
      return done;
    },
  };
}

/** A replaced file has another inode or another moment; only replaced files are ever seen, never half-written ones. */
const stampOf = (stats: BigIntStats): string => `${stats.ino}:${stats.mtimeNs}:${stats.size}`;

/** The parser's own message quotes the text, which must stay private. */
function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw setup(
      `${name} in the private state is not valid JSON: bring it back from a backup, or remove it to start anew.`,
    );
  }
}

/** Setting the mode ourselves would be wrong where CMS_STATE_DIR names a folder that others need. */
async function refuseOpenFolder(dir: string): Promise<void> {
  if (process.platform === "win32") return; // its access lists do not show in the mode
  const { mode } = await stat(dir);
  if (mode & 0o077) throw setup(`${dir} is open to other users of this machine: run \`chmod 700\` on it.`);
}

async function replace(dir: string, name: string, text: string, isHeld: () => Promise<boolean>): Promise<void> {
  const draft = join(dir, `${name}.new`); // one name is enough under the lock, and a crash leaves at most one
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  // A process that stood still may have been taken for ended, and what another wrote meanwhile must not be undone.
  if (!(await isHeld()))
    throw new CmsError("unavailable", `${name} was changed by another process meanwhile. Try again.`, {
      retryAfter: 1,
    });
  await rename(draft, join(dir, name));
  await syncFolder(dir);
}

async function syncFolder(dir: string): Promise<void> {
  if (process.platform === "win32") return; // folders cannot be opened there
  const folder = await open(dir);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A lock taken once: the same process may take another one later. */
interface Holder extends Owner {
  readonly lock: string;
}

/** @param work may ask whether the lock is still held */
async function withLock<R>(
  dir: string,
  name: string,
  patienceMs: number,
  work: (isHeld: () => Promise<boolean>) => Promise<R>,
): Promise<R> {
  const path = join(dir, `${name}.lock`);
  const deadline = performance.now() + patienceMs;
  const mine: Holder = { ...thisOwner(dir), lock: randomUUID() };
  const isHeld = async (): Promise<boolean> => (await holderOf(path))?.lock === mine.lock;
  while (!(await takeLock(path, mine))) {
    const holder = await holderOf(path);
    if (!(await isInUse(dir, path, holder)) && (await breakLock(dir, path, holder))) continue;
    if (performance.now() >= deadline) {
      const who = holder ? describeOwner(holder) : "another process";
      throw new CmsError("unavailable", `${name} is being changed by ${who}. If there is none, remove ${name}.lock.`, {
        retryAfter: 1,
      });
    }
    await setTimeout(5 + Math.random() * 20);
  }
  try {
    return await work(isHeld);
  } finally {
    // It may have been removed by hand, and another process may hold it now.
    if (await isHeld()) await unlink(path);
  }
}

async function takeLock(path: string, holder: Holder): Promise<boolean> {
  const file = await open(path, "wx", 0o600).catch(undefinedIf("EEXIST"));
  if (!file) return false;
  try {
    await file.writeFile(JSON.stringify(holder));
    return true;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** A lock is held for some milliseconds. One that names no process is being made, or its maker ended in that instant. */
async function isInUse(dir: string, path: string, holder: Holder | undefined): Promise<boolean> {
  return holder ? isAlive(diskFs, holder, path, dir) : (await heartbeatAgeOf(diskFs, path, dir)) < HEARTBEAT_TIMEOUT_MS;
}

/**
 * Removes a lock whose holder is gone; false when another process is at it.
 *
 * Of all who saw the same dead holder only the one that makes the marker may remove the lock. It looks again after
 * that, since an earlier one may have removed it, and the lock there now may be alive.
 */
async function breakLock(dir: string, path: string, dead: Holder | undefined): Promise<boolean> {
  const marker = `${path}.${dead?.lock ?? "unnamed"}.broken`;
  const file = await open(marker, "wx", 0o600).catch(undefinedIf("EEXIST"));
  if (!file) {
    // Its maker ended in the middle.
    if ((await heartbeatAgeOf(diskFs, marker, dir)) >= HEARTBEAT_TIMEOUT_MS) await rm(marker, { force: true });
    return false;
  }
  try {
    const holder = await holderOf(path);
    if (holder?.lock === dead?.lock && !(await isInUse(dir, path, holder))) await rm(path, { force: true });
    return true;
  } finally {
    await file.close();
    await rm(marker, { force: true });
  }
}

/** Undefined when there is no lock, or it does not say whose it is: then waiting is the safe answer. */
async function holderOf(path: string): Promise<Holder | undefined> {
  const text = (await readFile(path, "utf8").catch(undefinedIf("ENOENT"))) ?? "";
  const owner = parseOwner(text);
  const lock = owner && (JSON.parse(text) as { lock?: unknown }).lock;
  return owner && typeof lock === "string" && /^[0-9a-f-]{36}$/.test(lock) ? { ...owner, lock } : undefined;
}

const undefinedIf =
  (code: string) =>
  (error: unknown): undefined => {
    if (codeOf(error) !== code) throw error;
  };

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
