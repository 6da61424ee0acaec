/** Pages for editors: create, read, change, and every lifecycle action. */
import { createPage, deletePage, deletePages, discardPageDraft, publishPage, reorderPages, restorePage, savePageDraft, schedulePage, trashPage, updatePage, type SaveMode } from "../actions/pages.ts";
import { listRevisions, revertToRevision } from "../actions/revisions.ts";
import { invalid } from "../errors.ts";
import { overlayDraft } from "../model/draft.ts";
import { parseInstant } from "../model/instant.ts";
import { isObject, own, type Json } from "../model/json.ts";
import { NOT_AN_OBJECT } from "../model/page-input.ts";
import { PAGES } from "../store/kinds/pages.ts";
import { PAGE_LIST } from "../views/listing.ts";
import { pagePayload } from "../views/page.ts";
import { revisionPayload } from "../views/revision.ts";
import { idList } from "./body.ts";
import { renderPage } from "./html.ts";
import { html, json, noContent, PRIVATE, type Reply } from "./reply.ts";
import { authorOf, listReply, single } from "./resource.ts";
import type { Access, Call, Route } from "./route.ts";

const may = (verb: string): Access => ({ any: [`cms.${verb}_page`] });
/** Staff, and of staff those who may change or add pages: either reading of upstream's rule passes (contract.md 3.3). */
const EDITORS: Access = { staff: true, any: ["cms.change_page", "cms.add_page"] };
const STAFF: Access = { staff: true };

export const pageRoutes: readonly Route[] = [
  { method: "GET", path: "pages", access: "user", handle: list },
  { method: "POST", path: "pages", access: may("add"), handle: create },
  { method: "POST", path: "pages/bulk_delete", access: may("add"), handle: bulkDelete },
  { method: "POST", path: "pages/update_order", access: may("add"), handle: updateOrder },
  { method: "GET", path: "pages/:id", access: "user", handle: retrieve },
  { method: "PUT", path: "pages/:id", access: may("change"), handle: update("replace") },
  { method: "PATCH", path: "pages/:id", access: may("change"), handle: update("merge") },
  { method: "DELETE", path: "pages/:id", access: may("delete"), handle: remove },
  { method: "PATCH", path: "pages/:id/draft", access: EDITORS, handle: saveDraft("merge") },
  { method: "PUT", path: "pages/:id/draft", access: EDITORS, handle: saveDraft("replace") },
  { method: "POST", path: "pages/:id/discard-draft", access: EDITORS, handle: discardDraft },
  { method: "POST", path: "pages/:id/publish", access: EDITORS, handle: publish },
  { method: "POST", path: "pages/:id/schedule", access: EDITORS, handle: schedule },
  { method: "POST", path: "pages/:id/trash", access: EDITORS, handle: trash },
  { method: "POST", path: "pages/:id/restore", access: EDITORS, handle: restore },
  { method: "GET", path: "pages/:id/revisions", access: STAFF, handle: revisions },
  { method: "POST", path: "pages/:id/revert/:version", access: EDITORS, handle: revert },
  { method: "GET", path: "pages/:id/preview", access: STAFF, handle: preview },
  { method: "GET", path: "pages/:id/render", access: STAFF, handle: render },
];

function list(call: Call): Reply {
  const view = call.view("editor");
  return listReply(call, view.content.all(PAGES), PAGE_LIST, (page) => pagePayload(view, page));
}

function retrieve(call: Call): Reply {
  return answer(call, call.id());
}

async function create(call: Call): Promise<Reply> {
  const page = await createPage(call.ctx, call.author(), await call.body(), call.lang);
  return answer(call, page.id, 201);
}

function update(mode: SaveMode) {
  return async (call: Call): Promise<Reply> => answer(call, (await updatePage(call.ctx, authorOf(call, PAGES, call.id()), call.id(), await call.body(), call.lang, mode)).id);
}

async function remove(call: Call): Promise<Reply> {
  await deletePage(call.ctx, authorOf(call, PAGES, call.id()), call.id());
  return noContent();
}

