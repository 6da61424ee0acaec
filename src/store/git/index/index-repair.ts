/** What another git process has undone of our commits by writing an older index, and how the index is put right. */
import { CmsError } from "../../../errors.ts";
import type { Oid, Path } from "../../repo.ts";
import { readCommit } from "../objects/commits.ts";
import { checkOut } from "../worktree/checkout.ts";
import { entriesOf, entryOid, updateIndex, type IndexUpdate } from "./index-format.ts";
import { usableIndex } from "./index-file.ts";
import type { JournalPath } from "../journal.ts";
import { isReverted, isCarriedOver } from "./replaced-entries.ts";
import { branchOf } from "../refs/refs.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { findEntry } from "../objects/trees.ts";

export interface IndexRepairs {
  /** Entries that an older index has brought back, and what they are to be. */
  readonly updates: ReadonlyMap<Path, IndexUpdate | null>;
  /** Files of commits on another branch, which `git switch` took along. */
  readonly carried: readonly JournalPath[];
}

const NOTHING: IndexRepairs = { updates: new Map(), carried: [] };

/** Looks for it; exact only for who holds the index. */
export async function findIndexRepairs(site: RepoContext): Promise<IndexRepairs> {
  if (site.replacedEntries.size === 0 || (await site.index.isOurs())) return NOTHING;
  const { ref, head, blocked } = await readState(site.fs, site.gitDir);
  if (!ref || !head || blocked) return NOTHING;
  const index = await usableIndex(site.index);
  const indexAt = await site.index.writtenAt();
  const { tree } = await readCommit(site.objects, head);
  const updates = new Map<Path, IndexUpdate | null>();
  const carried: JournalPath[] = [];
  for (const [path, own] of site.replacedEntries) {
    const entries = entriesOf(index, path);
    const oid = entries[0] ? entryOid(entries[0]) : null;
    if (ref === own.ref && oid === own.after) continue;
    const committed = (await findEntry(site.trees, tree, path))?.oid ?? null;
    const standing = { entries, head: committed, indexAt };
    const isBack = isReverted(own, standing);
    if (!isBack && !isCarriedOver(own, ref, standing)) continue;
    // With other content, the file is a person's, and what they make of it is theirs to say.
    if ((await oidAt(site, path)) !== own.after) continue;
    if (!isBack) carried.push({ path, base: own.after, before: own.after, after: committed });
    else
      updates.set(
        path,
        own.after === null ? null : { oid: own.after, stat: await site.worktree.statOf(path, own.after) },
      );
  }
  return { updates, carried };
}

/**
 * Puts it right. The caller holds the index.
 *
 * Killed in between, it has done nothing or is done by the next start: the files taken along are in the journal.
 */
export async function repairIndex(site: RepoContext): Promise<void> {
  const { updates, carried } = await findIndexRepairs(site);
  if (updates.size > 0) {
    await site.index.write(updateIndex(await usableIndex(site.index), updates));
    await site.fs.syncDir(site.gitDir);
    site.env.log.warn(
      `A git command had written an older index over that of the last commits: corrected ${listed([...updates.keys()])}.`,
    );
  }
  const { ref, head } = await readState(site.fs, site.gitDir);
  if (carried.length === 0 || !ref || !head) return;
  await site.journal.write({ ref, old: head, new: head, paths: carried });
  await checkOut(site, carried, new Map());
  site.env.log.warn(
    `\`git switch\` had taken changes along to ${branchOf(ref)} that are committed on the branch it left: put back ` +
      `${listed(carried.map(({ path }) => path))}.`,
  );
}

async function oidAt(site: RepoContext, path: Path): Promise<Oid | null | undefined> {
  try {
    return await site.worktree.oidAt(path);
  } catch (error) {
    if (error instanceof CmsError) return undefined;
    throw error;
  }
}

const LISTED = 5;

const listed = (paths: readonly Path[]): string =>
  paths.slice(0, LISTED).join(", ") + (paths.length > LISTED ? ` and ${paths.length - LISTED} more` : "");
