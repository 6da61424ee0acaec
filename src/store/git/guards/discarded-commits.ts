/**
 * Finds commits of ours that a git command has discarded unintentionally: the branch goes back to them, or they are merged
 * where a person has committed on top before the service looked.
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
import { walkCommits } from "../refs/commit-walk.ts";
import type { JournalPath } from "../journal.ts";
import { branchOf, readRef } from "../refs/refs.ts";
import type { RepoContext } from "../context.ts";
import type { GitState } from "../repo-state.ts";
import { findLeaf } from "../objects/trees.ts";

export interface DiscardedCommits {
  readonly ref: string;
  /** The commit that the branch was moved to. */
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

/** Messages of lines that add commits to the branch. Any other one means that a person has chosen where it is. */
const ADDING = /^(?:commit(?: \([a-z-]+\))?|merge [^:]+|pull[^:]*|cherry-pick|revert|am): /;

/**
 * The commits of ours that were discarded by the last move of the branch.
 *
 * Only the newest reflog line that led to the current commit counts: if the branch came to it again by another command,
 * a person has chosen it. Which commits are ours is known for an hour, also after a restart (retained-objects.ts).
 */
export async function findDiscardedCommits(repo: RepoContext, state: GitState): Promise<DiscardedCommits | undefined> {
  const [line] = await movesOf(repo, state);
  if (!line || !(await isDiscarding(repo, line))) return undefined;
  return (await repo.objects.isRetained(line.to)) ? withPaths(repo, line) : undefined;
}

/**
 * Those that were discarded before the last commits of the branch, and that it has not: a script may commit right after
 * its `git rebase --abort`.
 *
 * @param known commits that the branch has had, which are not looked for again; those found to be there are added
 */
export async function findUnmergedCommits(
  repo: RepoContext,
  state: GitState,
  known: Set<Oid>,
): Promise<DiscardedCommits | undefined> {
  for (const line of await movesOf(repo, state)) {
    if (await isDiscarding(repo, line)) {
      if (known.has(line.to) || !(await repo.objects.isRetained(line.to))) continue;
      if (!(await isMerged(repo, line.to, line.head))) return withPaths(repo, line);
      known.add(line.to);
    } else if (!ADDING.test(line.message)) return undefined;
  }
  return undefined;
}

/** A line of the branch's reflog. */
interface Move {
  readonly ref: string;
  readonly head: Oid;
  /** The branch's commit before the move, and after it. */
  readonly to: Oid;
  readonly from: Oid;
  readonly message: string;
}

/** The newest first, from the one that led to the current commit. None while that is a commit of this process. */
async function movesOf(repo: RepoContext, { ref, head, blocked }: GitState): Promise<readonly Move[]> {
  if (!ref || !head || blocked || head === repo.replacedEntries.lastCommit()) return [];
  const log = (await unlessMissing(repo.fs.readFile(`${repo.gitDir}/logs/${ref}`)))?.toString("utf8") ?? "";
  const moves = log
    .trimEnd()
    .split("\n")
    .slice(-LINES_MAX)
    .reverse()
    .flatMap((line) => {
      const [, to, from, message = ""] = LINE.exec(line) ?? [];
      return to === undefined || from === undefined ? [] : [{ ref, head, to, from, message }];
    });
  const first = moves.findIndex(({ from }) => from === head);
  return first < 0 ? [] : moves.slice(first);
}

async function isDiscarding(repo: RepoContext, { ref, to, from, message }: Move): Promise<boolean> {
  const name = MESSAGE.exec(message)?.[1];
  return to !== from && name !== undefined && namesCurrentCommit(repo, ref, name);
}

/** Whether a commit is in the history of the head. */
async function isMerged(repo: RepoContext, commit: Oid, head: Oid): Promise<boolean> {
  const missing = await walkCommits(repo, commit, head, []).next();
  return missing.done === true;
}

/** Whether a reset to this name was meant to leave the branch where it was. Git prefers a tag of that name. */
async function namesCurrentCommit({ fs, gitDir }: RepoContext, ref: string, name: string): Promise<boolean> {
  if (["HEAD", "@", ref].includes(name)) return true;
  return name === branchOf(ref) && (await readRef(fs, gitDir, `refs/tags/${name}`)) === null;
}

/** undefined if not all commits in between are ours. */
async function withPaths(repo: RepoContext, { ref, from, to }: Move): Promise<DiscardedCommits | undefined> {
  const [before, after] = [(await readCommit(repo.objects, from)).tree, (await readCommit(repo.objects, to)).tree];
  const paths = new Map<string, JournalPath>();
  for await (const { id, changed } of walkCommits(repo, to, from, [""])) {
    if (!(await repo.objects.isRetained(id))) return undefined;
    for (const path of changed.keys()) {
      const base = (await findLeaf(repo.trees, before, path))?.oid ?? null;
      paths.set(path, { path, base, before: base, after: (await findLeaf(repo.trees, after, path))?.oid ?? null });
    }
  }
  return { ref, from, to, paths: [...paths.values()] };
}
