/** Media items for editors: list, upload, change, replace, remove, renditions. */
import { deleteMedia, regenerateRenditions, updateMedia, uploadMedia } from "../actions/media.ts";
import type { Media } from "../model/media.ts";
import { MEDIA } from "../store/content/records/media.ts";
import { MEDIA_LIST } from "../views/listing.ts";
import { mediaPayload } from "../views/media.ts";
import { idList } from "./body.ts";
import { withForm } from "./multipart.ts";
import { authorOf, listReply, readReply, refuseUnknown, writtenReply, type Resource } from "./resource.ts";
import { json, noContent, type Reply } from "./reply.ts";
import type { Access, Call, Route } from "./route.ts";

const MEDIA_ITEM: Resource<Media> = { kind: MEDIA, queryable: MEDIA_LIST, show: mediaPayload };

const may = (...verbs: string[]): Access => ({ any: verbs.map((verb) => `cms.${verb}_media`) });

export const mediaRoutes: readonly Route[] = [
  { method: "GET", path: "media", access: "user", handle: list },
  { method: "POST", path: "media", access: may("add"), handle: upload },
  { method: "POST", path: "media/bulk_delete", access: may("add", "delete"), handle: bulkDelete },
  { method: "GET", path: "media/:id", access: "user", handle: retrieve },
  { method: "PUT", path: "media/:id", access: may("change"), handle: update },
  { method: "PATCH", path: "media/:id", access: may("change"), handle: update },
  { method: "DELETE", path: "media/:id", access: may("delete"), handle: remove },
  { method: "POST", path: "media/:id/regenerate-renditions", access: may("add", "change"), handle: regenerate },
];

function list(call: Call): Promise<Reply> {
  const view = call.view("editor");
  return listReply(call, view.content.all(MEDIA), MEDIA_LIST, (media) => mediaPayload(view, media));
}

function retrieve(call: Call): Reply {
  return readReply(call, MEDIA_ITEM, call.id());
}

async function upload(call: Call): Promise<Reply> {
  const made = await withForm(call, (form) =>
    uploadMedia(call.ctx, call.author(), form.fields, form.upload, call.lang),
  );
  return writtenReply(call, MEDIA_ITEM, made, { status: 201 });
}

/** PUT and PATCH are the same: neither needs a file (contract.md 12.2). */
async function update(call: Call): Promise<Reply> {
  const { id } = call.ctx.store.current.get(MEDIA, call.id());
  const changed = await withForm(call, (form) =>
    updateMedia(call.ctx, authorOf(call, MEDIA, id), id, form.fields, form.upload, call.lang),
  );
  return writtenReply(call, MEDIA_ITEM, changed);
}

async function remove(call: Call): Promise<Reply> {
  const { id } = call.ctx.store.current.get(MEDIA, call.id());
  await deleteMedia(call.ctx, authorOf(call, MEDIA, id), [id]);
  return noContent();
}

async function bulkDelete(call: Call): Promise<Reply> {
  await deleteMedia(call.ctx, call.author(), idList(await call.body()));
  return json({ detail: "Eliminazione multipla andata a buon fine" });
}

async function regenerate(call: Call): Promise<Reply> {
  refuseUnknown(call, await call.body());
  return writtenReply(
    call,
    MEDIA_ITEM,
    await regenerateRenditions(call.ctx, authorOf(call, MEDIA, call.id()), call.id()),
  );
}
