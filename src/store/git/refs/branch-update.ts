/**
 * The commit point: the branch's file is renamed, with the index in place just before.
 *
 * The index comes first because `git commit` reads HEAD, then the index. Were the branch moved first, it could read our
 * commit as its parent and the index of before, and take our files out of the branch again.
 */
import { randomBytes } from "node:crypto";
import { CmsError, messageOf } from "../../../errors.ts";
import type { Oid } from "../../repo.ts";
import type { HeldLocks } from "../locks/commit-locks.ts";
import { readCommit } from "../objects/commits.ts";
import { backUpStaged } from "../worktree/checkout.ts";
import { allEnded, inParallel, removeIfExists, writeDurably } from "../fs.ts";
import {
  entriesOf,
  entryOid,
  hasStat,
  stageOf,
  updateIndex,
  type IndexFile,
  type IndexUpdate,
} from "../index/index-format.ts";
import { usableIndex, type StagedIndex } from "../index/index-file.ts";
import type { JournalPath } from "../journal.ts";
import { findIndexRepairs } from "../index/index-repair.ts";
import type { FileBlob, NewObject } from "../objects/object.ts";
import { appendReflogs, branchOf, readRef } from "./refs.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { findEntry } from "../objects/trees.ts";

export interface BranchUpdate {
  readonly ref: string;
  readonly old: Oid | null;
  /** The new commits, the last of them the branch's. */
  readonly commits: readonly Oid[];
  readonly objects: readonly (NewObject | FileBlob)[];
  readonly paths: readonly JournalPath[];
  /** What follows the ids in the reflog. */
  readonly reflog: string;
}

/** How often objects are written anew that were removed and could not be put back. */
const TRIES = 3;
const FOLDERS_AT_ONCE = 8;

/**
 * Writes the journal and the index, and moves the branch if it is still where it was. The caller holds index and HEAD.
 *
 * Killed before the index is in place: the batch never happened. Between the index and the branch: the next start takes
 * its entries out of the index (`withdraw`). After the branch: the next start finishes the batch.
 *
 * @param onStuck gets what is left to be done when the index could not be put back: until then it must stay locked
 * @returns false when the branch has moved
 */
export async function updateBranch(
  site: RepoContext,
  move: BranchUpdate,
  held: HeldLocks,
  onStuck: (undo: () => Promise<void>) => void,
): Promise<boolean> {
  const { fs, gitDir } = site;
  const { ref, old } = move;
  const tip = move.commits.at(-1)!;
  const lock = await site.locks.take(`${gitDir}/${ref}.lock`);
  let temporary: string | undefined;
  try {
    if ((await readRef(fs, gitDir, ref)) !== old) return false;
    temporary = `${(await site.scratch.make()).dir}/ref-${randomBytes(8).toString("hex")}`;
    const [{ before, index }] = await allEnded([
      stageIndex(site, move),
      writeDurably(fs, temporary, Buffer.from(`${tip}\n`), 0o666),
      site.journal.write({ ref, old, new: tip, paths: move.paths }),
      ensureStored(site, move.objects),
    ]);
    let isStuck = false;
    // On a disk that hung, it may have taken so long that a person removed them.
    for (const each of [held.index, held.head, lock]) if (!(await each.isHeld())) throw lockGone();
    try {
      await appendReflogs(fs, gitDir, ref, { old, now: tip, entry: move.reflog });
      await index.place();
      await moveRef(site, temporary, ref, tip);
      site.replacedEntries.replacing(before, move, move.paths);
    } catch (error) {
      try {
        await index.undo();
      } catch {
        isStuck = true;
        onStuck(async () => {
          await index.undo();
          await index.tidy();
        });
      }
      throw error;
    } finally {
      if (!isStuck) await index.tidy();
    }
    return true;
  } finally {
    if (temporary) await removeIfExists(fs, temporary).catch(() => undefined);
    await lock.release();
  }
}

