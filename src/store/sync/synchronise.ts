/**
 * One sync of the branch with a remote: fetch, merge, push.
 *
 * Each step can be repeated: a process that dies in between leaves nothing that the next sync does not finish.
 */
import { CmsError, messageOf, unavailable } from "../../errors.ts";
import type { BatchResult, Merge, MergedFile, Oid, Path } from "../repo.ts";
import { refuseBrokenSettings, refuseDeletions, refuseUnsafePaths } from "./fetched-tree.ts";
import { mergeMessage } from "./merge-message.ts";
import { planMerge, type MergePlan, type SyncContext } from "./merge-plan.ts";
import type { Fetched, Remote } from "./remote.ts";
import type { SyncConflict } from "./conflicts/sync-conflict.ts";

export interface SyncOptions {
  /** Whether commits are pushed. */
  readonly pushes: boolean;
  /** Whether the remote may remove more than half of all pages. */
  readonly acceptsDeletions: boolean;
  /** Whether only to report what would happen. The remote is fetched all the same. */
  readonly isDryRun: boolean;
  /**
   * Whether the sync fails where a file of Git LFS cannot be fetched. Else its pointer is written, so that one missing
   * file does not keep a server from everything else.
   */
  readonly needsLfsFiles: boolean;
  /** Makes the merge: as `Repo.merge`, or through a store that serves the content. */
  readonly merge: MakeMerge;
  /**
   * Runs the work while no other write is made, which waits for it: for a merge that writes have outrun a few times.
   *
   * @param work gets the `merge` of this moment
   * @param isExclusive whether git waits, too (`Repo.exclusively`)
   */
  inTurn<T>(work: (merge: MakeMerge) => Promise<T>, isExclusive: boolean): Promise<T>;
}

export type MakeMerge = (merge: Merge) => Promise<BatchResult>;

export interface SyncReport {
  /** `remote/branch`. */
  readonly remote: string;
  readonly outcome: "unchanged" | "forwarded" | "merged";
  /** The branch's commit after the sync; null for a branch without one. */
  readonly commit: Oid | null;
  /** Number of commits of the remote that are new here, and of ours that are new there. */
  readonly pulled: number;
  readonly pushed: number;
  readonly conflicts: readonly SyncConflict[];
  /** Whether the remote's branch was rewritten since the last fetch. */
  readonly isRewritten: boolean;
}

const PUSH_TRIES = 5;
/** A merge is planned beside writes first, then while they wait, and then while git waits, too. */
const TRIES_BESIDE_WRITES = 3;
const TRIES_BESIDE_GIT = 6;
const MERGE_TRIES = 20;

/** What was done of the remote's commits. */
type Joined = Pick<SyncReport, "outcome" | "conflicts" | "pulled"> & {
  readonly head: Oid | null;
  readonly ahead: number;
};

/**
 * @throws CmsError `conflict` if a person has to decide first (the sync is held); `unavailable` or `setup` with the reason
 *   and the remedy. Commits that were merged before a push failed stay merged.
 */
export async function synchronise(context: SyncContext, remote: Remote, options: SyncOptions): Promise<SyncReport> {
  const conflicts: SyncConflict[] = [];
  let pulled = 0;
  let outcome: SyncReport["outcome"] = "unchanged";
  let isRewritten = false;
  for (let tries = 1; ; tries++) {
    const fetched = await remote.fetch();
    const [rewritten, joined] = await Promise.all([
      wasRewritten(remote, fetched),
      join(context, remote, fetched.now, options),
    ]);
    isRewritten ||= rewritten;
    conflicts.push(...joined.conflicts);
    pulled += joined.pulled;
    if (joined.outcome !== "unchanged") outcome = joined.outcome;
    const { head, ahead } = joined;
    const report = { remote: `${remote.name}/${remote.branch}`, outcome, commit: head, pulled, conflicts, isRewritten };
    const there = remote.pushBranch === remote.branch ? fetched.now : await remote.pushedCommit();
    const pushes = options.pushes && head !== null && there !== head;
    const outrun = pushes && !options.isDryRun ? await remote.push(head) : undefined;
    if (!outrun) return { ...report, pushed: pushes ? ahead : 0 };
    if (tries >= PUSH_TRIES) throw outrun;
  }
}

async function wasRewritten(remote: Remote, { before, now }: Fetched): Promise<boolean> {
  if (!before || !now || before === now) return false;
  return (await remote.distance(before, now)).ahead > 0;
}

