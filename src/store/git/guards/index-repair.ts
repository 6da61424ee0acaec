/** Repairs the index after another git process has written an older one over the entries of our commits. */
import { CmsError } from "../../../errors.ts";
import type { Oid, Path } from "../../repo.ts";
import { readCommit } from "../objects/commits.ts";
import { checkOut } from "../worktree/checkout.ts";
import { entryOid, type IndexUpdate } from "../index/index-entry.ts";
import { entriesOf, updateIndex } from "../index/index-format.ts";
import { usableIndex } from "../index/index-file.ts";
import type { JournalPath } from "../journal.ts";
import { isCarriedOver, isReverted } from "./replaced-entries.ts";
import { branchOf } from "../refs/refs.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { findLeaf } from "../objects/trees.ts";

export interface IndexRepairs {
  /** Corrections of entries that an older index has brought back. */
  readonly updates: ReadonlyMap<Path, IndexUpdate | null>;
  /** Files of commits on another branch, which `git switch` has carried over. */
  readonly carriedOver: readonly JournalPath[];
}

const NOTHING: IndexRepairs = { updates: new Map(), carriedOver: [] };

/** Finds what is to be repaired. Exact only while the caller holds the index. */
export async function findIndexRepairs(repo: RepoContext): Promise<IndexRepairs> {
  if (repo.replacedEntries.isEmpty() || (await repo.index.isOurs())) return NOTHING;
  const { ref, head, blocked } = await readState(repo.fs, repo.gitDir);
  if (!ref || !head || blocked) return NOTHING;
  const index = await usableIndex(repo.index);
  const indexAt = await repo.index.writtenAt();
  const { tree } = await readCommit(repo.objects, head);
  const updates = new Map<Path, IndexUpdate | null>();
  const carriedOver: JournalPath[] = [];
  for (const [path, replaced] of repo.replacedEntries) {
    const { after } = replaced;
    const entries = entriesOf(index, path);
    const oid = entries[0] ? entryOid(entries[0]) : null;
    if (ref === replaced.ref && oid === after) continue;
    const inHead = await findLeaf(repo.trees, tree, path);
    const committed = inHead?.oid ?? null;
    const state = { entries, head: committed, indexAt };
    const needsUpdate = isReverted(replaced, state);
    if (!needsUpdate && !isCarriedOver(path, replaced, ref, state)) continue;
    // With other content, the file is a person's change, and so may be the index entry.
    if ((await oidOrUndefined(repo, path)) !== after) continue;
    if (!needsUpdate) carriedOver.push({ path, base: after, before: after, after: committed });
    else if (after === null) updates.set(path, null);
    else {
      const stat = await repo.worktree.statIfUnchanged(path, after);
      updates.set(path, { oid: after, stat, mode: inHead?.mode });
    }
  }
  return { updates, carriedOver };
}

/**
 * Repairs the index, and removes files that were carried over. The caller holds the index.
 *
 * If the process dies here, nothing has been done or the next start finishes it: the carried-over files are in the
 * journal.
 */
export async function repairIndex(repo: RepoContext): Promise<void> {
  const { updates, carriedOver } = await findIndexRepairs(repo);
  if (updates.size > 0) {
    await repo.index.write(updateIndex(await usableIndex(repo.index), updates));
    await repo.fs.syncDir(repo.gitDir);
    repo.env.log.warn(
      `A git command had written an older index over that of the last commits: corrected ${listed([...updates.keys()])}.`,
    );
  }
  const { ref, head } = await readState(repo.fs, repo.gitDir);
  if (carriedOver.length === 0 || !ref || !head) return;
  await repo.journal.write({ ref, old: head, new: head, paths: carriedOver });
  await checkOut(repo, carriedOver, new Map());
  repo.env.log.warn(
    `\`git switch\` had taken changes along to ${branchOf(ref)} that are committed on the branch it left: put back ` +
      `${listed(carriedOver.map(({ path }) => path))}.`,
  );
}

/** undefined if the path leads to no file that can be read. */
async function oidOrUndefined(repo: RepoContext, path: Path): Promise<Oid | null | undefined> {
  try {
    return await repo.worktree.oidAt(path);
  } catch (error) {
    if (error instanceof CmsError) return undefined;
    throw error;
  }
}

const LISTED_MAX = 5;

const listed = (paths: readonly Path[]): string =>
  paths.slice(0, LISTED_MAX).join(", ") + (paths.length > LISTED_MAX ? ` and ${paths.length - LISTED_MAX} more` : "");
