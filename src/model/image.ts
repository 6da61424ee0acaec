/**
 * What is asked of whoever can decode and encode images, and what comes back.
 *
 * Files go in by path and come out as bytes: sources may be large, results are not.
 */
import type { ImageProps } from "./media.ts";
import type { RasterFormat } from "./media-type.ts";
import type { Size, Variant, VariantFormat } from "./renditions.ts";

export interface ImageJob {
  /** Absolute path of the source. */
  readonly file: string;
  readonly format: RasterFormat;
  /** How the image itself is to be stored; null: as it is. */
  readonly optimise: { readonly max: Size; readonly dpi: number; readonly jpegQuality: number } | null;
  /** null: none is wanted. */
  readonly thumbnail: Size | null;
  readonly variants: readonly Variant[];
  readonly quality: { readonly jpeg: number; readonly webp: number; readonly avif: number; readonly avifEffort: number };
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
  /** What is to be stored in the place of the source; null: the source itself. */
  readonly optimised: Uint8Array | null;
  /** Of what is to be stored. */
  readonly image: ImageProps & { readonly raster: RasterFormat };
  readonly thumbnail: Encoded | null;
  readonly renditions: readonly EncodedRendition[];
}

/** The image cannot be worked on: broken, too many pixels, too slow. The message is fit for the person who sent it. */
export class ImageError extends Error {
  override readonly name = "ImageError";
}

export interface Images {
  /** What an image is, without decoding all of it. @throws ImageError */
  probe(bytes: Uint8Array): Promise<ImageProps & { readonly raster: RasterFormat }>;
  /** Jobs wait for each other, so that however many come at once the machine stays usable. @throws ImageError */
  make(job: ImageJob): Promise<ImageResult>;
  close(): Promise<void>;
}
