/** Whether the repository can be written now, and if not, why and what a person can do. */
import type { RepoState } from "../repo.ts";
import type { Fs } from "./fs.ts";
import { branchOf, hasAnyRef, readHead, readRef } from "./refs/refs.ts";
import { messageOf } from "../../errors.ts";

/** The files that git keeps in `.git` while an operation is in progress. */
const OPERATIONS: readonly { file: string; what: string; end: string }[] = [
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

/** With the full name of the branch. */
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
    const blocked = (await operationInProgress(fs, gitDir)) ?? (commit ? null : await lostBranch(fs, gitDir, branch));
    return { ref, branch, head: commit, blocked };
  } catch (error) {
    return { ref, branch, head: null, blocked: messageOf(error) };
  }
}

async function operationInProgress(fs: Fs, gitDir: string): Promise<string | null> {
  const found = await Promise.all(OPERATIONS.map(({ file }) => fs.lstat(`${gitDir}/${file}`)));
  const first = OPERATIONS[found.findIndex((stat) => stat !== undefined)];
  if (!first) return null;
  // Without this file, which was not written on a full disk, git can neither continue nor abort.
  if (first.file === "rebase-merge" && !(await fs.lstat(`${gitDir}/rebase-merge/onto`)))
    return "A rebase was cut off as it began: unless git is still running, end it with `git rebase --quit`.";
  return `${first.what} is in progress: end it with \`${first.end}\`.`;
}

/** In a new repository the branch has no commit yet; in any other it has lost its commit, or is being created. */
async function lostBranch(fs: Fs, gitDir: string, branch: string): Promise<string | null> {
  const log = await fs.lstat(`${gitDir}/logs/refs/heads/${branch}`);
  if (!(log && log.isFile() && log.size > 0n) && !(await hasAnyRef(fs, gitDir))) return null;
  return (
    `The branch ${branch} has no commit, though the repository is not new: make the first one with \`git commit\`, ` +
    "or check out another branch with `git switch <branch>`."
  );
}
