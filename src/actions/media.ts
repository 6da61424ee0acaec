/** What one may do to media items: upload, change, replace, remove. Each is one commit with everything that belongs to it. */
import { open } from "node:fs/promises";
import { invalid } from "../errors.ts";
import { ImageError } from "../model/image.ts";
import { own, sameJson } from "../model/json.ts";
import { encodePath, type Lang } from "../model/locale.ts";
import { readMediaChange, withTexts, type MediaChange } from "../model/media-input.ts";
import { folderOf, joinPath, nameTooLong, safeName } from "../model/media-name.ts";
import { extensionOf, lfsPointer, rasterType, sniff, SNIFF_BYTES, typeByName, type MediaType } from "../model/media-type.ts";
import { atPath, madeFiles, type FileFacts, type Media } from "../model/media.ts";
import { requireObject, noSuchTarget } from "../model/page-input.ts";
import type { Id } from "../model/page.ts";
import type { Variant } from "../model/renditions.ts";
import { MEDIA_DIR, toJson, type Found } from "../store/kinds/media-files.ts";
import { MEDIA_FOLDERS } from "../store/kinds/media-folders.ts";
import { MEDIA } from "../store/kinds/media.ts";
import { nameOf } from "../store/plan.ts";
import { prepareFile } from "../store/prepared.ts";
import type { Content } from "../store/repo.ts";
import type { Author, Written } from "../store/store.ts";
import type { Tx } from "../store/transaction.ts";
import type { Context } from "./context.ts";
import { changeItems, freePath, moveItem, oneItem, prepareMade, removeItems } from "./media-change.ts";
import { clearUncommitted, jobFor, makeProducts, NOTHING, nothingYet, placeProducts, removeMade, renditionsFolderOf, tidyUp, thumbnailPath, variantsOf, type Products } from "./media-making.ts";
import { readPages } from "./references.ts";

/** A file as it came in: whole, on disk, nobody else's. Whoever received it removes it. */
export interface Upload {
  /** Absolute path. */
  readonly file: string;
  readonly size: number;
  /** As the client calls it. */
  readonly name: string;
}

/** An upload ready to be stored. */
interface Stored {
  readonly name: string;
  readonly content: Content;
  readonly found: Found;
  readonly products: Products;
}

/**
 * Adds a file to the library: the file, what is made of it and its record in one commit.
 *
 * @param body texts, folder and variants
 * @throws CmsError `invalid` with the offending fields, the file among them
 */
export async function uploadMedia(ctx: Context, by: Author, body: unknown, upload: Upload | null, lang: Lang): Promise<Written<Media>> {
  const change = readMediaChange(body, lang, { ...ctx, fileErrors: upload ? uploadErrors(upload) : [NO_FILE] });
  dirOf(ctx.store.current, change.folder ?? null);
  const stored = await store(ctx, upload!, change.renditions_config ?? null, true);
  const { value, snapshot } = await ctx.store.transact(by, (tx) => {
    const afterwards = nothingYet();
    const file = freePath(ctx, tx, dirOf(tx, change.folder ?? null), stored.name);
    const blank: Media = {
      id: tx.newId(),
      file,
      aliases: [],
      created: tx.now,
      translations: withTexts({}, change.texts),
      renditions_config: change.renditions_config ?? null,
      made: null,
      facts: factsOf(stored),
    };
    tx.attach(`${MEDIA_DIR}/${file}`, stored.content, toJson(stored.found));
    tx.describe(`Add media ${file}`, { "Cms-Action": "upload", "Cms-Media": blank.id });
    const made = placeProducts(ctx, tx, blank, stored.products, new Set(), afterwards);
    return { media: tx.put(MEDIA, { ...blank, made }), after: afterwards };
  });
  await tidyUp(ctx, value.after);
  return { value: value.media, snapshot };
}

/**
 * Changes what is written about an item, moves it to another folder, or replaces its file.
 *
 * A new file gets a name of its own, unless `same_url` keeps the old one's; then it must be of the same type, and is
 * stored as it is (contract.md 12.6).
 *
 * @param upload null: the file stays
 */
