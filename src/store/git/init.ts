/** Creates the repository of a site. */
import { chmod, lstat, rm, symlink, writeFile } from "node:fs/promises";
import { diskFs, makeDirs } from "./fs.ts";

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
  const gitDir = `${dir}/.git`;
  if (await diskFs.lstat(gitDir)) return false;
  for (const folder of FOLDERS) await makeDirs(diskFs, `${gitDir}/${folder}`, 0o777);
  const config = `${gitDir}/config`;
  await writeFile(config, "");
  await writeFile(config, await coreSettings(gitDir, config));
  // Git takes a folder with a HEAD for a repository.
  await writeFile(`${gitDir}/HEAD`, `ref: refs/heads/${branch}\n`);
  return true;
}

/**
 * What `git init` writes, which tries what the file system can. Wrong settings lose work: where `ignoreCase` is set for a file
 * system that tells `a` from `A`, `git add` stores the one as the other.
 */
async function coreSettings(gitDir: string, file: string): Promise<string> {
  const settings = [
    "repositoryformatversion = 0",
    `filemode = ${await keepsModes(file)}`,
    "bare = false",
    "logallrefupdates = true",
    ...((await canLink(`${gitDir}/link`)) ? [] : ["symlinks = false"]),
    ...((await diskFs.lstat(`${gitDir}/CoNfIg`)) ? ["ignorecase = true"] : []),
  ];
  return `[core]\n${settings.map((line) => `\t${line}\n`).join("")}`;
}

async function keepsModes(file: string): Promise<boolean> {
  const { mode } = await lstat(file);
  await chmod(file, mode ^ 0o100);
  const isKept = (await lstat(file)).mode !== mode;
  await chmod(file, mode);
  return isKept;
}

async function canLink(path: string): Promise<boolean> {
  try {
    await symlink("target", path);
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  } finally {
    await rm(path, { force: true });
  }
}
