/** Tags for editors. */
import { createTag, deleteTags, updateTag } from "../actions/tags.ts";
import type { Tag } from "../model/tag.ts";
import { TAGS } from "../store/content/records/tags.ts";
import { TAG_LIST, tagPayload } from "../views/tag.ts";
import { idList } from "./body.ts";
import { json, noContent, type Reply } from "./reply.ts";
import { authorOf, listReply, readReply, writtenReply, type Resource } from "./resource.ts";
import type { Access, Call, Route } from "./route.ts";

const TAG: Resource<Tag> = { kind: TAGS, queryable: TAG_LIST, show: tagPayload };

const may = (verb: string): Access => ({ any: [`cms.${verb}_tag`] });

export const tagRoutes: readonly Route[] = [
  { method: "GET", path: "tags", access: "user", handle: list },
  { method: "POST", path: "tags", access: may("add"), handle: create },
  { method: "POST", path: "tags/bulk_delete", access: may("add"), handle: bulkDelete },
  { method: "GET", path: "tags/:id", access: "user", handle: retrieve },
  { method: "PUT", path: "tags/:id", access: may("change"), handle: update },
  { method: "PATCH", path: "tags/:id", access: may("change"), handle: update },
  { method: "DELETE", path: "tags/:id", access: may("delete"), handle: remove },
];

function list(call: Call): Promise<Reply> {
  const view = call.view("editor");
  return listReply(call, view.content.all(TAGS), TAG_LIST, (tag) => tagPayload(view, tag));
}

function retrieve(call: Call): Reply {
  return readReply(call, TAG, call.id());
}

async function create(call: Call): Promise<Reply> {
  return writtenReply(call, TAG, await createTag(call.ctx, call.author(), await call.body(), call.lang), {
    status: 201,
  });
}

async function update(call: Call): Promise<Reply> {
  const id = call.id();
  return writtenReply(call, TAG, await updateTag(call.ctx, authorOf(call, TAGS, id), id, await call.body(), call.lang));
}

async function remove(call: Call): Promise<Reply> {
  const { id } = call.ctx.store.current.get(TAGS, call.id());
  await deleteTags(call.ctx, authorOf(call, TAGS, id), [id]);
  return noContent();
}

async function bulkDelete(call: Call): Promise<Reply> {
  await deleteTags(call.ctx, call.author(), idList(await call.body()));
  return json({ detail: "Eliminazione multipla andata a buon fine" });
}
