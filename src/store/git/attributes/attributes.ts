/**
 * What git makes of a file's bytes before it stores them, by the attributes and the configuration of this repository.
 *
 * Ends of lines are converted here as git converts them. A filter (Git LFS, git-crypt), `ident` and
 * `working-tree-encoding` are not: a filter is a program that the configuration names, and the service starts none.
 * Such a file is served as it lies in the working tree, and never written or committed.
 */
import { homedir } from "node:os";
import { createHash } from "node:crypto";
import { CmsError } from "../../../errors.ts";
import type { Path } from "../../repo.ts";
import { ATTRIBUTES_FILE, attributesOf, parseAttributes, type AttributesFile } from "./attributes-file.ts";
import type { GitConfig } from "../config.ts";
import { eolOf, type Eol, type EolConfig } from "./eol.ts";
import { statKeyOf } from "../worktree/stat-key.ts";
import { readConfig, userConfigFiles } from "../layout.ts";
import { unlessMissing, type Fs } from "../fs.ts";
import { bytewise } from "../objects/trees.ts";

/** `foreign`: the attribute that has git store what only git can make, as git writes it (`filter=lfs`). */
export interface Conversion {
  readonly eol: Eol;
  readonly foreign?: string;
}

export interface Attributes {
  /** The same text as long as all paths are converted as before; "" while nothing is converted at all. */
  readonly setting: string;
  /** As of the last `update`. */
  of(path: Path): Conversion;
  /**
   * Looks whether files of attributes or the configuration have changed.
   *
   * @param folders that may hold a `.gitattributes`, besides the top and those known
   * @returns whether any path may be converted otherwise than before
   */
  update(folders: Iterable<Path>): Promise<boolean>;
}

const NAMES = ["text", "crlf", "eol", "filter", "ident", "working-tree-encoding"];
const KEPT: Conversion = { eol: "keep" };
const UTF_8 = /^utf-?8$/i;
/** Git ignores larger ones. */
const LARGEST_BYTES = 100n * 1024n * 1024n;

interface Known {
  readonly facts: string;
  readonly text: string;
}

