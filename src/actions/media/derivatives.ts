/**
 * Thumbnails and renditions of library images, which are committed or only written to disk.
 *
 * Derivatives are encoded before a transaction and given their paths inside it. Those that are not committed are
 * written to disk after the commit, and generated again when they are requested and missing.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { derived, keptBy } from "../../memo.ts";
import { CmsError, invalid, messageOf } from "../../errors.ts";
import { ImageError, type Encoded, type EncodedRendition } from "../../model/media/image-results.ts";
import {
  derivativeFiles,
  currentDerivatives,
  rasterOf,
  type Derivatives,
  type Media,
} from "../../model/media/media.ts";
import { typeByName } from "../../model/media/media-type.ts";
import { renditionFile, renditionFolder, thumbnailFile } from "../../model/media/renditions.ts";
import { dropFiles, isThere, keepFile, mediaPath } from "../../store/content/media-disk.ts";
import { mediaIndex } from "../../store/content/indexes/media-index.ts";
import { MEDIA_DIR } from "../../store/records/media/media-files.ts";
import { isPrepared, type Content } from "../../store/repo.ts";
import type { Store } from "../../store/write/store.ts";
import type { Context } from "../context.ts";
import { askedVariants } from "../../model/media/variants.ts";
import { imageJob } from "./image-job.ts";
import { addFile, committedDerivatives, removeFile, usedPaths, type MediaTx } from "./transaction.ts";

/** Derivatives of an image, encoded and not stored yet. */
export interface EncodedDerivatives {
  readonly thumbnail: Encoded | null;
  readonly renditions: readonly EncodedRendition[];
}

export const NO_DERIVATIVES: EncodedDerivatives = { thumbnail: null, renditions: [] };

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
      imageJob(
        ctx,
        mediaPath(ctx.store.repo.root, media.file),
        askedVariants(media.renditions_config, ctx.config.MEDIA.RENDITIONS),
      ),
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
  const committed = await committedDerivatives(ctx, [media]);
  await dropFiles(
    ctx.store.repo.root,
    derivativeFiles(media).filter((file) => !committed.has(file)),
  );
}

/**
 * Assigns paths to the derivatives of an item, stores them, and removes its former ones.
 *
 * @param media with the facts of the file they were encoded from
 * @returns what is recorded; null for no derivatives
 */
export function placeDerivatives(
  library: MediaTx,
  media: Media,
  { thumbnail, renditions }: EncodedDerivatives,
): Derivatives | null {
  const folder = renditionsFolder(library, media);
  const files = new Map<string, Uint8Array>();
  const place = (file: string, { bytes }: Encoded): string => {
    files.set(file, bytes);
    return file;
  };
  const placed: Derivatives = {
    source: media.facts?.oid ?? "",
    thumbnail: thumbnail && place(thumbnailPath(library, media, thumbnail.extension), thumbnail),
    renditions: renditions.map((each) => {
      const { name, format, width, height, bytes, extension } = each;
      const file = place(renditionFile(folder, name, extension), each);
      return { name, format, width, height, size: bytes.length, file };
    }),
  };
  for (const file of derivativeFiles(media)) if (!files.has(file)) removeDerivative(library, file);
  for (const [file, bytes] of files) storeDerivative(library, file, bytes);
  return files.size > 0 ? placed : null;
}

/** The folder for the renditions of an item, which no other item has. */
export const renditionsFolder = (library: MediaTx, { id, file }: Media): string =>
  renditionFolder(
    library.ctx.config.MEDIA.RENDITIONS.FOLDER,
    file,
    (folder) => (usedPaths(library).ownerOfFolder(folder)?.id ?? id) !== id,
  );

/** @param extension with its dot */
export function thumbnailPath(library: MediaTx, { id, file }: Media, extension: string): string {
  const index = usedPaths(library);
  const taken = (path: string): boolean => index.isUsed(path) && index.ownerOf(path)?.id !== id;
  return thumbnailFile(library.ctx.config.MEDIA.THUMBNAIL.FOLDER, file, extension, taken);
}

