/**
 * How git converts the content of a file before storing it, by the attributes and the configuration of the repository.
 *
 * Line endings are converted here as git converts them, and files of Git LFS to their pointers. Other filters (git-crypt),
 * `ident` and `working-tree-encoding` are not supported: a filter is a program named by the configuration, and a write
 * starts no programs. Such a file is served as it is in the working tree, and never written or committed.
 */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { createHash } from "node:crypto";
import { CmsError } from "../../../errors.ts";
import { openQueue } from "../../../queue.ts";
import type { Path } from "../../repo.ts";
import { ATTRIBUTES_FILE, attributesOf, parseAttributes, rulesFor, type AttributesFile } from "./attributes-file.ts";
import { readConfig, userConfigFiles, type GitConfig } from "../config.ts";
import { eolOf, type Eol, type EolConfig } from "./eol.ts";
import { statKeyOf } from "../worktree/stat-key.ts";
import { unlessMissing, type Fs } from "../fs.ts";
import { bytewise } from "../objects/tree-format.ts";

export interface Conversion {
  readonly eol: Eol;
  /** Whether git stores pointers of Git LFS. */
  readonly isLfs?: true;
  /** An attribute that only git can apply, as git writes it (`filter=crypt`). */
  readonly unsupported?: string;
}

export interface Attributes {
  /** Changes whenever the conversion of any path may have changed; "" while nothing is converted. */
  readonly fingerprint: string;
  /** The folder of Git LFS, absolute. */
  readonly lfsFolder: string;
  /** As of the last `update`. */
  of(path: Path): Conversion;
  /**
   * Reads the attributes and the configuration again if their files have changed.
   *
   * @param folders that may contain a `.gitattributes`, besides the root and those found before
   * @returns whether the conversion of any path may have changed
   */
  update(folders: Iterable<Path>): Promise<boolean>;
}

const NAMES = ["text", "crlf", "eol", "filter", "ident", "working-tree-encoding"];
const UNCONVERTED: Conversion = { eol: "keep" };
const UTF_8 = /^utf-?8$/i;
/** Git ignores larger files. */
const LARGEST_BYTES = 100n * 1024n * 1024n;

interface Settings {
  readonly eol: EolConfig;
  /** Path of the user's attributes file. */
  readonly globalFile: string;
  readonly ignoreCase: boolean;
  /** Whether the filter `lfs` is Git LFS, or is not configured in this clone. */
  readonly isLfsFilter: boolean;
  /** `lfs.storage`. */
  readonly lfsStorage: string | undefined;
}

/** An attributes file. */
interface Source {
  readonly file: string;
  /** The folder that its patterns are relative to. */
  readonly folder: Path;
  /** Whether it may define macros. */
  readonly macros: boolean;
}

export async function openAttributes(root: string, gitDir: string, fs: Fs): Promise<Attributes> {
  const configFiles = [...userConfigFiles(), `${gitDir}/config`, `${gitDir}/config.worktree`];
  const texts = openTextCache(fs);
  const folders = new Set<Path>();
  let settings: Settings | undefined;
  let files: readonly AttributesFile[] = [];
  let fingerprint = "";
  const conversions = new Map<Path, Conversion>();

  /** In order of precedence, the weakest first. */
  const sourcesOf = (globalFile: string): Source[] => [
    ...(process.env.GIT_ATTR_NOSYSTEM ? [] : [{ file: "/etc/gitattributes", folder: "", macros: true }]),
    { file: globalFile, folder: "", macros: true },
    { file: `${root}/${ATTRIBUTES_FILE}`, folder: "", macros: true },
    ...[...folders].sort().map((folder) => ({ file: `${root}/${folder}/${ATTRIBUTES_FILE}`, folder, macros: false })),
    { file: `${gitDir}/info/attributes`, folder: "", macros: true },
  ];

  /** Forgets folders without an attributes file, which would otherwise be checked at every update. */
  function forgetEmptyFolders(): void {
    for (const folder of folders) {
      const file = `${root}/${folder}/${ATTRIBUTES_FILE}`;
      if (texts.get(file) !== undefined) continue;
      folders.delete(folder);
      texts.forget(file);
    }
  }

  async function readAll(more: Iterable<Path>): Promise<boolean> {
    for (const folder of more) if (folder !== "") folders.add(folder);
    const isConfigChanged = await texts.refresh(configFiles);
    if (isConfigChanged || !settings) settings = settingsOf(await readConfig(fs, gitDir, userConfigFiles()));
    const { globalFile, ignoreCase, eol, isLfsFilter } = settings;
    const sources = sourcesOf(globalFile);
    const areAttributesChanged = await texts.refresh(sources.map(({ file }) => file));
    forgetEmptyFolders();
    if (!isConfigChanged && !areAttributesChanged) return false;
    const read = sources.map(({ file, folder, macros }) => ({ text: texts.get(file) ?? "", folder, macros }));
    // Most repositories have rules for other things only, such as the one that merges content by field.
    files = rulesFor(
      NAMES,
      read.map(({ text, folder, macros }) => parseAttributes(text, { folder: bytewise(folder), macros, ignoreCase })),
    );
    conversions.clear();
    const before = fingerprint;
    const isPlain = eolOf(new Map(), eol, isWindows) === "keep" && files.every(({ rules }) => rules.length === 0);
    fingerprint = isPlain ? "" : sha1(JSON.stringify(["pointers", isLfsFilter, eol, ignoreCase, read]));
    return fingerprint !== before;
  }

  /** Updates run one at a time, so that none returns while another is half done. */
  const runInTurn = openQueue();
  const update = (more: Iterable<Path>): Promise<boolean> => runInTurn(() => readAll(more));

  await update([]);

  return {
    get fingerprint() {
      return fingerprint;
    },
    get lfsFolder() {
      const folder = resolve(gitDir, settings?.lfsStorage ?? "lfs");
      return isWindows ? folder.replaceAll("\\", "/") : folder;
    },
    update,
    of(path) {
      if (fingerprint === "" || !settings) return UNCONVERTED;
      let conversion = conversions.get(path);
      if (!conversion) conversions.set(path, (conversion = conversionOf(path, files, settings)));
      return conversion;
    },
  };
}

