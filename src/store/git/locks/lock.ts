/**
 * Git's own lock files, such as `index.lock` and `refs/heads/<branch>.lock`, which git and this service both respect.
 *
 * A lock of ours is a hard link to this process's owner file (scratch.ts), so it is never seen without its owner: after
 * a crash it can be recognised as ours. A lock that does not name an ended process of ours is never removed.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { unavailable, type CmsError } from "../../../errors.ts";
import { codeOf, isHardLinkRefused, makeDirs, parentOf, statOf, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { isAlive } from "./heartbeat.ts";
import { describeOwner, isThisProcess, parseOwner, type Owner } from "./owner.ts";
import type { Scratch } from "./scratch.ts";

export interface Lock {
  /** Never throws: a lock that cannot be removed is left to `retryReleases`, and after that to the next start. */
  release(): Promise<void>;
  /** False if a person or another process has removed it. */
  isHeld(): Promise<boolean>;
  /** Takes the lock again if it was removed. @throws as `take` */
  reacquire(): Promise<void>;
}

export interface Locks {
  /**
   * Waits for the lock, at most for the configured time.
   *
   * @throws CmsError `unavailable` naming the holder and the age of the lock
   */
  take(path: string): Promise<Lock>;
  /**
   * Lends a lock that is held to all who take it, one at a time: they may release it, and it stays held.
   *
   * @returns the way to end that; a lock that is lent out then is released by its borrower
   */
  lend(path: string, lock: Lock): () => void;
  /** Removes the locks whose release failed. */
  retryReleases(): Promise<void>;
}

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

const inodeOf = async (fs: Fs, path: string): Promise<bigint | undefined> => (await fs.lstat(path))?.ino;

/** @param waitMs how long to wait for a lock that is held */
export function openLocks(fs: Fs, scratch: Scratch, waitMs: number): Locks {
  /** Inodes of the locks whose release failed. */
  const unreleased = new Map<string, bigint>();
  const held = new Set<string>();
  const lent = new Map<string, Lock>();

  async function tryTake(path: string): Promise<bigint | undefined> {
    const { ownerFile, ino } = await scratch.folder();
    if (held.has(path) && (await inodeOf(fs, path)) === ino) return undefined;
    try {
      return await createLockFile(fs, ownerFile, ino, path, 0o666);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      // A branch `a/b` has no folder when its ref is packed.
      await makeDirs(fs, parentOf(path), 0o777);
      return createLockFile(fs, ownerFile, ino, path, 0o666);
    }
  }

  async function tryRelease(path: string, ino: bigint): Promise<void> {
    try {
      // After a person has removed the lock, another process may hold it.
      if ((await inodeOf(fs, path)) === ino) await unlessMissing(fs.unlink(path));
      unreleased.delete(path);
    } catch {
      unreleased.set(path, ino);
    }
  }

  async function waitFor(path: string): Promise<bigint> {
    const deadline = performance.now() + waitMs;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      const ino = await tryTake(path);
      if (ino !== undefined) {
        unreleased.delete(path);
        held.add(path);
        return ino;
      }
      if (performance.now() >= deadline) throw await lockedError(fs, path);
      await pause(ms * (0.5 + Math.random()));
    }
  }

  return {
    async take(path) {
      const borrowed = lent.get(path);
      if (borrowed) return borrowed;
      let ino = await waitFor(path);
      let unpin = scratch.pin();
      const isHeld = async (): Promise<boolean> => (await inodeOf(fs, path)) === ino;
      return {
        isHeld,
        async release() {
          unpin();
          held.delete(path);
          await tryRelease(path, ino);
        },
        async reacquire() {
          unpin();
          if (await isHeld()) {
            // The scratch folder alone may have been removed; the unfinished work can continue in a new one.
            await scratch.folder();
          } else {
            held.delete(path);
            ino = await waitFor(path);
          }
          unpin = scratch.pin();
        },
      };
    },
    lend(path, lock) {
      const release = async (): Promise<void> => (lent.has(path) ? undefined : lock.release());
      lent.set(path, { ...lock, release });
      return () => void lent.delete(path);
    },
    async retryReleases() {
      for (const [path, ino] of [...unreleased]) await tryRelease(path, ino);
    },
  };
}

/**
 * Creates a lock as a hard link to an owner file, or as a copy where the file system has no hard links. A copy may be
 * seen empty for a moment, and then names no owner.
 *
 * @returns the inode of the lock; undefined if it is held
 */
export async function createLockFile(
  fs: Fs,
  ownerFile: string,
  ino: bigint,
  path: string,
  mode: number,
): Promise<bigint | undefined> {
  try {
    await fs.link(ownerFile, path);
    return ino;
  } catch (error) {
    // The call may fail after it took effect, and a release may have failed: a link to our owner file is our lock.
    if ((await inodeOf(fs, path)) === ino) return ino;
    if (codeOf(error) === "EEXIST") return undefined;
    if (!isHardLinkRefused(error)) throw error;
  }
  try {
    return (await writeDurably(fs, path, await fs.readFile(ownerFile), mode)).ino;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
}

/**
 * Removes a lock that an ended process of ours left behind.
 *
 * @param temporary a free name on the same file system
 * @param dir the folder that the lock protects
 * @returns whether there was one
 */
export async function removeStaleLock(fs: Fs, path: string, temporary: string, dir: string): Promise<boolean> {
  const before = await inodeOf(fs, path);
  const owner = await ownerOf(fs, path);
  if (before === undefined || !owner || (await isAlive(fs, owner, path, dir))) return false;
  // Another process may have replaced the stale lock by its own meanwhile, so it is moved first and then checked.
  const isMoved = await unlessMissing(fs.rename(path, temporary).then(() => true));
  if (!isMoved) return false;
  const isStale = (await statOf(fs, temporary)).ino === before;
  if (!isStale) await fs.link(temporary, path);
  await fs.unlink(temporary);
  return isStale;
}

/** Longer files are git's: it writes the new index into `index.lock`. */
const OWNER_MAX_BYTES = 1000;

/** The owner that a lock of ours names; undefined for any other lock. */
export async function ownerOf(fs: Fs, path: string): Promise<Owner | undefined> {
  const bytes = await unlessMissing(fs.readFile(path));
  return bytes && bytes.length < OWNER_MAX_BYTES ? parseOwner(bytes.toString()) : undefined;
}

async function lockedError(fs: Fs, path: string): Promise<CmsError> {
  const stat = await fs.lstat(path);
  const owner = await ownerOf(fs, path);
  const age = stat ? Math.max(0, Math.round((Date.now() - Number(stat.mtimeMs)) / 1000)) : 0;
  const name = path.slice(path.lastIndexOf("/.git/") + 1);
  return unavailable(
    `${name} has been held for ${age} s ${holderOf(owner)}. Try again; if no git command is running, remove the file.`,
    "write",
  );
}

function holderOf(owner: Owner | undefined): string {
  if (!owner) return "by git, or left by one that crashed";
  return isThisProcess(owner) ? "by this process" : `by git-cms, ${describeOwner(owner)}`;
}
