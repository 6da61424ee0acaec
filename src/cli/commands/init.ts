/** `cms init`: a new site in a folder, with its repository and first commit. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { CmsError, messageOf } from "../../errors.ts";
import type { Lang } from "../../model/language/locale.ts";
import { PROGRAM_ROOT } from "../../version.ts";
import { isGitMissing } from "../../store/git/command.ts";
import { firstCommit } from "../init/first-commit.ts";
import { MERGE_ATTRIBUTES, setUpMerge } from "../merge/merge-setup.ts";
import { run, UsageError } from "../command.ts";
import { programName } from "../program-name.ts";
import { editorSettings } from "../init/editor-settings.ts";
import { BARE_SITE, STARTER_LANGUAGES, starterNamed, STARTERS, type Starter } from "../init/starters.ts";
import { isInteractive, processIo, say, type Io } from "../terminal.ts";
import {
  configText,
  EXAMPLE_GITIGNORE,
  GITIGNORE,
  languageName,
  LFS_ATTRIBUTES,
  ownScripts,
  packageText,
} from "../init/starter.ts";

interface Flags {
  readonly languages?: string;
  readonly starter?: string;
  readonly defaultLanguage?: string;
  readonly bareSite?: boolean;
  readonly lfs?: boolean;
  readonly quiet?: boolean;
}

const LANGUAGES = "en,it";

export function registerInit(program: Command, io: Io = processIo): void {
  program
    .command("init [dir]")
    .description("create a new site: settings, templates, content, git repository, first commit")
    .option("--starter <name>", `${Object.keys(STARTERS).join(", ")} (default: lighthouse)`)
    .option("--languages <codes>", `languages in their order, separated by commas (default: ${LANGUAGES})`)
    .option("--default-language <code>", "the language without a prefix in its URLs (default: the first)")
    .option("--bare-site", "a home page in every language and one template for each kind of page, instead of a starter")
    .option("--lfs", "keep the files of the media library in Git LFS")
    .option("--quiet", "print only errors")
    .action(run(io, async (dir: string | undefined, flags: Flags) => initWith(io, dir, flags)));
}

/** @throws UsageError without a folder, where there is no terminal to ask in; before the first question for flags that are wrong */
async function initWith(io: Io, dir: string | undefined, flags: Flags): Promise<number> {
  if (dir !== undefined) return init(io, resolve(dir), flags);
  if (!isInteractive(io))
    throw new UsageError("Name the folder of the site: `cms init my-site`, or `cms init .` here.");
  starterOf(flags);
  if (flags.languages !== undefined) languagesOf(flags);
  const { askForMissing } = await import("../init/init-questions.ts");
  const { dir: folder = ".", ...answers } = await askForMissing(io, {
    ...flags,
    ...(flags.bareSite && { starter: "" }),
  });
  return init(io, resolve(folder), { ...flags, ...answers, starter: flags.bareSite ? undefined : answers.starter });
}

async function init(io: Io, dir: string, flags: Flags): Promise<number> {
  const { languages, defaultLanguage } = languagesOf(flags);
  const asked = starterOf(flags);
  const found = folderAt(dir);
  // A project that has pages of its own gets a starter only when one is named.
  const wanted = found === "project" && flags.starter === undefined ? BARE_SITE : asked;
  const isWritten = wanted.isFullyCopied || STARTER_LANGUAGES.includes(defaultLanguage);
  const starter = isWritten ? wanted : BARE_SITE;
  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    throw new CmsError("conflict", `${dir} cannot be made (${messageOf(error)}): name a folder you may write in.`, {
      cause: error,
    });
  }
  try {
    const added = await writeSite(dir, languages, defaultLanguage, starter);
    if (flags.lfs) await appendMissing(join(dir, ".gitattributes"), LFS_ATTRIBUTES);
    if (found === "project") await describeAdded(io, flags, dir, added);
    else {
      const commit = await firstCommit(dir);
      say(io, flags, `Made a site in ${dir} (${languages.join(", ")}), first commit ${commit.slice(0, 10)}.`);
    }
    const untranslated = languages.filter((code) => !STARTER_LANGUAGES.includes(code));
    if (!isWritten)
      say(
        io,
        flags,
        `The lighthouse is written in ${STARTER_LANGUAGES.join(" and ")} only, so the site begins with a home page alone.`,
      );
    else if (starter !== BARE_SITE && untranslated.length > 0)
      say(
        io,
        flags,
        `${starter.isFullyCopied ? "The texts" : "The home page"} in ${untranslated.join(", ")}: a copy to translate, in content/.`,
      );
    await setUpMerge(dir, { attributes: "shared", replaces: true }).catch((error: unknown) => {
      if (!isGitMissing(error)) say(io, flags, `Run \`cms setup\` there for merges by field: ${messageOf(error)}`);
    });
    if (flags.lfs && !(await installLfs(dir)))
      say(io, flags, "Git LFS is not installed here: install it, and run `git lfs install --local` in the site.");
    // Called by npx, the program is in no folder of the path: the site has to have its own, of the version in package.json.
    const install = isByNpx(io) && added.includes("package.json") ? "npm install && " : "";
    say(io, flags, `Next: ${wayTo(dir)}${install}${programName(io)} serve`);
    return 0;
  } catch (error) {
    if (found === "none") await rm(dir, { recursive: true, force: true }); // an incomplete site would block the next attempt
    throw error;
  }
}

/**
 * `project`: a repository with files, or a folder with a `package.json`. What is missing is added, and nothing committed.
 *
 * @throws CmsError `conflict` when a site cannot be created there
 */
