/**
 * Updates working files and index to a commit, after the branch has moved.
 *
 * Never undone. It can be repeated from any point, by the next request or the next start: each step first checks whether
 * it has been done.
 */
import type { BigIntStats } from "node:fs";
import { CmsError } from "../../../errors.ts";
import { SUBMODULE_MODE, type Oid, type Path } from "../../repo.ts";
import { readCommit } from "../objects/commits.ts";
import { isMissing, removeIfExists, syncNearestDir } from "../fs.ts";
import { allEnded, inParallel } from "../parallel.ts";
import { entryOid, stageOf, type IndexUpdate } from "../index/index-entry.ts";
import { prepareSearches } from "../index/entry-list.ts";
import { entriesOf, updateIndex, type IndexFile } from "../index/index-format.ts";
import type { JournalPath } from "../journal.ts";
import { usableIndex } from "../index/index-file.ts";
import { pace } from "../../../time-slices.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { findLeaf } from "../objects/trees.ts";
import type { Replacement, StagedFile } from "./file-replacement.ts";

/** What a commit changes in one working file. */
type FileChange = Omit<JournalPath, "base">;

const FILES_AT_ONCE = 8;
/** As many as the thread pool has threads (bin/cms.cjs), which wait for the disk. */
const SYNCS_AT_ONCE = 16;
const TRIES = 5;

/**
 * Writes the working files and the index of a commit, and clears the journal. The caller holds the index.
 *
 * An index that has the entries of the commit is not written again: their stat data is deferred (deferred-stats.ts).
 *
 * A working file that has neither the content before the commit nor that of the commit is a person's: it stays, and git
 * shows it as modified.
 *
 * @param staged the staged files; a missing one is written from the repository
 */
export async function checkOut(
  repo: RepoContext,
  paths: readonly JournalPath[],
  staged: ReadonlyMap<Path, StagedFile>,
): Promise<void> {
  await writeAll(repo, paths, (path, changedDirs) => updateFile(repo, path, staged.get(path.path), changedDirs));
}

/** Repeats a checkout that did not end. A file that is missing is one that it had moved aside. */
export async function repeatCheckout(repo: RepoContext, paths: readonly JournalPath[]): Promise<void> {
  await writeAll(repo, paths, async (path, changedDirs) => {
    const isThere = (await repo.fs.lstat(`${repo.root}/${path.path}`)) !== undefined;
    return updateFile(repo, isThere ? path : { ...path, before: null }, undefined, changedDirs);
  });
}

async function writeAll(
  repo: RepoContext,
  paths: readonly JournalPath[],
  updateOne: (path: JournalPath, changedDirs: Set<string>) => Promise<IndexUpdate | null>,
): Promise<void> {
  const updates = new Map<Path, IndexUpdate | null>();
  const changedDirs = new Set<string>();
  const update = async (path: JournalPath): Promise<void> => {
    updates.set(path.path, await updateOne(path, changedDirs));
  };
  const removed = paths.filter(({ after }) => after === null);
  const written = paths.filter(({ after }) => after !== null);
  // Removals first, one by one: a folder must be empty and gone before a file of its name can be created.
  await inParallel(removed, 1, update);
  await inParallel(written, FILES_AT_ONCE, update);

  const index = await usableIndex(repo.index);
  prepareSearches(index.entries, 2 * paths.length);
  await backUpStaged(repo, index, paths);
  // Only its stat data tells that a file which git filters is unchanged.
  const isFiltered = paths.some(({ path }) => repo.attributes.of(path).unsupported !== undefined);
  const isInPlace = !isFiltered && hasEntries(index, updates);
  if (!isInPlace) await repo.index.write(updateIndex(index, updates));
  await allEnded([
    repo.fs.syncDir(repo.gitDir),
    // A folder that was emptied by a later path does not exist any more.
    inParallel([...changedDirs], SYNCS_AT_ONCE, (dir) => syncNearestDir(repo.fs, dir)),
  ]);
  if (isInPlace) repo.deferredStats.add(updates);
  repo.replacedEntries.recordWritten(updates);
  await repo.journal.clear();
}

/** Whether the index has these entries, apart from their stat data. After a crash it may not. */
function hasEntries(index: IndexFile, updates: ReadonlyMap<Path, IndexUpdate | null>): boolean {
  for (const [path, update] of updates) {
    const [entry, ...more] = entriesOf(index, path);
    if (more.length > 0 || (entry && stageOf(entry) !== 0)) return false;
    if ((entry && entryOid(entry)) !== update?.oid) return false;
  }
  return true;
}

/**
 * Finishes a checkout whose index was unlocked meanwhile: a person may have switched branches or committed.
 *
 * If the process dies here, the next start does the same from the journal.
 *
 * @throws CmsError `unavailable` while a merge or a similar operation is in progress
 */
