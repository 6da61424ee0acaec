/**
 * Blob ids of working files by stat key, in memory and in a file between starts, as git keeps them in its index.
 *
 * - A file whose stat key is that of its entry has the content of its entry. So an entry is recorded only if the
 *   modification time is older than the clock's resolution: a second change within it would leave the key as it is.
 * - Entries of the saved file count only under the conversions (attributes.ts) they were made with, else a changed
 *   `.gitattributes` would leave ids of bytes that git no longer stores.
 * - Nothing depends on an entry being there: without the file, all working files are read again.
 */
import type { BigIntStats } from "node:fs";
import type { Oid, Path } from "../../repo.ts";
import { replaceCache, type Fs } from "../fs.ts";
import {
  BYTES_PER_FILE,
  decodeStats,
  encodeStats,
  statEntry,
  isOf,
  NO_STATS,
  type StatEntry,
  type SavedStats,
  type Stat,
} from "./saved-stats.ts";

export interface StatCache {
  /** Reads the saved entries, which takes a while on a large site. To be awaited before `get`. */
  load(): Promise<void>;
  /** About how many files the saved entries are of, without reading them. */
  savedCount(): Promise<number>;
  /** The blob id of a file if it has not changed since it was recorded. */
  get(path: Path, stat: Stat): Oid | undefined;
  /** Records a file, unless it is too young. @param size of the bytes that were read, to detect a change meanwhile */
  set(path: Path, stat: BigIntStats, oid: Oid, size: number): void;
  delete(path: Path): void;
  /** Drops all entries, after the conversions have changed. */
  clear(): void;
  /** Saves the entries for the next start. */
  close(): Promise<void>;
}

/** Clock resolution of file systems; some count in seconds, one in two seconds. */
const RESOLUTION_MS = 30;
const COARSE_RESOLUTION_MS = 2_000;
/** With fewer new entries, reading those files again costs less than writing the whole cache. */
const MIN_CHANGES_TO_SAVE = 50;

/** @param fingerprint of the current conversions (attributes.ts) */
export function openStatCache(fs: Fs, file: string, fingerprint: () => string): StatCache {
  let saved: SavedStats | undefined;
  /** Entries since the start, which override the saved ones; undefined for deleted ones. */
  const recorded = new Map<Path, StatEntry | undefined>();
  let changes = 0;

  async function load(): Promise<SavedStats> {
    while (!saved) {
      const current = fingerprint();
      const found = await readStats(fs, file, current);
      if (current === fingerprint()) saved = found;
    }
    return saved;
  }

  return {
    async load() {
      await load();
    },

    async savedCount() {
      return Number((await fs.lstat(file))?.size ?? 0) / BYTES_PER_FILE;
    },

    get(path, stat) {
      if (recorded.size === 0 || !recorded.has(path)) return saved?.use(path, stat);
      const entry = recorded.get(path);
      return entry && isOf(entry, stat) ? entry.oid : undefined;
    },

    set(path, stat, oid, size) {
      const resolution = stat.mtimeNs % 1_000_000_000n === 0n ? COARSE_RESOLUTION_MS : RESOLUTION_MS;
      const isOldEnough = Date.now() - Number(stat.mtimeMs) > resolution;
      if (isOldEnough && BigInt(size) === stat.size) {
        recorded.set(path, statEntry(oid, stat));
        changes++;
      } else recorded.set(path, undefined);
    },

    delete(path) {
      recorded.set(path, undefined);
    },

    clear() {
      recorded.clear();
      // Another process may have saved entries under the new conversions.
      saved = undefined;
    },

    async close() {
      if (changes < MIN_CHANGES_TO_SAVE) return;
      const entries = (await load()).used();
      for (const [path, entry] of recorded) {
        if (entry) entries.set(path, entry);
        else entries.delete(path);
      }
      await replaceCache(fs, file, encodeStats(fingerprint(), entries));
    },
  };
}

/** A file that is missing, truncated or of another version has no entries: a cache is never an error. */
async function readStats(fs: Fs, file: string, fingerprint: string): Promise<SavedStats> {
  try {
    return decodeStats(await fs.readFile(file), fingerprint) ?? NO_STATS;
  } catch {
    return NO_STATS;
  }
}