const lockGone = (): CmsError =>
  new CmsError("unavailable", "A lock of a write under way was removed by hand or by another process. Try again.", {
    retryAfter: 1,
  });

/** The index with the batch's entries, and with those put right that an older index has brought back. */
async function stageIndex(
  site: RepoContext,
  { paths }: BranchUpdate,
): Promise<{ readonly before: IndexFile; readonly index: StagedIndex }> {
  const { updates: corrected } = await findIndexRepairs(site);
  const before = await usableIndex(site.index);
  await backUpStaged(site, before, paths);
  const updates = new Map<string, IndexUpdate | null>(corrected);
  // What the file system says of the files is added once they are in place.
  for (const { path, after } of paths) updates.set(path, after === null ? null : { oid: after, stat: undefined });
  return { before, index: await site.index.stage(updateIndex(before, updates)) };
}

/** Has every object in place, whatever a prune that runs now has removed. */
export async function ensureStored(site: RepoContext, objects: readonly (NewObject | FileBlob)[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { lost } = await site.objects.restore(objects.map(({ oid }) => oid));
    if (lost.length === 0) return;
    if (tries === TRIES) {
      throw new CmsError("unavailable", `Objects are removed as they are written (${lost[0]}): try again later.`, {
        retryAfter: 5,
      });
    }
    await site.objects.put(objects.filter(({ oid }) => lost.includes(oid)));
  }
}

/** The rename. */
async function moveRef(site: RepoContext, temporary: string, ref: string, tip: Oid): Promise<void> {
  const path = `${site.gitDir}/${ref}`;
  try {
    // An empty folder of the branch's name is what is left of a branch `name/below`.
    await site.fs.rmdir(path).catch(() => undefined);
    await site.fs.rename(temporary, path);
  } catch (error) {
    // An error may come after the deed.
    if ((await readRef(site.fs, site.gitDir, ref)) !== tip) throw error;
  }
}

/** Makes the move durable. @returns what to tell the caller when that is not certain */
export async function syncBranch(site: RepoContext, ref: string): Promise<CmsError | undefined> {
  try {
    // All folders on the way: that of a branch `a/b` may have been made just now.
    const names = ref.split("/").slice(0, -1);
    const folders = names.map((_name, i) => `${site.gitDir}/${names.slice(0, i + 1).join("/")}`);
    await inParallel(folders, FOLDERS_AT_ONCE, (folder) => site.fs.syncDir(folder));
    return undefined;
  } catch (error) {
    const message = `The commit on ${branchOf(ref)} is made, but the disk does not confirm it (${messageOf(error)}).`;
    return new CmsError("unavailable", message, { cause: error });
  }
}

/**
 * Takes the entries of a batch that was not made out of the index again. The caller holds the index.
 *
 * They were written before git had looked at the files. An entry with stat data is one that a person has staged since.
 *
 * @returns the paths
 */
export async function removeUncommittedEntries(site: RepoContext, paths: readonly JournalPath[]): Promise<string[]> {
  const { head } = await readState(site.fs, site.gitDir);
  const tree = head && (await readCommit(site.objects, head)).tree;
  const index = await usableIndex(site.index);
  const updates = new Map<string, IndexUpdate | null>();
  for (const { path, base, after } of paths) {
    const [entry, ...more] = entriesOf(index, path);
    const committed = (await findEntry(site.trees, tree, path))?.oid ?? null;
    const isOurs = more.length === 0 && (!entry || stageOf(entry) === 0) && (entry ? entryOid(entry) : null) === after;
    if (!isOurs || (entry && hasStat(entry)) || committed === after || after === base) continue;
    updates.set(
      path,
      committed === null ? null : { oid: committed, stat: await site.worktree.statOf(path, committed) },
    );
  }
  if (updates.size === 0) return [];
  await site.index.write(updateIndex(index, updates));
  await site.fs.syncDir(site.gitDir);
  return [...updates.keys()];
}