export async function updateMedia(ctx: Context, by: Author, id: Id, body: unknown, upload: Upload | null, lang: Lang): Promise<Written<Media>> {
  const before = ctx.store.current.get(MEDIA, id);
  const fileErrors = upload ? uploadErrors(upload) : sentFileErrors(ctx, before, body);
  const change = readMediaChange(body, lang, { ...ctx, fileErrors });
  if (change.folder !== undefined) dirOf(ctx.store.current, change.folder);
  const stored = upload && (await store(ctx, upload, configAfter(before, change), !change.sameUrl));
  if (stored && change.sameUrl) refuseOtherType(before, stored.name);
  const result = stored ? await replaceFile(ctx, by, id, change, stored) : await changeRecord(ctx, by, id, change);
  return result;
}

/** Makes an item's thumbnail and renditions anew, as the settings and its own variants have them now. */
export function regenerateRenditions(ctx: Context, by: Author, id: Id): Promise<Written<Media>> {
  return changeItems(
    ctx,
    by,
    oneItem(id),
    ([media]) => makeProducts(ctx, media!),
    (tx, [media], { committed, value }, after) => {
      tx.describe(`Regenerate renditions of ${media!.file}`, { "Cms-Action": "regenerate-renditions", "Cms-Media": id });
      return tx.put(MEDIA, { ...media!, made: placeProducts(ctx, tx, media!, value, committed, after) });
    },
  );
}

/** Removes items with their files, everything made of them, and references to them; unknown ids are passed over. */
export async function deleteMedia(ctx: Context, by: Author, ids: readonly Id[]): Promise<Written<void>> {
  await readPages(ctx.store.current);
  return changeItems(
    ctx,
    by,
    (reader) => [...new Set(ids)].flatMap((id) => reader.find(MEDIA, id) ?? []),
    async () => undefined,
    (tx, items, prepared, after) => {
      removeItems(tx, items, prepared, after);
      tx.describe(items.length === 1 ? `Delete media ${items[0]!.file}` : `Delete ${items.length} media files`, {
        "Cms-Action": "delete-media",
        "Cms-Media": items.length === 1 ? items[0]!.id : undefined,
      });
    },
  );
}

function replaceFile(ctx: Context, by: Author, id: Id, change: MediaChange, stored: Stored): Promise<Written<Media>> {
  return changeItems(
    ctx,
    by,
    oneItem(id),
    ([media]) => clearUncommitted(ctx, media!),
    (tx, [before], { committed }, after) => {
      const media = before!;
      const dir = change.folder === undefined ? folderOf(media.file) : dirOf(tx, change.folder);
      const stays = change.sameUrl && dir === folderOf(media.file);
      const file = stays ? media.file : freePath(ctx, tx, dir, change.sameUrl ? baseName(media.file) : stored.name);
      if (!stays && media.facts) tx.attach(`${MEDIA_DIR}/${media.file}`, null);
      tx.attach(`${MEDIA_DIR}/${file}`, stored.content, toJson(stored.found));
      const next: Media = { ...atPath(media, file), facts: factsOf(stored), translations: withTexts(media.translations, change.texts), renditions_config: configAfter(media, change) };
      tx.describe(`Replace media ${media.file}`, { "Cms-Action": "replace-media", "Cms-Media": id });
      return tx.put(MEDIA, { ...next, made: placeProducts(ctx, tx, next, stored.products, committed, after) });
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
      return { products: isOther ? await makeProducts(ctx, { ...media!, renditions_config: config }) : null, made: await prepareMade(ctx, [media!]) };
    },
    (tx, [before], { committed, value }, after) => {
      const written: Media = { ...before!, translations: withTexts(before!.translations, change.texts), renditions_config: configAfter(before!, change) };
      const dir = change.folder === undefined ? folderOf(written.file) : dirOf(tx, change.folder);
      tx.describe(`Change media ${written.file}`, { "Cms-Action": "update-media", "Cms-Media": id });
      const { products, made } = value;
      // What is made anew anyway need not be moved first.
      if (products) for (const file of madeFiles(written)) removeMade(tx, file, committed, after);
      const bare = products ? { ...written, made: null } : written;
      const moved = dir === folderOf(bare.file) ? bare : moveTo(ctx, tx, bare, dir, { committed, value: made }, after);
      return tx.put(MEDIA, products ? { ...moved, made: placeProducts(ctx, tx, moved, products, committed, after) } : moved);
    },
  );
}

