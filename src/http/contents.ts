/** Content blocks for editors, with the endpoints for editing in place. */
import { createContent, deleteContents, editContent, getOrCreateContent, updateContent } from "../actions/contents.ts";
import { invalid } from "../errors.ts";
import { contentIn, type Content } from "../model/content.ts";
import { isObject, own } from "../model/json.ts";
import { CONTENTS } from "../store/content/records/contents.ts";
import { contentVersions } from "../store/history/content-history.ts";
import { CONTENT_LIST, contentPayload } from "../views/content.ts";
import { idList } from "./body.ts";
import { authorOf, listReply, readReply, refuseUnknown, writtenReply, type Resource } from "./resource.ts";
import { json, noContent, PRIVATE, type Reply } from "./reply.ts";
import type { Access, Call, Route } from "./route.ts";

const CONTENT: Resource<Content> = { kind: CONTENTS, queryable: CONTENT_LIST, show: contentPayload };

const may = (verb: string): Access => ({ any: [`cms.${verb}_content`] });

export const contentRoutes: readonly Route[] = [
  { method: "GET", path: "contents", access: "user", handle: list },
  { method: "POST", path: "contents", access: may("add"), handle: create },
  { method: "POST", path: "contents/bulk_delete", access: may("add"), handle: bulkDelete },
  { method: "POST", path: "contents/get-or-create", access: may("add"), handle: getOrCreate },
  { method: "GET", path: "contents/:id", access: "user", handle: retrieve },
  { method: "PUT", path: "contents/:id", access: may("change"), handle: update },
  { method: "PATCH", path: "contents/:id", access: may("change"), handle: update },
  { method: "DELETE", path: "contents/:id", access: may("delete"), handle: remove },
  { method: "GET", path: "contents/:id/djsuperadmin", access: "user", handle: readInline },
  { method: "PATCH", path: "contents/:id/djsuperadmin", access: may("change"), handle: editInline },
  { method: "GET", path: "contents/:id/djsuperadmin/history", access: "user", handle: history },
];

function list(call: Call): Promise<Reply> {
  const view = call.view("editor");
  return listReply(call, view.content.all(CONTENTS), CONTENT_LIST, (block) => contentPayload(view, block));
}

function retrieve(call: Call): Reply {
  return readReply(call, CONTENT, call.id());
}

async function create(call: Call): Promise<Reply> {
  const made = await createContent(call.ctx, call.author(), await call.body(), call.lang);
  return writtenReply(call, CONTENT, made, { status: 201 });
}

async function update(call: Call): Promise<Reply> {
  const id = call.id();
  const changed = await updateContent(call.ctx, authorOf(call, CONTENTS, id), id, await call.body(), call.lang);
  return writtenReply(call, CONTENT, changed);
}

async function remove(call: Call): Promise<Reply> {
  const { id } = call.ctx.store.current.get(CONTENTS, call.id());
  await deleteContents(call.ctx, authorOf(call, CONTENTS, id), [id]);
  return noContent();
}

async function bulkDelete(call: Call): Promise<Reply> {
  await deleteContents(call.ctx, call.author(), idList(await call.body()));
  return json({ detail: "Eliminazione multipla andata a buon fine" });
}

async function getOrCreate(call: Call): Promise<Reply> {
  const { value: block } = await getOrCreateContent(call.ctx, call.author(), await call.body(), call.lang);
  return json({ id: block.id, content: shown(call, block) });
}

function readInline(call: Call): Reply {
  return json({ content: shown(call, call.ctx.store.current.get(CONTENTS, call.id())) });
}

async function editInline(call: Call): Promise<Reply> {
  const body = await call.body();
  refuseUnknown(call, body, "content");
  const content = isObject(body) ? own(body, "content") : undefined;
  if (content === undefined) throw invalid({ content: ["This field is required."] });
  if (typeof content !== "string" || !content.isWellFormed()) throw invalid({ content: ["Not a valid string."] });
  const id = call.id();
  const { value: block } = await editContent(call.ctx, authorOf(call, CONTENTS, id), id, call.lang, content);
  return json({ content: shown(call, block) });
}

/** Former values, newest first, at most 20: what each commit replaced (contract.md 11.3). */
async function history(call: Call): Promise<Reply> {
  const { store, history: past, locales } = call.ctx;
  const { id } = store.current.get(CONTENTS, call.id());
  const versions = await contentVersions(store, past, id, locales);
  return json(
    { versions: versions.map(({ at, data }) => ({ created_at: at.replace(/(\.\d+)?Z$/, "+00:00"), data })) },
    200,
    PRIVATE,
  );
}

const shown = (call: Call, block: Content): string => contentIn(block, call.lang, call.ctx.locales.default);
