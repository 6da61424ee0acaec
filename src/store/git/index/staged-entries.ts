/**
 * The index with the entries of a batch, written under a temporary name.
 *
 * It is written before the locks are taken, at the same time as the objects, if this process was the last to write the
 * index. If another process writes the index before the locks are held, it is staged again.
 */
import type { Path } from "../../repo.ts";
import type { RepoContext } from "../context.ts";
import type { JournalPath } from "../journal.ts";
import type { IndexUpdate } from "./index-entry.ts";
import { usableIndex, type StagedIndex } from "./index-file.ts";
import { updateIndex, type IndexFile } from "./index-format.ts";
import { findIndexRepairs } from "../guards/index-repair.ts";

export interface StagedEntries {
  /** What the index is made from. */
  readonly before: IndexFile;
  readonly index: StagedIndex;
}

/** undefined if another process has written the index: what it has undone can be found only under the lock. */
export const stageEarly = async (
  repo: RepoContext,
  paths: readonly JournalPath[],
): Promise<StagedEntries | undefined> => ((await repo.index.isOurs()) ? stage(repo, paths, new Map()) : undefined);

/** The entries staged early if they are still valid, otherwise staged again. The caller holds the lock of the index. */
export async function stageLocked(
  repo: RepoContext,
  paths: readonly JournalPath[],
  early: StagedEntries | undefined,
): Promise<StagedEntries> {
  if (early && (await repo.index.isOurs())) return early;
  await early?.index.tidy();
  return stage(repo, paths, (await findIndexRepairs(repo)).updates);
}

async function stage(
  repo: RepoContext,
  paths: readonly JournalPath[],
  corrections: ReadonlyMap<Path, IndexUpdate | null>,
): Promise<StagedEntries> {
  const before = await usableIndex(repo.index);
  const updates = new Map<Path, IndexUpdate | null>([...(await repo.deferredStats.take(before)), ...corrections]);
  // Their stat data comes with the next index: the files are not written yet.
  for (const { path, after, modes } of paths) {
    updates.set(path, after === null ? null : { oid: after, stat: undefined, mode: modes?.after ?? undefined });
  }
  return { before, index: await repo.index.stage(updateIndex(before, updates)) };
}
