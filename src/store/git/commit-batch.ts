/**
 * Commits batches: all commits of a batch are made, or none.
 *
 * Everything slow is prepared first, without locks and invisibly. Then, under git's own locks, what the batch was planned
 * on is checked again. The rename of the branch's ref file is the commit point.
 */
import { performance } from "node:perf_hooks";
import { messageOf } from "../../errors.ts";
import { openQueue } from "../../queue.ts";
import type { Batch, BatchResult, Merge, Path, Oid } from "../repo.ts";
import { openCommitLocks, type CommitLocks, type HeldLocks } from "./locks/commit-locks.ts";
import { toUnavailable } from "./disk-error.ts";
import { checkOut, repeatCheckout, resumeCheckout } from "./worktree/checkout.ts";
import type { JournalPath } from "./journal.ts";
import type { Lock } from "./locks/lock.ts";
import { reportRestored } from "./objects/integrity.ts";
import { usableIndex } from "./index/index-file.ts";
import { updateIndex } from "./index/index-format.ts";
import { findIndexRepairs, repairIndex } from "./guards/index-repair.ts";
import { ensureStored, syncBranch, updateBranch, type StagedRecord } from "./refs/branch-update.ts";
import { contestedMessage, mergeDiscarded, discardReasonOf } from "./guards/discarded-merge.ts";
import { findDiscardedCommits, findUnmergedCommits } from "./guards/discarded-commits.ts";
import { cleanSignature, secondsOf, signatureLine } from "./objects/signature.ts";
import type { RepoContext } from "./context.ts";
import { findMoved, findMovedLocked, HEAD_MOVED, writableBranch, type Expected } from "./guards/batch-check.ts";
import { openPendingWork, type PendingWork } from "./pending-work.ts";
import { prepareMerge } from "./prepared-merge.ts";
import { readState, type GitState } from "./repo-state.ts";
import { discardStaged, prepareBatch, stageBatch, type PreparedBatch, type StagedBatch } from "./prepared-batch.ts";
import type { StagedFile } from "./worktree/file-replacement.ts";

export interface Transactions {
  /** Batches are committed one at a time, in the order of the calls. */
  commit(batch: Batch): Promise<BatchResult>;
  merge(merge: Merge): Promise<BatchResult>;
  /** See `Repo.exclusively`. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Writes the files of a batch that could not be written when it was committed. @throws CmsError `unavailable` */
  settle(): Promise<void>;
  /** Repairs what other git processes have undone of recent commits: objects, index entries, the branch itself. */
  maintain(part?: "index"): Promise<void>;
  close(): Promise<void>;
}

/** What the steps of a commit share. */
interface Writer {
  readonly repo: RepoContext;
  readonly commitLocks: CommitLocks;
  readonly pending: PendingWork;
  /** Discarded commits that the branch has had since, or that could not be merged and are logged. */
  readonly discarded: { readonly merged: Set<Oid>; readonly logged: Set<Oid> };
}

export function openTransactions(repo: RepoContext): Transactions {
  const pending = openPendingWork(repo.locks);
  const discarded = { merged: new Set<Oid>(), logged: new Set<Oid>() };
  const writer: Writer = { repo, commitLocks: openCommitLocks(repo), pending, discarded };
  const upkeep = openUpkeep(repo);
  const runInTurn = openQueue();
  const runAlone = openQueue();

  const write = (work: (state: GitState) => Promise<BatchResult>): Promise<BatchResult> =>
    runInTurn(async () => {
      try {
        await pending.settle();
        await upkeep.runIfDue();
        return await work(await restoreDiscarded(writer));
      } catch (error) {
        throw toUnavailable(error);
      }
    });

  return {
    commit: (batch) => write((state) => commitBatch(writer, batch, state)),
    merge: (merge) => write((state) => commitMerge(writer, merge, state)),
    exclusively: (work) =>
      runAlone(async () => {
        const release = await runInTurn(() => lendCommitLocks(writer)).catch((error: unknown) => {
          throw toUnavailable(error);
        });
        try {
          return await work();
        } finally {
          await runInTurn(release);
        }
      }),
    settle: async () => (pending.exists() ? runInTurn(pending.settle) : repo.locks.retryReleases()),
    maintain: (part) =>
      runInTurn(async () => {
        // A git command that discards commits or entries of ours writes the index after them.
        if (part === "index" && (await repo.index.isOurs())) return;
        await pending.settle();
        if (part === undefined) await upkeep.run();
        await restoreDiscarded(writer);
        await repairIndexIfNeeded(repo);
        if (part === undefined && repo.deferredStats.isDue()) await writeDeferredStats(repo);
      }),
    close: () =>
      runInTurn(async () => {
        await pending.settle();
        await reportLateSaves(repo, true);
        if (repo.deferredStats.isEmpty()) return;
        // Without them git reads the files again.
        await writeDeferredStats(repo).catch((error: unknown) => repo.env.log.warn(messageOf(error)));
      }),
  };
}

