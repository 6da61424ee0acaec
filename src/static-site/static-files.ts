/** Which files of `static/` a build publishes beside its pages (DECISIONS.md, "Static files and feeds"). */
import { foldersOfPages, isPageInPlace } from "../model/address/static-file.ts";
import type { MediaFile } from "./sources/source.ts";
import type { Listing } from "./state/state.ts";

/** By path in the output, which is the path below `static/`, the files whose place no page takes. */
export function publishedStatics(
  files: readonly MediaFile[] = [],
  pages: readonly Listing[],
): ReadonlyMap<string, MediaFile> {
  if (files.length === 0) return new Map();
  const folders = foldersOfPages(pages.map(({ path }) => path));
  return new Map(files.flatMap((file) => (isPageInPlace(file.path, folders) ? [] : [[file.path, file]])));
}
