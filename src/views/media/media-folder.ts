/** Payloads of media folders and listings of their contents. */
import { showInstant } from "../../model/time/instant.ts";
import { folderOf } from "../../model/media/media-name.ts";
import type { Media, MediaFolder } from "../../model/media/media.ts";
import { asciiSlugify } from "../../model/address/slug.ts";
import type { ListQuery, Paginator } from "../../model/lists/query.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { folderAt, mediaIndex } from "../../store/content/indexes/media-index.ts";
import { selectFields } from "../lists/field-selection.ts";
import { list } from "../lists/listing.ts";
import { MEDIA_LIST } from "./media-list.ts";
import { listedMedia } from "./media.ts";
import type { Payload, View } from "../view.ts";

/** Media on a page of a folder's listing, unless the request says otherwise. */
export const FOLDER_PAGE_SIZE = 18;

/** `path` consists of slugs, so two folders may have the same one; their directories differ. */
export function folderPayload(view: View, folder: MediaFolder): Payload {
  const parent = parentOf(view, folder);
  return {
    id: folder.id,
    title: folder.title,
    slug: asciiSlugify(folder.title),
    creation_date: showInstant(folder.creation_date),
    last_modified: showInstant(folder.last_modified),
    path: pathOf(view, folder),
    updir: parent?.id ?? null,
  };
}

interface FolderListing {
  readonly folders: readonly Payload[];
  readonly media: { readonly items: readonly Payload[]; readonly paginator: Paginator };
  readonly parent_folder: Payload;
}

const TOP: Payload = { title: "", path: "", updir: null };

/**
 * @param folder null: the top level of the library
 * @param query of the media items; must be paged
 * @param everywhere list the items of all folders (parameter `all`)
 */
export async function folderListing(
  view: View,
  folder: MediaFolder | null,
  query: ListQuery<Media, View>,
  everywhere: boolean,
): Promise<FolderListing> {
  const index = mediaIndex(view.content);
  const dir = everywhere || !folder ? "" : folder.dir;
  const items = everywhere ? view.content.all(MEDIA) : index.itemsIn(dir);
  const found = await list(items, query, view);
  if (!("items" in found)) throw new Error("A folder is listed page by page");
  return {
    folders: index.foldersIn(dir).map((each) => folderPayload(view, each)),
    media: {
      items: found.items.map((media) => selectFields(listedMedia(view, media), query.fields, MEDIA_LIST, view.locales)),
      paginator: found.paginator,
    },
    parent_folder: everywhere || !folder ? TOP : folderPayload(view, folder),
  };
}

const parentOf = (view: View, { dir }: MediaFolder): MediaFolder | undefined => folderAt(view.content, folderOf(dir));

function pathOf(view: View, folder: MediaFolder): string {
  const parent = parentOf(view, folder);
  return `${parent ? pathOf(view, parent) : ""}/${asciiSlugify(folder.title)}`;
}
