/** `.git/index`: read by any process, written by the one that holds `index.lock`. */
import type { BigIntStats } from "node:fs";
import { CmsError } from "../../../errors.ts";
import type { Oid, Path } from "../../repo.ts";
import { linkOrCopy } from "../objects/file-blob.ts";
import { removeIfExists, replaceFile, statOf, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { entryAt, modifiedSince, withoutSizes } from "./entry-list.ts";
import { entryOid, entrySize } from "./index-entry.ts";
import { BrokenIndex, EMPTY_INDEX, encodeIndex, parseIndex, type IndexFile } from "./index-format.ts";
import { pace } from "../../../time-slices.ts";
import type { Scratch } from "../locks/scratch.ts";
import { fromBytewise } from "../objects/tree-format.ts";

export interface IndexOnDisk {
  /** Parsed again only after another process has written it; undefined if there is no index. @throws BrokenIndex */
  read(): Promise<IndexFile | undefined>;
  /** Durable after the caller has synced `.git`. */
  write(index: IndexFile): Promise<void>;
  /** Writes an index durably under a temporary name, to be put in place by a rename. */
  stage(index: IndexFile): Promise<StagedIndex>;
  /** Whether this process was the last to write the index. */
  isOurs(): Promise<boolean>;
  /** When it was written, in milliseconds since 1970; 0 if there is none. */
  writtenAt(): Promise<number>;
}

export interface StagedIndex {
  place(): Promise<void>;
  /** Puts the previous index back in place: a rename, which needs no space on the disk. */
  undo(): Promise<void>;
  /** Removes the temporary files. Never throws. */
  tidy(): Promise<void>;
}

/** Those of these files that have the content of the blob for certain. */
export type FindUnchanged = (files: ReadonlyMap<Path, Oid>) => Promise<ReadonlySet<Path>>;

export function openIndex(fs: Fs, gitDir: string, scratch: Scratch, findUnchanged: FindUnchanged): IndexOnDisk {
  const path = `${gitDir}/index`;
  let cached: { stat: BigIntStats; index: IndexFile } | undefined;
  /** The stat of the index that this process wrote last. */
  let written: BigIntStats | undefined;

  async function read(): Promise<IndexFile | undefined> {
    const stat = await fs.lstat(path);
    if (!stat) return undefined;
    if (!cached || !isSameFile(cached.stat, stat)) cached = { stat, index: parseIndex(await fs.readFile(path)) };
    return cached.index;
  }

  async function safeToWrite(index: IndexFile): Promise<IndexFile> {
    const current = cached?.stat ?? (await fs.lstat(path));
    return withoutRacyEntries(index, current?.mtimeNs ?? 0n, findUnchanged);
  }

  /** Records the index that was just renamed into place, unless another process has replaced it already. */
  async function recordWritten(index: IndexFile, ino: bigint): Promise<void> {
    written = await statOf(fs, path);
    if (written.ino === ino) cached = { stat: written, index };
  }

  async function write(wanted: IndexFile): Promise<void> {
    const temporary = await scratch.temporaryPath("index");
    const index = await safeToWrite(wanted);
    cached = undefined;
    const { ino } = await replaceFile(fs, path, encodeIndex(index), { temporary, mode: 0o666 });
    await recordWritten(index, ino);
  }

  async function stage(wanted: IndexFile): Promise<StagedIndex> {
    const index = await safeToWrite(wanted);
    const temporary = await scratch.temporaryPath("index");
    const backup = `${temporary}-before`;
    const { ino } = await writeDurably(fs, temporary, encodeIndex(index), 0o666);
    let previous: IndexFile | undefined;
    return {
      async place() {
        previous = await read();
        await unlessMissing(linkOrCopy(fs, { file: path }, backup));
        cached = undefined;
        await fs.rename(temporary, path);
        await recordWritten(index, ino);
      },
      async undo() {
        // It was never placed, or another process has replaced it, having taken our lock for that of a dead process.
        if ((await fs.lstat(path))?.ino !== ino) return;
        cached = undefined;
        if (await fs.lstat(backup)) await fs.rename(backup, path);
        // The scratch folder was removed with the backup: what was staged must not be lost with it.
        else if (previous) await write(previous);
        else await fs.unlink(path);
      },
      async tidy() {
        for (const file of [temporary, backup]) await removeIfExists(fs, file).catch(() => undefined);
      },
    };
  }

  return {
    stage,
    read,
    write,
    async isOurs() {
      const stat = await fs.lstat(path);
      return written !== undefined && stat !== undefined && isSameFile(written, stat);
    },
    writtenAt: async () => Number((await fs.lstat(path))?.mtimeMs ?? 0),
  };
}

/**
 * The index without stat data that git would wrongly trust ("racily clean" entries).
 *
 * Git compares times in whole seconds, and reads a file again if its time is not before that of the index, since it may
 * have changed after git read it, with the same size and even with its old time put back. Our index is newer than the one
 * it is made from, so git would no longer read such a file, and a person's change would stay out of their commit. As in the
 * indexes that git writes, an entry whose file has other content by now gets size 0.
 *
 * @param writtenNs modification time of the index that this one is made from
 */
async function withoutRacyEntries(
  index: IndexFile,
  writtenNs: bigint,
  findUnchanged: FindUnchanged,
): Promise<IndexFile> {
  const { entries } = index;
  await pace(); // making the entries of a large index took a turn
  const racy = new Map<Path, number>();
  const files = new Map<Path, Oid>();
  for (const position of modifiedSince(entries, Number(writtenNs / 1_000_000_000n))) {
    await pace();
    const entry = entryAt(entries, position);
    if (entrySize(entry) === 0) continue;
    const path = fromBytewise(entry.name);
    racy.set(path, position);
    files.set(path, entryOid(entry));
  }
  if (racy.size === 0) return index;
  for (const path of await findUnchanged(files)) racy.delete(path);
  return racy.size > 0 ? { ...index, entries: withoutSizes(entries, [...racy.values()]) } : index;
}

/** Ignores a broken index, which recovery rebuilds. @throws CmsError `setup` for an index that is not supported */
export async function checkIndex(index: IndexOnDisk): Promise<void> {
  try {
    await index.read();
  } catch (error) {
    if (!(error instanceof BrokenIndex)) throw error;
  }
}

const isSameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;

/** The index, empty if there is none. @throws CmsError `unavailable` if it is broken */
export async function usableIndex(index: IndexOnDisk): Promise<IndexFile> {
  try {
    return (await index.read()) ?? EMPTY_INDEX;
  } catch (error) {
    if (!(error instanceof BrokenIndex)) throw error;
    throw new CmsError("unavailable", `${error.message}: make it anew with \`rm .git/index && git reset\`.`, {
      cause: error,
    });
  }
}
