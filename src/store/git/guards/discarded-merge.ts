/** Merges commits of ours that a git command has discarded, and that a person has committed past since. */
import { CmsError } from "../../../errors.ts";
import type { Merge, MergedFile, Oid, Path, TreeFile } from "../../repo.ts";
import type { RepoContext } from "../context.ts";
import { readCommit } from "../objects/commits.ts";
import { findLeaf } from "../objects/trees.ts";
import type { DiscardedCommits } from "./discarded-commits.ts";

export interface DiscardedMerge {
  readonly merge: Merge;
  /** Changed on both sides: the branch keeps its version, and the commit has ours. */
  readonly contested: readonly Path[];
}

/** Whole files are merged: both sides changing one file within milliseconds is left to a person. */
export async function mergeDiscarded(
  repo: RepoContext,
  head: Oid,
  { from, to, paths }: DiscardedCommits,
): Promise<DiscardedMerge> {
  const [base, ours, theirs] = await Promise.all([from, head, to].map((id) => treeOf(repo, id)));
  const changes = new Map<Path, MergedFile | null>();
  const contested: Path[] = [];
  for (const { path } of paths) {
    const [before, now, after] = await Promise.all([base, ours, theirs].map((tree) => fileAt(repo, tree, path)));
    if (isSame(before, after) || isSame(now, after)) continue;
    if (isSame(before, now)) changes.set(path, after ?? null);
    else contested.push(path);
  }
  const message = `Merge ${to.slice(0, 10)}, which a git command had discarded`;
  const commit = { author: repo.committer, at: repo.env.now(), message };
  return { merge: { base: head, other: to, commit, changes }, contested };
}

const treeOf = async (repo: RepoContext, id: Oid): Promise<Oid> => (await readCommit(repo.objects, id)).tree;

async function fileAt(repo: RepoContext, tree: Oid | undefined, path: Path): Promise<TreeFile | undefined> {
  const entry = await findLeaf(repo.trees, tree ?? null, path);
  return entry && { mode: entry.mode, oid: entry.oid };
}

const isSame = (a: TreeFile | undefined, b: TreeFile | undefined): boolean => a?.oid === b?.oid && a?.mode === b?.mode;

/** What to log about paths that both sides changed. */
export const contestedMessage = (to: Oid, contested: readonly Path[]): string =>
  `${contested.join(", ")} changed on both sides of a git command that had discarded ${to.slice(0, 10)}: ` +
  `the version of the branch stays, and \`git show ${to.slice(0, 10)}:<path>\` has the other one.`;

/** The reason why it cannot be merged now, such as a file that is being edited by hand; other errors are thrown. */
export function discardReasonOf(error: unknown): string {
  if (error instanceof CmsError && error.code === "conflict") return error.message;
  throw error;
}
