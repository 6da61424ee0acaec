/** `.git/index` itself. Writing is for who holds `index.lock`. */
import type { BigIntStats } from "node:fs";
import { CmsError } from "../../../errors.ts";
import { linkOrCopy } from "../objects/file-blob.ts";
import { removeIfExists, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import {
  BrokenIndex,
  changedAt,
  EMPTY_INDEX,
  encodeIndex,
  hasStat,
  isAsLeft,
  parseIndex,
  withoutSize,
  type IndexFile,
} from "./index-format.ts";
import { openPace } from "../time-slices.ts";
import type { Scratch } from "../locks/scratch.ts";
import { fromBytewise } from "../objects/trees.ts";

export interface IndexOnDisk {
  /** Parsed anew only when another process wrote it; undefined when there is no index. @throws BrokenIndex */
  read(): Promise<IndexFile | undefined>;
  /** Durable once the caller has synced git's folder. */
  write(index: IndexFile): Promise<void>;
  /** Writes an index that is durable and in nobody's way, to be put in place by a rename. */
  stage(index: IndexFile): Promise<StagedIndex>;
  /** Whether the index is the one this process wrote last; false when it has not written any. */
  isOurs(): Promise<boolean>;
  /** In milliseconds since 1970; 0 when there is none. */
  writtenAt(): Promise<number>;
}

export interface StagedIndex {
  /** Makes it the index. */
  place(): Promise<void>;
  /** Puts the index that was there before in place again: a rename, for which a full disk has room. */
  undo(): Promise<void>;
  /** Removes what is left under temporary names. Never throws. */
  tidy(): Promise<void>;
}

/** @param root where the working files lie */
export function openIndex(fs: Fs, root: string, gitDir: string, scratch: Scratch): IndexOnDisk {
  const path = `${gitDir}/index`;
  let known: { stat: BigIntStats; index: IndexFile } | undefined;
  let written: BigIntStats | undefined;

  async function read(): Promise<IndexFile | undefined> {
    const stat = await unlessMissing(fs.lstat(path));
    if (!stat) return undefined;
    if (!known || !sameFile(known.stat, stat)) known = { stat, index: parseIndex(await fs.readFile(path)) };
    return known.index;
  }

  /**
   * The index with nothing in it that git would believe and should not.
   *
   * Git compares times in whole seconds. It reads a file again whose time is not before that of the index, since the file
   * may have changed after git looked. An index of ours is newer than the one it is made from: a file saved in between,
   * within one second and with the same size, would pass for unchanged, and stay out of the person's commit. Such entries
   * lose their size, as in the indexes that git writes.
   */
  async function withDoubts(index: IndexFile): Promise<IndexFile> {
    const at = known?.stat.mtimeNs ?? (await unlessMissing(fs.lstat(path)))?.mtimeNs ?? 0n;
    const seconds = Number(at / BILLION);
    const pace = openPace();
    let hasChanged = false;
    const entries = [];
    for (const entry of index.entries) {
      let kept = entry;
      if (changedAt(entry) >= seconds && hasStat(entry)) {
        await pace();
        const stat = await unlessMissing(fs.lstat(`${root}/${fromBytewise(entry.name)}`));
        if (stat && !isAsLeft(entry, stat)) kept = withoutSize(entry);
        hasChanged ||= kept !== entry;
      }
      entries.push(kept);
    }
    return hasChanged ? { ...index, entries } : index;
  }

  async function write(wanted: IndexFile): Promise<void> {
    const temporary = await scratch.temporaryPath("index");
    const index = await withDoubts(wanted);
    known = undefined;
    const { ino } = await writeDurably(fs, temporary, encodeIndex(index), 0o666);
    try {
      await fs.rename(temporary, path);
    } catch (error) {
      await unlessMissing(fs.unlink(temporary)).catch(() => undefined);
      throw error;
    }
    const stat = await fs.lstat(path);
    if (stat.ino === ino) known = { stat, index };
    written = stat;
  }

  async function stage(wanted: IndexFile): Promise<StagedIndex> {
    const index = await withDoubts(wanted);
    const temporary = await scratch.temporaryPath("index");
    const before = `${temporary}-before`;
    const { ino } = await writeDurably(fs, temporary, encodeIndex(index), 0o666);
    let was: IndexFile | undefined;
    return {
      async place() {
        was = await read();
        await unlessMissing(linkOrCopy(fs, { file: path }, before));
        known = undefined;
        await fs.rename(temporary, path);
        const stat = await fs.lstat(path);
        if (stat.ino === ino) known = { stat, index };
        written = stat;
      },
      async undo() {
        // Another one has been written since by a process that took our lock for a dead one's, or was never placed.
        if ((await unlessMissing(fs.lstat(path)))?.ino !== ino) return;
        known = undefined;
        if (await unlessMissing(fs.lstat(before))) await fs.rename(before, path);
        // The scratch folder was removed meanwhile: what was staged must not go with it.
        else if (was) await write(was);
        else await fs.unlink(path);
      },
      async tidy() {
        for (const file of [temporary, before]) await removeIfExists(fs, file).catch(() => undefined);
      },
    };
  }

  return {
    stage,
    read,
    write,
    async isOurs() {
      const stat = await unlessMissing(fs.lstat(path));
      return written !== undefined && stat !== undefined && sameFile(written, stat);
    },
    writtenAt: async () => Number((await unlessMissing(fs.lstat(path)))?.mtimeMs ?? 0),
  };
}

const BILLION = 1_000_000_000n;

/** A broken one is made anew by the recovery. @throws CmsError `setup` for a kind of index that is not supported */
export async function checkIndex(index: IndexOnDisk): Promise<void> {
  try {
    await index.read();
  } catch (error) {
    if (!(error instanceof BrokenIndex)) throw error;
  }
}

const sameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;

/** The index as it is, or an empty one. @throws CmsError `unavailable` when it is broken */
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
