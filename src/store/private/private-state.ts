/** The folder of the private state. */
import { isAbsolute, join, relative, resolve } from "node:path";
import { setup } from "../../errors.ts";
import { gitDirOf } from "../git/layout.ts";
import type { Path, Repo } from "../repo.ts";

/**
 * The folder of the private state: `CMS_STATE_DIR`, relative to the root, or `cms` in the git directory.
 *
 * @throws CmsError `setup` if the root is not the top of a repository
 */
export function stateDirOf(root: string, environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.CMS_STATE_DIR) return resolve(root, environment.CMS_STATE_DIR);
  return join(gitDirOf(resolve(root)), "cms");
}

/** The folder of the private state as a path in the site; undefined where it is elsewhere. */
export function stateFolderInSite({ root, stateDir }: Pick<Repo, "root" | "stateDir">): Path | undefined {
  const below = relative(root, stateDir).replaceAll("\\", "/");
  return below === "" || below.startsWith("..") || isAbsolute(below) ? undefined : below;
}

/**
 * Refuses private state that is committed, since every clone of the site would have it.
 *
 * @throws CmsError `setup`
 */
export async function refuseCommittedState(repo: Repo): Promise<void> {
  const below = stateFolderInSite(repo);
  const { head } = await repo.state();
  if (head === null || below === undefined) return;
  const [tracked] = (await repo.tree(head, [below])).keys();
  if (tracked === undefined) return;
  throw setup(
    `${tracked} is committed, but ${below} is the private state: take it out of the repository and its history, or set CMS_STATE_DIR to a folder elsewhere.`,
  );
}
