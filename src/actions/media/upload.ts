/**
 * Writes to media items: upload, change, replacement of the file. Each is one commit of file, derivatives and record.
 */
import { invalid } from "../../errors.ts";
import { ImageError, NOT_AN_IMAGE } from "../../model/media/image-results.ts";
import type { Instant } from "../../model/time/instant.ts";
import { own, sameJson } from "../../model/input/json.ts";
import { encodePath, type Lang } from "../../model/language/locale.ts";
import { readMediaChange, withTexts, type MediaChange } from "../../model/media/media-input.ts";
import { fileName, folderOf, joinPath, nameTooLong, safeName } from "../../model/media/media-name.ts";
import {
  extensionOf,
  lfsPointer,
  rasterType,
  sniff,
  SNIFF_BYTES,
  typeByName,
  type MediaType,
} from "../../model/media/media-type.ts";
import { atPath, derivativeFiles, type FileFacts, type Media } from "../../model/media/media.ts";
import { requireObject, noSuchTarget } from "../../model/input/input-errors.ts";
import type { Id } from "../../model/page/page.ts";
import type { Variant } from "../../model/media/renditions.ts";
import { readFirstBytes } from "../../store/content/media-disk.ts";
import { MEDIA_DIR, type FoundMedia } from "../../store/records/media/media-files.ts";
import { MEDIA_FOLDERS } from "../../store/records/media/media-folders.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import type { Content } from "../../store/repo.ts";
import { blobIdentity, prepareFile } from "../../store/git/objects/file-content.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import {
  clearUncommitted,
  encodeDerivatives,
  NO_DERIVATIVES,
  placeDerivatives,
  removeDerivative,
  type EncodedDerivatives,
} from "./derivatives.ts";
import { askedVariants } from "../../model/media/variants.ts";
import { imageJob } from "./image-job.ts";
import { copyDerivatives, freePath, moveToDirectory } from "./files.ts";
import { addFile, changeItems, oneItem, removeFile, type MediaTx } from "./transaction.ts";

/** A received file, complete and on disk. The caller removes it. */
export interface Upload {
  /** Absolute path. */
  readonly file: string;
  readonly size: number;
  /** The name that the client sent. */
  readonly name: string;
}

interface Sent {
  /** null: no file was sent. */
  readonly upload: Upload | null;
  readonly lang: Lang;
}

/** A file ready to be stored. */
export interface ProcessedUpload {
  readonly name: string;
  readonly content: Content;
  readonly found: FoundMedia;
  readonly encoded: EncodedDerivatives;
}

/**
 * Adds a file to the library, with its derivatives and record, in one commit.
 *
 * @param body texts, folder and variants
 * @throws CmsError `invalid` with the offending fields, the file among them
 */
export async function uploadMedia(
  ctx: Context,
  by: Author,
  body: unknown,
  { upload, lang }: Sent,
): Promise<Written<Media>> {
  const change = readMediaChange(body, lang, { ...ctx, fileErrors: upload ? uploadErrors(upload) : [NO_FILE] });
  if (!upload) throw invalid({ file: [NO_FILE] });
  const { folder = null, renditions_config: config = null } = change;
  directoryOf(ctx.store.current, folder);
  return changeItems(
    ctx,
    by,
    () => [],
    () => prepareUpload(ctx, directoryOf(ctx.store.current, folder), upload, config),
    (library, _, stored) => {
      const { tx } = library;
      const texts = withTexts({}, change.texts);
      const media = addItem(library, directoryOf(tx, folder), stored, texts, { config });
      tx.describe(`Add media ${media.file}`, { "Cms-Action": "upload", "Cms-Media": media.id });
      return media;
    },
  );
}

/**
 * Detects the type of a new file, optimises it and encodes its derivatives, as `addItem` takes them.
 *
 * @param dir the directory it is for
 * @throws CmsError `invalid` with the offending fields: for an empty file, a broken image, a name that is too long
 */
export async function prepareUpload(
  ctx: Context,
  dir: string,
  upload: Upload,
  config: readonly Variant[] | null = null,
): Promise<ProcessedUpload> {
  const errors = uploadErrors(upload);
  if (errors.length > 0) throw invalid({ file: errors });
  return asStored(ctx, dir, await processUpload(ctx, upload, config, true));
}

interface NewItem {
  readonly config?: readonly Variant[] | null;
  readonly created?: Instant | undefined;
  /** Paths below the media URL that redirect to it. */
  readonly aliases?: readonly string[];
}

