/**
 * What is seen of the working files, without following symbolic links.
 *
 * An id is remembered with what the file system said of the file, and computed again only when that changed.
 */
import type { BigIntStats } from "node:fs";
import { prepareFile } from "../../write/file-content.ts";
import type { Oid, Path, WorkingFile } from "../../repo.ts";
import type { Conversions } from "../attributes/conversions.ts";
import { unlessMissing, type Fs } from "../fs.ts";
import { statKeyOf } from "./stat-key.ts";
import { readLooks, writeLooks, type Seen } from "./stat-cache.ts";
import { oidOf } from "../objects/object.ts";
import { openPace } from "../time-slices.ts";

export interface Sight {
  /** The file itself, whatever was seen of it before: the bytes git stores of it, and their id. */
  hash(path: Path, stat: BigIntStats): Promise<{ readonly oid: Oid; readonly bytes: Uint8Array } | undefined>;
  /** Id of a regular file, which is read for it only when it is not as it was seen. */
  idOf(path: Path, stat: BigIntStats): Promise<Oid | undefined>;
  /** Notes what the file system says of a file with these bytes, unless it is so young that a change would not show. */
  remember(path: Path, stat: BigIntStats, oid: Oid, size: number): void;
  forget(path: Path): void;
  /** Whether a file is as it was seen with these bytes. */
  isAsSeen(path: Path, stat: BigIntStats, oid: Oid): Promise<boolean>;
  /** See `Repo.files`. @param paths of files */
  look(paths: readonly Path[], read?: Map<Path, Uint8Array>): Promise<Map<Path, WorkingFile>>;
  /** Bytes are converted otherwise from now on: no id counts any more. */
  forgetAll(): void;
  /** Remembers what was seen for the next start. */
  close(): Promise<void>;
}

/** Larger files are left alone: they would have to be held in memory to be hashed. */
const LARGEST_BYTES = 512n * 1024n * 1024n;
/** Larger files are hashed in pieces, so that others have a turn meanwhile. */
const LARGE_BYTES = 4n * 1024n * 1024n;
/** Of no larger files, and of no more of them, are the bytes kept until they are parsed. */
const SMALL_BYTES = 8 * 1024;
const READ_MAX = 10_000;
/** A file changed again within the clock's grain keeps its times; so what is this young is not remembered. */
const GRAIN_MS = 30;
/** Some file systems count in seconds, one in two seconds. */
const COARSE_GRAIN_MS = 2_000;
export const NO_FILE = "0".repeat(40);
/** Reading fewer files than this costs less than writing down what was seen of all. */
const WORTH_SAVING = 50;

