/** Writes to media items: upload, change, replace, delete. Each is one commit of file, derivatives and record. */
import { open } from "node:fs/promises";
import { invalid } from "../../errors.ts";
import { ImageError } from "../../model/image.ts";
import { own, sameJson } from "../../model/json.ts";
import { encodePath, type Lang } from "../../model/locale.ts";
import { readMediaChange, withTexts, type MediaChange } from "../../model/media-input.ts";
import { folderOf, joinPath, nameTooLong, safeName } from "../../model/media-name.ts";
import {
  extensionOf,
  lfsPointer,
  rasterType,
  sniff,
  SNIFF_BYTES,
  typeByName,
  type MediaType,
} from "../../model/media-type.ts";
import { atPath, derivativeFiles, type FileFacts, type Media } from "../../model/media.ts";
import { requireObject, noSuchTarget } from "../../model/page-input.ts";
import type { Id } from "../../model/page.ts";
import type { Variant } from "../../model/renditions.ts";
import { MEDIA_DIR, toJson, type Found } from "../../store/content/records/media-files.ts";
import { MEDIA_FOLDERS } from "../../store/content/records/media-folders.ts";
import { MEDIA } from "../../store/content/records/media.ts";
import { nameOf } from "../../store/write/plan.ts";
import { prepareFile } from "../../store/write/file-content.ts";
import type { Content } from "../../store/repo.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { changeItems, freePath, moveItem, oneItem, prepareDerivatives, removeItems } from "./files.ts";
import {
  clearUncommitted,
  imageJob,
  encodeDerivatives,
  NO_DERIVATIVES,
  emptyFileOps,
  placeDerivatives,
  removeDerivative,
  renditionsFolderOf,
  applyFileOps,
  thumbnailPath,
  variantsOf,
  type EncodedDerivatives,
} from "./derivatives.ts";
import { readPages } from "../references.ts";

/** A received file, complete and on disk. The caller removes it. */
export interface Upload {
  /** Absolute path. */
  readonly file: string;
  readonly size: number;
  /** The name that the client sent. */
  readonly name: string;
}

/** An upload ready to be stored. */
interface ProcessedUpload {
  readonly name: string;
  readonly content: Content;
  readonly found: Found;
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
  upload: Upload | null,
  lang: Lang,
): Promise<Written<Media>> {
  const change = readMediaChange(body, lang, { ...ctx, fileErrors: upload ? uploadErrors(upload) : [NO_FILE] });
  dirOf(ctx.store.current, change.folder ?? null);
  const stored = await processUpload(ctx, upload!, change.renditions_config ?? null, true);
  const { value, snapshot } = await ctx.store.transact(by, (tx) => {
    const fileOps = emptyFileOps();
    const file = freePath(ctx, tx, dirOf(tx, change.folder ?? null), stored.name);
    const blank: Media = {
      id: tx.newId(),
      file,
      aliases: [],
      created: tx.now,
      translations: withTexts({}, change.texts),
      renditions_config: change.renditions_config ?? null,
      derivatives: null,
      facts: factsOf(stored),
    };
    tx.attach(`${MEDIA_DIR}/${file}`, stored.content, toJson(stored.found));
    tx.describe(`Add media ${file}`, { "Cms-Action": "upload", "Cms-Media": blank.id });
    const derivatives = placeDerivatives(ctx, tx, blank, stored.encoded, new Set(), fileOps);
    return { media: tx.put(MEDIA, { ...blank, derivatives }), fileOps };
  });
  await applyFileOps(ctx, value.fileOps);
  return { value: value.media, snapshot };
}

/**
 * Changes the texts of an item, moves it to another folder, or replaces its file.
 *
 * A new file gets a new name, unless `same_url` keeps the old one; then it must be of the same type, and is stored
 * unchanged (contract.md 12.6).
 *
 * @param upload null: the file is kept
 */
export async function updateMedia(
  ctx: Context,
  by: Author,
  id: Id,
  body: unknown,
  upload: Upload | null,
  lang: Lang,
): Promise<Written<Media>> {
  const before = ctx.store.current.get(MEDIA, id);
  const fileErrors = upload ? uploadErrors(upload) : sentFileErrors(ctx, before, body);
  const change = readMediaChange(body, lang, { ...ctx, fileErrors });
  if (change.folder !== undefined) dirOf(ctx.store.current, change.folder);
  const stored = upload && (await processUpload(ctx, upload, configAfter(before, change), !change.sameUrl));
  if (stored && change.sameUrl) refuseOtherType(before, stored.name);
  const result = stored ? await replaceFile(ctx, by, id, change, stored) : await changeRecord(ctx, by, id, change);
  return result;
}

/** Regenerates an item's thumbnail and renditions for the current settings and its own variants. */
export function regenerateRenditions(ctx: Context, by: Author, id: Id): Promise<Written<Media>> {
  return changeItems(
    ctx,
    by,
    oneItem(id),
    ([media]) => encodeDerivatives(ctx, media!),
    (tx, [media], { committed, value }, fileOps) => {
      tx.describe(`Regenerate renditions of ${media!.file}`, {
        "Cms-Action": "regenerate-renditions",
        "Cms-Media": id,
      });
      return tx.put(MEDIA, { ...media!, derivatives: placeDerivatives(ctx, tx, media!, value, committed, fileOps) });
    },
  );
}

