/** Checks that the repository is still as it was when a batch was planned. */
import { CmsError, unavailable } from "../../../errors.ts";
import type { Batch, KnownFolders, Oid, Path } from "../../repo.ts";
import { inParallel } from "../parallel.ts";
import { entryOid, isExcludedFromStatus, isIntentToAdd, stageOf, type IndexEntry } from "../index/index-entry.ts";
import { prepareSearches } from "../index/entry-list.ts";
import { entriesOf } from "../index/index-format.ts";
import { usableIndex } from "../index/index-file.ts";
import { pace } from "../../../time-slices.ts";
import type { RepoContext } from "../context.ts";
import type { PreparedBatch } from "../prepared-batch.ts";
import { readState, type GitState } from "../repo-state.ts";

/** What has to be unchanged when a batch or merge is made. */
export interface Expected extends Pick<Batch, "base" | "expect" | "manualEdits"> {
  /** What a merge removes. For a merge, symbolic links and files that git filters are looked at too: see `entryOidAt`. */
  readonly removed?: ReadonlySet<Path>;
}

export type Moved = { readonly made: false; readonly moved: "head" | "files" };

export const HEAD_MOVED: Moved = { made: false, moved: "head" };
const FILES_MOVED: Moved = { made: false, moved: "files" };
const FILES_AT_ONCE = 8;

/** The full name of the current branch. @throws CmsError `unavailable` if nothing can be written now */
export function writableBranch({ ref, blocked }: GitState): string {
  if (ref === null || blocked) throw unavailable(blocked ?? "HEAD is detached.", "repair");
  return ref;
}

/** Whether the branch or a file has changed since the batch was planned. */
export async function findMoved(repo: RepoContext, head: Oid | null, expected: Expected): Promise<Moved | undefined> {
  if (head !== expected.base) return HEAD_MOVED;
  return (await areFilesAs(repo, expected)) ? undefined : FILES_MOVED;
}

/**
 * As `findMoved`, under the locks, with the current branch and the index.
 *
 * @throws CmsError `unavailable` for a path with an unresolved conflict; `conflict` for an edit by hand that is staged
 */
export async function findMovedLocked(
  repo: RepoContext,
  { ref, paths }: PreparedBatch,
  expected: Expected,
): Promise<Moved | undefined> {
  const state = await readState(repo.fs, repo.gitDir);
  if (writableBranch(state) !== ref) return HEAD_MOVED;
  const moved = await findMoved(repo, state.head, expected);
  if (moved) return moved;
  const index = await usableIndex(repo.index);
  prepareSearches(index.entries, paths.length);
  for (const { path, base } of paths) {
    await pace();
    checkEntries(entriesOf(index, path), path, base, expected.manualEdits?.has(path) ?? false);
  }
  return undefined;
}

async function areFilesAs({ worktree }: RepoContext, { expect, removed }: Expected): Promise<boolean> {
  const folders: KnownFolders = new Map();
  const current = (path: Path) => (removed ? worktree.entryOidAt(path, removed) : worktree.oidAt(path, folders));
  const results = await inParallel([...expect], FILES_AT_ONCE, async ([path, oid]) => (await current(path)) === oid);
  return !results.includes(false);
}

/** @param base blob id in HEAD's commit */
function checkEntries(entries: readonly IndexEntry[], path: Path, base: Oid | null, isManualEdit: boolean): void {
  if (entries.some((entry) => stageOf(entry) !== 0)) {
    throw new CmsError("unavailable", `${path} has a conflict that is not resolved: edit it, then \`git add\` it.`);
  }
  const [entry] = entries;
  if (!isManualEdit) return;
  if (entry && isExcludedFromStatus(entry)) {
    throw new CmsError(
      "conflict",
      `${path} has a change that git was told to overlook: see \`git ls-files -v\`, and take the mark away with ` +
        `\`git update-index --no-skip-worktree --no-assume-unchanged ${path}\` to have it committed.`,
    );
  }
  if (isUnstaged(entry, base)) return;
  throw new CmsError(
    "conflict",
    `${path} has a change staged: commit it, or unstage it with \`git restore --staged ${path}\`, then write again.`,
  );
}

/** Whether nothing is staged for a path. @param base its blob id in HEAD's commit */
const isUnstaged = (entry: IndexEntry | undefined, base: Oid | null): boolean =>
  entry ? entryOid(entry) === base || (base === null && isIntentToAdd(entry)) : base === null;