/** @param looksFile where is kept what was seen of files for the next start */
export function openSight(root: string, fs: Fs, looksFile: string, conversions: Conversions): Sight {
  /** What was seen since the start; undefined for what is not to be relied on. It counts before what was kept. */
  const own = new Map<Path, Seen | undefined>();
  let kept: Map<Path, Seen> | undefined;
  const used = new Set<Path>();
  let fresh = 0;
  const fileAt = (path: Path): string => `${root}/${path}`;

  /** Reading it takes a while on a large site, so only when it is first asked about a file. */
  const readKept = async (): Promise<Map<Path, Seen>> => (kept ??= await readLooks(fs, looksFile, conversions.setting));
  const known = (path: Path): Seen | undefined => (own.has(path) ? own.get(path) : kept?.get(path));
  const knownOf = async (path: Path): Promise<Seen | undefined> => {
    if (!own.has(path)) await readKept();
    return known(path);
  };

  function remember(path: Path, stat: BigIntStats, oid: Oid, size: number): void {
    const grain = stat.mtimeNs % 1_000_000_000n === 0n ? COARSE_GRAIN_MS : GRAIN_MS;
    const settled = Date.now() - Number(stat.mtimeMs) > grain;
    if (settled && BigInt(size) === stat.size) {
      own.set(path, { oid, facts: statKeyOf(stat) });
      fresh++;
    } else own.set(path, undefined);
  }

  async function hash(path: Path, stat: BigIntStats): Promise<{ oid: Oid; bytes: Uint8Array } | undefined> {
    const { setting } = conversions;
    const working = await unlessMissing(fs.readRegular(fileAt(path)));
    if (!working) return undefined;
    const { bytes, isLasting } = await conversions.toStored(path, working);
    const oid = oidOf("blob", bytes);
    // Attributes may have changed meanwhile.
    if (isLasting && conversions.setting === setting) remember(path, stat, oid, working.length);
    else forget(path);
    return { oid, bytes };
  }

  function forget(path: Path): void {
    own.set(path, undefined);
  }

  async function idOf(path: Path, stat: BigIntStats, read?: Map<Path, Uint8Array>): Promise<Oid | undefined> {
    used.add(path);
    const before = await knownOf(path);
    if (before?.facts === statKeyOf(stat)) return before.oid;
    if (stat.size <= LARGE_BYTES || (await conversions.concerns(path, fileAt(path)))) {
      const found = await hash(path, stat);
      if (found && found.bytes.length <= SMALL_BYTES && (read?.size ?? READ_MAX) < READ_MAX)
        read!.set(path, found.bytes);
      return found?.oid;
    }
    const file = await unlessMissing(prepareFile(fileAt(path)));
    if (file) remember(path, stat, file.oid, file.size);
    return file?.oid;
  }

  async function withStored(path: Path, stat: BigIntStats, file: WorkingFile): Promise<WorkingFile> {
    const stored = conversions.setting === "" ? undefined : await conversions.asLeft(path, stat);
    return stored === undefined ? file : { ...file, stored };
  }

  async function lookAt(path: Path, read?: Map<Path, Uint8Array>): Promise<WorkingFile | undefined> {
    const stat = await unlessMissing(fs.lstat(fileAt(path)));
    if (!stat) return undefined;
    const before = known(path);
    const file = { size: Number(stat.size), mtimeMs: Number(stat.mtimeMs) };
    // Facts are kept of regular files only.
    if (before?.facts === statKeyOf(stat)) {
      used.add(path);
      return withStored(path, stat, { ...file, oid: before.oid });
    }
    if (!stat.isFile()) return { ...file, oid: NO_FILE, unreadable: `It is ${kindOf(stat)}, not a file.` };
    if (stat.size > LARGEST_BYTES) return { ...file, oid: NO_FILE, unreadable: "It is too large." };
    const oid = await idOf(path, stat, read);
    return oid ? withStored(path, stat, { ...file, oid }) : undefined;
  }

  return {
    hash,
    idOf,
    remember,
    forget,

    async isAsSeen(path, stat, oid) {
      const before = await knownOf(path);
      return before?.oid === oid && before.facts === statKeyOf(stat);
    },

    async look(paths, read) {
      const files = new Map<Path, WorkingFile>();
      const pace = openPace();
      if (paths.length > 0) await readKept();
      for (const path of paths) {
        const file = await lookAt(path, read);
        if (file) files.set(path, file);
        await pace();
      }
      return files;
    },

    forgetAll() {
      own.clear();
      // Read again: they may have been left under the very attributes that have just been found.
      kept = undefined;
    },

    async close() {
      if (fresh < WORTH_SAVING) return;
      const all = new Map(await readKept());
      for (const [path, seen] of own) {
        if (seen) all.set(path, seen);
        else all.delete(path);
      }
      await writeLooks(fs, looksFile, conversions.setting, new Map([...all].filter(([path]) => used.has(path))));
    },
  };
}

/** What stands there that is no file, in words. */
export function kindOf(stat: BigIntStats): string {
  if (stat.isSymbolicLink()) return "a symbolic link";
  if (stat.isDirectory()) return "a folder";
  return stat.isFile() ? "a file" : "a device or pipe";
}
