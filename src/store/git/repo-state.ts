/** Whether the repository can be written just now, and if not, why and what a person can do. */
import type { RepoState } from "../repo.ts";
import { unlessMissing, type Fs } from "./fs.ts";
import { branchOf, hasAnyRef, readHead, readRef } from "./refs/refs.ts";
import { messageOf } from "../../errors.ts";

/** What git leaves in its folder while something is under way. */
const UNDER_WAY: readonly { file: string; what: string; end: string }[] = [
  { file: "MERGE_HEAD", what: "A merge", end: "git merge --continue` or `git merge --abort" },
  { file: "rebase-merge", what: "A rebase", end: "git rebase --continue` or `git rebase --abort" },
  { file: "rebase-apply", what: "A rebase or `git am`", end: "git rebase --continue` or `git rebase --abort" },
  { file: "CHERRY_PICK_HEAD", what: "A cherry-pick", end: "git cherry-pick --continue` or `git cherry-pick --abort" },
  { file: "REVERT_HEAD", what: "A revert", end: "git revert --continue` or `git revert --abort" },
  {
    file: "sequencer",
    what: "A cherry-pick or revert",
    end: "git cherry-pick --continue` or `git cherry-pick --abort",
  },
  { file: "BISECT_LOG", what: "A bisect", end: "git bisect reset" },
];

/** Full name of the branch HEAD is on, besides what the port tells. */
export type GitState = RepoState & { readonly ref: string | null };

export async function readState(fs: Fs, gitDir: string): Promise<GitState> {
  const head = await readHead(fs, gitDir);
  if (head.ref === null) {
    const blocked = "HEAD is detached: a commit made now would be lost. Check out a branch with `git switch <branch>`.";
    return { ref: null, branch: null, head: head.commit, blocked };
  }
  const { ref } = head;
  const branch = branchOf(ref);
  try {
    const commit = await readRef(fs, gitDir, ref);
    const blocked = (await underWay(fs, gitDir)) ?? (commit ? null : await unborn(fs, gitDir, branch));
    return { ref, branch, head: commit, blocked };
  } catch (error) {
    return { ref, branch, head: null, blocked: messageOf(error) };
  }
}

async function underWay(fs: Fs, gitDir: string): Promise<string | null> {
  const found = await Promise.all(UNDER_WAY.map(({ file }) => unlessMissing(fs.lstat(`${gitDir}/${file}`))));
  const first = UNDER_WAY[found.findIndex((stat) => stat !== undefined)];
  return first ? `${first.what} is in progress: end it with \`${first.end}\`.` : null;
}

/** A new repository begins without a commit; in any other, a branch without one has lost it or is being prepared. */
async function unborn(fs: Fs, gitDir: string, branch: string): Promise<string | null> {
  const log = await unlessMissing(fs.lstat(`${gitDir}/logs/refs/heads/${branch}`));
  if (!(log && log.isFile() && log.size > 0n) && !(await hasAnyRef(fs, gitDir))) return null;
  return (
    `The branch ${branch} has no commit, though the repository is not new: make the first one with \`git commit\`, ` +
    "or check out another branch with `git switch <branch>`."
  );
}