/** Deletes items with their files and derivatives, and references to them; unknown ids are ignored. */
export async function deleteMedia(ctx: Context, by: Author, ids: readonly Id[]): Promise<Written<void>> {
  await readPages(ctx.store.current);
  return changeItems(
    ctx,
    by,
    (reader) => [...new Set(ids)].flatMap((id) => reader.find(MEDIA, id) ?? []),
    async () => undefined,
    (tx, items, prepared, fileOps) => {
      removeItems(tx, items, prepared, fileOps);
      tx.describe(items.length === 1 ? `Delete media ${items[0]!.file}` : `Delete ${items.length} media files`, {
        "Cms-Action": "delete-media",
        "Cms-Media": items.length === 1 ? items[0]!.id : undefined,
      });
    },
  );
}

function replaceFile(
  ctx: Context,
  by: Author,
  id: Id,
  change: MediaChange,
  stored: ProcessedUpload,
): Promise<Written<Media>> {
  return changeItems(
    ctx,
    by,
    oneItem(id),
    ([media]) => clearUncommitted(ctx, media!),
    (tx, [before], { committed }, fileOps) => {
      const media = before!;
      const dir = change.folder === undefined ? folderOf(media.file) : dirOf(tx, change.folder);
      const stays = change.sameUrl && dir === folderOf(media.file);
      const file = stays ? media.file : freePath(ctx, tx, dir, change.sameUrl ? baseName(media.file) : stored.name);
      if (!stays && media.facts) tx.attach(`${MEDIA_DIR}/${media.file}`, null);
      tx.attach(`${MEDIA_DIR}/${file}`, stored.content, toJson(stored.found));
      const next: Media = {
        ...atPath(media, file),
        facts: factsOf(stored),
        translations: withTexts(media.translations, change.texts),
        renditions_config: configAfter(media, change),
      };
      tx.describe(`Replace media ${media.file}`, { "Cms-Action": "replace-media", "Cms-Media": id });
      return tx.put(MEDIA, {
        ...next,
        derivatives: placeDerivatives(ctx, tx, next, stored.encoded, committed, fileOps),
      });
    },
  );
}

function changeRecord(ctx: Context, by: Author, id: Id, change: MediaChange): Promise<Written<Media>> {
  return changeItems(
    ctx,
    by,
    oneItem(id),
    async ([media]) => {
      const config = configAfter(media!, change);
      const isOther = change.renditions_config !== undefined && !sameJson(config, media!.renditions_config);
      return {
        encoded: isOther ? await encodeDerivatives(ctx, { ...media!, renditions_config: config }) : null,
        derivatives: await prepareDerivatives(ctx, [media!]),
      };
    },
    (tx, [before], { committed, value }, fileOps) => {
      const written: Media = {
        ...before!,
        translations: withTexts(before!.translations, change.texts),
        renditions_config: configAfter(before!, change),
      };
      const dir = change.folder === undefined ? folderOf(written.file) : dirOf(tx, change.folder);
      tx.describe(`Change media ${written.file}`, { "Cms-Action": "update-media", "Cms-Media": id });
      const { encoded, derivatives: prepared } = value;
      // Derivatives that are replaced are removed before the move.
      if (encoded) for (const file of derivativeFiles(written)) removeDerivative(tx, file, committed, fileOps);
      const bare = encoded ? { ...written, derivatives: null } : written;
      const moved =
        dir === folderOf(bare.file) ? bare : moveTo(ctx, tx, bare, dir, { committed, value: prepared }, fileOps);
      return tx.put(
        MEDIA,
        encoded ? { ...moved, derivatives: placeDerivatives(ctx, tx, moved, encoded, committed, fileOps) } : moved,
      );
    },
  );
}

function moveTo(
  ctx: Context,
  tx: Tx,
  media: Media,
  dir: string,
  ...rest: [Parameters<typeof moveItem>[5], Parameters<typeof moveItem>[6]]
): Media {
  const file = freePath(ctx, tx, dir, baseName(media.file));
  const there = { ...media, file };
  const folder = renditionsFolderOf(ctx, tx, there);
  const rename = (path: string): string =>
    path === media.derivatives?.thumbnail
      ? thumbnailPath(ctx, tx, there, extensionOf(path))
      : joinPath(folder, baseName(path));
  return moveItem(ctx, tx, media, file, rename, ...rest);
}

const configAfter = (media: Media, { renditions_config: sent }: MediaChange): readonly Variant[] | null =>
  sent === undefined ? media.renditions_config : sent;

const baseName = (file: string): string => file.slice(file.lastIndexOf("/") + 1);

/** The directory of a folder; "" for none. @throws CmsError `invalid` when there is no such folder */
function dirOf(reader: Pick<Tx, "find">, folder: Id | null): string {
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

/** Text instead of a file is valid if it is the current URL of the file, so that a payload can be written back. */
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
  ...nameOf(content),
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
  const head = await headOf(upload.file);
  if (lfsPointer(head))
    throw invalid({ file: ["This is the pointer Git LFS leaves in the place of a file, not the file."] });
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
    const result = await ctx.images.make(imageJob(ctx, upload.file, variantsOf(ctx, config), optimise));
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

const NOT_AN_IMAGE = "Upload a valid image. The file you uploaded was either not an image or a corrupted image.";

/** The extension to replace that of the name, when the bytes are of another type; undefined to keep it. */
function extensionFor(name: string, type: MediaType | undefined): string | undefined {
  if (!type || type.extensions.includes(extensionOf(name))) return undefined;
  // Text that looks like HTML may be an example; with the name of a text file it is served as text.
  const isImage = type.mime.startsWith("image/") || typeByName(name).mime.startsWith("image/");
  return isImage ? type.extensions[0] : undefined;
}

async function headOf(file: string): Promise<Uint8Array> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
