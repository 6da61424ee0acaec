/** A new repository for a site. */
import * as nodeFs from "node:fs";
import { diskFs, makeDirs, unlessMissing } from "./fs.ts";

export interface InitOptions {
  readonly branch: string;
}

const FOLDERS = ["hooks", "info", "objects/info", "objects/pack", "refs/heads", "refs/tags"];

/**
 * Makes a git repository without a commit in a folder, which is made when it is not there.
 *
 * In a folder that is a repository already nothing is changed.
 *
 * @returns whether one was made
 */
export async function initRepo(dir: string, { branch }: InitOptions): Promise<boolean> {
  if (await unlessMissing(diskFs.lstat(`${dir}/.git`))) return false;
  await makeDirs(diskFs, dir, 0o777);
  // Loaded only now, since it is large and everything else does without.
  const { default: git } = await import("isomorphic-git");
  await git.init({ fs: nodeFs, dir, defaultBranch: branch });
  // What `git init` makes besides, and git itself would only miss at times.
  for (const folder of FOLDERS) await makeDirs(diskFs, `${dir}/.git/${folder}`, 0o777);
  return true;
}
