/**
 * Which renditions an image gets, their sizes, and where they are stored.
 *
 * Pure arithmetic: nothing is decoded here, and what proves larger than its source is dropped in `images/make-images.ts`.
 * Sizes are in pixels, after EXIF rotation.
 */
import type { Variant, VariantFormat } from "../../config/setting-types.ts";
import { joinPath, mediaStemOf } from "./media-name.ts";
import type { RasterFormat } from "./media-type.ts";

export type { Variant, VariantFormat };

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rendition to encode. */
export interface Planned extends Size {
  readonly name: string;
  /** The format of the variant, so `original` stays `original`; `encode` is that of the bytes. */
  readonly format: VariantFormat;
  readonly encode: RasterFormat;
  /** With its dot. */
  readonly extension: string;
}

type Encoding = Pick<Planned, "encode" | "extension">;

const ENCODINGS: Readonly<Record<Exclude<VariantFormat, "original">, Encoding>> = {
  webp: { encode: "webp", extension: ".webp" },
  avif: { encode: "avif", extension: ".avif" },
  jpeg: { encode: "jpeg", extension: ".jpg" },
  png: { encode: "png", extension: ".png" },
};

/** Formats that browsers do not show become JPEG. */
const ORIGINALS: Readonly<Record<RasterFormat, Encoding>> = {
  ...ENCODINGS,
  gif: { encode: "gif", extension: ".gif" },
  tiff: ENCODINGS.jpeg,
};

/** JPEG and WebP sources keep their format in the thumbnail, others become PNG. */
export const thumbnailEncoding = (source: RasterFormat): Encoding =>
  ENCODINGS[source === "jpeg" || source === "webp" ? source : "png"];

/**
 * The renditions to encode, in the order of the variants.
 *
 * Variants at least as wide as the source are dropped, since upscaling could only blur it, and so are formats without
 * an encoder.
 *
 * @param source the stored image
 * @param can whether there is an encoder for a format
 */
export function planRenditions(
  variants: readonly Variant[],
  source: Size & { readonly format: RasterFormat },
  can: (format: RasterFormat) => boolean,
): Planned[] {
  return variants.flatMap(({ name, width, format }) => {
    const encoding = format === "original" ? ORIGINALS[source.format] : ENCODINGS[format];
    if (width <= 0 || width >= source.width || !can(encoding.encode)) return [];
    return [
      { name, format, width, height: Math.max(1, roundHalfEven((source.height * width) / source.width)), ...encoding },
    ];
  });
}

/** Rounds half to even, as the upstream system does: 0.5 to 0, 1.5 to 2. */
function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

/**
 * The folder of an image's renditions: the path of the image without extension, below the configured folder.
 *
 * @param taken whether another item has this folder: `img.jpg` and `img.png` must not share one
 */
export function renditionFolder(folder: string, file: string, taken: (path: string) => boolean): string {
  const dot = file.lastIndexOf(".");
  const named = dot > file.lastIndexOf("/") + 1;
  const plain = `${folder}/${named ? file.slice(0, dot) : file}`;
  if (!taken(plain)) return plain;
  const full = named ? `${plain}_${file.slice(dot + 1).toLowerCase()}` : plain;
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? full : `${full}-${n}`;
    if (!taken(candidate)) return candidate;
  }
}

/** The path of a rendition in that folder. @param extension with its dot */
export const renditionFile = (folder: string, name: string, extension: string): string =>
  `${folder}/${name}${extension}`;

/**
 * The path of an image's thumbnail below the configured folder, that of the library itself for "".
 *
 * @param extension with its dot
 * @param taken whether another file of the library has this path
 */
export function thumbnailFile(
  folder: string,
  file: string,
  extension: string,
  taken: (path: string) => boolean,
): string {
  for (let n = 1; ; n++) {
    const path = joinPath(folder, `${mediaStemOf(file)}_thumb${n === 1 ? "" : `-${n}`}${extension}`);
    if (!taken(path)) return path;
  }
}
