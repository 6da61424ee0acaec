/**
 * Which repositories are worked in.
 *
 * A layout that is not understood is refused by name before anything is read, because writing to it "succeeds" and
 * loses files: each of these was seen to.
 */
import { existsSync, lstatSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { setup, type CmsError } from "../../errors.ts";
import { configOf, settingsIn, type GitConfig } from "./config.ts";
import { unlessMissing, type Fs } from "./fs.ts";

/** As deep as git follows them. */
const INCLUDES_MAX = 10;
/** Extensions that change nothing for us. */
const HARMLESS = new Set(["noop", "noop-v1", "preciousobjects", "worktreeconfig", "relativeworktrees"]);

/**
 * Git's folder of a site.
 *
 * @throws CmsError `setup` when there is none, or its layout is not supported: with its name and the way out
 */
export async function findGitDir(fs: Fs, root: string): Promise<string> {
  const gitDir = gitDirOf(root);
  await checkConfig(await readConfig(fs, gitDir));
  await checkAlternates(fs, gitDir);
  await checkPromises(fs, gitDir);
  return gitDir;
}

/**
 * `.git` of a site, for every command that needs it: nothing is written into the repository of a folder above.
 *
 * @param root absolute
 * @throws CmsError `setup` where the root is not the top of an ordinary repository
 */
export function gitDirOf(root: string): string {
  const gitDir = `${root}/.git`;
  const stat = lstatSync(gitDir, { throwIfNoEntry: false });
  if (!stat) throw noRepository(root);
  if (stat.isFile()) {
    throw setup(`${root} is a linked worktree or a submodule (.git is a file): serve an ordinary clone of it.`);
  }
  if (!stat.isDirectory()) throw setup(`${gitDir} is a symbolic link: serve an ordinary clone.`);
  if (existsSync(`${gitDir}/commondir`)) {
    throw setup(`${gitDir} belongs to a linked worktree: serve an ordinary clone of it.`);
  }
  return gitDir;
}

function noRepository(root: string): CmsError {
  if (["HEAD", "objects"].every((name) => existsSync(`${root}/${name}`))) {
    return setup(`${root} is a bare repository: clone it, and serve the clone.`);
  }
  for (let above = dirname(root); ; above = dirname(above)) {
    if (existsSync(`${above}/.git`)) {
      return setup(
        `${root} is a folder of the repository ${above}, and a site is a repository of its own: run \`git init\` ` +
          `in it (\`git subtree split\` keeps its history), or move the site to the top of ${above}.`,
      );
    }
    if (above === dirname(above)) {
      return setup(`${root} is no git repository: make one with \`cms init\` or \`git init\`.`);
    }
  }
}

/** The configuration of the machine and of its user, from the weakest to the strongest. */
export function userConfigFiles(): string[] {
  const { env, platform } = process;
  const usual = platform === "win32" ? `${env.ProgramFiles ?? "C:/Program Files"}/Git/etc/gitconfig` : "/etc/gitconfig";
  const users = [`${env.XDG_CONFIG_HOME || `${homedir()}/.config`}/git/config`, `${homedir()}/.gitconfig`];
  const own = env.GIT_CONFIG_GLOBAL ? [env.GIT_CONFIG_GLOBAL] : users;
  return env.GIT_CONFIG_NOSYSTEM ? own : [env.GIT_CONFIG_SYSTEM ?? usual, ...own];
}

/** The repository's own configuration, after that of the files given. `includeIf` is not followed. */
export async function readConfig(fs: Fs, gitDir: string, before: readonly string[] = []): Promise<GitConfig> {
  const values = new Map<string, string>();
  for (const path of [...before, `${gitDir}/config`]) await readInto(values, fs, path);
  if (configOf(values).isTrue("extensions.worktreeConfig")) await readInto(values, fs, `${gitDir}/config.worktree`);
  return configOf(values);
}

async function readInto(values: Map<string, string>, fs: Fs, path: string, depth = 0): Promise<void> {
  const text = (await unlessMissing(fs.readFile(path)))?.toString("utf8") ?? "";
  for (const [key, value] of settingsIn(text)) {
    values.set(key, value);
    if (key !== "include.path" || depth >= INCLUDES_MAX) continue;
    await readInto(values, fs, resolve(dirname(path), value.replace(/^~(?=\/)/, homedir())), depth + 1);
  }
}

function checkConfig(config: GitConfig): void {
  const version = config.get("core.repositoryFormatVersion") ?? "0";
  if (version !== "0" && version !== "1") {
    throw setup(
      `The repository has format version ${version}: versions 0 and 1 are supported, so serve an ordinary clone.`,
    );
  }
  if (config.isTrue("core.bare")) throw setup("The repository is bare (core.bare): clone it, and serve the clone.");
  if (config.get("core.worktree"))
    throw setup("The working files are elsewhere (core.worktree): serve an ordinary clone.");
  if (config.isTrue("core.sparseCheckout")) throw setup("The checkout is sparse: run `git sparse-checkout disable`.");
  for (const [name, value] of config.section("extensions")) checkExtension(name, value.toLowerCase());
  for (const name of config.remotes()) {
    const isPromisor = config.isTrue(`remote.${name}.promisor`);
    if (isPromisor || config.get(`remote.${name}.partialCloneFilter`)) throw partialClone();
  }
}

function checkExtension(name: string, value: string): void {
  if (HARMLESS.has(name)) return;
  if (name === "objectformat") {
    if (value === "sha1") return;
    throw setup(
      `The repository uses ${value} object ids: make one with \`git init --object-format=sha1\` and copy the files.`,
    );
  }
  if (name === "refstorage") {
    if (value === "files") return;
    throw setup(`The repository keeps its refs in ${value}: run \`git refs migrate --ref-format=files\`.`);
  }
  if (name === "partialclone") {
    throw partialClone();
  }
  throw setup(
    `The repository uses the git extension "${name}", which is not supported: serve an ordinary clone of it.`,
  );
}

const partialClone = (): CmsError =>
  setup(
    "The repository is a partial clone, which leaves objects on its remote until git asks for them: make a full one " +
      "with `git clone`, without --filter.",
  );

/** Git marks the packs of a partial clone, whatever its configuration says. */
async function checkPromises(fs: Fs, gitDir: string): Promise<void> {
  const packs = (await unlessMissing(fs.readdir(`${gitDir}/objects/pack`))) ?? [];
  if (packs.some(({ name }) => name.endsWith(".promisor"))) throw partialClone();
}

async function checkAlternates(fs: Fs, gitDir: string): Promise<void> {
  const alternates = await unlessMissing(fs.readFile(`${gitDir}/objects/info/alternates`));
  if (!alternates?.toString("utf8").trim()) return;
  throw setup(
    "The repository borrows objects from another one: run `git repack -a -d`, then remove .git/objects/info/alternates.",
  );
}