function storeDerivative(library: MediaTx, file: string, bytes: Uint8Array): void {
  const { ctx, committed, afterCommit } = library;
  afterCommit.remove.delete(file);
  if (ctx.config.MEDIA.RENDITIONS.COMMIT) return commitDerivative(library, file, bytes);
  if (committed.has(file)) removeFile(library, file);
  afterCommit.write.set(file, bytes);
}

/** Adds a derivative with its type, so that it is not examined like an item if its folder is the library itself. */
export const commitDerivative = (library: MediaTx, file: string, content: Content): void =>
  addFile(library, file, content, { mime: typeByName(file).mime, image: null, trouble: null });

export function removeDerivative(library: MediaTx, file: string): void {
  if (library.committed.has(file)) removeFile(library, file);
  else library.afterCommit.remove.add(file);
}

const underWayIn = derived((_store: Store) => new Map<string, Promise<Uint8Array | undefined>>());

/**
 * Generates a recorded thumbnail or rendition that is not on disk, as after a clone without them, and writes it to
 * disk; that of a commit is only returned. Concurrent requests for one file share the work.
 *
 * @returns the bytes; undefined when the path is not a derivative, or the item cannot be decoded any more
 */
export function ensureDerivative(ctx: Context, file: string): Promise<Uint8Array | undefined> {
  const media = mediaIndex(ctx.store.current).ownerOf(file);
  const recorded = media && currentDerivatives(media);
  if (!media || !recorded || !derivativeFiles(media).includes(file)) return Promise.resolve(undefined);
  const underWay = underWayIn(ctx.store.narrowing?.whole ?? ctx.store);
  return keptBy(underWay, file, () => encodeOne(ctx, media, recorded, file).finally(() => underWay.delete(file)));
}

async function encodeOne(
  ctx: Context,
  media: Media,
  recorded: Derivatives,
  file: string,
): Promise<Uint8Array | undefined> {
  const { root } = ctx.store.repo;
  const source = rasterOf(media) && (await sourceOf(ctx, media));
  if (!source) return undefined;
  const rendition = recorded.renditions.find((each) => each.file === file);
  const job = imageJob(ctx, source.file, rendition ? [rendition] : []);
  try {
    const result = await ctx.images.make({
      ...job,
      thumbnail: rendition ? null : job.thumbnail,
      preventInflate: false,
    });
    const bytes = rendition ? result.renditions[0]?.bytes : result.thumbnail?.bytes;
    if (bytes && !ctx.committedFiles)
      await keepFile(root, file, bytes).catch((error: unknown) =>
        ctx.env.log.warn(`media/${file} could not be kept: ${messageOf(error)}`),
      );
    return bytes;
  } catch (error) {
    if (!(error instanceof ImageError) && !(error instanceof CmsError)) throw error;
    ctx.env.log.warn(`media/${file} could not be made: ${error.message}`);
    return undefined;
  } finally {
    await source.drop();
  }
}

interface SourceFile {
  /** Absolute path. */
  readonly file: string;
  /** Removes what was written to read it. */
  drop(): Promise<void>;
}

/** The bytes of an item as a file, which the encoder needs. */
async function sourceOf({ store, committedFiles }: Context, { file }: Media): Promise<SourceFile | undefined> {
  const { root } = store.repo;
  const drop = async (): Promise<void> => undefined;
  if (!committedFiles) return (await isThere(root, file)) ? { file: mediaPath(root, file), drop } : undefined;
  const content = (await committedFiles.find(`${MEDIA_DIR}/${file}`))?.content;
  if (!content || isPrepared(content)) return content && { file: content.file, drop };
  const folder = await mkdtemp(join(tmpdir(), "git-cms-"));
  const written = join(folder, "source");
  await writeFile(written, content);
  return { file: written, drop: () => rm(folder, { recursive: true, force: true }) };
}
