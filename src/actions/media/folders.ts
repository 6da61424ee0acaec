/** Writes to folders of the library. A folder is a directory: renaming or moving it moves its contents. */
import { invalid } from "../../errors.ts";
import { readFolderChange, type FolderChange } from "../../model/media/media-input.ts";
import { fileName, folderName, folderOf, joinPath } from "../../model/media/media-name.ts";
import type { Media, MediaFolder } from "../../model/media/media.ts";
import { noSuchTarget } from "../../model/input/input-errors.ts";
import type { Id } from "../../model/page/page.ts";
import { MEDIA_FOLDERS } from "../../store/records/media/media-folders.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { mediaIndex } from "../../store/content/indexes/media-index.ts";
import { loadRecords } from "../../store/content/indexes/pages-by-model.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { copyDerivatives, isReservedMediaPath, moveItem, removeItems } from "./files.ts";
import { refuseUsed } from "./trash.ts";
import { changeItems } from "./transaction.ts";

/** @throws CmsError `invalid` without a title, or with a parent that does not exist */
export function createFolder(ctx: Context, by: Author, body: unknown): Promise<Written<MediaFolder>> {
  const { title = "", updir = null } = readFolderChange(body, true, ctx.unknownFields);
  return ctx.store.transact(by, (tx) => {
    const dir = freeDir(ctx, tx, parentDir(tx, updir), title);
    const folder: MediaFolder = { id: tx.newId(), dir, title, creation_date: tx.now, last_modified: tx.now };
    tx.describe(`Create media folder ${dir}`, { "Cms-Action": "create-media-folder", "Cms-Media-Folder": folder.id });
    return tx.put(MEDIA_FOLDERS, folder);
  });
}

/**
 * Renames or moves a folder with its contents, in one commit.
 *
 * @throws CmsError `invalid` when it would be below itself
 */
export function updateFolder(ctx: Context, by: Author, id: Id, body: unknown): Promise<Written<MediaFolder>> {
  const change = readFolderChange(body, false, ctx.unknownFields);
  return changeItems(
    ctx,
    by,
    (reader) => itemsBelow(reader, reader.get(MEDIA_FOLDERS, id).dir),
    async (items) => copyDerivatives(ctx, mayMove(ctx, id, change) ? items : []),
    (library, items, copies) => {
      const { tx } = library;
      const before = tx.get(MEDIA_FOLDERS, id);
      const title = change.title ?? before.title;
      const parent = change.updir === undefined ? folderOf(before.dir) : parentDir(tx, change.updir, before);
      const dir = placeFor(ctx, tx, before, parent, title);
      tx.describe(`Change media folder ${before.dir}`, { "Cms-Action": "update-media-folder", "Cms-Media-Folder": id });
      if (dir === before.dir && title === before.title) return before;
      const follow = prefixReplacer(before.dir, dir);
      if (dir !== before.dir) {
        const prefixes = [ctx.config.MEDIA.RENDITIONS.FOLDER, ctx.config.MEDIA.THUMBNAIL.FOLDER].map((folder) =>
          prefixReplacer(joinPath(folder, before.dir), joinPath(folder, dir)),
        );
        const rename = (file: string): string => prefixes.reduce((path, replace) => replace(path), file);
        for (const media of items) moveItem(library, media, follow(media.file), rename, copies);
        for (const folder of foldersBelow(tx, before.dir))
          tx.put(MEDIA_FOLDERS, { ...folder, dir: follow(folder.dir) });
      }
      return tx.put(MEDIA_FOLDERS, { ...before, title, dir, last_modified: tx.now });
    },
  );
}

/**
 * Removes a folder with the folders and files below it, and references to them.
 *
 * @param isConfirmed also when a file in it is used
 * @throws CmsError `not_found`; `conflict` with the records that use a file in it, unless it is confirmed
 */
export async function deleteFolder(ctx: Context, by: Author, id: Id, isConfirmed: boolean): Promise<Written<void>> {
  const { current } = ctx.store;
  const inside = itemsBelow(current, current.get(MEDIA_FOLDERS, id).dir);
  if (!isConfirmed) await refuseUsed(ctx, inside);
  await loadRecords(ctx.store.current);
  return changeItems(
    ctx,
    by,
    (reader) => itemsBelow(reader, reader.get(MEDIA_FOLDERS, id).dir),
    async () => undefined,
    (library, items) => {
      const { tx } = library;
      const { dir } = tx.get(MEDIA_FOLDERS, id);
      removeItems(library, items);
      for (const folder of foldersBelow(tx, dir)) tx.remove(MEDIA_FOLDERS, folder.id);
      tx.remove(MEDIA_FOLDERS, id);
      const rest = items.length > 0 ? ` and ${items.length} ${items.length === 1 ? "file" : "files"} in it` : "";
      tx.describe(`Delete media folder ${dir}${rest}`, { "Cms-Action": "delete-media-folder", "Cms-Media-Folder": id });
    },
  );
}

const itemsBelow = (reader: Pick<Tx, "all">, dir: string): readonly Media[] =>
  reader.all(MEDIA).filter(({ file }) => file.startsWith(`${dir}/`));
const foldersBelow = (tx: Tx, dir: string): readonly MediaFolder[] =>
  tx.all(MEDIA_FOLDERS).filter((folder) => folder.dir.startsWith(`${dir}/`));

/** Whether the folder may have to move with its contents. A false positive only costs time. */
const mayMove = ({ store }: Context, id: Id, change: FolderChange): boolean =>
  change.updir !== undefined ||
  (change.title !== undefined && change.title !== store.current.get(MEDIA_FOLDERS, id).title);

/** The directory of a parent folder. @param moved the folder to be moved there @throws CmsError `invalid` */
function parentDir(tx: Tx, updir: Id | null, moved?: MediaFolder): string {
  if (updir === null) return "";
  const parent = tx.find(MEDIA_FOLDERS, updir);
  if (!parent) throw invalid({ updir: [noSuchTarget(updir)] });
  if (moved && (parent.id === moved.id || parent.dir.startsWith(`${moved.dir}/`)))
    throw invalid({ updir: ["Unvalid parent"] });
  return parent.dir;
}

/** The directory for a folder; its name is kept while the title is the same, also with a number. */
function placeFor(ctx: Context, tx: Tx, folder: MediaFolder, parent: string, title: string): string {
  const name = fileName(folder.dir);
  const fits = title === folder.title || name === folderName(title);
  if (parent === folderOf(folder.dir) && fits) return folder.dir;
  return freeDir(ctx, tx, parent, fits ? name : title);
}

function freeDir(ctx: Context, tx: Tx, parent: string, title: string): string {
  const index = mediaIndex(tx);
  const name = folderName(title);
  for (let n = 1; ; n++) {
    const dir = joinPath(parent, n === 1 ? name : `${name}-${n}`);
    if (!index.isUsed(dir) && !isReservedMediaPath(ctx, dir)) return dir;
  }
}

const prefixReplacer =
  (from: string, to: string) =>
  (path: string): string =>
    path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
