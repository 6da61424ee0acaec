/**
 * Thumbnails and renditions of library images, which are committed or only written to disk.
 *
 * Derivatives are encoded before a transaction and given their paths inside it. Those that are not committed are
 * written to disk after the commit, and generated again when they are requested and missing.
 */
import { CmsError, invalid, messageOf } from "../../errors.ts";
import { ImageError, type Encoded, type EncodedRendition, type ImageJob } from "../../model/image.ts";
import { derivativeFiles, currentDerivatives, rasterOf, type Derivatives, type Media } from "../../model/media.ts";
import { joinPath, stemOf } from "../../model/media-name.ts";
import { typeByName } from "../../model/media-type.ts";
import { renditionFolder, type Variant } from "../../model/renditions.ts";
import { MEDIA_DIR, toJson } from "../../store/content/records/media-files.ts";
import { isThere, dropFiles, keepFile, mediaPath } from "../../store/content/media-disk.ts";
import { mediaIndex } from "../../store/content/indexes/media-index.ts";
import type { Store } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";

/** Derivatives of an image, encoded and not stored yet. */
export interface EncodedDerivatives {
  readonly thumbnail: Encoded | null;
  readonly renditions: readonly EncodedRendition[];
}

export const NO_DERIVATIVES: EncodedDerivatives = { thumbnail: null, renditions: [] };

/** Files to write and to remove after the commit. Paths are below `media/`. */
export interface PostCommitFiles {
  readonly keep: Map<string, Uint8Array>;
  readonly drop: Set<string>;
}

export const emptyFileOps = (): PostCommitFiles => ({ keep: new Map(), drop: new Set() });

/** The variants of an item: its own, or those of the settings; none while renditions are disabled. */
export const variantsOf = ({ config }: Context, own: readonly Variant[] | null): readonly Variant[] => {
  const { ENABLE, VARIANTS } = config.MEDIA.RENDITIONS;
  return ENABLE ? (own?.length ? own : VARIANTS) : [];
};

/** @param file absolute path */
export function imageJob({ config }: Context, file: string, variants: readonly Variant[], optimise = false): ImageJob {
  const { OPTIMIZE, THUMBNAIL, RENDITIONS } = config.MEDIA;
  const limits = {
    max: { width: OPTIMIZE.MAX_WIDTH, height: OPTIMIZE.MAX_HEIGHT },
    dpi: OPTIMIZE.DPI,
    jpegQuality: OPTIMIZE.JPEG_QUALITY,
  };
  return {
    file,
    optimise: optimise && OPTIMIZE.ENABLE ? limits : null,
    thumbnail: { width: THUMBNAIL.WIDTH, height: THUMBNAIL.HEIGHT },
    variants,
    quality: {
      jpeg: RENDITIONS.JPEG_QUALITY,
      webp: RENDITIONS.WEBP_QUALITY,
      avif: RENDITIONS.AVIF_QUALITY,
      avifEffort: RENDITIONS.AVIF_EFFORT,
    },
    preventInflate: RENDITIONS.PREVENT_INFLATE,
  };
}

/**
 * Encodes the derivatives of an item; none for a file that is not an image.
 *
 * @throws CmsError `invalid` for a broken image
 */
export async function encodeDerivatives(ctx: Context, media: Media): Promise<EncodedDerivatives> {
  const image = rasterOf(media);
  if (!image) return NO_DERIVATIVES;
  try {
    const encoded = await ctx.images.make(
      imageJob(ctx, mediaPath(ctx.store.repo.root, media.file), variantsOf(ctx, media.renditions_config)),
    );
    await clearUncommitted(ctx, media);
    return encoded;
  } catch (error) {
    if (error instanceof ImageError) throw invalid({ file: [error.message] }, `${media.file}: ${error.message}`);
    throw error;
  }
}

/**
 * Removes the uncommitted derivatives of an item from the disk before new ones are stored there: the store would take
 * uncommitted files for manual edits and commit them first.
 */
export async function clearUncommitted(ctx: Context, media: Media): Promise<void> {
  const committed = await committedFiles(ctx, [media]);
  await dropFiles(
    ctx.store.repo.root,
    derivativeFiles(media).filter((file) => !committed.has(file)),
  );
}

/** The derivatives of some items that are committed; the others exist only on disk. */
export async function committedFiles({ store }: Context, items: readonly Media[]): Promise<ReadonlySet<string>> {
  const files = items.flatMap(derivativeFiles);
  const { head } = await store.repo.state();
  const found = await store.repo.committed(
    head,
    files.map((file) => `${MEDIA_DIR}/${file}`),
  );
  return new Set(files.filter((file) => found.get(`${MEDIA_DIR}/${file}`)));
}

/**
 * Assigns paths to the derivatives of an item, stores them, and removes its former ones.
 *
 * @param media with the facts of the file they were encoded from
 * @param committed see `committedFiles`
 * @returns what is recorded; null for no derivatives
 */
