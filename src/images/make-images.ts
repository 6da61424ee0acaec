/**
 * Processes one image: the optimised original, its thumbnail and its renditions.
 *
 * The source is decoded once and each width is resized once. The encoders share those pixels and run in parallel, one
 * per core, the slowest first. Pixels are sRGB: the colour profile of the source is applied, not copied.
 */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import {
  ImageError,
  type Encoded,
  type EncodedRendition,
  type ImageJob,
  type ImageResult,
} from "../model/media/image-results.ts";
import type { RasterFormat } from "../model/media/media-type.ts";
import { fitWithin } from "../model/media/fitted-size.ts";
import { planRenditions, thumbnailEncoding, type Planned, type Size } from "../model/media/renditions.ts";
import { withImageErrors, openImage, probeImage, sharp, type Probed, type Sharp } from "./decode.ts";

/** Decoded pixels in sRGB, after EXIF rotation. */
interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Whether this build of libvips can write a format; not every build has AVIF. */
const canEncode = (format: RasterFormat): boolean =>
  (format === "avif" ? sharp.format.heif : sharp.format[format])?.output.buffer === true;

/** @throws ImageError when the image cannot be decoded completely */
export async function makeImages(
  job: ImageJob,
  can: (format: RasterFormat) => boolean = canEncode,
): Promise<ImageResult> {
  const { stored, optimised, image } = await readStored(job, can);
  // Frees a large source before the encoders allocate memory.
  if (optimised) globalThis.gc?.();
  const planned = planRenditions(job.variants, { ...image, format: image.raster }, can);
  if (!job.thumbnail && planned.length === 0) {
    await withImageErrors(() => openImage(stored).stats()); // decodes completely, to reject broken images
    return { optimised, image, thumbnail: null, renditions: [] };
  }
  const pixels = await decode(stored, null);
  const thumbnail = job.thumbnail && (await makeThumbnail(pixels, image.raster, job.thumbnail, job.quality.jpeg));
  const renditions = await encodeAll(pixels, planned, job);
  const kept = job.preventInflate ? renditions.filter(({ bytes }) => bytes.length <= stored.length) : renditions;
  return { optimised, image, thumbnail, renditions: kept };
}

/** The bytes to store: the source, or the optimised image. */
async function readStored(
  job: ImageJob,
  can: (format: RasterFormat) => boolean,
): Promise<{ stored: Buffer; optimised: Buffer | null; image: ImageResult["image"] }> {
  const source = await readFile(job.file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new ImageError("The file is not there any more.", { cause: error }) : error;
  });
  const probed = await probeImage(source);
  const optimised =
    job.optimise && can(probed.image.raster) ? await optimise(source, probed, job.optimise, job.quality) : null;
  return optimised
    ? { stored: optimised, optimised, image: (await probeImage(optimised)).image }
    : { stored: source, optimised: null, image: probed.image };
}

/**
 * The image within the size limits, rotated, in sRGB, and without metadata.
 *
 * @returns null when the source needs no change and would not get smaller
 */
async function optimise(
  source: Buffer,
  probed: Probed,
  { max, dpi, jpegQuality }: NonNullable<ImageJob["optimise"]>,
  quality: ImageJob["quality"],
): Promise<Buffer | null> {
  const { image, isAnimated, hasMetadata } = probed;
  const size = fitWithin(image, max);
  const mustShrink = size.width < image.width || size.height < image.height;
  // Frames of PNG can be neither read nor written, so the file stays as it is.
  if (isAnimated) return mustShrink && image.raster !== "png" ? shrinkAnimation(source, size, image.raster) : null;
  const pixels = await decode(source, mustShrink ? size : null);
  const encoded = await encodePixels(pixels, image.raster, { ...quality, jpeg: jpegQuality }, dpi);
  return mustShrink || hasMetadata || encoded.length < source.length ? encoded : null;
}

const shrinkAnimation = (source: Buffer, size: Size, format: RasterFormat): Promise<Buffer> =>
  withImageErrors(() =>
    openImage(source, { animated: true })
      .resize({ ...size, fit: "fill" })
      [format === "webp" ? "webp" : "gif"]()
      .toBuffer(),
  );

/** @param size null: not resized */
async function decode(bytes: Buffer, size: Size | null): Promise<Pixels> {
  const upright = openImage(bytes).autoOrient();
  const sized = size ? upright.resize({ ...size, fit: "fill", fastShrinkOnLoad: true }) : upright;
  return withImageErrors(() => pixelsOf(sized.toColourspace("srgb")));
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as Pixels["channels"] };
}

const fromPixels = ({ data, width, height, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false });

async function makeThumbnail(pixels: Pixels, source: RasterFormat, max: Size, jpegQuality: number): Promise<Encoded> {
  const size = fitWithin(pixels, max);
  const { encode, extension } = thumbnailEncoding(source);
  const small = await resized(pixels, size);
  const bytes = await encodePixels(small, encode, { jpeg: jpegQuality, webp: 80, avif: 60, avifEffort: 3 });
  return { ...size, bytes, extension };
}

const resized = (pixels: Pixels, size: Size): Promise<Pixels> =>
  pixelsOf(fromPixels(pixels).resize({ ...size, fit: "fill" }));

async function encodeAll(
  pixels: Pixels,
  planned: readonly Planned[],
  { quality }: ImageJob,
): Promise<EncodedRendition[]> {
  const widths = new Map<string, Promise<Pixels>>();
  const pixelsFor = (size: Size): Promise<Pixels> => {
    const key = `${size.width}x${size.height}`;
    const known = widths.get(key) ?? resized(pixels, size);
    widths.set(key, known);
    return known;
  };
  const results: EncodedRendition[] = [];
  // Longest first: a slow AVIF image started last would leave the other cores idle.
  const queue = [...planned.entries()].sort(([, a], [, b]) => cost(b) - cost(a));
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [at, { name, format, width, height, encode, extension }] = next;
      const bytes = await encodePixels(await pixelsFor({ width, height }), encode, quality);
      results[at] = { name, format, width, height, extension, bytes };
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

const cost = ({ width, height, encode }: Planned): number => width * height * (encode === "avif" ? 10 : 1);

/** @param dpi stored in the file if the format supports it */
async function encodePixels(
  pixels: Pixels,
  format: RasterFormat,
  quality: ImageJob["quality"],
  dpi?: number,
): Promise<Buffer> {
  const open = fromPixels(pixels);
  const image = dpi === undefined ? open : open.withDensity(dpi);
  switch (format) {
    case "jpeg":
      return image.flatten({ background: "#fff" }).jpeg({ quality: quality.jpeg }).toBuffer();
    case "png":
      return image.png().toBuffer();
    case "webp":
      return image.webp({ quality: quality.webp }).toBuffer();
    case "avif":
      return image.avif({ quality: quality.avif, effort: quality.avifEffort }).toBuffer();
    case "gif":
      return image.gif().toBuffer();
    case "tiff":
      return image.tiff({ compression: "lzw" }).toBuffer();
  }
}
