/** The library of camomilla: its files with the folders that they are in. */
import { join } from "node:path";
import { CmsError } from "../../errors.ts";
import { objectOf, own } from "../../model/input/json.ts";
import { readVariants } from "../../model/media/variants.ts";
import type { Downloads } from "../sources/download.ts";
import { fileBelow, type OpenedFile } from "../sources/file-source.ts";
import type { ImportedFolder, ImportedMedia, ImportedRedirect } from "../imported-site.ts";
import { sourceLink } from "../texts/source-links.ts";
import { rowLang, type EntryReading } from "./entries.ts";
import type { OldCamomilla } from "./old-site.ts";
import { instantIn } from "./publication.ts";
import { isBlank, keyIn, sourceOfRow, textIn, type Row } from "./rows.ts";

export interface LibraryReading extends EntryReading {
  readonly site: OldCamomilla;
  /** `MEDIA_ROOT` of the old site. */
  readonly media: string | undefined;
  readonly downloads: Downloads;
  /** For what is fetched; the caller removes it. */
  readonly temporary: string;
  /** Setting `MEDIA.URL` of this site. */
  readonly mediaUrl: string;
}

export interface OldLibrary {
  readonly folders: readonly ImportedFolder[];
  readonly media: readonly ImportedMedia[];
  /** From the addresses of files that were not below the media URL of this site. */
  readonly redirects: readonly ImportedRedirect[];
}

export function libraryIn(reading: LibraryReading): OldLibrary {
  const { rows, mediaUrl, site } = reading;
  const folders = new Map(rows.folders.map((row) => [row.id, row]));
  const pathOf = (key: string | undefined, above: readonly string[] = []): string => {
    const row = key === undefined || above.includes(key) ? undefined : folders.get(key);
    if (!row || above.length > LEVELS_MAX) return "";
    const parent = pathOf(keyIn(own(row.fields, "updir")), [...above, row.id]);
    const name = textIn(row.fields, "title").replaceAll("/", "-") || `folder-${row.id}`;
    return parent === "" ? name : `${parent}/${name}`;
  };
  return {
    folders: rows.folders.map((row): ImportedFolder => ({
      source: sourceOfRow(row),
      place: row.place,
      path: pathOf(row.id),
      title: textIn(row.fields, "title"),
      created: instantIn(row.fields, "creation_date"),
    })),
    media: rows.media.map((row) => mediumOf(row, pathOf(keyIn(own(row.fields, "folder"))), reading)),
    redirects: rows.media.flatMap((row): ImportedRedirect[] => {
      const from = site.pathOfFile(row);
      if (from === undefined || from === "/" || from.startsWith(mediaUrl)) return [];
      return [{ place: row.place, from, to: sourceLink(sourceOfRow(row)) }];
    }),
  };
}

/** Folders that are above themselves end here, too. */
const LEVELS_MAX = 50;

function mediumOf(row: Row, folder: string, reading: LibraryReading): ImportedMedia {
  const { locales, media, remarks, mediaUrl, site } = reading;
  const file = textIn(row.fields, "file");
  const isFetched = media === undefined && /^https?:\/\//i.test(file);
  const config = own(row.fields, "renditions_config");
  const variants = isBlank(config) ? undefined : readVariants(config!);
  if (variants && "errors" in variants)
    remarks.push({
      ...row.place,
      message: `The renditions_config of ${nameOf(file)} is not valid here, and is not imported.`,
    });
  const former = site.pathOfFile(row);
  const texts = Object.entries(row.texts).flatMap(([lang, text]) => {
    const read = ["title", "alt_text", "description"].filter((name) => textIn(text, name) !== "");
    const values = objectOf(read.map((name) => [name, textIn(text, name)] as const));
    return read.length > 0 ? [[rowLang(lang, locales), values] as const] : [];
  });
  return {
    source: sourceOfRow(row),
    place: row.place,
    name: nameOf(file) || `file-${row.id}`,
    folder,
    texts: objectOf(texts),
    created: instantIn(row.fields, "created"),
    formerPaths: former?.startsWith(mediaUrl) ? [former.slice(mediaUrl.length)] : undefined,
    variants: variants && "variants" in variants && variants.variants ? variants.variants : undefined,
    address: former ?? file,
    version: isFetched ? `${file} ${textIn(row.fields, "created")} ${String(own(row.fields, "size"))}` : undefined,
    open: () => fileOf(row, file, reading),
  };
}

function nameOf(file: string): string {
  const name = file.replace(/[?#].*$/s, "");
  const last = name.slice(name.lastIndexOf("/") + 1);
  if (!/^https?:\/\//i.test(file)) return last;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

async function fileOf(
  row: Row,
  file: string,
  { media, downloads, temporary, site, mediaUrl }: LibraryReading,
): Promise<OpenedFile> {
  const isUrl = /^https?:\/\//i.test(file);
  if (media !== undefined) {
    const former = isUrl ? site.pathOfFile(row) : undefined;
    const path = isUrl ? (former?.startsWith(mediaUrl) ? former.slice(mediaUrl.length) : undefined) : file;
    const found = path === undefined ? undefined : await fileBelow(media, path);
    if (found) return found;
    if (!isUrl || !downloads.isAllowed(file))
      throw new CmsError("invalid", `There is no ${path ?? file} in the folder of media.`);
  }
  if (!isUrl) throw new CmsError("invalid", "Its file is not in the dump: give the folder MEDIA_ROOT with --media.");
  if (downloads.isAllowed(file)) return downloads.fetch(file, join(temporary, row.id));
  throw new CmsError(
    "invalid",
    `Its file is on another host: allow fetching with --allow-media-from ${new URL(file).host}.`,
  );
}