export async function openAttributes(root: string, gitDir: string, fs: Fs): Promise<Attributes> {
  const configFiles = [...userConfigFiles(), `${gitDir}/config`, `${gitDir}/config.worktree`];
  const known = new Map<string, Known | undefined>();
  const folders = new Set<Path>();
  let config: { readonly eol: EolConfig; readonly global: string; readonly ignoreCase: boolean } | undefined;
  let files: readonly AttributesFile[] = [];
  let setting = "";
  let decided = new Map<Path, Conversion>();

  /** @returns whether the file is another one than at the last look */
  async function lookAt(file: string): Promise<boolean> {
    const before = known.get(file);
    const stat = await unlessMissing(fs.lstat(file));
    // As git does: in the working tree a link is not followed, since it may lead anywhere.
    const isLink = stat?.isSymbolicLink() === true && !file.endsWith(`/${ATTRIBUTES_FILE}`);
    if (!stat || !(isLink || (stat.isFile() && stat.size < LARGEST_BYTES))) {
      known.set(file, undefined);
      return before !== undefined;
    }
    const facts = statKeyOf(stat);
    // What a link leads to may change without it.
    if (!isLink && facts === before?.facts) return false;
    const text = (await unlessMissing(fs.readFile(file)))?.toString("latin1");
    known.set(file, text === undefined ? undefined : { facts, text });
    return text !== before?.text;
  }

  async function lookAll(list: Iterable<string>): Promise<boolean> {
    let moved = false;
    for (const file of list) moved = (await lookAt(file)) || moved;
    return moved;
  }

  /** From the weakest to the strongest, with the folder each speaks of. */
  const sources = (global: string): (readonly [file: string, folder: Path, macros: boolean])[] => [
    ...(process.env.GIT_ATTR_NOSYSTEM ? [] : [["/etc/gitattributes", "", true] as const]),
    [global, "", true],
    [`${root}/${ATTRIBUTES_FILE}`, "", true],
    ...[...folders].sort().map((folder) => [`${root}/${folder}/${ATTRIBUTES_FILE}`, folder, false] as const),
    [`${gitDir}/info/attributes`, "", true],
  ];

  async function look(more: Iterable<Path>): Promise<boolean> {
    for (const folder of more) if (folder !== "") folders.add(folder);
    let moved = await lookAll(configFiles);
    if (moved || !config) config = settingsOf(await readConfig(fs, gitDir, userConfigFiles()));
    const { global, ignoreCase, eol } = config;
    const list = sources(global);
    moved = (await lookAll(list.map(([file]) => file))) || moved;
    // Folders without a file of attributes would be looked at again and again.
    for (const folder of folders) {
      const file = `${root}/${folder}/${ATTRIBUTES_FILE}`;
      if (known.get(file)) continue;
      folders.delete(folder);
      known.delete(file);
    }
    if (!moved) return false;
    const read = list.map(([file, folder, macros]) => ({ text: known.get(file)?.text ?? "", folder, macros }));
    files = read.map(({ text, folder, macros }) =>
      parseAttributes(text, { folder: bytewise(folder), macros, ignoreCase }),
    );
    decided = new Map();
    const before = setting;
    const isPlain = eolOf(new Map(), eol, isWindows) === "keep" && files.every(({ rules }) => rules.length === 0);
    setting = isPlain
      ? ""
      : createHash("sha1")
          .update(JSON.stringify([eol, ignoreCase, read]))
          .digest("hex");
    return setting !== before;
  }

  /** One after the other, so that none answers by half of what another has found. */
  let last: Promise<unknown> = Promise.resolve();
  function update(more: Iterable<Path>): Promise<boolean> {
    const mine = last.then(() => look(more));
    last = mine.catch(() => undefined); // the caller has the error
    return mine;
  }

  await update([]);

  return {
    get setting() {
      return setting;
    },
    update,
    of(path) {
      if (setting === "" || !config) return KEPT;
      let conversion = decided.get(path);
      if (!conversion) decided.set(path, (conversion = conversionOf(path, files, config.eol)));
      return conversion;
    },
  };
}

const isWindows = process.platform === "win32";

function conversionOf(path: Path, files: readonly AttributesFile[], config: EolConfig): Conversion {
  const found = attributesOf(bytewise(path), files, NAMES);
  const eol = eolOf(found, config, isWindows);
  const filter = found.get("filter");
  if (typeof filter === "string") return { eol, foreign: `filter=${filter}` };
  if (found.get("ident") === true) return { eol, foreign: "ident" };
  const encoding = found.get("working-tree-encoding");
  if (encoding === undefined || (typeof encoding === "string" && UTF_8.test(encoding))) return { eol };
  return { eol, foreign: `working-tree-encoding=${encoding}` };
}

function settingsOf(config: GitConfig): { eol: EolConfig; global: string; ignoreCase: boolean } {
  const isInput = config.get("core.autocrlf")?.toLowerCase() === "input";
  const eol = config.get("core.eol")?.toLowerCase();
  const home = homedir();
  const own = config.get("core.attributesFile")?.replace(/^~(?=\/)/, home);
  return {
    eol: {
      autocrlf: isInput ? "input" : config.isTrue("core.autocrlf") ? "true" : "false",
      eol: eol === "lf" || eol === "crlf" ? eol : "native",
    },
    global: own ?? `${process.env.XDG_CONFIG_HOME || `${home}/.config`}/git/attributes`,
    ignoreCase: config.isTrue("core.ignoreCase"),
  };
}

/** The folders above a file, from the top down, without the top itself. */
export function foldersAbove(path: Path): Path[] {
  const found: Path[] = [];
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) found.push(path.slice(0, at));
  return found;
}

/** @throws CmsError `conflict` for a path whose bytes only git knows how to store */
export function refuseUnsupported(path: Path, { foreign }: Conversion): void {
  if (foreign === undefined) return;
  throw new CmsError(
    "conflict",
    `${path} has the git attribute ${foreign}, so git stores other bytes than the file's, and this service cannot ` +
      "make them: change the file with git, or take the attribute off its path.",
  );
}
