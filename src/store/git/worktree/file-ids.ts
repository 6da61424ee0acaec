/** Blob ids of working files: read from the stat cache, or computed and recorded in it. Symbolic links are not followed. */
import type { BigIntStats } from "node:fs";
import { prepareFile } from "../objects/file-content.ts";
import type { Oid, Path, WorkingFile } from "../../repo.ts";
import type { Conversions } from "../attributes/conversions.ts";
import { unlessMissing, type Fs } from "../fs.ts";
import { oidOf } from "../objects/object.ts";
import { pace } from "../../../time-slices.ts";
import type { StatCache } from "./stat-cache.ts";
import type { SeenStat, SeenStats } from "./scan-columns.ts";

/** The content git stores for a working file, with its blob id. Of a file in Git LFS, its own bytes. */
export interface FileIdContent {
  readonly oid: Oid;
  readonly bytes: Uint8Array;
}

export interface FileIds {
  /** Reads a regular file, whatever the stat cache says. */
  read(path: Path, stat: BigIntStats): Promise<FileIdContent | undefined>;
  /** Blob id of a regular file. It is read only if it is not in the stat cache. */
  oidOf(path: Path, stat: BigIntStats): Promise<Oid | undefined>;
  /**
   * As `Repo.files`.
   *
   * @param seen what a thread sees of each; without it, they are looked at here
   */
  list(paths: readonly Path[], contents?: Map<Path, Uint8Array>, seen?: SeenStats): Promise<Map<Path, WorkingFile>>;
}

/** Larger files are not served: to be hashed with conversions they would have to be held in memory. */
const LARGEST_BYTES = 512n * 1024n * 1024n;
/** Larger files are hashed as streams, which yields to other requests. */
const LARGE_BYTES = 4n * 1024n * 1024n;
/** The content of smaller files is returned with the list, up to a number of files, so that they are read once. */
const SMALL_BYTES = 8 * 1024;
const CONTENTS_MAX = 10_000;

/** The `oid` of what has none. */
export const NO_OID = "0".repeat(40);

export function openFileIds(root: string, fs: Fs, cache: StatCache, conversions: Conversions): FileIds {
  const absolute = (path: Path): string => `${root}/${path}`;

  async function read(path: Path, stat: BigIntStats): Promise<FileIdContent | undefined> {
    const { fingerprint } = conversions;
    const working = await unlessMissing(fs.readRegular(absolute(path)));
    if (!working) return undefined;
    const { bytes, isCacheable } = await conversions.toStored(path, working);
    const oid = oidOf("blob", bytes);
    // The attributes may have changed while the file was read.
    if (isCacheable && conversions.fingerprint === fingerprint) cache.set(path, stat, oid, working.length);
    else cache.delete(path);
    return { oid, bytes: conversions.of(path).isLfs ? working : bytes };
  }

  async function compute(path: Path, stat: BigIntStats, contents?: Map<Path, Uint8Array>): Promise<Oid | undefined> {
    if (stat.size > LARGE_BYTES && conversions.of(path).isLfs) {
      const oid = await unlessMissing(conversions.pointerOid(absolute(path), Number(stat.size)));
      if (oid !== undefined) cache.set(path, stat, oid, Number(stat.size));
      return oid;
    }
    if (stat.size <= LARGE_BYTES || (await conversions.mayConvertFile(path, absolute(path)))) {
      const stored = await read(path, stat);
      const isWanted = contents && contents.size < CONTENTS_MAX;
      if (stored && isWanted && stored.bytes.length <= SMALL_BYTES) contents.set(path, stored.bytes);
      return stored?.oid;
    }
    const file = await unlessMissing(prepareFile(absolute(path)));
    if (file) cache.set(path, stat, file.oid, file.size);
    return file?.oid;
  }

  /** Adds the blob id in the index for a file with a git filter, whose own bytes git does not store. */
  async function withIndexOid(path: Path, stat: BigIntStats, file: WorkingFile): Promise<WorkingFile> {
    const stored = conversions.fingerprint === "" ? undefined : await conversions.filteredOid(path, stat);
    return stored === undefined ? file : { ...file, stored };
  }

  /** What is known of a file without reading it: no promise, since a start asks for all files of a site. */
  function known(path: Path, stat: SeenStat): WorkingFile | undefined {
    // Only regular files are in the cache.
    const cached = conversions.fingerprint === "" ? cache.get(path, stat) : undefined;
    return cached === undefined ? undefined : fileWith(cached, stat);
  }

  async function describe(
    path: Path,
    stat: BigIntStats,
    contents?: Map<Path, Uint8Array>,
  ): Promise<WorkingFile | undefined> {
    const cached = cache.get(path, stat);
    if (cached !== undefined) return withIndexOid(path, stat, fileWith(cached, stat));
    if (!stat.isFile()) return { ...fileWith(NO_OID, stat), unreadable: `It is ${fileKindOf(stat)}, not a file.` };
    if (stat.size > LARGEST_BYTES && !conversions.of(path).isLfs)
      return { ...fileWith(NO_OID, stat), unreadable: "It is too large." };
    const oid = await compute(path, stat, contents);
    return oid ? withIndexOid(path, stat, fileWith(oid, stat)) : undefined;
  }

  return {
    read,

    async oidOf(path, stat) {
      await cache.load();
      return cache.get(path, stat) ?? compute(path, stat);
    },

    async list(paths, contents, seen) {
      const files = new Map<Path, WorkingFile>();
      if (paths.length > 0) await cache.load();
      for (const [place, path] of paths.entries()) {
        for (let more = seen?.until(place); more; more = seen?.until(place)) await more;
        const stated = seen?.at(place);
        const unchanged = stated && known(path, stated);
        const stat = unchanged ? undefined : await fs.lstat(absolute(path));
        const file = unchanged ?? (stat && (known(path, stat) ?? (await describe(path, stat, contents))));
        if (file) files.set(path, file);
        const rest = pace();
        if (rest) await rest;
      }
      return files;
    },
  };
}

/** Not spread from a part: V8 makes a hidden class for each such object, 250 bytes a file. */
const fileWith = (oid: Oid, { size, mtimeMs }: Pick<SeenStat, "size" | "mtimeMs">): WorkingFile => ({
  oid,
  size: Number(size),
  mtimeMs: Number(mtimeMs),
});

/** The type of a file in words. */
export function fileKindOf(stat: BigIntStats): string {
  if (stat.isSymbolicLink()) return "a symbolic link";
  if (stat.isDirectory()) return "a folder";
  return stat.isFile() ? "a file" : "a device or pipe";
}
