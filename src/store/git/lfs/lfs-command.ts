/** Runs `git lfs`, which exchanges the objects of Git LFS with the server of a remote. */
import { setup, unavailable } from "../../../errors.ts";
import { REGULAR_MODE, type Path, type Repo, type TreeFile } from "../../repo.ts";
import { runGit, type GitCommandOptions, type GitOutput } from "../command.ts";
import { readConfig, userConfigFiles } from "../config.ts";
import { diskFs } from "../fs.ts";
import { gitDirOf } from "../layout.ts";

const LFS_MISSING = "Git LFS is not installed on this machine: install it, then sync again.";

/**
 * Sets a clone up for Git LFS, if that is missing: without the filter git takes the fetched files for changed ones, and
 * without the hook their objects are not pushed.
 *
 * @throws CmsError `setup` if Git LFS is not installed
 */
async function setUpLfs(root: string, options: GitCommandOptions): Promise<void> {
  const config = await readConfig(diskFs, gitDirOf(root), userConfigFiles());
  if (config.get("filter.lfs.clean")) return;
  const { code, stderr } = await runGit(root, ["lfs", "install", "--local"], options);
  if (code !== 0 && isLfsMissing(stderr)) throw setup(LFS_MISSING);
  // It fails after the filter is set where a pre-push hook of another program is in its place: see `pushLfs`.
}

/** Fetches the objects of a commit that are not here. @throws CmsError `unavailable` or `setup` with what it said */
export async function fetchLfs(root: string, remote: string, commit: string, options: GitCommandOptions) {
  await setUpLfs(root, options);
  succeeded("fetch", await runGit(root, ["lfs", "fetch", remote, commit], options));
}

/**
 * Fetches the objects of HEAD that are not here, and writes the files.
 *
 * @param paths of the files of which there are pointers only
 * @throws as `fetchLfs`
 */
export async function pullLfs(repo: Repo, paths: readonly Path[], options: GitCommandOptions): Promise<void> {
  await setUpLfs(repo.root, options);
  const files = new Map<Path, TreeFile>();
  for (const [path, oid] of await repo.committed((await repo.state()).head, paths))
    if (oid !== null) files.set(path, { mode: REGULAR_MODE, oid });
  // It discards damaged objects, which `git lfs` would write: it looks at their sizes only.
  await repo.pointersAlone(files);
  succeeded("pull", await runGit(repo.root, ["lfs", "pull"], options));
}

/**
 * Pushes the objects of new commits, as the hook of Git LFS does.
 *
 * @param update the line that git gives to a `pre-push` hook (githooks(5))
 * @throws as `fetchLfs`
 */
export async function pushLfs(
  root: string,
  remote: { readonly name: string; readonly url: string },
  update: string,
  options: GitCommandOptions,
): Promise<void> {
  const output = await runGit(root, ["lfs", "pre-push", remote.name, remote.url], { ...options, input: `${update}\n` });
  succeeded("push", output);
}

export const isLfsMissing = (said: string): boolean =>
  /'lfs' is not a git command|git-lfs' was not found|git-lfs: (?:command )?not found/.test(said);

const SAID_MAX = 300;

function succeeded(verb: string, { code, stderr }: GitOutput): void {
  if (code === 0) return;
  if (isLfsMissing(stderr)) throw setup(LFS_MISSING);
  const said = stderr
    .replace(/:\/\/[^/\s@]{1,500}@/g, "://")
    .split("\n")
    .map((line) => line.replace(/\p{Cc}/gu, " ").trim())
    .filter((line) => line !== "" && !/^(?:fetch: |Errors logged|Use `git lfs logs)/.test(line));
  const text = said.slice(-3).join(" / ").slice(0, SAID_MAX) || "nothing";
  throw unavailable(
    `\`git lfs ${verb}\` failed: files in Git LFS are missing or damaged. Git LFS says: ${text}`,
    "repair",
  );
}