/** Adds an item with its file and derivatives. @param dir of an existing or new directory below `media/` */
export function addItem(
  library: MediaTx,
  dir: string,
  stored: ProcessedUpload,
  translations: Media["translations"],
  given: NewItem = {},
): Media {
  const { tx } = library;
  const { config = null, created, aliases = [] } = given;
  const file = freePath(library, dir, stored.name);
  const media: Media = {
    id: tx.newId(),
    file,
    aliases: aliases.filter((alias) => alias !== file),
    created: created ?? tx.now,
    deleted_at: null,
    translations,
    renditions_config: config,
    derivatives: null,
    facts: factsOf(stored),
  };
  addFile(library, media.file, stored.content, stored.found);
  return tx.put(MEDIA, { ...media, derivatives: placeDerivatives(library, media, stored.encoded) });
}

/** Replaces the file of an item and its derivatives; its address stays. @param media with its new texts */
export function replaceItem(library: MediaTx, media: Media, stored: ProcessedUpload): Media {
  addFile(library, media.file, stored.content, stored.found);
  const next = { ...media, facts: factsOf(stored) };
  return library.tx.put(MEDIA, { ...next, derivatives: placeDerivatives(library, next, stored.encoded) });
}

/**
 * Changes the texts of an item, moves it to another folder, or replaces its file.
 *
 * A new file gets a new name, unless `same_url` keeps the old one; then it must be of the same type, and is stored
 * unchanged.
 * Without a new file the present one is kept.
 */
export async function updateMedia(
  ctx: Context,
  by: Author,
  id: Id,
  body: unknown,
  { upload, lang }: Sent,
): Promise<Written<Media>> {
  const before = ctx.store.current.get(MEDIA, id);
  const fileErrors = upload ? uploadErrors(upload) : sentFileErrors(ctx, before, body);
  const change = readMediaChange(body, lang, { ...ctx, fileErrors });
  if (change.folder !== undefined) directoryOf(ctx.store.current, change.folder);
  if (!upload) return changeRecord(ctx, by, id, change);
  const processed = await processUpload(ctx, upload, configAfter(before, change), !change.sameUrl);
  if (change.sameUrl) refuseOtherType(before, processed.name);
  const dir = directoryAfter(ctx.store.current, before, change);
  return replaceFile(ctx, by, id, change, await asStored(ctx, dir, processed));
}

const replaceFile = (
  ctx: Context,
  by: Author,
  id: Id,
  change: MediaChange,
  stored: ProcessedUpload,
): Promise<Written<Media>> =>
  changeItems(
    ctx,
    by,
    oneItem(id),
    ([media]) => clearUncommitted(ctx, media),
    (library, [media]) => {
      const { tx } = library;
      const dir = directoryAfter(tx, media, change);
      const stays = change.sameUrl && dir === folderOf(media.file);
      const file = stays ? media.file : freePath(library, dir, change.sameUrl ? fileName(media.file) : stored.name);
      if (!stays && media.facts) removeFile(library, media.file);
      addFile(library, file, stored.content, stored.found);
      const next = { ...atPath(withChange(media, change), file), facts: factsOf(stored) };
      tx.describe(`Replace media ${media.file}`, { "Cms-Action": "replace-media", "Cms-Media": id });
      return tx.put(MEDIA, { ...next, derivatives: placeDerivatives(library, next, stored.encoded) });
    },
  );

/** Changes an item whose file is kept: its texts, its folder, and with its variants its derivatives. */
const changeRecord = (ctx: Context, by: Author, id: Id, change: MediaChange): Promise<Written<Media>> =>
  changeItems(
    ctx,
    by,
    oneItem(id),
    async (items) => {
      const [media] = items;
      const next = withChange(media, change);
      const isSame = sameJson(next.renditions_config, media.renditions_config);
      return {
        encoded: isSame ? null : await encodeDerivatives(ctx, next),
        copies: await copyDerivatives(ctx, items),
      };
    },
    (library, [before], { encoded, copies }) => {
      const { tx } = library;
      const media = withChange(before, change);
      const dir = directoryAfter(tx, before, change);
      tx.describe(`Change media ${before.file}`, { "Cms-Action": "update-media", "Cms-Media": id });
      if (!encoded) return tx.put(MEDIA, moveToDirectory(library, media, dir, copies));
      // Derivatives that are replaced are removed before the move.
      for (const file of derivativeFiles(media)) removeDerivative(library, file);
      const moved = moveToDirectory(library, { ...media, derivatives: null }, dir, copies);
      return tx.put(MEDIA, { ...moved, derivatives: placeDerivatives(library, moved, encoded) });
    },
  );

/** The item with the sent texts and variants. */
const withChange = (media: Media, change: MediaChange): Media => ({
  ...media,
  translations: withTexts(media.translations, change.texts),
  renditions_config: configAfter(media, change),
});

