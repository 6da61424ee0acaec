/** `.git/index` itself. Writing is for who holds `index.lock`. */
import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { CmsError } from "../../errors.ts";
import { unlessMissing, writeDurably, type Fs } from "./fs.ts";
import { BrokenIndex, EMPTY_INDEX, encodeIndex, parseIndex, type IndexFile } from "./index-file.ts";
import type { Scratch } from "./scratch.ts";

export interface IndexOnDisk {
  /** Parsed anew only when somebody else wrote it; undefined when there is no index. @throws BrokenIndex */
  read(): Promise<IndexFile | undefined>;
  /** Durable once the caller has synced git's folder. */
  write(index: IndexFile): Promise<void>;
}

export function openIndex(fs: Fs, gitDir: string, scratch: Scratch): IndexOnDisk {
  const path = `${gitDir}/index`;
  let known: { stat: BigIntStats; index: IndexFile } | undefined;

  return {
    async read() {
      const stat = await unlessMissing(fs.lstat(path));
      if (!stat) return undefined;
      if (!known || !sameFile(known.stat, stat)) known = { stat, index: parseIndex(await fs.readFile(path)) };
      return known.index;
    },
    async write(index) {
      const temporary = `${(await scratch.make()).dir}/index-${randomBytes(8).toString("hex")}`;
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
    },
  };
}

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
    throw new CmsError("unavailable", `${error.message}: make it anew with \`rm .git/index && git reset\`.`, { cause: error });
  }
}
