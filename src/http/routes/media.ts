/** The media library: its items (upload, change, replace, remove, renditions) and its folders. */
import { createFolder, deleteFolder, updateFolder } from "../../actions/media/folders.ts";
import { deleteMedia } from "../../actions/media/files.ts";
import { regenerateRenditions } from "../../actions/media/regenerate.ts";
import { restoreMedia, trashMedia } from "../../actions/media/trash.ts";
import { updateMedia, uploadMedia } from "../../actions/media/upload.ts";
import type { Media, MediaFolder } from "../../model/media/media.ts";
import { MEDIA_SPEC } from "../../library/media.ts";
import { readQuery } from "../../model/lists/query.ts";
import { MEDIA_FOLDERS } from "../../store/records/media/media-folders.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { MEDIA_LIST } from "../../views/media/media-list.ts";
import { FOLDER_PAGE_SIZE, folderListing, folderPayload } from "../../views/media/media-folder.ts";
import { mediaPayload } from "../../views/media/media.ts";
import { idList } from "../body/body.ts";
import { withForm } from "../body/upload.ts";
import { record } from "../../schema/json-schema.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Operation } from "../openapi/operation.ts";
import {
  actionBody,
  authorOf,
  listReply,
  readReply,
  REMOVE_MANY,
  writtenReply,
  type Resource,
} from "../app/resource.ts";
import { etag, json, noContent, type Headers, type Reply } from "../request/reply.ts";
import { del, get, patch, post, put, route, type Access, type Call, type Route } from "../app/route.ts";

const FOLDER: Resource<MediaFolder> = { kind: MEDIA_FOLDERS, show: folderPayload };

const may = (record: "media" | "mediafolder", ...verbs: string[]): Access => ({
  any: verbs.map((verb) => `cms.${verb}_${record}`),
});

const ITEM = { answer: "Media", isLocalized: true, isVersioned: true } as const;
const CHANGE_ITEM: Operation = {
  ...ITEM,
  summary: "Change a media item",
  description: "A form can replace its file, too. Keys that are not sent keep their values.",
  body: "MediaInput",
  form: "MediaFileForm",
};

const CONFIRM: Operation["query"] = [
  {
    name: "confirm",
    description: "`true`: also when a file is used. Without it the answer is 409, and its `links` are the records.",
    schema: { type: "boolean" },
  },
];

const ACTION = { ...ITEM, body: record({}), isBodyOptional: true } as const;

const LISTING = {
  description: "The parameters of lists apply to the items.",
  query: [
    {
      name: "all",
      description: "`true`: the items of all folders.",
      schema: { type: "boolean" },
    },
  ],
  answer: "FolderListing",
  isLocalized: true,
  isListing: true,
} as const;

/** One record is the listing of a folder; the answer to a write is the folder. */
const FOLDER_OPERATIONS = {
  listTop: { ...LISTING, summary: "List the top level of the media library" },
  create: { summary: "Create a media folder", body: "FolderInput", answer: "MediaFolder", status: 201 },
  list: { ...LISTING, summary: "List a media folder" },
  change: {
    summary: "Change a media folder",
    description: "A new title or parent moves its files; old addresses redirect.",
    body: "FolderChange",
    answer: "MediaFolder",
    isVersioned: true,
  },
  remove: {
    summary: "Delete a media folder",
    description: "Everything in it is deleted, too. While a file in it is used, that must be confirmed.",
    query: CONFIRM,
    isVersioned: true,
    refusals: [409],
  },
} as const satisfies Record<string, Operation>;