async function bulkDelete(call: Call): Promise<Reply> {
  await deletePages(call.ctx, call.author(), idList(await call.body()));
  return json({ detail: "Eliminazione multipla andata a buon fine" });
}

async function updateOrder(call: Call): Promise<Reply> {
  const body = objectBody(await call.body());
  const read = (key: string): number => {
    const value = own(body, key);
    const id = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    if (!Number.isInteger(id)) throw invalid({ [key]: [value === undefined ? "This field is required." : "A valid integer is required."] });
    return id as number;
  };
  return json(await reorderPages(call.ctx, call.author(), read("startId"), read("endId")));
}

function saveDraft(mode: SaveMode) {
  return async (call: Call): Promise<Reply> =>
    answer(call, (await savePageDraft(call.ctx, authorOf(call, PAGES, call.id()), call.id(), call.lang, objectBody(await call.body()), mode)).id);
}

async function discardDraft(call: Call): Promise<Reply> {
  return answer(call, (await discardPageDraft(call.ctx, authorOf(call, PAGES, call.id()), call.id(), call.lang)).id);
}

async function publish(call: Call): Promise<Reply> {
  const body = await call.body();
  const comment = isObject(body) ? own(body, "comment") : undefined;
  const text = comment === undefined || comment === null ? "" : typeof comment === "string" ? comment : JSON.stringify(comment);
  return answer(call, (await publishPage(call.ctx, authorOf(call, PAGES, call.id()), call.id(), call.lang, text)).id);
}

async function schedule(call: Call): Promise<Reply> {
  const body = objectBody(await call.body());
  const asked = own(body, "publish_at");
  if (asked === undefined || asked === null || asked === "") throw invalid({ publish_at: "This field is required." });
  const at = parseInstant(asked);
  if (!at) throw invalid({ publish_at: "Invalid datetime." });
  const { page, warning } = await schedulePage(call.ctx, authorOf(call, PAGES, call.id()), call.id(), call.lang, at);
  if (warning !== undefined) call.ctx.env.log.warn(warning);
  const answered = answer(call, page.id);
  return warning === undefined ? answered : { ...answered, headers: { ...answered.headers, warning: `299 - "${warning.replace(/["\\]/g, "'")}"` } };
}

async function trash(call: Call): Promise<Reply> {
  return answer(call, (await trashPage(call.ctx, authorOf(call, PAGES, call.id()), call.id())).id);
}

async function restore(call: Call): Promise<Reply> {
  return answer(call, (await restorePage(call.ctx, authorOf(call, PAGES, call.id()), call.id())).id);
}

/** Every commit that changed the live page, newest first, whoever made it (decisions.md 12). */
async function revisions(call: Call): Promise<Reply> {
  const accounts = await call.ctx.accounts.store.list();
  return json((await listRevisions(call.ctx, call.id())).map(revisionPayload(accounts)));
}

async function revert(call: Call): Promise<Reply> {
  return answer(call, (await revertToRevision(call.ctx, authorOf(call, PAGES, call.id()), call.id(), call.params.version!)).id);
}

function preview(call: Call): Reply {
  const page = call.ctx.store.current.get(PAGES, call.id());
  const view = call.view("editor");
  return json(pagePayload(view, overlayDraft(page, call.lang, call.ctx.locales)), 200, PRIVATE);
}

async function render(call: Call): Promise<Reply> {
  const page = call.ctx.store.current.get(PAGES, call.id());
  return html(await renderPage(call, call.view("preview"), page), 200, PRIVATE);
}

/** The stored page, as every read and write answers, with the version the next write may name. */
const answer = (call: Call, id: number, status = 200): Reply =>
  single(call, PAGES, id, (page) => pagePayload({ ...call.view("editor"), now: call.ctx.env.now() }, page), PAGE_LIST, status);

function objectBody(body: unknown): { readonly [key: string]: Json } {
  if (isObject(body)) return body;
  throw invalid({ non_field_errors: [NOT_AN_OBJECT(body)] });
}