interface TextCache {
  /** Reads the files again whose stat has changed. @returns whether the text of any has changed */
  refresh(files: Iterable<string>): Promise<boolean>;
  /** One character a byte; undefined for a file that git would not read. */
  get(file: string): string | undefined;
  forget(file: string): void;
}

function openTextCache(fs: Fs): TextCache {
  const cache = new Map<string, { readonly statKey: string; readonly text: string } | undefined>();

  async function refreshOne(file: string): Promise<boolean> {
    const before = cache.get(file);
    const stat = await fs.lstat(file);
    // Like git: in the working tree a symbolic link is not followed, since it may lead anywhere.
    const isLink = stat?.isSymbolicLink() === true && !file.endsWith(`/${ATTRIBUTES_FILE}`);
    if (!stat || !(isLink || (stat.isFile() && stat.size < LARGEST_BYTES))) {
      cache.set(file, undefined);
      return before !== undefined;
    }
    const statKey = statKeyOf(stat);
    // The target of a link may change while the link's own stat stays the same.
    if (!isLink && statKey === before?.statKey) return false;
    const text = (await unlessMissing(fs.readFile(file)))?.toString("latin1");
    cache.set(file, text === undefined ? undefined : { statKey, text });
    return text !== before?.text;
  }

  return {
    async refresh(files) {
      let isChanged = false;
      for (const file of files) isChanged = (await refreshOne(file)) || isChanged;
      return isChanged;
    },
    get: (file) => cache.get(file)?.text,
    forget: (file) => void cache.delete(file),
  };
}

const isWindows = process.platform === "win32";

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

function conversionOf(path: Path, files: readonly AttributesFile[], settings: Settings): Conversion {
  const found = attributesOf(bytewise(path), files, NAMES);
  const eol = eolOf(found, settings.eol, isWindows);
  const filter = found.get("filter");
  if (filter === "lfs" && settings.isLfsFilter) return { eol: "keep", isLfs: true };
  if (typeof filter === "string") return { eol, unsupported: `filter=${filter}` };
  if (found.get("ident") === true) return { eol, unsupported: "ident" };
  const encoding = found.get("working-tree-encoding");
  if (encoding === undefined || (typeof encoding === "string" && UTF_8.test(encoding))) return { eol };
  return { eol, unsupported: `working-tree-encoding=${encoding}` };
}

function settingsOf(config: GitConfig): Settings {
  const isInput = config.get("core.autocrlf")?.toLowerCase() === "input";
  const eol = config.get("core.eol")?.toLowerCase();
  const home = homedir();
  const configured = config.get("core.attributesFile")?.replace(/^~(?=\/)/, home);
  return {
    eol: {
      autocrlf: isInput ? "input" : config.isTrue("core.autocrlf") ? "true" : "false",
      eol: eol === "lf" || eol === "crlf" ? eol : "native",
    },
    globalFile: configured ?? `${process.env.XDG_CONFIG_HOME || `${home}/.config`}/git/attributes`,
    ignoreCase: config.isTrue("core.ignoreCase"),
    isLfsFilter: ["clean", "process"].every((key) =>
      /\bgit[- ]lfs\b/.test(config.get(`filter.lfs.${key}`) ?? "git-lfs"),
    ),
    lfsStorage: config.get("lfs.storage"),
  };
}

/** The folders above a path, from the top down, without the root. */
export function foldersAbove(path: Path): Path[] {
  const found: Path[] = [];
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) found.push(path.slice(0, at));
  return found;
}

/** @throws CmsError `conflict` for a path whose stored content only git can compute */
export function refuseUnsupported(path: Path, { unsupported }: Conversion): void {
  if (unsupported === undefined) return;
  throw new CmsError(
    "conflict",
    `${path} has the git attribute ${unsupported}, so git stores other bytes than the file's, and this service cannot ` +
      "make them: change the file with git, or take the attribute off its path.",
  );
}
