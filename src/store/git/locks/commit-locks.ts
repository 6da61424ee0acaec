/**
 * The locks of a commit, `index.lock` and `HEAD.lock`, taken while no git command is half done.
 *
 * `git switch`, `reset`, `merge` and `pull` write the working files and the index under `index.lock`, release it, and
 * only then move HEAD or the branch. In between, HEAD names one commit while index and files are of another: a commit
 * made then would put one branch's content on the other. Such a command records in the index the id of the tree it has
 * checked out. While that is not the tree of HEAD's commit, the command may still be running.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { unavailable } from "../../../errors.ts";
import type { Oid } from "../../repo.ts";
import { readCommit } from "../objects/commits.ts";
import { usableIndex } from "../index/index-file.ts";
import type { Lock } from "./lock.ts";
import { refsBelow, branchOf } from "../refs/refs.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";

export interface HeldLocks {
  readonly index: Lock;
  /** While it is held, HEAD stays on the same branch. */
  readonly head: Lock;
}

export interface CommitLocks {
  /** Takes both, when no git command is half done. @throws CmsError `unavailable` if another branch is checked out */
  take(): Promise<HeldLocks>;
}

/** Git takes a millisecond from writing the index to moving HEAD; a hook between the two may take longer. */
const MAX_WAIT_MS = 500;
const PAUSE_MS = 10;

export function openCommitLocks(repo: RepoContext): CommitLocks {
  /** A mismatch that outlasted the wait: a person has staged it, and may keep it so for days. */
  let accepted = "";

  return {
    async take() {
      const deadline = performance.now() + MAX_WAIT_MS;
      for (;;) {
        const held = await takeBoth(repo);
        try {
          const mismatch = await findMismatch(repo);
          if (!mismatch || accepted === mismatch.key) return held;
          if (performance.now() >= deadline) {
            await refuseOtherBranch(repo, mismatch.tree);
            accepted = mismatch.key;
            return held;
          }
        } catch (error) {
          await release(held);
          throw error;
        }
        await release(held);
        await pause(PAUSE_MS);
      }
    },
  };
}

async function takeBoth({ locks, gitDir }: RepoContext): Promise<HeldLocks> {
  const index = await locks.take(`${gitDir}/index.lock`);
  try {
    // Git takes HEAD.lock before the branch's lock, too: the same order prevents a deadlock.
    return { index, head: await locks.take(`${gitDir}/HEAD.lock`) };
  } catch (error) {
    await index.release();
    throw error;
  }
}

async function release({ index, head }: HeldLocks): Promise<void> {
  await head.release();
  await index.release();
}

/** The tree that the index says is checked out, if it is not that of HEAD's commit. */
async function findMismatch(repo: RepoContext): Promise<{ readonly tree: Oid; readonly key: string } | undefined> {
  const { tree } = await usableIndex(repo.index);
  if (!tree) return undefined;
  const { head, blocked } = await readState(repo.fs, repo.gitDir);
  if (!head || blocked || (await readCommit(repo.objects, head)).tree === tree) return undefined;
  return { tree, key: `${head} ${tree}` };
}

/** @throws CmsError `unavailable` if the tree is exactly that of another branch */
async function refuseOtherBranch({ fs, gitDir, objects }: RepoContext, tree: Oid): Promise<void> {
  // `git merge --squash` leaves the content of a branch to be committed.
  if (await fs.lstat(`${gitDir}/SQUASH_MSG`)) return;
  for (const [ref, commit] of await refsBelow(fs, gitDir, ["refs/heads"])) {
    if ((await objects.read(commit))?.type !== "commit" || (await readCommit(objects, commit)).tree !== tree) continue;
    throw unavailable(
      `The files of the branch ${branchOf(ref)} are checked out, but HEAD is on another: finish the \`git switch\`, or ` +
        "put back what is staged with `git reset`.",
      "restart",
    );
  }
}