/** Takes the locks of a commit for several turns. @returns the way to release them */
async function lendCommitLocks({ repo, commitLocks, pending }: Writer): Promise<() => Promise<void>> {
  await pending.settle();
  const { index, head } = await commitLocks.take();
  const ends = [repo.locks.lend(`${repo.gitDir}/index.lock`, index), repo.locks.lend(`${repo.gitDir}/HEAD.lock`, head)];
  return async () => {
    for (const end of ends) end();
    await head.release();
    // Work that is left needs the index, and releases it.
    if (!pending.exists()) await index.release();
  };
}

async function commitBatch(writer: Writer, batch: Batch, state: GitState): Promise<BatchResult> {
  const { repo } = writer;
  const ref = writableBranch(state);
  const moved = await findMoved(repo, state.head, batch);
  if (moved) return moved;
  return stageAndCommit(writer, batch, await prepareBatch(repo, ref, batch));
}

/**
 * As a batch: if the process dies before the branch moves, nothing has happened; after it, the next start writes the
 * remaining files from the journal. The objects of `other` are stored before and are not in the journal.
 */
async function commitMerge(writer: Writer, merge: Merge, state: GitState): Promise<BatchResult> {
  const { repo } = writer;
  const ref = writableBranch(state);
  if (state.head !== merge.base) return HEAD_MOVED;
  const { prepared, expected } = await prepareMerge(repo, ref, merge);
  return stageAndCommit(writer, expected, prepared);
}

async function stageAndCommit(writer: Writer, expected: Expected, prepared: PreparedBatch): Promise<BatchResult> {
  const { repo } = writer;
  await repo.folderCheck.check(prepared.paths.flatMap(({ path, before, after }) => (before === after ? [] : [path])));
  return commitStaged(writer, expected, prepared, await stageBatch(repo, expected.base, prepared));
}

async function commitStaged(
  writer: Writer,
  expected: Expected,
  prepared: PreparedBatch,
  staged: StagedBatch & { readonly record: StagedRecord },
): Promise<BatchResult> {
  const { repo, commitLocks, pending } = writer;
  let held: HeldLocks | undefined;
  let isMade = false;
  try {
    held = await commitLocks.take();
    const moved = await findMovedLocked(repo, prepared, expected);
    if (moved) return moved;
    const update = { ...prepared, old: expected.base, early: staged };
    isMade = await updateBranch(repo, update, held, undoLater(pending, held.index));
    if (!isMade) return HEAD_MOVED;
  } finally {
    // An index that is still to be put back needs its files.
    if (!isMade) await discardStaged(repo, pending.exists() ? { ...staged, index: undefined } : staged);
    await held?.head.release();
    if (!isMade && !pending.exists()) await held?.index.release();
  }
  // Before the files are written: after a power failure they would otherwise look like a person's changes.
  const failure = await syncBranch(repo, prepared.ref);
  // A prune that began before the branch moved does not know the batch, and may have removed its objects by now.
  await ensureStored(repo, prepared.objects).catch((error: unknown) =>
    repo.env.log.error("Objects are missing", error),
  );
  await checkOutBatch(writer, prepared, staged.files, held.index);
  if (failure) throw failure;
  return { made: true, commits: prepared.commits };
}

/** For an index that could not be put back: it stays locked until it is. */
const undoLater = (pending: PendingWork, lock: Lock) => (undo: () => Promise<void>) =>
  pending.set({ description: "The index is not put back yet", finish: undo, lock });

const finishCheckout =
  (repo: RepoContext, paths: readonly JournalPath[]) =>
  (isSameLock: boolean): Promise<void> =>
    isSameLock ? repeatCheckout(repo, paths) : resumeCheckout(repo, paths);

/** The commit is made: an error from here on is logged, and the next call or the next start finishes the checkout. */
async function checkOutBatch(
  { repo, pending }: Writer,
  { paths, commits }: PreparedBatch,
  staged: ReadonlyMap<Path, StagedFile>,
  lock: Lock,
): Promise<void> {
  // Set beforehand, so that readers wait for the checkout (`settle`).
  const description = "The last commit's files are not all written yet";
  pending.set({ description, finish: finishCheckout(repo, paths), lock });
  try {
    if (!(await lock.isHeld())) throw new Error("index.lock was removed meanwhile");
    await checkOut(repo, paths, staged);
    pending.clear();
    await lock.release();
  } catch (error) {
    repo.env.log.error(`Commit ${commits.at(-1)} is made, but not all of its files are written yet`, error);
  }
}

/**
 * Moves the branch back to commits of ours that a `git reset` has discarded, having read HEAD before them; merges them
 * where the branch has other commits since.
 *
 * @returns the state afterwards
 */
