/**
 * Waiting for a moment at which no git command is half done.
 *
 * `git switch`, `reset`, `merge` and `pull` write the working files and the index under `index.lock`, let go of it, and
 * only then move HEAD or the branch. In between, HEAD names one commit and everything else is of another: a commit made
 * then would put one branch's text on the other. Such a command notes in the index the id of the tree that it has
 * checked out; as long as that is not the tree of HEAD's commit, the command may still be at it.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { CmsError } from "../../../errors.ts";
import type { Oid } from "../../repo.ts";
import { readCommit } from "../objects/commits.ts";
import { unlessMissing } from "../fs.ts";
import type { IndexFile } from "../index/index-format.ts";
import { usableIndex } from "../index/index-file.ts";
import type { Lock } from "./lock.ts";
import { branches, branchOf } from "../refs/refs.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";

export interface HeldLocks {
  readonly index: Lock;
  /** With it, HEAD names the same branch until the branch has moved. */
  readonly head: Lock;
}

/** Git takes a millisecond from its index to HEAD; a hook between the two may take longer. */
const LONGEST_MS = 500;
const PAUSE_MS = 10;

/** @returns takes the index and HEAD at a calm moment */
export function openCommitLocks(site: RepoContext): { take(): Promise<HeldLocks> } {
  /** What was waited for in vain: staged by a person, then, who may leave it so for days. */
  let accepted = "";

  return {
    async take() {
      const deadline = performance.now() + LONGEST_MS;
      for (;;) {
        const held = await takeBoth(site);
        try {
          const amid = await treeAmid(site);
          if (!amid || accepted === amid.key) return held;
          if (performance.now() >= deadline) {
            await refuseSwitch(site, amid.tree);
            accepted = amid.key;
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
    // Git takes it, too, before the branch's: in the same order, so that neither waits for the other in vain.
    return { index, head: await locks.take(`${gitDir}/HEAD.lock`) };
  } catch (error) {
    await index.release();
    throw error;
  }
}

export async function release({ index, head }: HeldLocks): Promise<void> {
  await head.release();
  await index.release();
}

/** The tree that the index says is checked out, when it is not HEAD's. */
async function treeAmid(site: RepoContext): Promise<{ readonly tree: Oid; readonly key: string } | undefined> {
  const { tree }: IndexFile = await usableIndex(site.index);
  if (!tree) return undefined;
  const { head, blocked } = await readState(site.fs, site.gitDir);
  if (!head || blocked || (await readCommit(site.objects, head)).tree === tree) return undefined;
  return { tree, key: `${head} ${tree}` };
}

/** @throws CmsError `unavailable` when exactly what another branch holds is checked out */
async function refuseSwitch({ fs, gitDir, objects }: RepoContext, tree: Oid): Promise<void> {
  // `git merge --squash` leaves a branch's content to be committed.
  if (await unlessMissing(fs.lstat(`${gitDir}/SQUASH_MSG`))) return;
  for (const [ref, commit] of await branches(fs, gitDir)) {
    if ((await objects.read(commit))?.type !== "commit" || (await readCommit(objects, commit)).tree !== tree) continue;
    throw new CmsError(
      "unavailable",
      `The files of the branch ${branchOf(ref)} are checked out, but HEAD is on another: finish the \`git switch\`, or ` +
        "put back what is staged with `git reset`.",
      { retryAfter: 5 },
    );
  }
}
