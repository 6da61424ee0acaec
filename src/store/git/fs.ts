/**
 * The file system as the repository uses it: a few plain calls, so that a test can make any one of them fail.
 *
 * Each changing call is one step of the crash protocol. Nothing here is clever: what must be durable says so by `sync`.
 */
import * as node from "node:fs";
import type { BigIntStats, Dirent } from "node:fs";
import { promisify } from "node:util";
import { openPace } from "./time-slices.ts";

export interface OpenFile {
  /** All of the bytes, from `position` on. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  stat(): Promise<BigIntStats>;
  close(): Promise<void>;
}

export interface Fs {
  readFile(path: string): Promise<Buffer>;
  /** @throws ELOOP when the last part of the path is a symbolic link */
  readRegular(path: string): Promise<Buffer>;
  lstat(path: string): Promise<BigIntStats>;
  readdir(path: string): Promise<Dirent[]>;

  /** A file that did not exist, open for writing. @throws EEXIST */
  create(path: string, mode: number): Promise<OpenFile>;
  /** Adds text to the end of a file, created when there is none. */
  append(path: string, text: string): Promise<void>;
  /** Makes the entries of a directory durable. */
  syncDir(path: string): Promise<void>;
  /** One directory. @throws EEXIST */
  mkdir(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** Sets both times of a file to now. */
  touch(path: string): Promise<void>;
  /** Sets the modification time of an existing file to the file system's own now. */
  refresh(path: string): Promise<void>;
}

/**
 * The machine's file system.
 *
 * Only what may wait for the disk itself, syncs and large files, goes to another thread. Everything else takes some
 * microseconds, and the way to the thread and back would take ten times as long: a commit makes a hundred such calls.
 */
export const diskFs: Fs = {
  async readFile(path) {
    return node.readFileSync(path);
  },
  async readRegular(path) {
    const file = node.openSync(path, node.constants.O_RDONLY | (node.constants.O_NOFOLLOW ?? 0));
    try {
      return node.readFileSync(file);
    } finally {
      node.closeSync(file);
    }
  },
  async lstat(path) {
    return node.lstatSync(path, { bigint: true });
  },
  async readdir(path) {
    return node.readdirSync(path, { withFileTypes: true });
  },

  async create(path, mode) {
    const file = node.openSync(path, "wx", mode);
    return {
      async write(bytes, position) {
        const isLarge = bytes.length > LARGE_BYTES;
        for (let done = 0; done < bytes.length;) {
          const left = bytes.length - done;
          const at = position + done;
          done += isLarge
            ? (await writeElsewhere(file, bytes, done, left, at)).bytesWritten
            : node.writeSync(file, bytes, done, left, at);
        }
      },
      async truncate(length) {
        node.ftruncateSync(file, length);
      },
      sync: () => sync(file),
      async stat() {
        return node.fstatSync(file, { bigint: true });
      },
      async close() {
        node.closeSync(file);
      },
    };
  },
  async append(path, text) {
    node.appendFileSync(path, text);
  },
  async syncDir(path) {
    // Windows opens no directories; its file systems keep renames in order by their own journal.
    if (process.platform === "win32") return;
    const dir = node.openSync(path, "r");
    try {
      await sync(dir);
    } finally {
      node.closeSync(dir);
    }
  },
  async mkdir(path, mode) {
    node.mkdirSync(path, { mode });
  },
  async rename(from, to) {
    node.renameSync(from, to);
  },
  async link(from, to) {
    node.linkSync(from, to);
  },
  async unlink(path) {
    node.unlinkSync(path);
  },
  async rmdir(path) {
    node.rmdirSync(path);
  },
  async touch(path) {
    const now = new Date();
    node.utimesSync(path, now, now);
  },
  async refresh(path) {
    const file = node.openSync(path, "r+");
    try {
      // To the length it has: it takes no space, so it works on a full disk, and the time is not this machine's.
      node.ftruncateSync(file, node.fstatSync(file).size);
    } finally {
      node.closeSync(file);
    }
  },
};

const LARGE_BYTES = 256 * 1024;
const sync = promisify(node.fsync);
const writeElsewhere = promisify(node.write);

/** The system's error code (`ENOENT`), undefined for anything that is no system error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Whether an error says that there is no such file: the last part missing, or one above it no directory. */
export const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";

/** What a look-up gives, or undefined where there is no such file. */
export async function unlessMissing<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Writes a new file and makes its bytes durable; its name is not, until the directory is synced.
 *
 * On an error the half-written file is removed again: bytes whose sync failed must never be used.
 *
 * @returns what the file system says of it once complete
 */
export async function writeDurably(fs: Fs, path: string, bytes: Uint8Array, mode: number): Promise<BigIntStats> {
  const file = await fs.create(path, mode);
  try {
    if (bytes.length > 0) await file.write(bytes, 0);
    await file.sync();
    const stat = await file.stat();
    await file.close();
    return stat;
  } catch (error) {
    await file.close().catch(() => undefined);
    await fs.unlink(path).catch(() => undefined);
    throw error;
  }
}

/** Removes a file; that it was gone already is fine. */
export async function removeIfExists(fs: Fs, path: string): Promise<void> {
  await unlessMissing(fs.unlink(path));
}

/** Makes the entries of a directory durable; of one that has gone, those of the nearest one above it that is there. */
export async function syncNearestDir(fs: Fs, path: string): Promise<void> {
  try {
    await fs.syncDir(path);
  } catch (error) {
    if (!isMissing(error) || parentOf(path) === path) throw error;
    await syncNearestDir(fs, parentOf(path));
  }
}

/**
 * Makes a directory and those above it that are missing.
 *
 * @returns the directories whose entries changed, to be synced by the caller
 */
export async function makeDirs(fs: Fs, path: string, mode: number): Promise<string[]> {
  try {
    await fs.mkdir(path, mode);
    return [parentOf(path)];
  } catch (error) {
    if (codeOf(error) === "EEXIST") return [];
    if (codeOf(error) !== "ENOENT") throw error;
  }
  const above = await makeDirs(fs, parentOf(path), mode);
  return [...above, ...(await makeDirs(fs, path, mode))];
}

/**
 * Runs `work` on each item, at most `limit` at once; the first error is thrown once those under way have ended.
 *
 * Most calls of the file system return at once (`diskFs`), so work on thousands of files never waits for anything: the
 * pace is what gives other requests their turn.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const pace = openPace();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      await pace();
      if (next >= items.length || failures.length > 0) return;
      const at = next++;
      try {
        results[at] = await work(items[at] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** As `Promise.all`, but an error is thrown only once all have ended, so that nothing goes on behind one's back. */
export async function allEnded<T extends readonly unknown[]>(
  promises: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as unknown as T;
}

const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 1));