async function restoreDiscarded(writer: Writer): Promise<GitState> {
  const { fs, gitDir } = writer.repo;
  const state = await readState(fs, gitDir);
  if (await findDiscardedCommits(writer.repo, state)) await restoreLocked(writer);
  else if (!(await mergeUnmerged(writer, state))) return state;
  await writer.pending.settle();
  return readState(fs, gitDir);
}

/** @returns whether the branch has moved */
async function mergeUnmerged(writer: Writer, state: GitState): Promise<boolean> {
  const { repo, discarded } = writer;
  const found = await findUnmergedCommits(repo, state, discarded.merged);
  if (!found || state.head === null) return false;
  const { to } = found;
  try {
    const { merge, contested } = await mergeDiscarded(repo, state.head, found);
    if (!(await commitMerge(writer, merge, state)).made) return false;
    repo.env.log.warn(`A git command had discarded ${to.slice(0, 10)}, made while it ran: it is merged.`);
    if (contested.length > 0) repo.env.log.error(contestedMessage(to, contested));
    return true;
  } catch (error) {
    const reason = discardReasonOf(error);
    if (!discarded.logged.has(to))
      repo.env.log.error(`Commit ${to.slice(0, 10)}, which a git command had discarded, is not merged yet: ${reason}`);
    discarded.logged.add(to);
    return false;
  }
}

async function restoreLocked({ repo, commitLocks, pending }: Writer): Promise<void> {
  const held = await commitLocks.take();
  try {
    const found = await findDiscardedCommits(repo, await readState(repo.fs, repo.gitDir));
    if (!found) return;
    const { ref, from, to, paths } = found;
    const signature = signatureLine(cleanSignature(repo.committer), secondsOf(repo.env.now()));
    const reflog = `${signature}\treset: back to commits made meanwhile`;
    const update = { ref, old: from, commits: [to], objects: [], paths, reflog };
    if (!(await updateBranch(repo, update, held, undoLater(pending, held.index)))) return;
    const description = "The files of restored commits are not all written yet";
    pending.set({ description, finish: finishCheckout(repo, paths), lock: held.index });
    await syncBranch(repo, ref);
    repo.env.log.warn(`A \`git reset\` had discarded ${to.slice(0, 10)}, made while it ran: the branch is back there.`);
  } finally {
    await held.head.release();
    if (!pending.exists()) await held.index.release();
  }
}

async function repairIndexIfNeeded(repo: RepoContext): Promise<void> {
  const { updates, carriedOver } = await findIndexRepairs(repo);
  if (updates.size === 0 && carriedOver.length === 0) return;
  const lock = await repo.locks.take(`${repo.gitDir}/index.lock`);
  try {
    await repairIndex(repo);
  } finally {
    await lock.release();
  }
}

/**
 * Leaves them to the next commit if another process has written the index: its git command may go on with another one,
 * as `git pull` does, which fails if it finds `index.lock` taken.
 */
async function writeDeferredStats(repo: RepoContext): Promise<void> {
  if (!(await repo.index.isOurs())) return;
  const lock = await repo.locks.take(`${repo.gitDir}/index.lock`);
  try {
    const index = await usableIndex(repo.index);
    const updates = await repo.deferredStats.take(index);
    if (updates.size === 0) return;
    await repo.index.write(updateIndex(index, updates));
    await repo.fs.syncDir(repo.gitDir);
  } finally {
    await lock.release();
  }
}

/**
 * Minimum intervals of checking the objects of the last minute, and of the last hour. The first is that of a server without
 * writes (watch.ts): until then reads find a pruned object among the retained ones, and only other processes miss it.
 */
const UPKEEP_MS = 5_000;
const FULL_UPKEEP_MS = 60_000;

/** Puts back pruned objects, and copies late saves. */
function openUpkeep(repo: RepoContext): { run(): Promise<void>; runIfDue(): Promise<void> } {
  let lastAt = 0;
  let lastFullAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    const now = performance.now();
    lastAt = now;
    const isFull = now - lastFullAt >= FULL_UPKEEP_MS;
    if (isFull) lastFullAt = now;
    reportRestored(repo.env.log, await repo.objects.restorePruned(isFull));
    await repo.objects.tidyPacks(isFull);
    await reportLateSaves(repo, false);
  }

  return {
    run,
    async runIfDue() {
      if (performance.now() - lastAt >= UPKEEP_MS) await run();
    },
  };
}

/** Logs where the content is that editors saved into replaced files. @param all when the repository is closed */
async function reportLateSaves(repo: RepoContext, all: boolean): Promise<void> {
  for (const { path, copy } of await repo.worktree.collectLateSaves(all)) {
    repo.env.log.warn(`${path} was saved by hand while it was written: that text is in ${copy}.`);
  }
}
