/**
 * Commits of ours that a git command took off the branch without being told to.
 *
 * `git reset`, `git reset --hard` and `git stash` read HEAD, take `index.lock`, and in the end move the branch to the
 * commit they had read. `git rebase` notes the branch's commit before it leaves the branch, and `git rebase --abort`
 * moves the branch back there. A commit of ours in between would be discarded. The line in the branch's reflog says
 * `reset: moving to HEAD`, or `rebase (abort): returning to <branch>`, and has two different ids, which nothing else
 * makes: both commands leave the branch where they found it.
 */
import type { Oid } from "../../repo.ts";
import { readCommit } from "../objects/commits.ts";
import { unlessMissing } from "../fs.ts";
import { walkCommits } from "./commit-walk.ts";
import type { JournalPath } from "../journal.ts";
import { branchOf, readRef } from "./refs.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { findEntry } from "../objects/trees.ts";

export interface DiscardedCommits {
  readonly ref: string;
  /** Where the branch is. */
  readonly from: Oid;
  /** Where it was: every commit from there on is ours. */
  readonly to: Oid;
  /** What these commits changed. */
  readonly paths: readonly JournalPath[];
}

/** Our own lines may follow, of batches that were not made. */
const LINES = 100;
const LINE = /^([0-9a-f]{40}) ([0-9a-f]{40}) [^\t]*(?:\t(.*))?$/;
const RESET = /^(?:reset: moving|rebase \(abort\): returning) to (\S+)$/;

/**
 * The reset that has discarded commits of ours, if that is what moved the branch to where it is.
 *
 * Only the newest line of the branch's reflog that led to its commit counts: a branch that came to the same commit again, by whatever command,
 * was moved there by name. Which commits are ours is known for an hour, also after a restart (recent.ts).
 */
export async function findDiscardedCommits(site: RepoContext): Promise<DiscardedCommits | undefined> {
  const { ref, head, blocked } = await readState(site.fs, site.gitDir);
  if (!ref || !head || blocked || head === site.replacedEntries.lastCommit()) return undefined;
  const log = (await unlessMissing(site.fs.readFile(`${site.gitDir}/logs/${ref}`)))?.toString("utf8") ?? "";
  for (const line of log.trimEnd().split("\n").slice(-LINES).reverse()) {
    const [, to, from, message = ""] = LINE.exec(line) ?? [];
    if (!to || from !== head) continue;
    const name = RESET.exec(message)?.[1];
    if (to === from || name === undefined || !(await isWhereItWas(site, ref, name))) return undefined;
    return (await site.objects.isRecent(to)) ? withPaths(site, ref, from, to) : undefined;
  }
  return undefined;
}

/** Whether a reset to this name leaves the branch where it is, unless it moves meanwhile. Git prefers a tag of the name. */
async function isWhereItWas({ fs, gitDir }: RepoContext, ref: string, name: string): Promise<boolean> {
  if (["HEAD", "@", ref].includes(name)) return true;
  return name === branchOf(ref) && (await readRef(fs, gitDir, `refs/tags/${name}`)) === null;
}

async function withPaths(site: RepoContext, ref: string, from: Oid, to: Oid): Promise<DiscardedCommits | undefined> {
  const [before, after] = [(await readCommit(site.objects, from)).tree, (await readCommit(site.objects, to)).tree];
  const paths = new Map<string, JournalPath>();
  for await (const { id, changed } of walkCommits(site, to, from, [""])) {
    if (!(await site.objects.isRecent(id))) return undefined;
    for (const path of changed.keys()) {
      const base = (await findEntry(site.trees, before, path))?.oid ?? null;
      paths.set(path, { path, base, before: base, after: (await findEntry(site.trees, after, path))?.oid ?? null });
    }
  }
  return { ref, from, to, paths: [...paths.values()] };
}