function moveTo(ctx: Context, tx: Tx, media: Media, dir: string, ...rest: [Parameters<typeof moveItem>[5], Parameters<typeof moveItem>[6]]): Media {
  const file = freePath(ctx, tx, dir, baseName(media.file));
  const there = { ...media, file };
  const folder = renditionsFolderOf(ctx, tx, there);
  const rename = (made: string): string =>
    made === media.made?.thumbnail ? thumbnailPath(ctx, tx, there, extensionOf(made)) : joinPath(folder, baseName(made));
  return moveItem(ctx, tx, media, file, rename, ...rest);
}

const configAfter = (media: Media, { renditions_config: sent }: MediaChange): readonly Variant[] | null => (sent === undefined ? media.renditions_config : sent);

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

/** A text in the place of the file keeps it when it is the file's own address: what was read may be sent back. */
function sentFileErrors({ config }: Context, media: Media, body: unknown): string[] {
  requireObject(body);
  const sent = own(body, "file");
  if (sent === undefined || sent === null) return [];
  const isOwn = typeof sent === "string" && (sent.endsWith(config.MEDIA.URL + encodePath(media.file)) || sent.endsWith(config.MEDIA.URL + media.file));
  return isOwn ? [] : [NOT_A_FILE];
}

function refuseOtherType(media: Media, name: string): void {
  const [was, is] = [typeByName(media.file), typeByName(name)];
  const isSame = was.mime === is.mime && (was.extensions[0] !== "" || extensionOf(media.file) === extensionOf(name));
  if (!isSame) throw invalid({ file: [`With same_url the new file must be of the type of the old one (${was.mime}).`] });
}

const factsOf = ({ content, found, name }: Stored): FileFacts => ({
  ...nameOf(content),
  mime_type: found.mime ?? typeByName(name).mime,
  image: found.image,
  trouble: found.trouble,
});

/** Looks at an upload and makes of it what is to be made. @throws CmsError `invalid` for a picture that cannot be read */
async function store(ctx: Context, upload: Upload, config: readonly Variant[] | null, optimise: boolean): Promise<Stored> {
  const head = await headOf(upload.file);
  if (lfsPointer(head)) throw invalid({ file: ["This is the pointer Git LFS leaves in the place of a file, not the file."] });
  const type = sniff(head);
  if (!type?.raster) {
    if (!type && typeByName(upload.name).raster) throw invalid({ file: [NOT_AN_IMAGE] });
    const name = safeName(upload.name, extensionFor(upload.name, type));
    return { name, content: await prepareFile(upload.file), found: { mime: type?.mime ?? null, image: null, trouble: null }, products: NOTHING };
  }
  try {
    const result = await ctx.images.make(jobFor(ctx, upload.file, type.raster, variantsOf(ctx, config), optimise));
    const content = result.optimised ?? (await prepareFile(upload.file));
    const mime = rasterType(result.image.raster).mime;
    return { name: safeName(upload.name, extensionFor(upload.name, type)), content, found: { mime, image: result.image, trouble: null }, products: result };
  } catch (error) {
    if (error instanceof ImageError) throw invalid({ file: [error.message] });
    throw error;
  }
}

const NOT_AN_IMAGE = "Upload a valid image. The file you uploaded was either not an image or a corrupted image.";

/** The extension the bytes ask for; undefined when the name's own will do. */
function extensionFor(name: string, type: MediaType | undefined): string | undefined {
  if (!type || type.extensions.includes(extensionOf(name))) return undefined;
  // Text that begins like a page may be an example of one; under a text's name it is served as text.
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