const configAfter = (media: Media, { renditions_config: sent }: MediaChange): readonly Variant[] | null =>
  sent === undefined ? media.renditions_config : sent;

const directoryAfter = (reader: Pick<Tx, "find">, media: Media, { folder }: MediaChange): string =>
  folder === undefined ? folderOf(media.file) : directoryOf(reader, folder);

/** The directory of a folder; "" for none. @throws CmsError `invalid` when there is no such folder */
function directoryOf(reader: Pick<Tx, "find">, folder: Id | null): string {
  if (folder === null) return "";
  const found = reader.find(MEDIA_FOLDERS, folder);
  if (!found) throw invalid({ folder: [noSuchTarget(folder)] });
  return found.dir;
}

const NO_FILE = "No file was submitted.";
const NOT_A_FILE = "The submitted data was not a file. Check the encoding type on the form.";

function uploadErrors({ name, size }: Upload): string[] {
  const tooLong = nameTooLong(name);
  return [...(size === 0 ? ["The submitted file is empty."] : []), ...(tooLong ? [tooLong] : [])];
}

/** Text instead of a file is accepted if it is the current URL of the file, so that a payload can be written back. */
function sentFileErrors({ config }: Context, media: Media, body: unknown): string[] {
  requireObject(body);
  const sent = own(body, "file");
  if (sent === undefined || sent === null) return [];
  const isOwn =
    typeof sent === "string" &&
    (sent.endsWith(config.MEDIA.URL + encodePath(media.file)) || sent.endsWith(config.MEDIA.URL + media.file));
  return isOwn ? [] : [NOT_A_FILE];
}

function refuseOtherType(media: Media, name: string): void {
  const [was, is] = [typeByName(media.file), typeByName(name)];
  const isSame = was.mime === is.mime && (was.extensions[0] !== "" || extensionOf(media.file) === extensionOf(name));
  if (!isSame)
    throw invalid({ file: [`With same_url the new file must be of the type of the old one (${was.mime}).`] });
}

const factsOf = ({ content, found, name }: ProcessedUpload): FileFacts => ({
  ...blobIdentity(content),
  mime_type: found.mime ?? typeByName(name).mime,
  image: found.image,
  trouble: found.trouble,
});

/**
 * Detects the type of an upload, optimises it and encodes derivatives.
 *
 * @throws CmsError `invalid` for a broken image
 */
async function processUpload(
  ctx: Context,
  upload: Upload,
  config: readonly Variant[] | null,
  optimise: boolean,
): Promise<ProcessedUpload> {
  const head = await readFirstBytes(upload.file, SNIFF_BYTES);
  if (lfsPointer(head)) throw invalid({ file: ["This is a Git LFS pointer, not the file."] });
  const type = sniff(head);
  if (!type?.raster) {
    if (!type && typeByName(upload.name).raster) throw invalid({ file: [NOT_AN_IMAGE] });
    const name = safeName(upload.name, extensionFor(upload.name, type));
    return {
      name,
      content: await prepareFile(upload.file),
      found: { mime: type?.mime ?? null, image: null, trouble: null },
      encoded: NO_DERIVATIVES,
    };
  }
  try {
    const result = await ctx.images.make(
      imageJob(ctx, upload.file, askedVariants(config, ctx.config.MEDIA.RENDITIONS), optimise),
    );
    const content = result.optimised ?? (await prepareFile(upload.file));
    const mime = rasterType(result.image.raster).mime;
    return {
      name: safeName(upload.name, extensionFor(upload.name, type)),
      content,
      found: { mime, image: result.image, trouble: null },
      encoded: result,
    };
  } catch (error) {
    if (error instanceof ImageError) throw invalid({ file: [error.message] });
    throw error;
  }
}

/** Derivatives are recorded with the id of what git stores of their source: in Git LFS, that of the pointer. */
async function asStored({ store }: Context, dir: string, upload: ProcessedUpload): Promise<ProcessedUpload> {
  const content = await store.repo.stored(`${MEDIA_DIR}/${joinPath(dir, upload.name)}`, upload.content);
  return { ...upload, content: content ?? upload.content };
}

/** The extension to replace that of the name, when the bytes are of another type; undefined to keep it. */
function extensionFor(name: string, type: MediaType | undefined): string | undefined {
  if (!type || type.extensions.includes(extensionOf(name))) return undefined;
  // Text that looks like HTML may be an example; with the name of a text file it is served as text.
  const isImage = type.mime.startsWith("image/") || typeByName(name).mime.startsWith("image/");
  return isImage ? type.extensions[0] : undefined;
}
