/** `cms init`: a new site in a folder, with its repository and first commit. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Command } from "commander";
import { CmsError, messageOf } from "../errors.ts";
import type { Lang } from "../model/locale.ts";
import { PROGRAM_ROOT } from "../version.ts";
import { bareTemplates, homePage } from "./bare-site.ts";
import { processIo, run, say, UsageError, type Io } from "./command.ts";
import { configText, EXAMPLE_GITIGNORE, GITIGNORE, languageName } from "./starter.ts";

interface Flags {
  readonly languages: string;
  readonly defaultLanguage?: string;
  readonly bareSite?: boolean;
  readonly quiet?: boolean;
}

/** The languages the example content is written in. */
const EXAMPLE_LANGUAGES = ["en", "it"];

export function registerInit(program: Command, io: Io = processIo): void {
  program
    .command("init <dir>")
    .description("create a new site: settings, templates, example content, git repository, first commit")
    .option("--languages <codes>", "languages in their order, separated by commas", "en,it")
    .option("--default-language <code>", "the language without a prefix in its URLs (default: the first)")
    .option(
      "--bare-site",
      "a home page in every language and one template for each kind of page, instead of the example",
    )
    .option("--quiet", "print only errors")
    .action(run(io, (dir: string, flags: Flags) => init(io, resolve(dir), flags)));
}

async function init(io: Io, dir: string, flags: Flags): Promise<number> {
  const languages = flags.languages
    .split(",")
    .map((code) => code.trim())
    .filter(Boolean);
  const defaultLanguage = flags.defaultLanguage ?? languages[0] ?? "";
  checkLanguages(languages, defaultLanguage);
  checkFolder(dir);
  const withExample = !flags.bareSite && EXAMPLE_LANGUAGES.includes(defaultLanguage);
  const isNew = !existsSync(dir);
  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    throw new CmsError("conflict", `${dir} cannot be made (${messageOf(error)}): name a folder you may write in.`, {
      cause: error,
    });
  }
  try {
    await writeSite(dir, languages, defaultLanguage, withExample);
    const commit = await firstCommit(dir);
    say(io, flags, `Made a site in ${dir} (${languages.join(", ")}), first commit ${commit.slice(0, 10)}.`);
    if (!withExample && !flags.bareSite)
      say(
        io,
        flags,
        `The example content is in ${EXAMPLE_LANGUAGES.join(" and ")} only, so the site begins with a home page alone.`,
      );
    say(io, flags, `Next: ${wayTo(dir)}cms serve`);
    return 0;
  } catch (error) {
    if (isNew) await rm(dir, { recursive: true, force: true }); // an incomplete site would block the next attempt
    throw error;
  }
}

/** @throws CmsError `conflict` when a site cannot be created there */
function checkFolder(dir: string): void {
  if (!existsSync(dir)) return;
  if (!statSync(dir).isDirectory()) throw new CmsError("conflict", `${dir} is a file: name a new folder.`);
  if (readdirSync(dir).every((name) => name === ".git")) return;
  throw new CmsError("conflict", `${dir} is not empty: name a new folder, or clear this one first.`);
}

/** The `cd` command to the folder, if one is needed. */
function wayTo(dir: string): string {
  const way = relative(process.cwd(), dir);
  return way === "" ? "" : `cd ${way.startsWith("..") ? dir : way} && `;
}

async function writeSite(
  dir: string,
  languages: readonly Lang[],
  defaultLanguage: Lang,
  withExample: boolean,
): Promise<void> {
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  };
  await put(
    "cms.config.yaml",
    configText(
      languages.map((code) => [code, languageName(code)]),
      defaultLanguage,
    ),
  );
  await put(".gitignore", withExample ? EXAMPLE_GITIGNORE : GITIGNORE);
  if (withExample) {
    for (const folder of ["content", "media", "templates"])
      await cp(join(PROGRAM_ROOT, folder), join(dir, folder), { recursive: true, filter: isOriginal });
    return;
  }
  for (const [path, text] of Object.entries(bareTemplates(basename(dir)))) await put(path, text);
  await put("content/pages/home.yaml", homePage(languages, basename(dir), new Date().toISOString()));
}

/** Thumbnails and renditions of the example are made on request. */
const isOriginal = (path: string): boolean => !/^media[/\\](renditions|thumbnails)$/.test(relative(PROGRAM_ROOT, path));

async function firstCommit(dir: string): Promise<string> {
  const [{ initRepo, openGitRepo }, { systemEnv }] = await Promise.all([
    import("../store/git/repo.ts"),
    import("../env.ts"),
  ]);
  const env = systemEnv();
  await initRepo(dir, { branch: "main" });
  const repo = await openGitRepo(dir, { env });
  try {
    const { head } = await repo.state();
    const changes = new Map<string, Uint8Array>();
    for (const file of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      const path = relative(dir, join(file.parentPath, file.name)).split(sep).join("/");
      if (file.isFile() && !path.startsWith(".git/")) changes.set(path, await readFile(join(dir, path)));
    }
    const expect = new Map(
      await Promise.all([...changes.keys()].map(async (path) => [path, (await repo.read(path))?.oid ?? null] as const)),
    );
    const author = await repo.user();
    const result = await repo.commit({
      base: head,
      commits: [{ author, at: env.now(), message: "Start the site", changes }],
      expect,
    });
    if (!result.made) throw new CmsError("conflict", `Something else is writing in ${dir}.`);
    return result.commits[0]!;
  } finally {
    await repo.close();
  }
}

function checkLanguages(languages: readonly Lang[], defaultLanguage: Lang): void {
  const odd = languages.find((code) => !/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(code));
  if (odd !== undefined) throw new UsageError(`"${odd}" is no language code such as en or pt-BR.`);
  if (languages.length === 0) throw new UsageError("--languages names at least one language.");
  if (new Set(languages.map((code) => code.toLowerCase())).size < languages.length)
    throw new UsageError("--languages names one language twice.");
  if (!languages.includes(defaultLanguage))
    throw new UsageError(`--default-language ${defaultLanguage} is not among ${languages.join(", ")}.`);
}
