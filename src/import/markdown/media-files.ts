/** The files of the old site as media, and the addresses that they had. */
import { stat } from "node:fs/promises";
import { objectOf } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import { trimEnd } from "../../model/text/trim.ts";
import type { ImportedMedia, ImportedRedirect, SourceId } from "../imported-site.ts";
import { sourceLink } from "../texts/source-links.ts";
import type { Dialect } from "./generators/dialect.ts";
import type { Document } from "./documents.ts";
import { dirPart, basePart, type SourcePath, type SourceTree } from "./source-tree.ts";

/** The top folders that hold files, which say nothing of a file in the library. */
const FILE_FOLDERS = /^(?:static|assets|public|src\/assets|src\/content|content|source|src)\//;

export function mediaOf(
  tree: SourceTree,
  path: string,
  source: SourceId,
  addresses: readonly string[],
  alts: ReadonlyMap<SourceId, ReadonlyMap<Lang, string>>,
): ImportedMedia {
  const file = tree.locate(path);
  const alt = alts.get(source);
  return {
    source,
    place: { file: path },
    name: basePart(path),
    folder: dirPart(path.replace(FILE_FOLDERS, "")),
    address: addresses[0] ?? `/${path}`,
    ...(alt && { texts: objectOf([...alt].map(([lang, alt_text]) => [lang, { alt_text }] as const)) }),
    open: async () => ({ file, size: (await stat(file)).size }),
  };
}

export const mediaRedirects = (
  media: ReadonlyMap<string, SourceId>,
  addressesOf: (path: string) => readonly string[],
): ImportedRedirect[] =>
  [...media].flatMap(([path, source]) =>
    addressesOf(path).map((from) => ({ place: { file: path }, from, to: sourceLink(source) })),
  );

/**
 * Where files were served: beside the page of their folder, if that is a bundle of Hugo, else where the generator copies
 * them.
 */
export function openMediaAddresses(
  dialect: Dialect,
  documents: readonly Document[],
): (path: SourcePath) => readonly string[] {
  const bundles = new Map<SourcePath, string[]>();
  if (dialect.name === "hugo")
    for (const { path, served } of documents)
      if (/(?:^|\/)_?index(?:\.[\w-]+)?\.\w+$/.test(path)) {
        const folder = dirPart(path);
        const base = trimEnd(served.replace(/\.html$/, ""), "/");
        bundles.set(folder, [...(bundles.get(folder) ?? []), base]);
      }
  return (path) => {
    for (let folder = dirPart(path); folder !== ""; folder = dirPart(folder)) {
      const bases = bundles.get(folder);
      if (bases) return [...new Set(bases)].map((base) => `${base}${path.slice(folder.length)}`);
    }
    const address = dialect.fileAddress(path);
    return address === undefined ? [] : [address];
  };
}
