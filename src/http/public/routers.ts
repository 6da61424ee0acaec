/**
 * The public and the preview router, the change manifest and the sweep: paths in which the final slash has a meaning.
 */
import { textHash } from "../../views/manifest/json-digest.ts";
import { sweepDue } from "../../actions/pages/sweep.ts";
import { CmsError } from "../../errors.ts";
import { msOf } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import { answerManifest } from "../../views/manifest/manifest.ts";
import { PAGE_LIST } from "../../views/page/page-list.ts";
import { selectRouteFields } from "../../views/lists/field-selection.ts";
import { versionsReader } from "../../views/manifest/dependencies.ts";
import { addressPayload } from "../../views/page/pagination.ts";
import type { ListPlace } from "../../model/address/list-address.ts";
import type { Page } from "../../model/page/page.ts";
import { withPaths } from "../../views/page/field-paths.ts";
import type { Payload, View } from "../../views/view.ts";
import { resolveRoute } from "../../views/page/route.ts";
import { actionBody, namedFields } from "../app/resource.ts";
import { whenReady } from "../../library/at-once.ts";
import { readPublic, type PublicRead } from "../../library/publish-on-read.ts";
import { record, text } from "../../schema/json-schema.ts";
import { notModified } from "../request/conditional.ts";
import { publicView } from "../app/call.ts";
import type { Parameter } from "../openapi/operation.ts";
import { etag, json, jsonPieces, jsonText, JSON_TYPE, PRIVATE, type Reply } from "../request/reply.ts";
import { KEY_PARAMETER, keptPreviewsOf } from "./kept-previews.ts";
import { includedTranslations, ROUTER_QUERY } from "./router-query.ts";
import { answerKey, cacheControl, maxAge, routerCacheOf, type CachedAnswer } from "./router-cache.ts";
import { allowOf, get, post, type Call, type Matched, type Route } from "../app/route.ts";

interface RouterRow extends Route {
  /** The requested public path, decoded; undefined when the row does not match. */
  match(below: string): string | undefined;
}

const exactly = (path: string) => (below: string) => (below === path ? "" : undefined);
/** `/pages-router` alone means the home page. */
const under = (prefix: string) => (below: string) =>
  !below.startsWith(prefix)
    ? undefined
    : below.length === prefix.length
      ? "/"
      : below[prefix.length] === "/"
        ? below.slice(prefix.length)
        : undefined;

export const PATHS: Parameter = {
  name: "paths",
  description: "`1`: with `paths`, the kind of each field of the page by its path in the payload.",
  schema: text("1"),
};
const KEY: Parameter = {
  name: KEY_PARAMETER,
  description: "The key of values that are not saved, which the editor gives to the front end in its frame.",
  schema: text("Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFy"),
};

/**
 * Slash-less `changes` and `publish-due` come first; with a slash they are pages.
 */
export const ROUTER_ROUTES: readonly RouterRow[] = [
  {
    ...get("pages-router/changes", "public", changes, {
      summary: "Read the change manifest",
      description: "Every public page with a hash that changes exactly when its payload does, for builds.",
      answer: "Manifest",
      isConditional: true,
    }),
    match: exactly("/pages-router/changes"),
  },
  {
    ...post("pages-router/publish-due", { staff: true }, publishDue, {
      summary: "Publish all drafts and releases that are due",
      body: record({}),
      isBodyOptional: true,
      answer: "Published",
    }),
    match: exactly("/pages-router/publish-due"),
  },
  {
    ...get("pages-router/**", "public", publicPage, {
      summary: "Read a public page by its path",
      description: "A path that is not canonical, and a former one, is answered with a redirect, as JSON.",
      query: ROUTER_QUERY,
      answer: "PublicAnswer",
      isConditional: true,
    }),
    match: under("/pages-router"),
  },
  {
    ...get("pages-router-preview/**", "user", previewPage, {
      summary: "Read any page by its path, with its pending draft",
      description: "With `key`, as it is typed at present, without an account.",
      query: [...ROUTER_QUERY, PATHS, KEY],
      answer: "PreviewAnswer",
    }),
    byKey: keptPage,
    match: under("/pages-router-preview"),
  },
];

const ROWS = ROUTER_ROUTES.map((row) => ({
  match: row.match,
  byMethod: new Map([[row.method as string, row as Route]]),
  allow: allowOf([row.method]),
}));

/** @param below the path below the API root, decoded. @returns undefined when it is none of these */
export function findRouter(below: string): Matched | undefined {
  for (const { match, byMethod, allow } of ROWS) {
    const path = match(below);
    if (path !== undefined) return { params: { path }, byMethod, allow, isRouter: true };
  }
  return undefined;
}

/** Hidden and unknown pages get the same answer. */
function publicPage(call: Call): Reply | Promise<Reply> {
  const asked = askedOf(call);
  const known = fromCache(call, asked);
  if (known) return known;
  return whenReady(readPublic(call.ctx, publicView(call), asked.path), (read) => publicReply(call, asked, read));
}

