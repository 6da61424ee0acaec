/** What makes `git merge` use `cms merge-driver` in a clone: lines in an attributes file, and the driver's command. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Log } from "../../env.ts";
import { CmsError, messageOf } from "../../errors.ts";
import { isGitMissing, runGit } from "../../store/git/command.ts";
import type { Repo } from "../../store/repo.ts";
import { PROGRAM_ROOT } from "../../version.ts";

const ATTRIBUTES = ".gitattributes";

/** The attributes that every new site has. */
export const MERGE_ATTRIBUTES =
  "# Content is merged by field: run `cms setup` once in each clone.\n" +
  ["yaml", "yml", "md"].map((extension) => `content/**/*.${extension} merge=cms\n`).join("");

/** A shell command. Without our program, git's own merge: a driver that fails to start would leave out their side. */
const driverCommand = (): string => {
  const [node, program] = [process.execPath, join(PROGRAM_ROOT, "bin/cms.cjs")].map(
    (path) => `'${path.replaceAll("'", `'\\''`).replaceAll("%", "%%")}'`,
  );
  return (
    `if test -x ${node} && test -f ${program}; then ${node} ${program} merge-driver %O %A %B %L %P; ` +
    "else git merge-file -L ours -L base -L theirs --marker-size=%L %A %O %B; fi"
  );
};

export interface SetupOptions {
  /** `shared`: `.gitattributes`, for all clones; `clone`: a file in `.git`, so that the working tree stays as it is. */
  readonly attributes: "shared" | "clone";
  /** Whether a driver that is set already, perhaps of another installation, is replaced. */
  readonly replaces: boolean;
}

/** The files and settings that were written; empty if everything was there. */
export interface SetupDone {
  /** Relative to the root. */
  readonly attributes: string | null;
  readonly driver: boolean;
}

/**
 * Sets up what is missing.
 *
 * @param root of a working tree
 * @throws CmsError `setup` with what git said; an error of which `isGitMissing` holds; an error of the file system
 */
export async function setUpMerge(root: string, { attributes, replaces }: SetupOptions): Promise<SetupDone> {
  const [local = ""] = (await git(root, "rev-parse", "--git-path", "info/attributes")).split("\n");
  const files = attributes === "shared" ? [ATTRIBUTES] : [ATTRIBUTES, local];
  const texts = await Promise.all(files.map((file) => textOf(resolve(root, file))));
  const target = texts.some(namesDriver) ? null : (files.at(-1) ?? null);
  if (target !== null) await append(resolve(root, target), texts.at(-1) ?? "");
  return { attributes: target, driver: await setDriver(root, replaces) };
}

/**
 * For commands that use a clone, so that a person's `git pull` in it merges by field. The working tree is not changed; a
 * failure is a warning.
 */
export async function setUpMergeIfMissing(root: string, repo: Pick<Repo, "state">, log: Log): Promise<void> {
  try {
    if ((await repo.state()).blocked !== null) return;
    await setUpMerge(root, { attributes: "clone", replaces: false });
  } catch (error) {
    if (!isGitMissing(error)) log.warn(`git merges content by line in this clone: ${messageOf(error)}`);
  }
}

const textOf = (path: string): Promise<string> =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });

const namesDriver = (attributes: string): boolean =>
  attributes.split("\n").some((line) => !line.startsWith("#") && line.split(/\s/).includes("merge=cms"));

async function append(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text + (text === "" || text.endsWith("\n") ? "" : "\n") + MERGE_ATTRIBUTES);
}

const DRIVER = "merge.cms.driver";

/** @returns whether it was set now */
async function setDriver(root: string, replaces: boolean): Promise<boolean> {
  const present = await git(root, "config", "--local", "--default", "", "--get", DRIVER);
  const wanted = driverCommand();
  if (present.trimEnd() === wanted || (present.trim() !== "" && !replaces)) return false;
  await git(root, "config", "--local", "merge.cms.name", "git-cms: by field");
  await git(root, "config", "--local", DRIVER, wanted);
  return true;
}

async function git(root: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runGit(root, args, { timeoutMs: 10_000 });
  if (code !== 0) throw new CmsError("setup", `git ${args[0]}: ${stderr.trim()}`);
  return stdout;
}
