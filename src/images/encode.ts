/**
 * One image's work: made fit to be stored, its thumbnail, its renditions.
 *
 * The source is decoded once and each width resized once; the encoders share those pixels and run as many at a time as
 * the machine has cores, the slowest first. Pixels are sRGB by then: the source's own profile is applied, not copied.
 */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { ImageError, type Encoded, type EncodedRendition, type ImageJob, type ImageResult } from "../model/image.ts";
import type { RasterFormat } from "../model/media-type.ts";
import { fitWithin, planRenditions, type Planned, type Size } from "../model/renditions.ts";
import { describing, openImage, probeImage, sharp, type Probed, type Sharp } from "./decode.ts";

/** Upright pixels in sRGB. */
interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Which formats this build of libvips can write; AVIF needs an encoder that not every build has (interface.md, rule 5). */
export const canEncode = (format: RasterFormat): boolean =>
  (format === "avif" ? sharp.format.heif : sharp.format[format])?.output.buffer === true;

/** @throws ImageError when the image cannot be decoded to its end */
export async function makeImages(job: ImageJob, can: (format: RasterFormat) => boolean = canEncode): Promise<ImageResult> {
  const { stored, optimised, image } = await readStored(job, can);
  // A large source is let go of before the encoders ask for memory of their own.
  if (optimised) globalThis.gc?.();
  const planned = planRenditions(job.variants, { ...image, format: image.raster }, can);
  if (!job.thumbnail && planned.length === 0) {
    await describing(() => openImage(stored).stats()); // what cannot be decoded is refused, whatever is wanted of it
    return { optimised, image, thumbnail: null, renditions: [] };
  }
  const pixels = await decode(stored, null);
  const thumbnail = job.thumbnail && (await makeThumbnail(pixels, image.raster, job.thumbnail, job.quality.jpeg));
  const renditions = await encodeAll(pixels, planned, job);
  const kept = job.preventInflate ? renditions.filter(({ bytes }) => bytes.length <= stored.length) : renditions;
  return { optimised, image, thumbnail, renditions: kept };
}

/** What is to be stored of the source: the very source, unless it is optimised. */
async function readStored(job: ImageJob, can: (format: RasterFormat) => boolean): Promise<{ stored: Buffer; optimised: Buffer | null; image: ImageResult["image"] }> {
  const source = await readFile(job.file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new ImageError("The file is not there any more.", { cause: error }) : error;
  });
  const probed = await probeImage(source);
  const optimised = job.optimise && can(probed.image.raster) ? await optimise(source, probed, job.optimise, job.quality) : null;
  return optimised ? { stored: optimised, optimised, image: (await probeImage(optimised)).image } : { stored: source, optimised: null, image: probed.image };
}

/**
 * The image within the limits, upright, in sRGB, and without what it says of its maker and place.
 *
 * @returns null when the source is fit as it is, and no smaller when encoded again (decisions.md 37)
 */
async function optimise(source: Buffer, probed: Probed, { max, dpi, jpegQuality }: NonNullable<ImageJob["optimise"]>, quality: ImageJob["quality"]): Promise<Buffer | null> {
  const { image, isAnimated, hasMetadata } = probed;
  const size = fitWithin(image, max);
  const mustShrink = size.width < image.width || size.height < image.height;
  if (isAnimated) return mustShrink ? shrinkAnimation(source, size, image.raster) : null;
  const pixels = await decode(source, mustShrink ? size : null);
  const encoded = await encodePixels(pixels, image.raster, { ...quality, jpeg: jpegQuality }, dpi);
  return mustShrink || hasMetadata || encoded.length < source.length ? encoded : null;
}

const shrinkAnimation = (source: Buffer, size: Size, format: RasterFormat): Promise<Buffer> =>
  describing(() => openImage(source, { animated: true }).resize({ ...size, fit: "fill" })[format === "webp" ? "webp" : "gif"]().toBuffer());

/** @param size null: as it is */
async function decode(bytes: Buffer, size: Size | null): Promise<Pixels> {
  const upright = openImage(bytes).autoOrient();
  const sized = size ? upright.resize({ ...size, fit: "fill", fastShrinkOnLoad: true }) : upright;
  return describing(() => pixelsOf(sized.toColourspace("srgb")));
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as Pixels["channels"] };
}

const fromPixels = ({ data, width, height, channels }: Pixels): Sharp => sharp(data, { raw: { width, height, channels }, limitInputPixels: false });

/** A picture of the source's own kind where that is one for the web, else a PNG (decisions.md 15). */
async function makeThumbnail(pixels: Pixels, source: RasterFormat, max: Size, jpegQuality: number): Promise<Encoded> {
  const size = fitWithin(pixels, max);
  const format = source === "jpeg" || source === "webp" ? source : "png";
  const small = await resized(pixels, size);
  const bytes = await encodePixels(small, format, { jpeg: jpegQuality, webp: 80, avif: 60, avifEffort: 3 });
  return { ...size, bytes, extension: format === "jpeg" ? ".jpg" : `.${format}` };
}

const resized = (pixels: Pixels, size: Size): Promise<Pixels> => pixelsOf(fromPixels(pixels).resize({ ...size, fit: "fill" }));

async function encodeAll(pixels: Pixels, planned: readonly Planned[], { quality }: ImageJob): Promise<EncodedRendition[]> {
  const widths = new Map<string, Promise<Pixels>>();
  const pixelsFor = (size: Size): Promise<Pixels> => {
    const key = `${size.width}x${size.height}`;
    const known = widths.get(key) ?? resized(pixels, size);
    widths.set(key, known);
    return known;
  };
  const results: EncodedRendition[] = [];
  // AVIF takes longest and grows with the width: begun last, it would leave the other cores waiting.
  const order = planned.map((_, at) => at).sort((a, b) => cost(planned[b]!) - cost(planned[a]!));
  const worker = async (): Promise<void> => {
    for (let at = order.shift(); at !== undefined; at = order.shift()) {
      const { name, format, width, height, encode, extension } = planned[at]!;
      const bytes = await encodePixels(await pixelsFor({ width, height }), encode, quality);
      results[at] = { name, format, width, height, extension, bytes };
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

const cost = ({ width, height, encode }: Planned): number => width * height * (encode === "avif" ? 10 : 1);

/** @param dpi written into the file where the format has a place for it */
async function encodePixels(pixels: Pixels, format: RasterFormat, quality: ImageJob["quality"], dpi?: number): Promise<Buffer> {
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

export { ImageError };
