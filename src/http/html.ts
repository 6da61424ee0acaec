/** The HTML route: public pages with their templates, redirects as redirects. */
import { ensureHomepage } from "../actions/homepage.ts";
import { CmsError } from "../errors.ts";
import { splitLang, type Lang } from "../model/locale.ts";
import type { JsonObject } from "../model/json.ts";
import type { Page } from "../model/page.ts";
import type { TemplateRequest } from "../render/inject.ts";
import { renderInput, renderPage, renderSiteHtml } from "../render/page.ts";
import { ROBOTS, robotsText, sitemaps } from "../views/sitemap.ts";
import type { View } from "../views/view.ts";
import { readPublic } from "./public-read.ts";
import { html, redirect, type Headers, type Reply } from "./reply.ts";
import type { Call } from "./route.ts";

const NOT_FOUND_TEMPLATE = "404.html";

/** contract.md 15: redirect table, slash form, page or 404. */
export async function siteReply(call: Call, path: string): Promise<Reply> {
  const { config } = call.ctx;
  const file = await siteFileReply(call, path.slice(1));
  if (file) return file;
  const { route, view } = await readPublic(call, path);
  const { search, pathname } = call.url;
  if (route.kind === "missing" && !route.hidden && config.RENDER.AUTO_CREATE_HOMEPAGE && isHome(call, path)) {
    if (await createHomepage(call, route.lang)) return siteReply(call, path);
  }
  if (route.kind === "redirect" && !route.page) return redirect(withQuery(route.to, search), route.status);
  if (config.APPEND_SLASH && !path.endsWith("/"))
    return redirect(withQuery(`${pathname.replace(/^\/+/, "/")}/`, search), 302);
  if (route.kind === "redirect" && !isDefaultPrefixed(call, path, route.to))
    return redirect(withQuery(route.to, search), 302);
  if (route.kind === "missing" || !route.page) return html(notFoundPage(call, view), 404, NO_CACHE);
  return html(await pageHtml(call, view, route.page), 200, { ...NO_CACHE, "content-language": view.lang });
}

const NO_CACHE: Headers = { "cache-control": "no-cache" };

/** Unlike the routers, this route serves a path with the default language's prefix as it is (contract.md 15). */
const isDefaultPrefixed = (call: Call, path: string, canonical: string): boolean =>
  decodeURI(canonical) === splitLang(call.ctx.locales, path).rest;

/** @returns false when there is one already, or the site cannot be written now */
async function createHomepage(call: Call, lang: Lang): Promise<boolean> {
  try {
    return (await ensureHomepage(call.ctx, lang)).value;
  } catch (error) {
    if (error instanceof CmsError && error.code === "unavailable") return false;
    throw error;
  }
}

const isHome = (call: Call, path: string): boolean => splitLang(call.ctx.locales, path).rest === "/";

/** The files for search engines, as `cms build` writes them. */
async function siteFileReply(call: Call, name: string): Promise<Reply | undefined> {
  const reply = (type: string, body: string): Reply => ({
    status: 200,
    headers: { "content-type": `${type}; charset=utf-8`, ...NO_CACHE },
    body,
  });
  if (name === ROBOTS) return reply("text/plain", robotsText(call.ctx.config.BASE_URL));
  if (!/^sitemap(-\d{1,6})?\.xml$/.test(name)) return undefined;
  const text = (await sitemaps(call.view("public"))).get(name);
  return text === undefined ? undefined : reply("application/xml", text);
}

/**
 * A page for an editor: `page` has the live values as on the public site, and the pending draft is `draft_data`
 * (contract.md 7.8, decisions.md 43).
 *
 * @throws CmsError `broken` naming the template that fails
 */
export const previewPage = (call: Call, view: View, page: Page): Promise<string> =>
  pageHtml(call, view, page, page.drafts[view.lang]?.payload);

function pageHtml(call: Call, view: View, page: Page, draft?: JsonObject): Promise<string> {
  const relative = { ...view, origin: "" };
  return renderPage(call.ctx.templates, relative, renderInput(relative, page), requestOf(call, view), { draft });
}

function notFoundPage(call: Call, view: View): string {
  if (!call.ctx.templates.has(NOT_FOUND_TEMPLATE)) return "<!doctype html><title>Not found</title><h1>Not found</h1>";
  return renderSiteHtml(call.ctx.templates, { ...view, origin: "" }, NOT_FOUND_TEMPLATE, requestOf(call, view));
}

const withQuery = (target: string, search: string): string => (target.includes("?") ? target : target + search);

const requestOf = (call: Call, view: View): TemplateRequest => ({
  path: call.url.pathname,
  url: call.origin + call.url.pathname + call.url.search,
  host: new URL(call.origin).host,
  language: view.lang,
});