export async function resumeCheckout(repo: RepoContext, paths: readonly JournalPath[]): Promise<void> {
  const { head, blocked } = await readState(repo.fs, repo.gitDir);
  if (blocked) throw new CmsError("unavailable", blocked);
  await repeatCheckout(repo, head ? await pathsAsCommitted(repo, head, paths) : []);
}

/** The paths of a batch that still have its content in a commit; the others were changed by later commits. */
export async function pathsAsCommitted(
  repo: RepoContext,
  commit: Oid,
  paths: readonly JournalPath[],
): Promise<JournalPath[]> {
  const { tree } = await readCommit(repo.objects, commit);
  const found: JournalPath[] = [];
  for (const item of paths) {
    if (((await findLeaf(repo.trees, tree, item.path))?.oid ?? null) === item.after) found.push(item);
  }
  return found;
}

/** @returns the file's new index entry */
async function updateFile(
  repo: RepoContext,
  { path, before, after, modes }: FileChange,
  staged: StagedFile | undefined,
  changedDirs: Set<string>,
): Promise<IndexUpdate | null> {
  const mode = modes?.after ?? undefined;
  const entry = (stat: BigIntStats | undefined) => (after === null ? null : { oid: after, stat, mode });
  const stays = async () => {
    if (staged) await removeIfExists(repo.fs, staged.temporary);
    repo.env.log.warn(`${path} was changed by hand just now: it stays as it is, and differs from the last commit.`);
    return entry(undefined);
  };
  // As with `git merge`, the folder of a submodule stays as it is.
  if ([modes?.before, mode].includes(SUBMODULE_MODE)) return entry(undefined);
  const isMerged = modes !== undefined || repo.attributes.of(path).unsupported !== undefined;
  const isNew = before === null && after !== null && !isMerged;
  const created = isNew && staged && (await repo.worktree.create(path, staged));
  if (created) {
    for (const dir of created.changed) changedDirs.add(dir);
    return entry(created.stat);
  }
  if (after !== null) await repo.worktree.removeEmptyFolder(path);
  const seen = await lookOrConflict(repo, path, isMerged);
  const current = seen?.oid;
  if (current === after && (modes === undefined || modes.before === mode))
    return entry(after === null ? undefined : await repo.worktree.statIfUnchanged(path, after));
  if (current !== before) return stays();
  const { changed, isDone, copy, stat } = await replaceInTree(repo, { path, before, after, modes }, staged, seen?.stat);
  for (const dir of changed) changedDirs.add(dir);
  if (copy) repo.env.log.warn(`${path} was saved by hand while it was written: that text is in ${copy}.`);
  return isDone ? entry(stat) : stays();
}

/**
 * Tries again, with a new folder and file, if one of them is removed by another process.
 *
 * @param seen see `FileReplacement.replace`
 */
async function replaceInTree(
  repo: RepoContext,
  { path, before, after, modes }: FileChange,
  staged: StagedFile | undefined,
  seen: BigIntStats | undefined,
): Promise<Replacement> {
  for (let tries = 1, file = staged; ; tries++, file = undefined) {
    try {
      const next = after === null ? null : (file ?? (await stageBlob(repo, path, after, modes?.after)));
      return await repo.worktree.replace(path, before, next, tries === 1 ? seen : undefined);
    } catch (error) {
      if (!isMissing(error) || tries === TRIES) throw error;
    }
  }
}

/** As the worktree's `look`, or for a merge `entryOidAt`; undefined if the path leads to what is not a file. */
async function lookOrConflict(
  repo: RepoContext,
  path: Path,
  isMerged: boolean,
): Promise<{ readonly oid: Oid | null | undefined; readonly stat?: BigIntStats | undefined } | undefined> {
  try {
    return isMerged ? { oid: await repo.worktree.entryOidAt(path) } : await repo.worktree.look(path);
  } catch (error) {
    if (error instanceof CmsError && error.code === "conflict") return undefined;
    throw error;
  }
}

/** Stages a file whose blob is stored. @param mode as `Worktree.stage` */
export async function stageBlob(
  repo: RepoContext,
  path: Path,
  oid: Oid,
  mode: string | null | undefined,
): Promise<StagedFile> {
  const blob = await repo.objects.read(oid);
  if (!blob) throw new CmsError("unavailable", `Blob ${oid} of the last commit is missing: see \`git fsck\`.`);
  return repo.worktree.stage(path, blob.content, oid, mode);
}

/** Copies what a person has staged for these paths and would lose, being in no commit and no working file. */
export async function backUpStaged(repo: RepoContext, index: IndexFile, paths: readonly JournalPath[]): Promise<void> {
  for (const { path, base, before, after } of paths) {
    await pace();
    for (const entry of entriesOf(index, path)) {
      const oid = entryOid(entry);
      if (stageOf(entry) !== 0 || oid === base || oid === before || oid === after) continue;
      const blob = await repo.objects.read(oid);
      if (!blob) continue;
      const copy = await repo.worktree.saveCopy(path, blob.content, oid);
      repo.env.log.warn(`${path} had other content staged: it is in ${copy}.`);
    }
  }
}
