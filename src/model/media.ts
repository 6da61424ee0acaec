/**
 * A file of the media library: what people wrote about it, what its bytes are, and what was made of them.
 *
 * Only the first and the last stand in the record. What the bytes are is read off the file, so a file replaced by hand
 * is never described by what it was; and what was made of other bytes than these does not count.
 */
import type { Instant } from "./instant.ts";
import type { Lang } from "./locale.ts";
import { typeByName, type RasterFormat } from "./media-type.ts";
import type { Id } from "./page.ts";
import type { Variant, VariantFormat } from "./renditions.ts";

export interface MediaText {
  readonly title: string | null;
  readonly alt_text: string | null;
  readonly description: string | null;
}

export interface ImageProps {
  /** `RGB`, `RGBA`, `L`, `LA`, `P`, `CMYK`, `I;16`. */
  readonly mode: string;
  /** In pixels, of the image turned upright. */
  readonly width: number;
  readonly height: number;
  /** In upper case: `JPEG`. */
  readonly format: string;
}

/** What a file's bytes are. */
export interface FileFacts {
  /** Blob id: names these bytes. */
  readonly oid: string;
  readonly size: number;
  readonly mime_type: string;
  /** Of images that can be decoded; null for all else. */
  readonly image: (ImageProps & { readonly raster: RasterFormat }) | null;
  /** `pointer`: what Git LFS leaves where the file itself was not fetched. `broken`: a picture that cannot be decoded. */
  readonly trouble: "pointer" | "broken" | null;
}

export interface Rendition {
  readonly name: string;
  readonly format: VariantFormat;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  /** Path below `media/`. */
  readonly file: string;
}

/** What was made of an image. */
export interface Made {
  /** Blob id of the bytes it was made of. */
  readonly source: string;
  /** Path below `media/`. */
  readonly thumbnail: string | null;
  /** In the order of the variants. */
  readonly renditions: readonly Rendition[];
}

export interface Media {
  readonly id: Id;
  /** Path of the original below `media/`; the record stands beside it, and the folders are the library's. */
  readonly file: string;
  /** Paths below `media/` at which its file used to be: their addresses lead to where it is now (decisions.md 64). */
  readonly aliases: readonly string[];
  readonly created: Instant;
  readonly translations: { readonly [lang: Lang]: MediaText };
  /** null: the variants of the settings. */
  readonly renditions_config: readonly Variant[] | null;
  /** null: nothing, or nothing that is of these bytes. */
  readonly made: Made | null;
  /** null: there is no such file. */
  readonly facts: FileFacts | null;
}

/** A folder of the library. It may stand for a directory nobody wrote a record for. */
export interface MediaFolder {
  readonly id: Id;
  /** Its directory below `media/`. */
  readonly dir: string;
  readonly title: string;
  readonly creation_date: Instant;
  readonly last_modified: Instant;
}

export const EMPTY_MEDIA_TEXT: MediaText = { title: null, alt_text: null, description: null };

/** The item at another path. Its former one leads there, and so do those before, so a chain of moves is one redirect. */
export function atPath(media: Media, file: string): Media {
  if (file === media.file) return media;
  return { ...media, file, aliases: [...media.aliases.filter((alias) => alias !== file && alias !== media.file), media.file] };
}

/** By the bytes, or by the name where there are none. */
export const mimeOf = (media: Media): string => media.facts?.mime_type ?? typeByName(media.file).mime;

/** Of any kind, also those that are not decoded here (contract.md 12.1). */
export const isImage = (media: Media): boolean => mimeOf(media).startsWith("image/");

/** An image whose bytes are here and can be decoded: what thumbnails and renditions are made of. */
export const rasterOf = (media: Media): (ImageProps & { readonly raster: RasterFormat }) | null =>
  media.facts?.image ?? null;

/** What was made of the very bytes that are there; null when it was made of others, or never. */
export const madeOf = (media: Media): Made | null => (media.made?.source === media.facts?.oid ? media.made : null);

/** The files made of an item, by their paths below `media/`. */
export const madeFiles = ({ made }: Media): string[] =>
  made ? [...(made.thumbnail === null ? [] : [made.thumbnail]), ...made.renditions.map(({ file }) => file)] : [];
