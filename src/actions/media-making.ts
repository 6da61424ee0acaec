/**
 * What is made of the library's images, and where it goes: into the commit, or only onto the disk.
 *
 * Pictures are made before a transaction and placed inside it. What git does not keep is written once the commit
 * stands, and made again when it is asked for and not there.
 */
import { CmsError, invalid, messageOf } from "../errors.ts";
import { ImageError, type Encoded, type EncodedRendition, type ImageJob } from "../model/image.ts";
import { madeFiles, madeOf, rasterOf, type Made, type Media } from "../model/media.ts";
import { joinPath, stemOf } from "../model/media-name.ts";
import { typeByName, type RasterFormat } from "../model/media-type.ts";
import { renditionFolder, type Variant } from "../model/renditions.ts";
import { MEDIA_DIR, toJson } from "../store/kinds/media-files.ts";
import { isThere, dropFiles, keepFile, mediaPath } from "../store/media-disk.ts";
import { mediaIndex } from "../store/media-index.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/transaction.ts";
import type { Context } from "./context.ts";

/** Pictures made of an image, not stored yet. */
export interface Products {
  readonly thumbnail: Encoded | null;
  readonly renditions: readonly EncodedRendition[];
}

export const NOTHING: Products = { thumbnail: null, renditions: [] };

/** What is to be done on disk once the commit stands. Paths are below `media/`. */
export interface Afterwards {
  readonly keep: Map<string, Uint8Array>;
  readonly drop: Set<string>;
}

export const nothingYet = (): Afterwards => ({ keep: new Map(), drop: new Set() });

/** The variants of an item: its own, or those of the settings; none while renditions are switched off. */
export const variantsOf = ({ config }: Context, own: readonly Variant[] | null): readonly Variant[] => {
  const { ENABLE, VARIANTS } = config.MEDIA.RENDITIONS;
  return ENABLE ? (own?.length ? own : VARIANTS) : [];
};

/** @param file absolute path */
export function jobFor({ config }: Context, file: string, format: RasterFormat, variants: readonly Variant[], optimise = false): ImageJob {
  const { OPTIMIZE, THUMBNAIL, RENDITIONS } = config.MEDIA;
  const limits = { max: { width: OPTIMIZE.MAX_WIDTH, height: OPTIMIZE.MAX_HEIGHT }, dpi: OPTIMIZE.DPI, jpegQuality: OPTIMIZE.JPEG_QUALITY };
  return {
    file,
    format,
    optimise: optimise && OPTIMIZE.ENABLE ? limits : null,
    thumbnail: { width: THUMBNAIL.WIDTH, height: THUMBNAIL.HEIGHT },
    variants,
    quality: { jpeg: RENDITIONS.JPEG_QUALITY, webp: RENDITIONS.WEBP_QUALITY, avif: RENDITIONS.AVIF_QUALITY, avifEffort: RENDITIONS.AVIF_EFFORT },
    preventInflate: RENDITIONS.PREVENT_INFLATE,
  };
}

/** What can be made of the bytes an item has now; nothing for what is no picture. @throws CmsError `invalid` for a broken one */
export async function makeProducts(ctx: Context, media: Media): Promise<Products> {
  const image = rasterOf(media);
  if (!image) return NOTHING;
  try {
    const products = await ctx.images.make(jobFor(ctx, mediaPath(ctx.store.repo.root, media.file), image.raster, variantsOf(ctx, media.renditions_config)));
    await clearUncommitted(ctx, media);
    return products;
  } catch (error) {
    if (error instanceof ImageError) throw invalid({ file: [error.message] }, `${media.file}: ${error.message}`);
    throw error;
  }
}

/**
 * Takes pictures of an item off the disk that are not in git, where new ones are about to be: what lies there uncommitted
 * would be taken for somebody's work and committed first.
 */
export async function clearUncommitted(ctx: Context, media: Media): Promise<void> {
  const committed = await committedFiles(ctx, [media]);
  await dropFiles(ctx.store.repo.root, madeFiles(media).filter((file) => !committed.has(file)));
}

/** Which of the pictures made of some items are in git; the others only lie on disk. */
export async function committedFiles({ store }: Context, items: readonly Media[]): Promise<ReadonlySet<string>> {
  const files = items.flatMap(madeFiles);
  const { head } = await store.repo.state();
  const found = await store.repo.committed(head, files.map((file) => `${MEDIA_DIR}/${file}`));
  return new Set(files.filter((file) => found.get(`${MEDIA_DIR}/${file}`)));
}

/**
 * Gives the pictures made of an item their places, and takes those away that it had before.
 *
 * @param media with the facts of the file the pictures were made of
 * @param committed see `committedFiles`
 * @returns what the record says of it; null when there is nothing
 */