interface AskedPage {
  readonly path: string;
  /** Whose texts are added. */
  readonly langs: readonly Lang[];
  /** The key of the answer in the cache. */
  readonly key: string;
}

function askedOf(call: Call): AskedPage {
  const path = call.params.path ?? "";
  const langs = call.url.search === "" ? [] : includedTranslations(call);
  const fields = call.url.search === "" ? "" : (call.url.searchParams.getAll("fields").at(-1) ?? "");
  return { path, langs, key: answerKey(call.origin, path, langs, fields) };
}

function fromCache(call: Call, { key }: AskedPage): Reply | undefined {
  const known = routerCacheOf(call.ctx).find(call.ctx.store.current, key, msOf(call.now));
  return known && answer(call, known, true);
}

/** @throws CmsError `not_found` */
function publicReply(call: Call, { langs, key }: AskedPage, { route, view, content, isCacheable }: PublicRead): Reply {
  if (route.kind === "missing") throw new CmsError("not_found", "Not found.");
  const cache = isCacheable ? routerCacheOf(call.ctx) : undefined;
  const known = cache?.renew(content, key, route, view.now);
  if (known) return answer(call, known, true);
  const { reader, reads } = cache && !cache.isOff ? versionsReader(content) : { reader: view.content, reads: [] };
  const value =
    route.kind === "redirect"
      ? { redirect: route.to, status: route.status }
      : selected(call, addressPayload({ ...view, content: reader }, route.page, route.place, langs));
  const body = JSON.stringify(value);
  const version = textHash(body);
  if (!cache) return jsonText(body, { etag: etag(version), "cache-control": "no-cache" });
  return answer(call, cache.remember(content, key, view.now, { route, reads, body, etag: version }), false);
}

function answer(call: Call, cached: CachedAnswer, isFromCache: boolean): Reply {
  const headers = { etag: etag(cached.etag), "cache-control": cacheControl(maxAge(cached, msOf(call.now))) };
  const known = notModified(call.headers, headers);
  if (known) return { ...known, isFromCache };
  // Adding a key to a spread object takes V8 a hundred times as long as making one: here and in other answers.
  return { status: 200, headers: { "content-type": JSON_TYPE, ...headers }, body: cached.body, cached, isFromCache };
}

/** As the public router, but pages need not be public, and drafts are overlaid and never applied. */
function previewPage(call: Call): Reply {
  const view = call.view("preview");
  const route = resolveRoute(view, call.params.path ?? "");
  if (route.kind === "missing") throw new CmsError("not_found", "Not found.");
  if (route.kind === "redirect") return json({ redirect: route.to, status: route.status }, 200, PRIVATE);
  const { page, lang, place } = route;
  return previewReply(call, { ...view, lang }, page, place);
}

/**
 * The page at a path as it is kept under the key of the request.
 *
 * @throws CmsError `not_found` for a key that does not hold, or holds for another page
 */
function keptPage(call: Call): Reply {
  const kept = keptPreviewsOf(call.ctx.store).find(call.url.searchParams.get(KEY_PARAMETER) ?? "", call.now);
  if (!kept) throw new CmsError("not_found", "Not found.");
  const view = call.view("preview", { content: kept.store.current });
  const route = resolveRoute(view, call.params.path ?? "");
  if (route.kind !== "page" || route.page.id !== kept.page.id || route.lang !== kept.lang)
    throw new CmsError("not_found", "Not found.");
  return previewReply(call, { ...view, lang: kept.lang }, kept.page, route.place);
}

function previewReply(call: Call, view: View, page: Page, place: ListPlace | undefined): Reply {
  const payload = selected(call, addressPayload(view, page, place, includedTranslations(call)));
  return json(pathsIfAsked(call, view, page, payload), 200, PRIVATE);
}

export const pathsIfAsked = (call: Call, view: View, page: Page, payload: Payload): Payload =>
  call.url.searchParams.get("paths") === "1" ? withPaths(view, page, payload) : payload;

/** The payload with only the requested `fields`. */
const selected = (call: Call, payload: Payload): Payload =>
  call.url.search === ""
    ? payload
    : selectRouteFields(payload, namedFields(call, PAGE_LIST), PAGE_LIST, call.ctx.locales);

async function changes(call: Call): Promise<Reply> {
  const { pieces, version } = await answerManifest(call.ctx, {
    ...call.view("public"),
    content: call.ctx.store.current,
  });
  // Weak: two answers of one version differ in `server_time`.
  const headers = { etag: `W/${etag(version)}`, "cache-control": "no-cache" };
  return notModified(call.headers, headers) ?? jsonPieces(pieces, headers);
}

async function publishDue(call: Call): Promise<Reply> {
  await actionBody(call);
  const { ctx } = call;
  // What is due was judged when it was scheduled, so it is published for any account that may ask for it.
  const whole = { ...ctx, store: ctx.store.narrowing?.whole ?? ctx.store };
  const { published, releases } = await sweepDue(whole, call.author(), "Scheduled publish (static build)");
  return json({ published: published.length + releases.published.length }, 200, PRIVATE);
}