/** Merges the remote's commit into the branch, again if the branch moves meanwhile. */
async function join(context: SyncContext, remote: Remote, theirs: Oid | null, options: SyncOptions): Promise<Joined> {
  for (let tries = 1; tries <= MERGE_TRIES; tries++) {
    const joined =
      tries <= TRIES_BESIDE_WRITES
        ? await joinOnce(context, remote, theirs, options)
        : await options.inTurn(
            (merge) => joinOnce(context, remote, theirs, { ...options, merge }),
            tries > TRIES_BESIDE_GIT,
          );
    if (joined) return joined;
  }
  throw unavailable("The branch changed again and again while the remote's commits were merged.", "restart");
}

/** @returns undefined if the branch has moved meanwhile */
async function joinOnce(
  context: SyncContext,
  remote: Remote,
  theirs: Oid | null,
  options: SyncOptions,
): Promise<Joined | undefined> {
  const { head, blocked } = await context.repo.state();
  if (blocked) throw unavailable(blocked, "repair");
  const unchanged = { outcome: "unchanged", conflicts: [], pulled: 0, head } as const;
  if (head === null) {
    if (theirs === null) return { ...unchanged, ahead: 0 };
    throw new CmsError("conflict", "The branch has no commit: clone the remote, and serve the clone.");
  }
  if (theirs === null) return { ...unchanged, ahead: await remote.count(head) };
  return joinCommits(context, remote, head, theirs, options);
}

async function joinCommits(
  context: SyncContext,
  remote: Remote,
  ours: Oid,
  theirs: Oid,
  options: SyncOptions,
): Promise<Joined | undefined> {
  const [[base], { ahead, behind }] = await Promise.all([
    remote.mergeBases(ours, theirs),
    remote.distance(ours, theirs),
  ]);
  if (base === undefined) {
    const name = `${remote.name}/${remote.branch}`;
    throw new CmsError(
      "conflict",
      `${name} has no commit in common with this branch: it is another site, or was rewritten from its beginning.`,
    );
  }
  if (behind === 0) return { outcome: "unchanged", conflicts: [], pulled: 0, head: ours, ahead };
  const isForward = base === ours;
  const { changes, conflicts, settled } = isForward
    ? await forwardPlan(context, ours, theirs)
    : await planMerge(context, { base, ours, theirs }, remote.mergeBases);
  await refuseBrokenSettings(context, ours, changes);
  if (!options.acceptsDeletions) await refuseDeletions(context, ours, changes);
  const outcome = isForward ? "forwarded" : "merged";
  const done = { outcome, conflicts, pulled: behind, ahead: isForward ? 0 : ahead + 1 } as const;
  if (options.isDryRun) return { ...done, head: ours };
  await fetchLfsFiles(context, remote, theirs, changes, options.needsLfsFiles);
  const from = `${remote.name}/${remote.branch}`;
  const message = mergeMessage(from, base, conflicts, settled, context.locales.default);
  const commit = isForward ? null : { author: await context.repo.user(), at: context.env.now(), message };
  const result = await options.merge({ base: ours, other: theirs, commit, changes });
  return result.made ? { ...done, head: result.commits.at(-1) ?? ours } : undefined;
}

/** Fetches the files of Git LFS that a merge brings. @throws CmsError if one cannot be fetched and is needed */
export async function fetchLfsFiles(
  { repo, env }: SyncContext,
  remote: Remote,
  theirs: Oid,
  changes: MergePlan["changes"],
  areNeeded: boolean,
): Promise<void> {
  const missing = await repo.pointersAlone(changes);
  if (missing.length === 0) return;
  try {
    await remote.fetchLfs(theirs);
  } catch (error) {
    if (areNeeded || !(error instanceof CmsError)) throw error;
    env.log.warn(`${missing.length} files in Git LFS are missing, ${missing[0]} for one: ${messageOf(error)}`);
  }
}

/** The changes of a branch that moves to another commit. @throws CmsError `conflict` for a tree that is refused */
export async function forwardPlan(context: SyncContext, ours: Oid, theirs: Oid): Promise<MergePlan> {
  const differences = await context.repo.differences(ours, theirs);
  await refuseUnsafePaths(context, differences);
  const changes = new Map<Path, MergedFile | null>();
  for (const [path, { after }] of differences) changes.set(path, after);
  return { changes, conflicts: [], settled: [] };
}
