/**
 * The commit point: the ref file of the branch is renamed into place, just after the index.
 *
 * The index comes first because `git commit` reads HEAD and then the index. If the branch moved first, `git commit` could
 * read our commit as its parent and the index from before it, and take our files out of the branch.
 */
import { CmsError, messageOf, unavailable } from "../../../errors.ts";
import type { Oid } from "../../repo.ts";
import type { HeldLocks } from "../locks/commit-locks.ts";
import type { Lock } from "../locks/lock.ts";
import { readCommit } from "../objects/commits.ts";
import { backUpStaged } from "../worktree/checkout.ts";
import { removeIfExists, writeDurably } from "../fs.ts";
import { allEnded, inParallel } from "../parallel.ts";
import { entryOid, hasStat, stageOf, type IndexUpdate } from "../index/index-entry.ts";
import { entriesOf, updateIndex } from "../index/index-format.ts";
import { usableIndex, type StagedIndex } from "../index/index-file.ts";
import type { JournalPath } from "../journal.ts";
import { stageLocked, type StagedEntries } from "../index/staged-entries.ts";
import type { FileBlob, NewObject } from "../objects/object.ts";
import { appendReflogs, branchOf, readRef } from "./refs.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { findLeaf } from "../objects/trees.ts";

export interface BranchUpdate {
  readonly ref: string;
  readonly old: Oid | null;
  /** The new commits; the last one becomes the tip of the branch. */
  readonly commits: readonly Oid[];
  readonly objects: readonly (NewObject | FileBlob)[];
  readonly paths: readonly JournalPath[];
  /** What was written before the locks were taken. */
  readonly early?: { readonly index: StagedEntries | undefined; readonly record: StagedRecord } | undefined;
  /** The part of the reflog line after the two ids. */
  readonly reflog: string;
}

/** A batch in the journal, and the file that becomes its branch. */
export interface StagedRecord {
  readonly temporary: string;
}

/**
 * Writes the journal, and the new content of the branch's file under a temporary name. Both are durable.
 *
 * The record of a batch that is not made does no harm: its commit is on no branch, and no index has its entries.
 */
export async function stageRecord(
  repo: RepoContext,
  { ref, old, commits, paths }: Pick<BranchUpdate, "ref" | "old" | "commits" | "paths">,
): Promise<StagedRecord> {
  const tip = tipOf(commits);
  const temporary = await repo.scratch.temporaryPath("ref");
  await allEnded([
    writeDurably(repo.fs, temporary, Buffer.from(`${tip}\n`), 0o666),
    repo.journal.write({ ref, old, new: tip, paths }),
  ]);
  return { temporary };
}

/** How often objects that are removed while they are written are written again. */
const WRITE_TRIES = 3;
const FOLDERS_AT_ONCE = 8;

/**
 * Puts the index in place and moves the branch, if it is still at `old`; writes journal and index first where the batch did
 * not stage them. The caller holds index and HEAD.
 *
 * If the process dies before the index is in place, the batch never happened. Between the index and the branch: the next
 * start removes the new entries from the index (`removeUncommittedEntries`). After the branch: it finishes the batch.
 *
 * @param onUndoFailed gets the work that is left if the index could not be put back; until it is done, the index must
 *   stay locked
 * @returns false if the branch has moved
 */
export async function updateBranch(
  repo: RepoContext,
  update: BranchUpdate,
  held: HeldLocks,
  onUndoFailed: (undo: () => Promise<void>) => void,
): Promise<boolean> {
  const { ref, old } = update;
  const lock = await repo.locks.take(`${repo.gitDir}/${ref}.lock`);
  try {
    if ((await readRef(repo.fs, repo.gitDir, ref)) !== old) return false;
    await updateLocked(repo, update, [held.index, held.head, lock], onUndoFailed);
    return true;
  } finally {
    await lock.release();
  }
}

async function updateLocked(
  repo: RepoContext,
  update: BranchUpdate,
  locks: readonly Lock[],
  onUndoFailed: (undo: () => Promise<void>) => void,
): Promise<void> {
  const { fs, gitDir } = repo;
  const { ref, old, paths, early } = update;
  const tip = tipOf(update.commits);
  const { temporary } = early?.record ?? (await stageRecord(repo, update));
  try {
    const [{ before, index }] = await allEnded([
      stageLocked(repo, paths, early?.index),
      ensureStored(repo, update.objects),
    ]);
    await backUpStaged(repo, before, paths);
    // If the disk blocked for long, a person may have removed them.
    for (const lock of locks) if (!(await lock.isHeld())) throw lockLost();
    await placeOrUndo(index, onUndoFailed, async () => {
      await appendReflogs(fs, gitDir, ref, { old, now: tip, entry: update.reflog });
      await index.place();
      await moveRef(repo, temporary, ref, tip);
      await repo.replacedEntries.recordReplaced(before, update, paths);
    });
  } finally {
    await removeIfExists(fs, temporary).catch(() => undefined);
  }
}

