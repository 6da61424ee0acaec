/**
 * Git's own lock files, `index.lock` and `refs/heads/<branch>.lock`: while one exists, git and we keep out.
 *
 * Ours is a link to a note that names its owner, so it comes into being whole: after a crash it is known as ours.
 * A lock that does not name a dead process of ours is never removed.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { CmsError } from "../../errors.ts";
import { codeOf, makeDirs, removeIfThere, unlessMissing, writeDurably, type Fs } from "./fs.ts";
import { isAlive, isThisProcess, parseOwner, type Owner } from "./owner.ts";
import type { Scratch } from "./scratch.ts";

export interface Lock {
  release(): Promise<void>;
}

/** Takes a lock by its path, waiting at most as long as was set. */
export type TakeLock = (path: string) => Promise<Lock>;

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** File systems without hard links say so in several ways. */
export const HARD_LINKS_REFUSED: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/**
 * The way to take locks whose owner is told by `scratch.note`.
 *
 * What it gives throws a CmsError `unavailable` that says who holds the lock and for how long.
 *
 * @param waitMs how long a lock that is held is waited for
 */
export function lockTaker(fs: Fs, scratch: Scratch, waitMs: number): TakeLock {
  async function tryTake(path: string): Promise<bigint | undefined> {
    const { note } = await scratch.make();
    for (let tries = 0; ; tries++) {
      try {
        return await createWhole(fs, note, path);
      } catch (error) {
        if (codeOf(error) === "EEXIST") return undefined;
        if (codeOf(error) !== "ENOENT" || tries > 0) throw error;
        // A branch `a/b` has no folder once its ref is packed.
        await makeDirs(fs, path.slice(0, path.lastIndexOf("/")), 0o777);
      }
    }
  }

  return async (path) => {
    const deadline = performance.now() + waitMs;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      const ino = await tryTake(path);
      if (ino !== undefined) return { release: () => release(fs, path, ino) };
      if (performance.now() >= deadline) throw await busy(fs, path);
      await pause(ms * (0.5 + Math.random()));
    }
  };
}

async function createWhole(fs: Fs, note: string, path: string): Promise<bigint> {
  try {
    await fs.link(note, path);
  } catch (error) {
    if (!HARD_LINKS_REFUSED.has(codeOf(error) ?? "")) throw error;
    return (await writeDurably(fs, path, await fs.readFile(note), 0o666)).ino;
  }
  return (await fs.lstat(path)).ino;
}

async function release(fs: Fs, path: string, ino: bigint): Promise<void> {
  const there = await unlessMissing(fs.lstat(path));
  // Somebody may have removed it by hand, and another may hold it now.
  if (there?.ino === ino) await removeIfThere(fs, path);
}

/**
 * Removes a lock that a process of ours left when it ended.
 *
 * @param aside a free name on the same file system
 * @returns whether there was one
 */
export async function removeStaleLock(fs: Fs, path: string, aside: string): Promise<boolean> {
  const before = await unlessMissing(fs.lstat(path));
  const owner = await ownerOf(fs, path);
  if (!before || !owner || isAlive(owner)) return false;
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
      : `by git-cms, process ${owner.pid}`;
  return new CmsError(
    "unavailable",
    `${name} has been held for ${age} s ${who}. Try again; if no git command is running, remove the file.`,
    { retryAfter: 1 },
  );
}
