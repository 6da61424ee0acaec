/** Files of library items: their paths, and moving and removing them with their derivatives. */
import { atPath, derivativeFiles, type Media } from "../../model/media/media.ts";
import { fileName, folderOf, joinPath, markedName } from "../../model/media/media-name.ts";
import { extensionOf } from "../../model/media/media-type.ts";
import type { Id } from "../../model/page/page.ts";
import { isThere, mediaPath } from "../../store/content/media-disk.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { loadRecords } from "../../store/content/indexes/pages-by-model.ts";
import type { PreparedFile } from "../../store/repo.ts";
import { prepareFile } from "../../store/git/objects/file-content.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Context } from "../context.ts";
import { clearReferences } from "../pages/references.ts";
import { commitDerivative, removeDerivative, renditionsFolder, thumbnailPath } from "./derivatives.ts";
import { addFile, changeItems, committedDerivatives, removeFile, usedPaths, type MediaTx } from "./transaction.ts";

/** An unused path in a directory: the name, or the name with a random mark. */
export function freePath(library: MediaTx, dir: string, name: string): string {
  const { ctx, tx } = library;
  const index = usedPaths(library);
  let path = joinPath(dir, name);
  while (index.isUsed(path) || isReservedMediaPath(ctx, path))
    path = joinPath(dir, markedName(name, tx.uuid().replaceAll("-", "").slice(-7)));
  return path;
}

/** Whether a path is in, or is a parent of, a folder for derivatives. */
export function isReservedMediaPath({ config }: Context, path: string): boolean {
  const wanted = `${path.toLowerCase()}/`;
  return [config.MEDIA.RENDITIONS.FOLDER, config.MEDIA.THUMBNAIL.FOLDER]
    .filter((folder) => folder !== "")
    .map((folder) => `${folder.toLowerCase()}/`)
    .some((folder) => folder.startsWith(wanted) || wanted.startsWith(folder));
}

/** Committed derivatives by their paths, hashed before a transaction so that it can store them at other paths. */
type DerivativeCopies = ReadonlyMap<string, PreparedFile>;

export async function copyDerivatives(ctx: Context, items: readonly Media[]): Promise<DerivativeCopies> {
  const { root } = ctx.store.repo;
  const copies = new Map<string, PreparedFile>();
  for (const file of await committedDerivatives(ctx, items))
    if (await isThere(root, file)) copies.set(file, await prepareFile(mediaPath(root, file)));
  return copies;
}

/**
 * Moves the file of an item and its derivatives; the former address redirects to the new one.
 * Derivatives that are not committed are removed: they are generated again when they are requested.
 *
 * @param file the new path
 * @param rename path of a derivative -> its new path
 */
export function moveItem(
  library: MediaTx,
  media: Media,
  file: string,
  rename: (derivative: string) => string,
  copies: DerivativeCopies,
): Media {
  const { ctx, tx } = library;
  const { facts, derivatives } = media;
  if (facts) {
    const { oid, size, mime_type: mime, image, trouble } = facts;
    const content = { file: mediaPath(ctx.store.repo.root, media.file), oid, size };
    addFile(library, file, content, { mime, image, trouble });
    removeFile(library, media.file);
  }
  for (const before of derivativeFiles(media)) {
    const to = rename(before);
    if (to === before) continue;
    const copy = copies.get(before);
    if (copy) commitDerivative(library, to, copy);
    removeDerivative(library, before);
  }
  return tx.put(MEDIA, {
    ...atPath(media, file),
    derivatives: derivatives && {
      ...derivatives,
      thumbnail: derivatives.thumbnail && rename(derivatives.thumbnail),
      renditions: derivatives.renditions.map((each) => ({ ...each, file: rename(each.file) })),
    },
  });
}

/** Moves one item to another directory, under its name if that is free there. */
export function moveToDirectory(library: MediaTx, media: Media, dir: string, copies: DerivativeCopies): Media {
  if (dir === folderOf(media.file)) return media;
  const file = freePath(library, dir, fileName(media.file));
  const moved = { ...media, file };
  const folder = renditionsFolder(library, moved);
  const rename = (path: string): string =>
    path === media.derivatives?.thumbnail
      ? thumbnailPath(library, moved, extensionOf(path))
      : joinPath(folder, fileName(path));
  return moveItem(library, media, file, rename, copies);
}

/** Removes items with their derivatives, and references to them from pages. */
export function removeItems(library: MediaTx, items: readonly Media[]): void {
  for (const media of items) {
    if (media.facts) removeFile(library, media.file);
    for (const file of derivativeFiles(media)) removeDerivative(library, file);
    library.tx.remove(MEDIA, media.id);
  }
  clearReferences(library.tx, { "cms.Media": new Set(items.map(({ id }) => id)) });
}

/** Deletes items with their files and derivatives, and references to them; unknown ids are ignored. */
export async function deleteMedia(ctx: Context, by: Author, ids: readonly Id[]): Promise<Written<void>> {
  await loadRecords(ctx.store.current);
  return changeItems(
    ctx,
    by,
    (reader) => [...new Set(ids)].flatMap((id) => reader.find(MEDIA, id) ?? []),
    async () => undefined,
    (library, items) => {
      removeItems(library, items);
      const only = items.length === 1 ? items[0] : undefined;
      library.tx.describe(only ? `Delete media ${only.file}` : `Delete ${items.length} media files`, {
        "Cms-Action": "delete-media",
        "Cms-Media": only?.id,
      });
    },
  );
}
