/**
 * The repository layouts that are supported.
 *
 * Any other is refused by name before anything is read, because a write to it would succeed and lose files, as was seen
 * with each of them.
 */
import { existsSync, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { setup, type CmsError } from "../../errors.ts";
import { readConfig, type GitConfig } from "./config.ts";
import { unlessMissing, type Fs } from "./fs.ts";

/** Extensions that do not affect the service. */
const HARMLESS = new Set(["noop", "noop-v1", "preciousobjects", "worktreeconfig", "relativeworktrees"]);

/**
 * The `.git` folder of a site with a supported layout.
 *
 * @throws CmsError `setup` naming what is missing or not supported, and the solution
 */
export async function findGitDir(fs: Fs, root: string): Promise<string> {
  const gitDir = gitDirOf(root);
  await checkConfig(await readConfig(fs, gitDir));
  await checkAlternates(fs, gitDir);
  await checkPromisorPacks(fs, gitDir);
  return gitDir;
}

/**
 * The `.git` folder of a site. The repository of a parent folder is never used.
 *
 * @param root absolute
 * @throws CmsError `setup` if the root is not that of an ordinary repository
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
  for (let parent = dirname(root); ; parent = dirname(parent)) {
    if (existsSync(`${parent}/.git`)) {
      return setup(
        `${root} is a folder of the repository ${parent}, and a site is a repository of its own: run \`git init\` ` +
          `in it (\`git subtree split\` keeps its history), or move the site to the top of ${parent}.`,
      );
    }
    if (parent === dirname(parent)) {
      return setup(`${root} is no git repository: make one with \`cms init\` or \`git init\`.`);
    }
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

/** Git marks the packs of a partial clone, also when its configuration does not say so. */
async function checkPromisorPacks(fs: Fs, gitDir: string): Promise<void> {
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
