/**
 * Working files that a write has replaced, kept for a moment under their second name.
 *
 * An editor that saves in place may have had such a file open: what it writes then goes to a file without a name, and
 * would be gone. After a crash the recovery looks at them (`keepAsides`).
 */
import type { BigIntStats } from "node:fs";
import type { Path } from "../../repo.ts";
import { isDiskError } from "../disk-error.ts";
import { removeIfThere, unlessMissing, type Fs } from "../fs.ts";
import { openPace } from "../time-slices.ts";

export interface LateSave {
  readonly path: Path;
  /** The file its text was kept in. */
  readonly kept: string;
}

export interface LateSaves {
  /** @param stat of the file before its content was looked at */
  add(path: Path, aside: string, stat: BigIntStats): void;
  /**
   * Lets go of the files that nothing was written to for long enough, or (all) until now, and keeps the others' content.
   *
   * A disk that refuses puts it off.
   */
  settle(all: boolean): Promise<readonly LateSave[]>;
}

/** From opening a file to the end of writing it, an editor takes some milliseconds. */
const LATE_MS = 2_000;

interface Aside {
  readonly path: Path;
  readonly file: string;
  readonly stat: BigIntStats;
  readonly at: number;
}

/** @param keep keeps the content of a file set aside; answers with the file it is in */
export function openLateSaves(
  fs: Fs,
  keep: (path: Path, file: string) => Promise<string>,
  now: () => number = Date.now,
): LateSaves {
  const asides = new Set<Aside>();

  async function settleOne(aside: Aside, found: LateSave[]): Promise<void> {
    const stat = await unlessMissing(fs.lstat(aside.file));
    if (stat && (stat.mtimeNs !== aside.stat.mtimeNs || stat.size !== aside.stat.size)) {
      found.push({ path: aside.path, kept: await keep(aside.path, aside.file) });
    }
    await removeIfThere(fs, aside.file);
    asides.delete(aside);
  }

  return {
    add(path, file, stat) {
      asides.add({ path, file, stat, at: now() });
    },
    async settle(all) {
      const found: LateSave[] = [];
      const pace = openPace();
      for (const aside of [...asides]) {
        if (!all && now() - aside.at < LATE_MS) break;
        await pace();
        try {
          await settleOne(aside, found);
        } catch (error) {
          if (!isDiskError(error)) throw error;
          break;
        }
      }
      return found;
    },
  };
}
