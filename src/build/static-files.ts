/** Which files of `static/` a build publishes beside its pages (DECISIONS.md, Static files). */
import { precedesPages } from "../model/static-file.ts";
import { folded, folderAbove } from "./output/output-path.ts";
import type { MediaFile } from "./sources/source.ts";

/** By path in the output, which is the path below `static/`. */
export type StaticFiles = ReadonlyMap<string, MediaFile>;

export const staticFilesOf = (files: readonly MediaFile[] = []): StaticFiles =>
  new Map(files.map((file) => [file.path, file]));

/** The file that takes the place of a page's folder, or of a folder above it. */
export function fileInPlaceOf(statics: StaticFiles): (folder: string) => string | undefined {
  const byFolder = new Map([...statics.keys()].map((path) => [folded(path), path]));
  return (folder) => {
    if (byFolder.size === 0) return undefined;
    const own = byFolder.get(folded(folder));
    if (own !== undefined && precedesPages(own)) return own;
    for (let above = folderAbove(folder); above !== ""; above = folderAbove(above)) {
      const file = byFolder.get(folded(above));
      if (file !== undefined) return file;
    }
    return undefined;
  };
}

/** The files whose address no page has. @param folders of all pages */
export function unclaimedFiles(statics: StaticFiles, folders: readonly (string | undefined)[]): StaticFiles {
  if (statics.size === 0) return statics;
  const taken = new Set(folders.flatMap((folder) => (folder === undefined ? [] : [folded(folder)])));
  const isClaimed = (path: string): boolean =>
    taken.has(folded(path)) || (/(^|\/)index\.(html|json)$/.test(path) && taken.has(folded(folderAbove(path))));
  return new Map([...statics].filter(([path]) => !isClaimed(path)));
}
