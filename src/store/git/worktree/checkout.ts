/**
 * After the branch has moved: working files and index follow.
 *
 * Nothing here is ever undone. It can be run again from any point, by the next request or when the repository is next
 * opened: each step looks first whether it has been done.
 */
import type { BigIntStats } from "node:fs";
import { CmsError } from "../../../errors.ts";
import type { Oid, Path } from "../../repo.ts";
import { readCommit } from "../objects/commits.ts";
import { allEnded, inParallel, isMissing, syncNearestDir } from "../fs.ts";
import { entriesOf, entryOid, stageOf, updateIndex, type IndexFile, type IndexUpdate } from "../index/index-format.ts";
import type { JournalPath } from "../journal.ts";
import { usableIndex } from "../index/index-file.ts";
import { openPace } from "../time-slices.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { findEntry } from "../objects/trees.ts";
import type { Replacement, StagedFile } from "./worktree.ts";

const FILES_AT_ONCE = 8;
const TRIES = 5;

/**
 * Brings working files and index to what was committed, and removes the journal's record. The caller holds the index.
 *
 * A working file that is neither as it was before nor as it is to be is a person's: it stays, and counts as modified.
 *
 * @param staged files made ready; what is missing among them is made from the repository
 */
export async function checkOut(
  site: RepoContext,
  paths: readonly JournalPath[],
  staged: ReadonlyMap<Path, StagedFile>,
): Promise<void> {
  const updates = new Map<Path, IndexUpdate | null>();
  const changed = new Set<string>();
  const place = async (path: JournalPath): Promise<void> => {
    updates.set(path.path, await placeFile(site, path, staged.get(path.path), changed));
  };
  // A folder that empties must be gone before a file of its name can come.
  await inParallel(
    paths.filter(({ after }) => after === null),
    1,
    place,
  );
  await inParallel(
    paths.filter(({ after }) => after !== null),
    FILES_AT_ONCE,
    place,
  );

  const index = await usableIndex(site.index);
  await backUpStaged(site, index, paths);
  const updated = updateIndex(index, updates);
  await allEnded([
    site.index.write(updated),
    // A folder that a later path emptied has gone again.
    inParallel([...changed], FILES_AT_ONCE, (dir) => syncNearestDir(site.fs, dir)),
  ]);
  site.replacedEntries.wrote(updated, paths);
  await site.fs.syncDir(site.gitDir);
  await site.journal.clear();
}

/**
 * Finishes a batch whose index was unlocked meanwhile: a person may have checked out another branch, or committed.
 *
 * Killed in it: the next start does the same, from the journal.
 *
 * @throws CmsError `unavailable` while a merge or the like is in progress
 */
export async function resumeCheckout(site: RepoContext, paths: readonly JournalPath[]): Promise<void> {
  const { head, blocked } = await readState(site.fs, site.gitDir);
  if (blocked) throw new CmsError("unavailable", blocked);
  await checkOut(site, head ? await pathsAsCommitted(site, head, paths) : [], new Map());
}

/** Of a batch's paths, those that a commit has as the batch made them: one that changed a file again has the say. */
export async function pathsAsCommitted(
  site: RepoContext,
  head: Oid,
  paths: readonly JournalPath[],
): Promise<JournalPath[]> {
  const { tree } = await readCommit(site.objects, head);
  const found: JournalPath[] = [];
  for (const item of paths) {
    if (((await findEntry(site.trees, tree, item.path))?.oid ?? null) === item.after) found.push(item);
  }
  return found;
}

async function placeFile(
  site: RepoContext,
  { path, before, after }: Omit<JournalPath, "base">,
  staged: StagedFile | undefined,
  changed: Set<string>,
): Promise<IndexUpdate | null> {
  const entry = (stat: BigIntStats | undefined) => (after === null ? null : { oid: after, stat });
  const there = await oidAtOrOther(site, path);
  if (there === after) return entry(after === null ? undefined : await site.worktree.statOf(path, after));
  if (there !== before) {
    site.env.log.warn(`${path} was changed by hand just now: it stays as it is, and differs from the last commit.`);
    return entry(undefined);
  }
  const done = await replace(site, { path, before, after }, staged);
  for (const dir of done.changed) changed.add(dir);
  if (done.kept) site.env.log.warn(`${path} was saved by hand while it was written: that text is in ${done.kept}.`);
  return entry(done.stat);
}

/** Again, with folders and file made anew, when one of them is removed at the same time. */
async function replace(
  site: RepoContext,
  { path, before, after }: Omit<JournalPath, "base">,
  staged: StagedFile | undefined,
): Promise<Replacement> {
  for (let tries = 1, file = staged; ; tries++, file = undefined) {
    try {
      return await site.worktree.replace(
        path,
        before,
        after === null ? null : (file ?? (await stageBlob(site, path, after))),
      );
    } catch (error) {
      if (!isMissing(error) || tries === TRIES) throw error;
    }
  }
}

/** As the worktree's `oidAt`, undefined where something stands that is no file. */
async function oidAtOrOther(site: RepoContext, path: Path): Promise<Oid | null | undefined> {
  try {
    return await site.worktree.oidAt(path);
  } catch (error) {
    if (error instanceof CmsError && error.code === "conflict") return undefined;
    throw error;
  }
}

async function stageBlob(site: RepoContext, path: Path, oid: Oid): Promise<StagedFile> {
  const blob = await site.objects.read(oid);
  if (!blob) throw new CmsError("unavailable", `Blob ${oid} of the last commit is missing: see \`git fsck\`.`);
  return site.worktree.stage(path, blob.content, oid);
}

/** What a person has staged for one of our paths, and is nowhere else, is kept in a file. */
export async function backUpStaged(site: RepoContext, index: IndexFile, paths: readonly JournalPath[]): Promise<void> {
  const pace = openPace();
  for (const { path, base, before, after } of paths) {
    await pace();
    for (const entry of entriesOf(index, path)) {
      const oid = entryOid(entry);
      if (stageOf(entry) !== 0 || oid === base || oid === before || oid === after) continue;
      const blob = await site.objects.read(oid);
      if (!blob) continue;
      const kept = await site.worktree.keep(path, blob.content, oid);
      site.env.log.warn(`${path} had other content staged: it is in ${kept}.`);
    }
  }
}
