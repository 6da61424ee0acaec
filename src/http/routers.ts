/**
 * The public and the preview router, the change manifest and the sweep: paths in which the final slash has a meaning.
 */
import { objectHash } from "../views/digest.ts";
import { sweepDue } from "../actions/sweep.ts";
import { CmsError } from "../errors.ts";
import { overlayDraft } from "../model/draft.ts";
import { findLang, type Lang } from "../model/locale.ts";
import { renderEpoch } from "../store/page-history.ts";
import { manifest } from "../views/manifest.ts";
import { PAGE_LIST, selectRouteFields } from "../views/listing.ts";
import { pagePayload, type Payload } from "../views/page.ts";
import { resolveRoute } from "../views/route.ts";
import { namedFields } from "./resource.ts";
import { readPublic } from "./public-read.ts";
import { etag, etagsOf, json, jsonText, PRIVATE, type Reply } from "./reply.ts";
import { cachedAnswer, maxAge, remember, type CachedAnswer } from "./router-cache.ts";
import { authorize, type Call, type Route } from "./route.ts";

interface RouterRow extends Route {
  /** The public path asked for, decoded; undefined when the row does not answer this. */
  match(below: string): string | undefined;
}

const exactly = (path: string) => (below: string) => (below === path ? "" : undefined);
/** `/pages-router` alone means the home page (decisions.md 27). */
const under = (prefix: string) => (below: string) => (below === prefix ? "/" : below.startsWith(`${prefix}/`) ? below.slice(prefix.length) : undefined);

/** Slash-less `changes` and `publish-due` come first; with a slash they are pages (interface.md, Public page router 9). */
export const ROUTER_ROUTES: readonly RouterRow[] = [
  { method: "GET", path: "pages-router/changes", access: "public", handle: changes, match: exactly("/pages-router/changes") },
  { method: "POST", path: "pages-router/publish-due", access: { staff: true }, handle: publishDue, match: exactly("/pages-router/publish-due") },
  { method: "GET", path: "pages-router/**", access: "public", handle: publicPage, match: under("/pages-router") },
  { method: "GET", path: "pages-router-preview/**", access: "user", handle: previewPage, match: under("/pages-router-preview") },
];

/** @param below the path below the API root, decoded. @returns undefined when it is none of these */
export async function routerReply(call: Call, below: string): Promise<Reply | undefined> {
  for (const row of ROUTER_ROUTES) {
    const path = row.match(below);
    if (path === undefined) continue;
    authorize(row.access, call.user);
    const allowed = row.method === "GET" ? ["GET", "HEAD"] : [row.method];
    if (!allowed.includes(call.method)) {
      const refusal = json({ detail: `Method "${call.method}" not allowed.` }, 405, { ...PRIVATE, allow: allowed.join(", ") });
      return refusal;
    }
    return row.handle({ ...call, params: { path } });
  }
  return undefined;
}

/** contract.md 8.1. The body of a hidden page and of one that never was is the same (decisions.md 28). */
async function publicPage(call: Call): Promise<Reply> {
  const path = call.params.path!;
  const query = call.url.searchParams;
  const key = [call.origin, path, query.get("included_translations") ?? "", query.getAll("fields").at(-1) ?? ""].join("\n");
  const known = cachedAnswer(call.ctx.store.current, key, call.now);
  if (known) return answer(call, known);
  const { route, view, lasts } = await readPublic(call, path);
  if (route.kind === "missing") throw new CmsError("not_found", "Not found.");
  const value = route.kind === "redirect" ? { redirect: route.to, status: route.status } : cut(call, pagePayload(view, route.page, included(call)));
  const body = JSON.stringify(value);
  if (!lasts) return jsonText(body, { etag: etag(objectHash(value)), "cache-control": "no-cache" });
  return answer(call, remember(call.ctx.config, call.ctx.store.current, key, view.now, body, objectHash(value)));
}

function answer(call: Call, cached: CachedAnswer): Reply {
  const headers = { etag: etag(cached.etag), "cache-control": maxAge(cached, call.now) };
  const isKnown = etagsOf(call.headers.get("if-none-match") ?? "").includes(cached.etag);
  return isKnown ? { status: 304, headers, body: null } : jsonText(cached.body, headers);
}

/** Same shape and canonical rules, no public gate, the pending draft over it, nothing applied (contract.md 8.6). */
function previewPage(call: Call): Reply {
  const view = call.view("preview");
  const route = resolveRoute(view, call.params.path!);
  if (route.kind === "missing") throw new CmsError("not_found", "Not found.");
  if (route.kind === "redirect") return json({ redirect: route.to, status: route.status }, 200, PRIVATE);
  const shown = overlayDraft(route.page, route.lang, call.ctx.locales);
  return json(cut(call, pagePayload({ ...view, lang: route.lang }, shown, included(call))), 200, PRIVATE);
}

/** The payload with only the `fields` asked for, of its address and of its page (contract.md 5.2). */
const cut = (call: Call, payload: Payload): Payload =>
  selectRouteFields(payload, namedFields(call, PAGE_LIST), PAGE_LIST, call.ctx.locales);

/** `all`, or codes separated by commas; unknown ones add nothing (contract.md 8.4). */
function included(call: Call): readonly Lang[] {
  const asked = call.url.searchParams.get("included_translations") ?? "";
  const { locales } = call.ctx;
  if (asked.trim().toLowerCase() === "all") return locales.codes;
  const named = asked.split(",").flatMap((code) => findLang(locales, code) ?? []);
  return locales.codes.filter((lang) => named.includes(lang));
}

async function changes(call: Call): Promise<Reply> {
  const { store, history } = call.ctx;
  const epoch = await renderEpoch(store.repo, history, store.current);
  return json(manifest(call.view("public"), epoch), 200, { "cache-control": "no-cache" });
}

async function publishDue(call: Call): Promise<Reply> {
  const { published } = await sweepDue(call.ctx, call.author(), "Scheduled publish (static build)");
  return json({ published: published.length }, 200, PRIVATE);
}
