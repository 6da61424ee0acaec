/**
 * sharp, configured for untrusted files: few loaders, from memory only, with a pixel limit.
 *
 * No other module imports sharp.
 */
import { availableParallelism } from "node:os";
import sharp, { type Metadata, type Sharp } from "sharp";
import { ImageError, NOT_AN_IMAGE } from "../model/media/image-results.ts";
import type { ImageProps } from "../model/media/media.ts";
import type { RasterFormat } from "../model/media/media-type.ts";

/** Limits memory: a decoded image takes three or four bytes per pixel. */
const PIXELS_MAX = 80_000_000;

// The SVG and PDF loaders can read other files, and loaders of rare formats are hardly tested with hostile input.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
    "VipsForeignLoadTiffBuffer",
    "VipsForeignLoadHeifBuffer",
  ],
});
sharp.cache(false);
sharp.concurrency(availableParallelism());

export interface Probed {
  readonly image: ImageProps & { readonly raster: RasterFormat };
  /** Whether it has several frames. */
  readonly isAnimated: boolean;
  /** Whether it has EXIF, XMP or IPTC data, or a rotation. */
  readonly hasMetadata: boolean;
}

export { sharp, type Sharp };

/** @param bytes of an image in a `RasterFormat` @throws ImageError for any other file */
export async function probeImage(bytes: Uint8Array): Promise<Probed> {
  const found = await withImageErrors(() => openImage(bytes, { failOn: "none" }).metadata());
  const raster = rasterFormat(found);
  if (!raster) throw new ImageError(NOT_AN_IMAGE);
  const { width, height } = found.autoOrient;
  if (found.width * found.height > PIXELS_MAX) throw new ImageError(tooManyPixels(found.width, found.height));
  return {
    image: { mode: modeOf(found), width, height, format: raster.toUpperCase(), raster },
    isAnimated: ((found.pages ?? 1) > 1 && (raster === "gif" || raster === "webp")) || isApng(bytes),
    hasMetadata:
      [found.exif, found.xmp, found.iptc].some((block) => block !== undefined) || (found.orientation ?? 1) > 1,
  };
}

/**
 * Whether a PNG has several frames, of which sharp reads the first alone: a chunk `acTL` stands before the image data
 * (PNG specification, third edition, 11.3.6.1).
 */
function isApng(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 8 || view.readUInt32BE(0) !== 0x89504e47) return false;
  for (let at = 8; at + 12 <= view.length; at += 12 + view.readUInt32BE(at)) {
    const chunk = view.toString("latin1", at + 4, at + 8);
    if (chunk === "acTL") return view.readUInt32BE(at + 8) > 1;
    if (chunk === "IDAT") return false;
  }
  return false;
}

/** Takes bytes, never a path: only the buffer loaders are unblocked. */
export const openImage = (
  bytes: Uint8Array,
  options: { failOn?: "none" | "truncated" | "error"; animated?: boolean } = {},
): Sharp => sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: "error", sequentialRead: true, ...options });

const tooManyPixels = (width: number, height: number): string =>
  `The image has ${width} x ${height} pixels; at most ${PIXELS_MAX / 1_000_000} million are decoded.`;

/** Converts errors of libvips, which name functions and offsets, to messages for the client. */
export async function withImageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImageError) throw error;
    const reason = String((error as Error).message).replace(/\s+/g, " ");
    if (/pixel limit/i.test(reason))
      throw new ImageError(`The image has too many pixels; at most ${PIXELS_MAX / 1_000_000} million are decoded.`, {
        cause: error,
      });
    throw new ImageError(NOT_AN_IMAGE, { cause: error });
  }
}

/** sharp calls AVIF "heif". */
function rasterFormat({ format, compression }: Metadata): RasterFormat | undefined {
  if (format === "heif") return compression === "av1" ? "avif" : undefined;
  return (["jpeg", "png", "webp", "gif", "tiff"] as const).find((each) => each === format);
}

/** The image mode, with the names of the upstream system (Pillow). */
function modeOf({ space, channels, hasAlpha, isPalette }: Metadata): string {
  if (isPalette) return "P";
  if (space === "cmyk") return "CMYK";
  if (space === "grey16") return "I;16";
  if (space === "b-w" || channels < 3) return hasAlpha ? "LA" : "L";
  return hasAlpha ? "RGBA" : "RGB";
}
