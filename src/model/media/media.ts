/**
 * An item of the media library: its texts, the facts of its file, and its derivatives (thumbnail and renditions).
 *
 * The record has the texts and the derivatives. The facts are always read from the file, so they are right after a file
 * was replaced by hand; derivatives of other bytes than the current ones are ignored.
 */
import type { Instant } from "../time/instant.ts";
import type { Lang } from "../language/locale.ts";
import { typeByName, type RasterFormat } from "./media-type.ts";
import type { Id } from "../page/page.ts";
import type { Variant, VariantFormat } from "./renditions.ts";

export interface MediaText {
  readonly title: string | null;
  readonly alt_text: string | null;
  readonly description: string | null;
}

export interface ImageProps {
  /** `RGB`, `RGBA`, `L`, `LA`, `P`, `CMYK`, `I;16`. */
  readonly mode: string;
  /** In pixels, after EXIF rotation. */
  readonly width: number;
  readonly height: number;
  /** In upper case: `JPEG`. */
  readonly format: string;
}

/** Facts read from the bytes of a file. */
export interface FileFacts {
  /** Git blob id of the bytes. */
  readonly oid: string;
  readonly size: number;
  readonly mime_type: string;
  /** For images that can be decoded; null for any other file. */
  readonly image: (ImageProps & { readonly raster: RasterFormat }) | null;
  /** `pointer`: a Git LFS pointer, the file was not fetched. `broken`: an image that cannot be decoded. */
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

/** Files generated from an image. */
export interface Derivatives {
  /** Blob id of the bytes they were generated from. */
  readonly source: string;
  /** Path below `media/`. */
  readonly thumbnail: string | null;
  /** In the order of the variants. */
  readonly renditions: readonly Rendition[];
}

export interface Media {
  readonly id: Id;
  /** Path of the original below `media/`; the record is beside it, and directories are the folders of the library. */
  readonly file: string;
  /** Former paths below `media/`, which redirect to the current one. */
  readonly aliases: readonly string[];
  readonly created: Instant;
  /** When it was moved to the trash, which hides its file, derivatives and former addresses; null: it is shown. */
  readonly deleted_at: Instant | null;
  readonly translations: { readonly [lang: Lang]: MediaText };
  /** null: the variants of the settings. */
  readonly renditions_config: readonly Variant[] | null;
  /** null: none were generated. They may be of other bytes: see `currentDerivatives`. */
  readonly derivatives: Derivatives | null;
  /** null: there is no such file. */
  readonly facts: FileFacts | null;
}

/** A folder of the library, also for a directory without a record. */
export interface MediaFolder {
  readonly id: Id;
  /** Its directory below `media/`. */
  readonly dir: string;
  readonly title: string;
  readonly creation_date: Instant;
  readonly last_modified: Instant;
}

export const EMPTY_MEDIA_TEXT: MediaText = { title: null, alt_text: null, description: null };

/** The item at another path. All former paths redirect to it, so a chain of moves is one redirect. */
export function atPath(media: Media, file: string): Media {
  if (file === media.file) return media;
  return {
    ...media,
    file,
    aliases: [...media.aliases.filter((alias) => alias !== file && alias !== media.file), media.file],
  };
}

/** The type of the bytes, or by name where the file is missing. */
export const mimeOf = (media: Media): string => media.facts?.mime_type ?? typeByName(media.file).mime;

/** Whether the item is an image, also of a format that cannot be decoded. */
export const isImage = (media: Media): boolean => mimeOf(media).startsWith("image/");

/** The properties of an image that can be decoded, and so can have derivatives; null for any other item. */
export const rasterOf = (media: Media): (ImageProps & { readonly raster: RasterFormat }) | null =>
  media.facts?.image ?? null;

/** The derivatives of the current bytes; null when there are none, or only of other bytes. */
export const currentDerivatives = (media: Media): Derivatives | null =>
  media.derivatives?.source === media.facts?.oid ? media.derivatives : null;

/** Paths below `media/` of the recorded derivatives, current or not. */
export const derivativeFiles = ({ derivatives }: Media): string[] =>
  derivatives
    ? [
        ...(derivatives.thumbnail === null ? [] : [derivatives.thumbnail]),
        ...derivatives.renditions.map(({ file }) => file),
      ]
    : [];
