/** The files of a folder that is imported. */
import { readFileSync, type Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { typeByName } from "../../model/media/media-type.ts";

/** A path below the imported folder, with slashes. */
export type SourcePath = string;

export interface SourceTree {
  readonly root: string;
  /** Sorted. */
  readonly paths: readonly SourcePath[];
  has(path: SourcePath): boolean;
  /** Absolute. */
  locate(path: SourcePath): string;
}

/** Dependencies, results of builds, and what belongs to the look of a site. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["node_modules", "vendor", "_site", "dist", "build", "resources", "themes", "archetypes", "layouts"],
  ...["_layouts", "_includes", "_sass", "i18n", "bower_components", "coverage", "target", "tmp"],
]);

/** Reads the names of all files; links, dot files and left-out folders are skipped. */
export async function readTree(root: string): Promise<SourceTree> {
  const paths: SourcePath[] = [];
  const visit = async (folder: SourcePath): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") && !entry.name.startsWith(".eleventy")) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) paths.push(path);
      else if (isVisited(entry, folder)) await visit(path);
    }
  };
  await visit("");
  const known = new Set(paths);
  return { root, paths, has: (path) => known.has(path), locate: (path) => join(root, ...path.split("/")) };
}

/** The tree without the files of a folder. */
export function withoutFolder(tree: SourceTree, folder: SourcePath): SourceTree {
  const paths = tree.paths.filter((path) => !path.startsWith(`${folder}/`));
  const known = new Set(paths);
  return { ...tree, paths, has: (path) => known.has(path) };
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });
const UTF_16_MARKS = { "utf-16le": [0xff, 0xfe], "utf-16be": [0xfe, 0xff] };

/**
 * The text of a file.
 *
 * @returns with the encoding that was taken for a file that is not UTF-8, whose letters may be wrong then
 */
export function readText(tree: SourceTree, path: SourcePath): { readonly text: string; readonly guessed?: string } {
  const bytes = readFileSync(tree.locate(path));
  try {
    return { text: UTF_8.decode(bytes) };
  } catch {
    const marked = Object.entries(UTF_16_MARKS).find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
    const guessed = marked?.[0] ?? "windows-1252";
    return { text: new TextDecoder(guessed).decode(bytes), guessed };
  }
}

/** `content/build/` is a section, `build/` the result of a build. */
const isVisited = (entry: Dirent, folder: SourcePath): boolean =>
  entry.isDirectory() && (!LEFT_OUT.has(entry.name) || (folder !== "" && !folder.startsWith("_") && folder !== "src"));

export const isMarkdown = (path: SourcePath): boolean => /\.(?:md|markdown|mdx|mdown)$/i.test(path);

/** Files that go into the media library: pictures, sound, films, documents. */
export function isMediaFile(path: SourcePath): boolean {
  const { mime } = typeByName(path);
  const isIcon = /(?:^|\/)(?:favicon|apple-touch-icon|android-chrome|mstile|safari-pinned-tab)[^/]*$/i.test(path);
  if (isIcon || /(?:^|\/)(?:Gemfile|Rakefile|LICENSE)/.test(path)) return false;
  return /^(?:image|audio|video|font)\//.test(mime)
    ? !mime.startsWith("font/")
    : DOCUMENTS.has(extname(path).toLowerCase());
}

const DOCUMENTS: ReadonlySet<string> = new Set([
  ...[
    ".pdf",
    ".zip",
    ".gz",
    ".epub",
    ".doc",
    ".docx",
    ".odt",
    ".ods",
    ".odp",
    ".xls",
    ".xlsx",
    ".ppt",
    ".pptx",
    ".csv",
  ],
]);

export const dirPart = (path: SourcePath): SourcePath => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** A folder as people write it, `./src/` or `/src`, by its path in the source. */
export const folderPath = (written: string): SourcePath => written.replace(/^\.?\/|\/$/g, "");

export const basePart = (path: SourcePath): string => path.slice(path.lastIndexOf("/") + 1);

/** The name without its folder and its last extension. */
export const stemOf = (path: SourcePath): string => basePart(path).replace(/\.[^.]+$/, "");

/** A path relative to a folder, normalised; undefined when it leads out of the tree. */
export function joinPaths(folder: SourcePath, relative: string): SourcePath | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
