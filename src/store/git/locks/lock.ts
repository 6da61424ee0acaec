/**
 * Git's own lock files, `index.lock` and `refs/heads/<branch>.lock`: while one exists, git and we keep out.
 *
 * Ours is a link to a note that names its owner, so it comes into being whole: after a crash it is known as ours.
 * A lock that does not name a dead process of ours is never removed.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { CmsError } from "../../../errors.ts";
import { codeOf, makeDirs, removeIfExists, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { isAlive } from "./heartbeat.ts";
import { isThisProcess, describeOwner, parseOwner, type Owner } from "./owner.ts";
import type { Scratch, ScratchFolder } from "./scratch.ts";

export interface Lock {
  /** Never throws: a lock that could not be removed is left to `tidy`, and in the end to the next start. */
  release(): Promise<void>;
  /** Whether it is still there: it may have been removed as below. */
  isHeld(): Promise<boolean>;
  /** Takes it again where it is gone: removed by hand, or by another process while this one stood still. @throws as `take` */
  keep(): Promise<void>;
}

export interface Locks {
  /**
   * Waits for the lock, at most as long as was set.
   *
   * @throws CmsError `unavailable` that says who holds it and for how long
   */
  take(path: string): Promise<Lock>;
  /** Removes the locks whose release failed. */
  tidy(): Promise<void>;
}

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** File systems without hard links say so in several ways. */
export const HARD_LINKS_REFUSED: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** @param waitMs how long a lock that is held is waited for */
export function openLocks(fs: Fs, scratch: Scratch, waitMs: number): Locks {
  const left = new Map<string, bigint>();
  const held = new Set<string>();

  async function tryTake(path: string): Promise<bigint | undefined> {
    const folder = await scratch.make();
    for (let tries = 0; ; tries++) {
      try {
        return await createWhole(fs, folder, path);
      } catch (error) {
        // An error may come after the deed, and a release may have failed: a link to our note is our lock.
        if (!held.has(path) && (await unlessMissing(fs.lstat(path)))?.ino === folder.ino) return folder.ino;
        if (codeOf(error) === "EEXIST") return undefined;
        if (codeOf(error) !== "ENOENT" || tries > 0) throw error;
        // A branch `a/b` has no folder once its ref is packed.
        await makeDirs(fs, path.slice(0, path.lastIndexOf("/")), 0o777);
      }
    }
  }

  async function tryRelease(path: string, ino: bigint): Promise<void> {
    try {
      const there = await unlessMissing(fs.lstat(path));
      // Somebody may have removed it by hand, and another may hold it now.
      if (there?.ino === ino) await removeIfExists(fs, path);
      left.delete(path);
    } catch {
      left.set(path, ino);
    }
  }

  async function waitFor(path: string): Promise<bigint> {
    const deadline = performance.now() + waitMs;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      const ino = await tryTake(path);
      if (ino !== undefined) {
        left.delete(path);
        held.add(path);
        return ino;
      }
      if (performance.now() >= deadline) throw await busy(fs, path);
      await pause(ms * (0.5 + Math.random()));
    }
  }

  return {
    async take(path) {
      let ino = await waitFor(path);
      let unpin = scratch.pin();
      const isHeld = async (): Promise<boolean> => (await unlessMissing(fs.lstat(path)))?.ino === ino;
      return {
        isHeld,
        async release() {
          unpin();
          held.delete(path);
          await tryRelease(path, ino);
        },
        async keep() {
          unpin();
          if (!(await isHeld())) {
            held.delete(path);
            ino = await waitFor(path);
          } else await scratch.make(); // gone without the lock: what is under way may go on in another one
          unpin = scratch.pin();
        },
      };
    },
    async tidy() {
      for (const [path, ino] of [...left]) await tryRelease(path, ino);
    },
  };
}

async function createWhole(fs: Fs, { note, ino }: ScratchFolder, path: string): Promise<bigint> {
  try {
    await fs.link(note, path);
    return ino;
  } catch (error) {
    if (!HARD_LINKS_REFUSED.has(codeOf(error) ?? "")) throw error;
    return (await writeDurably(fs, path, await fs.readFile(note), 0o666)).ino;
  }
}

/**
 * Removes a lock that a process of ours left when it ended.
 *
 * @param aside a free name on the same file system
 * @param dir the folder that the lock protects
 * @returns whether there was one
 */
export async function removeStaleLock(fs: Fs, path: string, aside: string, dir: string): Promise<boolean> {
  const before = await unlessMissing(fs.lstat(path));
  const owner = await ownerOf(fs, path);
  if (!before || !owner || (await isAlive(fs, owner, path, dir))) return false;
  // Two may be at this at once, and the lock there now be the other one's new one: so it is moved, then looked at.
  const moved = await unlessMissing(fs.rename(path, aside).then(() => true));
  if (!moved) return false;
  const isStale = (await fs.lstat(aside)).ino === before.ino;
  if (!isStale) await fs.link(aside, path);
  await fs.unlink(aside);
  return isStale;
}

/** The owner that a lock of ours names; undefined for any other lock. */
export async function ownerOf(fs: Fs, path: string): Promise<Owner | undefined> {
  const bytes = await unlessMissing(fs.readFile(path));
  // A lock of git's holds a whole index once it is being written.
  return bytes && bytes.length < 1000 ? parseOwner(bytes.toString()) : undefined;
}

async function busy(fs: Fs, path: string): Promise<CmsError> {
  const stat = await unlessMissing(fs.lstat(path));
  const owner = await ownerOf(fs, path);
  const age = stat ? Math.max(0, Math.round((Date.now() - Number(stat.mtimeMs)) / 1000)) : 0;
  const name = path.slice(path.lastIndexOf("/.git/") + 1);
  const who = !owner
    ? "by git, or left by one that crashed"
    : isThisProcess(owner)
      ? "by this process"
      : `by git-cms, ${describeOwner(owner)}`;
  return new CmsError(
    "unavailable",
    `${name} has been held for ${age} s ${who}. Try again; if no git command is running, remove the file.`,
    { retryAfter: 1 },
  );
}