export const mediaRoutes: readonly Route[] = [
  get("media", "user", listItems, { summary: "List media items", answer: "Media", isList: true, isLocalized: true }),
  post("media", may("media", "add"), upload, { ...ITEM, summary: "Upload a file", form: "MediaForm", status: 201 }),
  post("media/bulk_delete", may("media", "add", "delete"), bulkDelete, {
    ...REMOVE_MANY,
    summary: "Delete several media items",
  }),
  get("media/:id", "user", (call) => readReply(call, MEDIA_SPEC, call.id()), { ...ITEM, summary: "Read a media item" }),
  put("media/:id", may("media", "change"), updateItem, CHANGE_ITEM),
  patch("media/:id", may("media", "change"), updateItem, CHANGE_ITEM),
  del("media/:id", may("media", "delete"), removeItem, { summary: "Delete a media item", isVersioned: true }),
  post(
    "media/:id/regenerate-renditions",
    may("media", "add", "change"),
    action((call, by, id) => regenerateRenditions(call.ctx, by, id)),
    { ...ACTION, summary: "Make the renditions of an image again" },
  ),
  post(
    "media/:id/trash",
    may("media", "change", "delete"),
    action((call, by, id) => trashMedia(call.ctx, by, id, isSet(call, "confirm"))),
    {
      ...ACTION,
      summary: "Move a media item to the trash",
      description: "Its addresses answer 404, and only editors are shown it. References to it stay.",
      query: CONFIRM,
      refusals: [409],
    },
  ),
  post(
    "media/:id/restore",
    may("media", "change", "delete"),
    action((call, by, id) => restoreMedia(call.ctx, by, id)),
    { ...ACTION, summary: "Restore a media item from the trash" },
  ),
  // Both spellings of a folder's path.
  ...["media-folder", "media-folders"].flatMap((path): Route[] => [
    get(path, "user", listFolder, FOLDER_OPERATIONS.listTop),
    post(path, may("mediafolder", "add"), addFolder, FOLDER_OPERATIONS.create),
    get(`${path}/:id`, "user", listFolder, FOLDER_OPERATIONS.list),
    ...(["PUT", "PATCH"] as const).map((method): Route =>
      route(method, `${path}/:id`, may("mediafolder", "change"), changeFolder, FOLDER_OPERATIONS.change),
    ),
    del(`${path}/:id`, may("mediafolder", "delete"), removeFolder, FOLDER_OPERATIONS.remove),
  ]),
];

async function listItems(call: Call): Promise<Reply> {
  const view = call.view("editor");
  await MEDIA_SPEC.prepare?.(view);
  return listReply(call, view.content.all(MEDIA), MEDIA_LIST, (media) => mediaPayload(view, media));
}

async function upload(call: Call): Promise<Reply> {
  const made = await withForm(call, (form) =>
    uploadMedia(call.ctx, call.author(), form.fields, { upload: form.upload, lang: call.lang }),
  );
  return writtenReply(call, MEDIA_SPEC, made, { status: 201 });
}

/** PUT and PATCH are the same: neither needs a file. */
async function updateItem(call: Call): Promise<Reply> {
  const { id } = call.ctx.store.current.get(MEDIA, call.id());
  const changed = await withForm(call, (form) =>
    updateMedia(call.ctx, authorOf(call, MEDIA, id), id, form.fields, { upload: form.upload, lang: call.lang }),
  );
  return writtenReply(call, MEDIA_SPEC, changed);
}

async function removeItem(call: Call): Promise<Reply> {
  const { id } = call.ctx.store.current.get(MEDIA, call.id());
  await deleteMedia(call.ctx, authorOf(call, MEDIA, id), [id]);
  return noContent();
}

async function bulkDelete(call: Call): Promise<Reply> {
  await deleteMedia(call.ctx, call.author(), idList(await call.body()));
  return json({ detail: "Eliminazione multipla andata a buon fine" });
}

/** A write to an item that takes no values. */
function action(verb: (call: Call, by: Author, id: number) => Promise<Written<Media>>): Route["handle"] {
  return async (call) => {
    await actionBody(call);
    return writtenReply(call, MEDIA_SPEC, await verb(call, authorOf(call, MEDIA, call.id()), call.id()));
  };
}

const isSet = (call: Call, name: string): boolean => /^(true|1|yes|on)$/i.test(call.url.searchParams.get(name) ?? "");

/** The listing of the library or of one folder; `all=true` lists the media of every folder. */
async function listFolder(call: Call): Promise<Reply> {
  const { current } = call.ctx.store;
  const folder = call.params.id === undefined ? null : current.get(MEDIA_FOLDERS, call.id());
  const params = new URLSearchParams(call.url.searchParams);
  if (!params.has("items")) params.set("items", "");
  const query = readQuery(params, MEDIA_LIST, call.ctx.locales, FOLDER_PAGE_SIZE);
  const everywhere = isSet(call, "all");
  // The ETag is for writes to the folder. Its contents change without it, so `If-None-Match` is not supported.
  const headers: Headers = folder ? { etag: etag(current.version(MEDIA_FOLDERS, folder.id)) } : {};
  return json(await folderListing(call.view("editor"), folder, query, everywhere), 200, headers);
}

async function addFolder(call: Call): Promise<Reply> {
  return writtenReply(call, FOLDER, await createFolder(call.ctx, call.author(), await call.body()), { status: 201 });
}

async function changeFolder(call: Call): Promise<Reply> {
  const id = call.id();
  return writtenReply(
    call,
    FOLDER,
    await updateFolder(call.ctx, authorOf(call, MEDIA_FOLDERS, id), id, await call.body()),
  );
}

async function removeFolder(call: Call): Promise<Reply> {
  await deleteFolder(call.ctx, authorOf(call, MEDIA_FOLDERS, call.id()), call.id(), isSet(call, "confirm"));
  return noContent();
}
