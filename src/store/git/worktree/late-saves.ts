/**
 * Saves by an editor into a working file that a write has just replaced.
 *
 * An editor that saves in place may have opened the file before it was replaced. What it writes then goes to a file
 * without a name, and would be lost. So a replaced file is kept for a moment under a backup name and checked again.
 * After a crash, recovery checks the backups (recovery.ts).
 */
import type { BigIntStats } from "node:fs";
import type { Path } from "../../repo.ts";
import { isDiskError } from "../disk-error.ts";
import { removeIfExists, type Fs } from "../fs.ts";
import { pace } from "../../../time-slices.ts";

export interface LateSave {
  readonly path: Path;
  /** The file that the content was copied to. */
  readonly copy: string;
}

export interface LateSaves {
  /** Watches a replaced file. @param stat of the backup before its content was compared */
  watch(path: Path, backup: string, stat: BigIntStats): void;
  /**
   * Copies what was saved late, and removes the backups that are old enough, or all of them.
   *
   * Stops at a disk error; the rest is left to the next call.
   */
  collect(all: boolean): Promise<readonly LateSave[]>;
}

/** An editor takes some milliseconds from opening a file to the end of writing it. */
const WATCHED_MS = 2_000;

interface Backup {
  readonly path: Path;
  readonly file: string;
  readonly stat: BigIntStats;
  readonly at: number;
}

/** @param saveCopy copies a backup. @returns the path of the copy */
export function openLateSaves(
  fs: Fs,
  saveCopy: (path: Path, backup: string) => Promise<string>,
  now: () => number = Date.now,
): LateSaves {
  /** The oldest first. */
  const backups = new Set<Backup>();

  async function check(backup: Backup, found: LateSave[]): Promise<void> {
    const stat = await fs.lstat(backup.file);
    if (stat && (stat.mtimeNs !== backup.stat.mtimeNs || stat.size !== backup.stat.size)) {
      found.push({ path: backup.path, copy: await saveCopy(backup.path, backup.file) });
    }
    await removeIfExists(fs, backup.file);
    backups.delete(backup);
  }

  return {
    watch(path, file, stat) {
      backups.add({ path, file, stat, at: now() });
    },
    async collect(all) {
      const found: LateSave[] = [];
      for (const backup of [...backups]) {
        if (!all && now() - backup.at < WATCHED_MS) break;
        await pace();
        try {
          await check(backup, found);
        } catch (error) {
          if (!isDiskError(error)) throw error;
          break;
        }
      }
      return found;
    },
  };
}
