/** Rebuilds an index that is missing or broken from HEAD: what was staged in it is lost, the files are not. */
import { readCommit } from "../objects/commits.ts";
import { BrokenIndex, indexOf } from "./index-format.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { collectEntries } from "../objects/trees.ts";

/** Rebuilds the index if necessary. The caller holds it. @returns whether it was */
export async function rebuildIndex(repo: RepoContext): Promise<boolean> {
  const { head } = await readState(repo.fs, repo.gitDir);
  if (!head || (await isIndexUsable(repo))) return false;
  const { tree } = await readCommit(repo.objects, head);
  await repo.index.write(indexOf(await collectEntries(repo.trees, tree)));
  await repo.fs.syncDir(repo.gitDir);
  return true;
}

export async function isIndexUsable(repo: RepoContext): Promise<boolean> {
  try {
    if (await repo.index.read()) return true;
    // Before the first commit there need not be one.
    return (await readState(repo.fs, repo.gitDir)).head === null;
  } catch (error) {
    if (error instanceof BrokenIndex) return false;
    throw error;
  }
}
