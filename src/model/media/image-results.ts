/**
 * The interface of the image encoder: jobs and results.
 *
 * Sources are passed by path, since they may be large; results are returned as bytes.
 */
import type { ImageProps } from "./media.ts";
import type { RasterFormat } from "./media-type.ts";
import type { Size, Variant, VariantFormat } from "./renditions.ts";

export interface ImageJob {
  /** Absolute path of the source. */
  readonly file: string;
  /** Limits for the stored image; null: the source is stored unchanged. */
  readonly optimise: { readonly max: Size; readonly dpi: number; readonly jpegQuality: number } | null;
  /** Its largest size; null: no thumbnail. */
  readonly thumbnail: Size | null;
  readonly variants: readonly Variant[];
  readonly quality: {
    readonly jpeg: number;
    readonly webp: number;
    readonly avif: number;
    readonly avifEffort: number;
  };
  /** Whether a rendition larger than its source is dropped. */
  readonly preventInflate: boolean;
}

export interface Encoded extends Size {
  readonly bytes: Uint8Array;
  /** With its dot. */
  readonly extension: string;
}

export interface EncodedRendition extends Encoded {
  readonly name: string;
  readonly format: VariantFormat;
}

export interface ImageResult {
  /** The bytes to store instead of the source; null: the source itself. */
  readonly optimised: Uint8Array | null;
  /** Properties of the stored image. */
  readonly image: ImageProps & { readonly raster: RasterFormat };
  readonly thumbnail: Encoded | null;
  readonly renditions: readonly EncodedRendition[];
}

/** The image cannot be processed: broken, too many pixels, too slow. The message is shown to the client. */
export class ImageError extends Error {
  override readonly name = "ImageError";
}

export const NOT_AN_IMAGE = "Upload a valid image. The file you uploaded was either not an image or a corrupted image.";

export interface Images {
  /** Properties of an image, read without decoding all of it. @throws ImageError */
  probe(bytes: Uint8Array): Promise<ImageProps & { readonly raster: RasterFormat }>;
  /** Runs one job at a time; others wait, so that uploads cannot take all memory. @throws ImageError */
  make(job: ImageJob): Promise<ImageResult>;
  close(): Promise<void>;
}
