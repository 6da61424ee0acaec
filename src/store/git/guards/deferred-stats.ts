/**
 * Stat data of the files that our commits wrote, for the next index that is written anyway.
 *
 * The index in place before a commit has its entries without stat data, since the files are written after it. An index
 * of 100,000 files has 10 MB: to write it again for that alone would double the cost of a commit. Without stat data git
 * reads the file before it takes it for unchanged, so losing it in a crash costs time, nothing else.
 */
import type { Path } from "../../repo.ts";
import type { Fs } from "../fs.ts";
import { pace } from "../../../time-slices.ts";
import { statKeyOf } from "../worktree/stat-key.ts";
import { entryOid, hasStat, stageOf, type IndexUpdate } from "../index/index-entry.ts";
import { entriesOf, type IndexFile } from "../index/index-format.ts";

export interface DeferredStats {
  isEmpty(): boolean;
  /** Whether no commit has come for some seconds, which would have written them with its index. */
  isDue(): boolean;
  add(updates: ReadonlyMap<Path, IndexUpdate | null>): void;
  /** Removes and returns what still holds: the entry is the one of our commit, and the file is unchanged. */
  take(index: IndexFile): Promise<Map<Path, IndexUpdate>>;
}

const QUIET_MS = 2_000;

/** @param now in milliseconds */
export function openDeferredStats(fs: Fs, root: string, now: () => number): DeferredStats {
  let deferred = new Map<Path, IndexUpdate>();
  let addedAt = 0;

  return {
    isEmpty: () => deferred.size === 0,
    isDue: () => deferred.size > 0 && Math.abs(now() - addedAt) >= QUIET_MS,

    add(updates) {
      addedAt = now();
      for (const [path, update] of updates) {
        if (update?.stat) deferred.set(path, update);
        else deferred.delete(path);
      }
    },

    async take(index) {
      const taken = deferred;
      deferred = new Map();
      for (const [path, { oid, stat }] of taken) {
        await pace();
        const [entry, ...more] = entriesOf(index, path);
        const isOurs = entry && more.length === 0 && stageOf(entry) === 0 && !hasStat(entry) && entryOid(entry) === oid;
        const current = isOurs ? await fs.lstat(`${root}/${path}`) : undefined;
        if (!current || !stat || statKeyOf(current) !== statKeyOf(stat)) taken.delete(path);
      }
      return taken;
    },
  };
}