export function placeDerivatives(
  ctx: Context,
  tx: Tx,
  media: Media,
  encoded: EncodedDerivatives,
  committed: ReadonlySet<string>,
  fileOps: PostCommitFiles,
): Derivatives | null {
  const { RENDITIONS } = ctx.config.MEDIA;
  const folder = renditionsFolderOf(ctx, tx, media);
  const files = new Map<string, Uint8Array>();
  const thumbnail = encoded.thumbnail && thumbnailPath(ctx, tx, media, encoded.thumbnail.extension);
  if (thumbnail && encoded.thumbnail) files.set(thumbnail, encoded.thumbnail.bytes);
  const renditions = encoded.renditions.map(({ name, format, width, height, extension, bytes }) => {
    const file = `${folder}/${name}${extension}`;
    files.set(file, bytes);
    return { name, format, width, height, size: bytes.length, file };
  });
  for (const file of derivativeFiles(media)) if (!files.has(file)) removeDerivative(tx, file, committed, fileOps);
  for (const [file, bytes] of files) {
    fileOps.drop.delete(file);
    if (RENDITIONS.COMMIT) attachDerivative(tx, file, bytes);
    else {
      if (committed.has(file)) tx.attach(`${MEDIA_DIR}/${file}`, null);
      fileOps.keep.set(file, bytes);
    }
  }
  return files.size > 0 ? { source: media.facts?.oid ?? "", thumbnail, renditions } : null;
}

/** The folder for the renditions of an item, which no other item has. */
export const renditionsFolderOf = (ctx: Context, tx: Tx, { id, file }: Media): string =>
  renditionFolder(
    ctx.config.MEDIA.RENDITIONS.FOLDER,
    file,
    (folder) => (mediaIndex(tx).ownerOfFolder(folder)?.id ?? id) !== id,
  );

export function thumbnailPath(ctx: Context, tx: Tx, { id, file }: Media, extension: string): string {
  const index = mediaIndex(tx);
  for (let n = 1; ; n++) {
    const path = joinPath(
      ctx.config.MEDIA.THUMBNAIL.FOLDER,
      `${stemOf(file)}_thumb${n === 1 ? "" : `-${n}`}${extension}`,
    );
    if (!index.isUsed(path) || index.ownerOf(path)?.id === id) return path;
  }
}

/** Stores a derivative with its type, so that it is not examined like an item if its folder is the library itself. */
export function attachDerivative(tx: Tx, file: string, content: Parameters<Tx["attach"]>[1]): void {
  tx.attach(`${MEDIA_DIR}/${file}`, content, toJson({ mime: typeByName(file).mime, image: null, trouble: null }));
}

export function removeDerivative(tx: Tx, file: string, committed: ReadonlySet<string>, fileOps: PostCommitFiles): void {
  if (committed.has(file)) tx.attach(`${MEDIA_DIR}/${file}`, null);
  else fileOps.drop.add(file);
}

/** Runs after the commit, so an error is only logged: missing files are generated when they are requested. */
export async function applyFileOps({ store, env }: Context, { keep, drop }: PostCommitFiles): Promise<void> {
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
 * Generates a recorded thumbnail or rendition that is not on disk, as after a clone without them, and writes it to
 * disk. Concurrent requests for one file share the work.
 *
 * @returns the bytes; undefined when the path is not a derivative, or the item cannot be decoded any more
 */
export function ensureDerivative(ctx: Context, file: string): Promise<Uint8Array | undefined> {
  const media = mediaIndex(ctx.store.current).ownerOf(file);
  const recorded = media && currentDerivatives(media);
  if (!media || !recorded || !derivativeFiles(media).includes(file)) return Promise.resolve(undefined);
  const underWay = UNDER_WAY.get(ctx.store) ?? new Map<string, Promise<Uint8Array | undefined>>();
  UNDER_WAY.set(ctx.store, underWay);
  const known = underWay.get(file);
  if (known) return known;
  const work = encodeOne(ctx, media, recorded, file).finally(() => underWay.delete(file));
  underWay.set(file, work);
  return work;
}

async function encodeOne(
  ctx: Context,
  media: Media,
  recorded: Derivatives,
  file: string,
): Promise<Uint8Array | undefined> {
  const image = rasterOf(media);
  const { root } = ctx.store.repo;
  if (!image || !(await isThere(root, media.file))) return undefined;
  const rendition = recorded.renditions.find((each) => each.file === file);
  const job = imageJob(ctx, mediaPath(root, media.file), rendition ? [rendition] : []);
  try {
    const result = await ctx.images.make({
      ...job,
      thumbnail: rendition ? null : job.thumbnail,
      preventInflate: false,
    });
    const bytes = rendition ? result.renditions[0]?.bytes : result.thumbnail?.bytes;
    if (bytes)
      await keepFile(root, file, bytes).catch((error: unknown) =>
        ctx.env.log.warn(`media/${file} could not be kept: ${messageOf(error)}`),
      );
    return bytes;
  } catch (error) {
    if (!(error instanceof ImageError) && !(error instanceof CmsError)) throw error;
    ctx.env.log.warn(`media/${file} could not be made: ${error.message}`);
    return undefined;
  }
}
