/**
 * Finds commits of ours that a git command has discarded unintentionally.
 *
 * `git reset`, `git reset --hard` and `git stash` read HEAD, take `index.lock`, and finally move the branch to the
 * commit they had read. `git rebase` records the commit of the branch before leaving it, and `git rebase --abort` moves
 * the branch back to it. Both discard a commit of ours in between, though they are meant to leave the branch where it
 * is. They can be recognised in the branch's reflog: only then does a line `reset: moving to HEAD` or
 * `rebase (abort): returning to <branch>` have two different ids.
 */
import type { Oid } from "../../repo.ts";
import { readCommit } from "../objects/commits.ts";
import { unlessMissing } from "../fs.ts";
import { walkCommits } from "./commit-walk.ts";
import type { JournalPath } from "../journal.ts";
import { branchOf, readRef } from "./refs.ts";
import type { RepoContext } from "../context.ts";
import type { GitState } from "../repo-state.ts";
import { findEntry } from "../objects/trees.ts";

export interface DiscardedCommits {
  readonly ref: string;
  /** The current commit of the branch. */
  readonly from: Oid;
  /** Its commit before. All commits in between are ours. */
  readonly to: Oid;
  /** The changes of these commits. */
  readonly paths: readonly JournalPath[];
}

/** Lines of ours may follow the line in question, of batches that were not made. */
const LINES_MAX = 100;
const LINE = /^([0-9a-f]{40}) ([0-9a-f]{40}) [^\t]*(?:\t(.*))?$/;
const MESSAGE = /^(?:reset: moving|rebase \(abort\): returning) to (\S+)$/;

/**
 * The commits of ours that were discarded by the last move of the branch.
 *
 * Only the newest reflog line that led to the current commit counts: if the branch came to it again by another command,
 * a person has chosen it. Which commits are ours is known for an hour, also after a restart (retained-objects.ts).
 */
export async function findDiscardedCommits(
  repo: RepoContext,
  { ref, head, blocked }: GitState,
): Promise<DiscardedCommits | undefined> {
  if (!ref || !head || blocked || head === repo.replacedEntries.lastCommit()) return undefined;
  const log = (await unlessMissing(repo.fs.readFile(`${repo.gitDir}/logs/${ref}`)))?.toString("utf8") ?? "";
  for (const line of log.trimEnd().split("\n").slice(-LINES_MAX).reverse()) {
    const [, to, from, message = ""] = LINE.exec(line) ?? [];
    if (!to || from !== head) continue;
    const name = MESSAGE.exec(message)?.[1];
    if (to === from || name === undefined || !(await namesCurrentCommit(repo, ref, name))) return undefined;
    return (await repo.objects.isRetained(to)) ? withPaths(repo, ref, from, to) : undefined;
  }
  return undefined;
}

/** Whether a reset to this name was meant to leave the branch where it was. Git prefers a tag of that name. */
async function namesCurrentCommit({ fs, gitDir }: RepoContext, ref: string, name: string): Promise<boolean> {
  if (["HEAD", "@", ref].includes(name)) return true;
  return name === branchOf(ref) && (await readRef(fs, gitDir, `refs/tags/${name}`)) === null;
}

/** undefined if not all commits in between are ours. */
async function withPaths(repo: RepoContext, ref: string, from: Oid, to: Oid): Promise<DiscardedCommits | undefined> {
  const [before, after] = [(await readCommit(repo.objects, from)).tree, (await readCommit(repo.objects, to)).tree];
  const paths = new Map<string, JournalPath>();
  for await (const { id, changed } of walkCommits(repo, to, from, [""])) {
    if (!(await repo.objects.isRetained(id))) return undefined;
    for (const path of changed.keys()) {
      const base = (await findEntry(repo.trees, before, path))?.oid ?? null;
      paths.set(path, { path, base, before: base, after: (await findEntry(repo.trees, after, path))?.oid ?? null });
    }
  }
  return { ref, from, to, paths: [...paths.values()] };
}