export function placeProducts(ctx: Context, tx: Tx, media: Media, products: Products, committed: ReadonlySet<string>, after: Afterwards): Made | null {
  const { RENDITIONS } = ctx.config.MEDIA;
  const folder = renditionsFolderOf(ctx, tx, media);
  const files = new Map<string, Uint8Array>();
  const thumbnail = products.thumbnail && thumbnailPath(ctx, tx, media, products.thumbnail.extension);
  if (thumbnail && products.thumbnail) files.set(thumbnail, products.thumbnail.bytes);
  const renditions = products.renditions.map(({ name, format, width, height, extension, bytes }) => {
    const file = `${folder}/${name}${extension}`;
    files.set(file, bytes);
    return { name, format, width, height, size: bytes.length, file };
  });
  for (const file of madeFiles(media)) if (!files.has(file)) removeMade(tx, file, committed, after);
  for (const [file, bytes] of files) {
    after.drop.delete(file);
    if (RENDITIONS.COMMIT) attachMade(tx, file, bytes);
    else {
      if (committed.has(file)) tx.attach(`${MEDIA_DIR}/${file}`, null);
      after.keep.set(file, bytes);
    }
  }
  return files.size > 0 ? { source: media.facts?.oid ?? "", thumbnail, renditions } : null;
}

/** Where the renditions of an item go: a folder no other item has. */
export const renditionsFolderOf = (ctx: Context, tx: Tx, { id, file }: Media): string =>
  renditionFolder(ctx.config.MEDIA.RENDITIONS.FOLDER, file, (folder) => (mediaIndex(tx).ownerOfFolder(folder)?.id ?? id) !== id);

export function thumbnailPath(ctx: Context, tx: Tx, { id, file }: Media, extension: string): string {
  const index = mediaIndex(tx);
  for (let n = 1; ; n++) {
    const path = joinPath(ctx.config.MEDIA.THUMBNAIL.FOLDER, `${stemOf(file)}_thumb${n === 1 ? "" : `-${n}`}${extension}`);
    if (!index.isUsed(path) || index.ownerOf(path)?.id === id) return path;
  }
}

/** The thumbnails' folder may be the library itself, where every file is looked at. */
export function attachMade(tx: Tx, file: string, content: Parameters<Tx["attach"]>[1]): void {
  tx.attach(`${MEDIA_DIR}/${file}`, content, toJson({ mime: typeByName(file).mime, image: null, trouble: null }));
}

export function removeMade(tx: Tx, file: string, committed: ReadonlySet<string>, after: Afterwards): void {
  if (committed.has(file)) tx.attach(`${MEDIA_DIR}/${file}`, null);
  else after.drop.add(file);
}

/** The commit stands, so an error is only logged: what is missing is made when it is asked for. */
export async function tidyUp({ store, env }: Context, { keep, drop }: Afterwards): Promise<void> {
  const { root } = store.repo;
  try {
    await dropFiles(root, [...drop]);
    for (const [file, bytes] of keep) await keepFile(root, file, bytes);
  } catch (error) {
    env.log.warn(`Not all renditions could be written to disk: ${messageOf(error)}`);
  }
}

const UNDER_WAY = new WeakMap<Store, Map<string, Promise<Uint8Array | undefined>>>();

/**
 * The bytes of a thumbnail or rendition that is recorded but not on disk, as after a clone without them. They are kept
 * there for the next time; requests for the same one wait for each other.
 *
 * @returns undefined when the path is no such file, or nothing can be made of the item any more
 */
export function supplyMade(ctx: Context, file: string): Promise<Uint8Array | undefined> {
  const media = mediaIndex(ctx.store.current).ownerOf(file);
  const made = media && madeOf(media);
  if (!media || !made || !madeFiles(media).includes(file)) return Promise.resolve(undefined);
  const underWay = UNDER_WAY.get(ctx.store) ?? new Map<string, Promise<Uint8Array | undefined>>();
  UNDER_WAY.set(ctx.store, underWay);
  const known = underWay.get(file);
  if (known) return known;
  const work = makeOne(ctx, media, made, file).finally(() => underWay.delete(file));
  underWay.set(file, work);
  return work;
}

async function makeOne(ctx: Context, media: Media, made: Made, file: string): Promise<Uint8Array | undefined> {
  const image = rasterOf(media);
  const { root } = ctx.store.repo;
  if (!image || !(await isThere(root, media.file))) return undefined;
  const rendition = made.renditions.find((each) => each.file === file);
  const job = jobFor(ctx, mediaPath(root, media.file), image.raster, rendition ? [rendition] : []);
  try {
    const result = await ctx.images.make({ ...job, thumbnail: rendition ? null : job.thumbnail, preventInflate: false });
    const bytes = rendition ? result.renditions[0]?.bytes : result.thumbnail?.bytes;
    if (bytes) await keepFile(root, file, bytes).catch((error: unknown) => ctx.env.log.warn(`media/${file} could not be kept: ${messageOf(error)}`));
    return bytes;
  } catch (error) {
    if (!(error instanceof ImageError) && !(error instanceof CmsError)) throw error;
    ctx.env.log.warn(`media/${file} could not be made: ${error.message}`);
    return undefined;
  }
}
