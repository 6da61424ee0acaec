/** Folders of the library: what each holds, and the tree they form. */
import { createFolder, deleteFolder, updateFolder } from "../actions/media-folders.ts";
import { readQuery } from "../model/query.ts";
import type { MediaFolder } from "../model/media.ts";
import { MEDIA_FOLDERS } from "../store/content/records/media-folders.ts";
import { MEDIA_LIST } from "../views/listing.ts";
import { folderListing, folderPayload } from "../views/media-folder.ts";
import { authorOf, writtenReply, type Resource } from "./resource.ts";
import { etag, json, noContent, type Headers, type Reply } from "./reply.ts";
import type { Access, Call, Route } from "./route.ts";

const FOLDER: Resource<MediaFolder> = { kind: MEDIA_FOLDERS, show: folderPayload };

const may = (verb: string): Access => ({ any: [`cms.${verb}_mediafolder`] });

/** Both spellings (decisions.md 1). */
export const mediaFolderRoutes: readonly Route[] = ["media-folder", "media-folders"].flatMap((path): Route[] => [
  { method: "GET", path, access: "user", handle: list },
  { method: "POST", path, access: may("add"), handle: create },
  { method: "GET", path: `${path}/:id`, access: "user", handle: list },
  { method: "PUT", path: `${path}/:id`, access: may("change"), handle: update },
  { method: "PATCH", path: `${path}/:id`, access: may("change"), handle: update },
  { method: "DELETE", path: `${path}/:id`, access: may("delete"), handle: remove },
]);

/** Media on a page of a folder's listing. */
const PAGE_SIZE = 18;

/** The listing of the library or of one folder; `all=true` lists the media of every folder. */
async function list(call: Call): Promise<Reply> {
  const { current } = call.ctx.store;
  const folder = call.params.id === undefined ? null : current.get(MEDIA_FOLDERS, call.id());
  const params = new URLSearchParams(call.url.searchParams);
  if (!params.has("items")) params.set("items", "");
  const query = readQuery(params, MEDIA_LIST, call.ctx.locales, PAGE_SIZE);
  const everywhere = /^(true|1|yes|on)$/i.test(params.get("all") ?? "");
  // The tag is for a write to the folder; what it holds changes without it, so it answers no If-None-Match.
  const headers: Headers = folder ? { etag: etag(current.version(MEDIA_FOLDERS, folder.id)) } : {};
  return json(await folderListing(call.view("editor"), folder, query, everywhere), 200, headers);
}

async function create(call: Call): Promise<Reply> {
  return writtenReply(call, FOLDER, await createFolder(call.ctx, call.author(), await call.body()), { status: 201 });
}

async function update(call: Call): Promise<Reply> {
  const id = call.id();
  return writtenReply(
    call,
    FOLDER,
    await updateFolder(call.ctx, authorOf(call, MEDIA_FOLDERS, id), id, await call.body()),
  );
}

async function remove(call: Call): Promise<Reply> {
  await deleteFolder(call.ctx, authorOf(call, MEDIA_FOLDERS, call.id()), call.id());
  return noContent();
}
