/**
 * The file system calls of the repository, behind an interface so that a test can make any one of them fail.
 *
 * Each changing call is one step of the crash protocol. No call is durable unless its comment says so.
 */
import { randomUUID } from "node:crypto";
import * as node from "node:fs";
import type { BigIntStats, Dirent } from "node:fs";
import { promisify } from "node:util";
import { pace } from "../../time-slices.ts";
import { allEnded } from "./parallel.ts";

export interface OpenFile {
  /** Writes all parts, one after the other, from `position` on. */
  write(parts: readonly Uint8Array[], position: number): Promise<void>;
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  stat(): Promise<BigIntStats>;
  close(): Promise<void>;
}

export interface Fs {
  readFile(path: string): Promise<Buffer>;
  /** @throws ELOOP when the last part of the path is a symbolic link */
  readRegular(path: string): Promise<Buffer>;
  /** undefined where there is nothing, or a directory on the way is missing. */
  lstat(path: string): Promise<BigIntStats | undefined>;
  readdir(path: string): Promise<Dirent[]>;
  /** The target of a symbolic link, as it is stored. */
  readlink(path: string): Promise<Buffer>;

  /** Creates a file, open for writing. @throws EEXIST */
  create(path: string, mode: number): Promise<OpenFile>;
  /**
   * Appends a line to a file, which is created if missing. After a line that a crash truncated, it begins a new one.
   *
   * @param line with its final newline
   */
  append(path: string, line: string): Promise<void>;
  /** Makes the entries of a directory durable: names created, renamed or removed in it. */
  syncDir(path: string): Promise<void>;
  /** Creates one directory. @throws EEXIST */
  mkdir(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  /** Creates a symbolic link. @throws EEXIST */
  symlink(target: Buffer, path: string): Promise<void>;
  /** @param hasOtherName whether the file has another hard link, if that is known */
  unlink(path: string, hasOtherName?: boolean): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** Sets both times of a file to now. */
  touch(path: string): Promise<void>;
  /** Sets the modification time of an existing file to the current time of its file system, not of this machine. */
  refresh(path: string): Promise<void>;
}

/**
 * The machine's file system.
 *
 * Only calls that may wait for the disk run on the thread pool: syncs, large writes, and removals, which give back the
 * blocks of a file that has no other name (some milliseconds, or 100 while the disk is busy). All others take microseconds,
 * a tenth of the time of a round trip to the pool, and a commit makes a hundred of them.
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
    try {
      // An exception takes three times as long, and most looks at the state of the repository find nothing.
      return node.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  async readdir(path) {
    return node.readdirSync(path, { withFileTypes: true });
  },
  async readlink(path) {
    return node.readlinkSync(path, { encoding: "buffer" });
  },

  async create(path, mode) {
    const file = node.openSync(path, "wx", mode);
    return {
      async write(parts, position) {
        const size = sizeOf(parts);
        for (let [left, done] = [parts, 0]; done < size; left = after(parts, done))
          done +=
            size > LARGE_BYTES
              ? (await writeInThreadPool(file, left, position + done)).bytesWritten
              : node.writevSync(file, left, position + done);
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
  async append(path, line) {
    const file = node.openSync(path, "a+");
    try {
      const { size } = node.fstatSync(file);
      const last = Buffer.alloc(1);
      const isTruncated = size > 0 && node.readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
      node.writeFileSync(file, isTruncated ? `\n${line}` : line);
    } finally {
      node.closeSync(file);
    }
  },
  async syncDir(path) {
    // Windows cannot open directories; NTFS orders renames by its own journal.
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
  async symlink(target, path) {
    node.symlinkSync(target, path);
  },
  async unlink(path, hasOtherName) {
    if (hasOtherName ?? node.lstatSync(path).nlink > 1) node.unlinkSync(path);
    else await unlinkInThreadPool(path);
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
      // Truncating to the current length needs no space, so it works on a full disk, and the file system sets the time.
      node.ftruncateSync(file, node.fstatSync(file).size);
    } finally {
      node.closeSync(file);
    }
  },
};

const LARGE_BYTES = 256 * 1024;
const NEWLINE = 10;
const sync = promisify(node.fsync);
const unlinkInThreadPool = promisify(node.unlink);
const writeInThreadPool = promisify(node.writev);

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** What is left of the parts after so many bytes. */
function after(parts: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let at = 0;
  for (; bytes >= (parts[at]?.length ?? Infinity); at++) bytes -= parts[at]!.length;
  return parts.slice(at).map((part, place) => (place === 0 ? part.subarray(bytes) : part));
}

/** The system's error code (`ENOENT`), undefined for anything that is no system error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

const MISSING: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

/**
 * Whether an error means that there is no such file: the path, or a directory on the way to it, does not exist, or it
 * has a name that no file can have.
 */
export const isMissing = (error: unknown): boolean => MISSING.has(codeOf(error));

/** The result of a file operation, or undefined if there is no such file. */
export async function unlessMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The stat of a file that must be there. @throws Error with the code ENOENT if it was removed */
export async function statOf(fs: Fs, path: string): Promise<BigIntStats> {
  const stat = await fs.lstat(path);
  if (stat) return stat;
  throw Object.assign(new Error(`${path} was removed`), { code: "ENOENT" });
}

/** File systems without hard links refuse them with different codes. */
const HARD_LINK_REFUSALS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

export const isHardLinkRefused = (error: unknown): boolean => HARD_LINK_REFUSALS.has(codeOf(error) ?? "");

/** The content of a file, in parts. */
export interface Parts {
  readonly parts: readonly Uint8Array[];
  /** The last part, which is computed from the others while they are written. */
  end?(): Promise<Uint8Array>;
}

/**
 * Writes a new file and makes its content durable. Its name is durable only after the directory is synced.
 *
 * After an error the file is removed: after a failed sync its content on disk is unknown.
 *
 * @returns the stat of the complete file
 */
export const writeDurably = (fs: Fs, path: string, content: Uint8Array | Parts, mode: number): Promise<BigIntStats> =>
  writeNew(fs, path, content, { mode });

/** Makes a file that `write` fills; after an error there is none. */
export async function createFile<T>(
  fs: Fs,
  path: string,
  mode: number,
  write: (file: Awaited<ReturnType<Fs["create"]>>) => Promise<T>,
): Promise<T> {
  const file = await fs.create(path, mode);
  try {
    const written = await write(file);
    await file.close();
    return written;
  } catch (error) {
    await file.close().catch(() => undefined);
    await fs.unlink(path).catch(() => undefined);
    throw error;
  }
}

async function writeNew(
  fs: Fs,
  path: string,
  content: Uint8Array | Parts,
  { mode, isDurable = true }: Pick<ReplaceOptions, "mode" | "isDurable">,
): Promise<BigIntStats> {
  // Creating a file may take half a millisecond, and up to sixteen writers of a batch wait for the same turn.
  for (let turn = pace(); turn; turn = pace()) await turn;
  return createFile(fs, path, mode, async (file) => {
    const { parts, end }: Parts = content instanceof Uint8Array ? { parts: [content] } : content;
    const [, last] = await allEnded([file.write(parts, 0), end?.()]);
    if (last) await file.write([last], sizeOf(parts));
    if (isDurable) await file.sync();
    return file.stat();
  });
}

export interface ReplaceOptions {
  readonly mode: number;
  /** A free name on the same file system; by default a random one beside the file. */
  readonly temporary?: string;
  /** False for what can be made again: nothing is synced, so a power cut may leave the file empty. */
  readonly isDurable?: boolean;
  /** Called before the file takes its name. If it throws, the old content stays. */
  confirm?(): Promise<void>;
}

/**
 * Replaces a file with new content, or creates it: a reader sees the old content or the new, never a part of it. The
 * name is durable only after the directory is synced.
 *
 * @returns the stat of the new file before it was renamed
 */
export async function replaceFile(
  fs: Fs,
  path: string,
  content: Uint8Array | Parts,
  options: ReplaceOptions,
): Promise<BigIntStats> {
  const { temporary = `${path}.${randomSuffix()}.tmp`, confirm } = options;
  const stat = await writeNew(fs, temporary, content, options);
  try {
    await confirm?.();
    await fs.rename(temporary, path);
    return stat;
  } catch (error) {
    await fs.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Replaces a file that readers can do without: where it cannot be written, the old one stays or there is none. */
export async function replaceCache(fs: Fs, path: string, content: Uint8Array): Promise<void> {
  await replaceFile(fs, path, content, { mode: 0o600, isDurable: false }).catch(() => undefined);
}

/** A suffix that makes the name of a temporary file unique. */
export const randomSuffix = (): string => randomUUID();

export const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 1));

export async function removeIfExists(fs: Fs, path: string): Promise<void> {
  // Most temporary files were renamed: a look finds that in a tenth of the time that an exception takes.
  if (await fs.lstat(path)) await unlessMissing(fs.unlink(path));
}

/** Makes the entries of a directory durable, or if it was removed, those of its nearest existing parent. */
export async function syncNearestDir(fs: Fs, path: string): Promise<void> {
  try {
    await fs.syncDir(path);
  } catch (error) {
    if (!isMissing(error) || parentOf(path) === path) throw error;
    await syncNearestDir(fs, parentOf(path));
  }
}

/**
 * Creates a directory and its missing parents.
 *
 * @returns the directories that got a new entry, for the caller to sync
 */
export async function makeDirs(fs: Fs, path: string, mode: number): Promise<string[]> {
  if (await fs.lstat(path)) return [];
  try {
    await fs.mkdir(path, mode);
    return [parentOf(path)];
  } catch (error) {
    if (codeOf(error) === "EEXIST") return [];
    if (codeOf(error) !== "ENOENT") throw error;
  }
  const parents = await makeDirs(fs, parentOf(path), mode);
  return [...parents, ...(await makeDirs(fs, path, mode))];
}
