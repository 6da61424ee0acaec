/** The files of the old site as media, and the addresses that they had. */
import { stat } from "node:fs/promises";
import { objectOf } from "../../model/json.ts";
import type { Lang } from "../../model/locale.ts";
import type { ImportedMedia, ImportedRedirect, SourceId } from "../imported-site.ts";
import { sourceLink } from "../source-links.ts";
import type { Dialect } from "./dialect.ts";
import { folderOf, nameOf, type SourceTree } from "./source-tree.ts";

/** The top folders that hold files, which say nothing of a file in the library. */
const FILE_FOLDERS = /^(?:static|assets|public|src\/assets|src\/content|content|source|src)\//;

export function mediaOf(
  tree: SourceTree,
  dialect: Dialect,
  path: string,
  source: SourceId,
  alts: ReadonlyMap<SourceId, ReadonlyMap<Lang, string>>,
): ImportedMedia {
  const file = tree.locate(path);
  const alt = alts.get(source);
  return {
    source,
    place: { file: path },
    name: nameOf(path),
    folder: folderOf(path.replace(FILE_FOLDERS, "")),
    address: dialect.fileAddress(path) ?? `/${path}`,
    ...(alt && { texts: objectOf([...alt].map(([lang, alt_text]) => [lang, { alt_text }] as const)) }),
    open: async () => ({ file, size: (await stat(file)).size }),
  };
}

export function mediaRedirects(
  paths: readonly string[],
  dialect: Dialect,
  media: ReadonlyMap<string, SourceId>,
): ImportedRedirect[] {
  return paths.flatMap((path) => {
    const from = dialect.fileAddress(path);
    return from === undefined ? [] : [{ place: { file: path }, from, to: sourceLink(media.get(path)!) }];
  });
}