function tipOf(commits: readonly Oid[]): Oid {
  const tip = commits.at(-1);
  if (tip === undefined) throw new Error("The batch has no commits");
  return tip;
}

/** Puts the old index back if `place` fails. */
async function placeOrUndo(
  index: StagedIndex,
  onUndoFailed: (undo: () => Promise<void>) => void,
  place: () => Promise<void>,
): Promise<void> {
  const undo = async (): Promise<void> => {
    await index.undo();
    await index.tidy();
  };
  try {
    await place();
  } catch (error) {
    await undo().catch(() => onUndoFailed(undo));
    throw error;
  }
  await index.tidy();
}

const lockLost = (): CmsError =>
  unavailable("A lock of a write in progress was removed by hand or by another process. Try again.", "write");

/** Ensures that every object is stored, also if a prune that is running has removed it. */
export async function ensureStored(repo: RepoContext, objects: readonly (NewObject | FileBlob)[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { lost } = await repo.objects.restore(objects.map(({ oid }) => oid));
    if (lost.length === 0) return;
    if (tries === WRITE_TRIES) {
      throw unavailable(`Objects are removed as they are written (${lost[0]}): try again later.`, "restart");
    }
    await repo.objects.put(objects.filter(({ oid }) => lost.includes(oid)));
  }
}

/** The rename that makes the commit. */
async function moveRef(repo: RepoContext, temporary: string, ref: string, tip: Oid): Promise<void> {
  const path = `${repo.gitDir}/${ref}`;
  const rename = (): Promise<void> => repo.fs.rename(temporary, path);
  try {
    // A branch `name/below` may have left an empty folder with the name of this branch.
    await rename().catch(async (error: unknown) => {
      await repo.fs.rmdir(path).catch(() => Promise.reject(error));
      await rename();
    });
  } catch (error) {
    // The call may fail after it took effect.
    if ((await readRef(repo.fs, repo.gitDir, ref)) !== tip) throw error;
  }
}

/** Makes the new position of the branch durable. @returns the error for the caller if that is not certain */
export async function syncBranch(repo: RepoContext, ref: string): Promise<CmsError | undefined> {
  try {
    // All folders on the way: for a branch `a/b`, `a` may be new.
    const names = ref.split("/").slice(0, -1);
    const folders = names.map((_name, i) => `${repo.gitDir}/${names.slice(0, i + 1).join("/")}`);
    await inParallel(folders, FOLDERS_AT_ONCE, (folder) => repo.fs.syncDir(folder));
    return undefined;
  } catch (error) {
    const message = `The commit on ${branchOf(ref)} is made, but the disk does not confirm it (${messageOf(error)}).`;
    return new CmsError("unavailable", message, { cause: error });
  }
}

/**
 * Removes the entries of a batch from the index whose commit was never made. The caller holds the index.
 *
 * Those entries have no stat data. One that has was staged by a person since.
 *
 * @returns the paths
 */
export async function removeUncommittedEntries(repo: RepoContext, paths: readonly JournalPath[]): Promise<string[]> {
  const { head } = await readState(repo.fs, repo.gitDir);
  const tree = head && (await readCommit(repo.objects, head)).tree;
  const index = await usableIndex(repo.index);
  const updates = new Map<string, IndexUpdate | null>();
  for (const { path, base, after } of paths) {
    const [entry, ...more] = entriesOf(index, path);
    const inHead = await findLeaf(repo.trees, tree, path);
    const committed = inHead?.oid ?? null;
    const isOurs = more.length === 0 && (!entry || stageOf(entry) === 0) && (entry ? entryOid(entry) : null) === after;
    if (!isOurs || (entry && hasStat(entry)) || committed === after || after === base) continue;
    if (committed === null) updates.set(path, null);
    else {
      const stat = await repo.worktree.statIfUnchanged(path, committed);
      updates.set(path, { oid: committed, stat, mode: inHead?.mode });
    }
  }
  if (updates.size === 0) return [];
  await repo.index.write(updateIndex(index, updates));
  await repo.fs.syncDir(repo.gitDir);
  return [...updates.keys()];
}
