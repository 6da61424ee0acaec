/** Creates the repository of a site. */
import * as nodeFs from "node:fs";
import { diskFs, makeDirs } from "./fs.ts";
import { importModule } from "../../import-module.ts";

export interface InitOptions {
  readonly branch: string;
}

const FOLDERS = ["hooks", "info", "objects/info", "objects/pack", "refs/heads", "refs/tags"];

/**
 * Creates a git repository without a commit in a folder, and the folder if missing. An existing repository is not changed.
 *
 * @returns whether one was created
 */
export async function initRepo(dir: string, { branch }: InitOptions): Promise<boolean> {
  if (await diskFs.lstat(`${dir}/.git`)) return false;
  await makeDirs(diskFs, dir, 0o777);
  // Loaded on demand: it is large and rarely needed.
  const { default: git } = await importModule<typeof import("isomorphic-git")>("isomorphic-git");
  await git.init({ fs: nodeFs, dir, defaultBranch: branch });
  // The rest of what `git init` creates.
  for (const folder of FOLDERS) await makeDirs(diskFs, `${dir}/.git/${folder}`, 0o777);
  return true;
}