function folderAt(dir: string): "none" | "empty" | "project" {
  if (!existsSync(dir)) return "none";
  if (!statSync(dir).isDirectory()) throw new CmsError("conflict", `${dir} is a file: name a new folder.`);
  const names = readdirSync(dir);
  if (names.every((name) => name === ".git")) return "empty";
  const settings = names.find((name) => /^cms\.config\.\w+$/.test(name));
  if (settings) throw new CmsError("conflict", `${dir} is a site already: it has ${settings}.`);
  if (names.includes(".git") || names.includes("package.json")) return "project";
  throw new CmsError("conflict", `${dir} is not empty: name a new folder, or clear this one first.`);
}

async function describeAdded(io: Io, flags: Flags, dir: string, added: readonly string[]): Promise<void> {
  if (!existsSync(join(dir, ".git"))) {
    const { initRepo } = await import("../../store/git/repo.ts");
    await initRepo(dir, { branch: "main" });
  }
  say(
    io,
    flags,
    `Added to ${dir}: ${added.join(", ")}. Nothing that was there has been replaced, and nothing committed.`,
  );
  for (const name of ownScripts(await readFile(join(dir, "package.json"), "utf8")))
    say(io, flags, `package.json keeps its own script "${name}": \`npx cms ${name}\` is the site's.`);
}

/** Whether npx called this program: then the site has no program of its own yet. */
const isByNpx = ({ env }: Io): boolean => env.npm_command === "exec";

/** The `cd` command to the folder, if one is needed. */
function wayTo(dir: string): string {
  const way = relative(process.cwd(), dir);
  return way === "" ? "" : `cd ${way.startsWith("..") ? dir : way} && `;
}

/** Leaves files that exist as they are, but for lines and keys that are missing in some. @returns what was added */
async function writeSite(
  dir: string,
  languages: readonly Lang[],
  defaultLanguage: Lang,
  starter: Starter,
): Promise<string[]> {
  const added: string[] = [];
  const put = async (path: string, text: string): Promise<void> => {
    if (existsSync(join(dir, path))) return;
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
    added.push(path);
  };
  const isExample = starter !== BARE_SITE;
  const named = languages.map((code) => [code, languageName(code)] as const);
  await put("cms.config.yaml", configText(named, defaultLanguage, isExample));
  if (await appendMissing(join(dir, ".gitignore"), isExample ? EXAMPLE_GITIGNORE : GITIGNORE)) added.push(".gitignore");
  if (await appendMissing(join(dir, ".gitattributes"), MERGE_ATTRIBUTES)) added.push(".gitattributes");
  const manifest = join(dir, "package.json");
  const before = existsSync(manifest) ? await readFile(manifest, "utf8") : undefined;
  const after = packageText(before, basename(dir));
  if (after !== before) {
    await writeFile(manifest, after);
    added.push("package.json");
  }
  await put(".github/workflows/site.yml", await readFile(join(PROGRAM_ROOT, "docs/build-workflow.yml"), "utf8"));
  const inOrder = [defaultLanguage, ...languages.filter((code) => code !== defaultLanguage)];
  const { copyStarter } = await import("../init/copy-starter.ts");
  added.push(...(await copyStarter(starter, dir, inOrder)));
  await put(".vscode/settings.json", editorSettings(languages, metaTypesIn(dir)));
  if (!existsSync(join(dir, "static"))) await put("static/.gitkeep", "");
  return added;
}

/** The keys of meta types in the files of a site. */
function metaTypesIn(dir: string): string[] {
  const folder = join(dir, "content/meta-types");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.flatMap((name) => /^([a-z0-9_-]+)\.ya?ml$/i.exec(name)?.[1] ?? []);
}

/** Appends the lines that a file has not. @returns whether there were any */
async function appendMissing(file: string, lines: string): Promise<boolean> {
  const text = existsSync(file) ? await readFile(file, "utf8") : "";
  // A folder is ignored with and without a final slash.
  const bare = (line: string): string => line.replace(/\/$/, "");
  const known = new Set(text.split(/\r?\n/).map(bare));
  const missing = lines.split("\n").filter((line) => line !== "" && !known.has(bare(line)));
  if (missing.length === 0) return false;
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  await writeFile(file, `${text}${gap}${missing.join("\n")}\n`);
  return true;
}

/** Sets Git LFS up for the clone: its filter, and its hook that pushes. @returns false where it is not installed */
async function installLfs(dir: string): Promise<boolean> {
  const { runGit } = await import("../../store/git/command.ts");
  return runGit(dir, ["lfs", "install", "--local"], { timeoutMs: 60_000 }).then(
    ({ code }) => code === 0,
    () => false,
  );
}

const starterOf = ({ starter = "lighthouse", bareSite }: Flags): Starter =>
  bareSite ? BARE_SITE : starterNamed(starter);

/** @throws UsageError */
function languagesOf(flags: Flags): { readonly languages: readonly Lang[]; readonly defaultLanguage: Lang } {
  const languages = (flags.languages ?? LANGUAGES)
    .split(",")
    .map((code) => code.trim())
    .filter(Boolean);
  const defaultLanguage = flags.defaultLanguage ?? languages[0] ?? "";
  const odd = languages.find((code) => !/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(code));
  if (odd !== undefined) throw new UsageError(`"${odd}" is no language code such as en or pt-BR.`);
  if (languages.length === 0) throw new UsageError("--languages names at least one language.");
  if (new Set(languages.map((code) => code.toLowerCase())).size < languages.length)
    throw new UsageError("--languages names one language twice.");
  if (!languages.includes(defaultLanguage))
    throw new UsageError(`--default-language ${defaultLanguage} is not among ${languages.join(", ")}.`);
  return { languages, defaultLanguage };
}
