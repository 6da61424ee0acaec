/** The HTML route: public pages with their templates, redirects as redirects. */
import { ensureHomepage } from "../actions/homepage.ts";
import { CmsError } from "../errors.ts";
import { splitLang, type Lang } from "../model/locale.ts";
import type { Page } from "../model/page.ts";
import { renderPageHtml, renderSiteHtml } from "../render/page.ts";
import type { RequestFacts } from "../render/request.ts";
import { ROBOTS, robotsText, sitemaps } from "../views/sitemap.ts";
import type { View } from "../views/view.ts";
import { readPublic } from "./public-read.ts";
import { html, redirect, type Reply } from "./reply.ts";
import type { Call } from "./route.ts";

const NOT_FOUND_TEMPLATE = "404.html";

/** contract.md 15: redirect table, slash form, page or 404. */
export async function siteReply(call: Call, path: string): Promise<Reply> {
  const { config } = call.ctx;
  const file = siteFileReply(call, path.slice(1));
  if (file) return file;
  const { route, view } = await readPublic(call, path);
  if (route.kind === "missing" && !route.hidden && config.RENDER.AUTO_CREATE_HOMEPAGE && isHome(call, path)) {
    if (await madeHomepage(call, route.lang)) return siteReply(call, path);
  }
  if (route.kind === "redirect" && !route.page) return redirect(withQuery(route.to, call.url.search), route.status);
  const wantsSlash = config.APPEND_SLASH && !path.endsWith("/");
  if (wantsSlash) return redirect(withQuery(call.url.pathname.replace(/^\/+/, "/") + "/", call.url.search), 302);
  if (route.kind === "missing") return html(notFoundPage(call, view), 404, { "cache-control": "no-cache" });
  if (route.kind === "redirect" && !isDefaultPrefixed(call, path, route.to))
    return redirect(withQuery(route.to, call.url.search), 302);
  const body = await renderPageHtml(call.ctx.templates, { ...view, origin: "" }, route.page!, facts(call, view));
  return html(body, 200, { "cache-control": "no-cache", "content-language": view.lang });
}

/** On this route the default language's own prefix is no other address, unlike on the routers (contract.md 15). */
const isDefaultPrefixed = (call: Call, path: string, canonical: string): boolean =>
  decodeURI(canonical) === splitLang(call.ctx.locales, path).rest;

/** A site that cannot be written just now goes without. */
async function madeHomepage(call: Call, lang: Lang): Promise<boolean> {
  try {
    return (await ensureHomepage(call.ctx, lang)).value;
  } catch (error) {
    if (error instanceof CmsError && error.code === "unavailable") return false;
    throw error;
  }
}

const isHome = (call: Call, path: string): boolean => splitLang(call.ctx.locales, path).rest === "/";

/** The files for search engines, as `cms build` writes them. */
function siteFileReply(call: Call, name: string): Reply | undefined {
  const reply = (type: string, body: string): Reply => ({
    status: 200,
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache" },
    body,
  });
  if (name === ROBOTS) return reply("text/plain", robotsText(call.ctx.config.BASE_URL));
  if (!/^sitemap(-\d{1,6})?\.xml$/.test(name)) return undefined;
  const text = sitemaps(call.view("public")).get(name);
  return text === undefined ? undefined : reply("application/xml", text);
}

/**
 * A page for an editor: `page` has the live values as on the public site, and the pending draft is `draft_data`
 * (contract.md 7.8, decisions.md 43).
 *
 * @throws CmsError `broken` naming the template that fails
 */
export const renderPage = (call: Call, view: View, page: Page): Promise<string> =>
  renderPageHtml(call.ctx.templates, { ...view, origin: "" }, page, facts(call, view), page.drafts[view.lang]?.payload);

function notFoundPage(call: Call, view: View): string {
  if (!call.ctx.templates.has(NOT_FOUND_TEMPLATE)) return "<!doctype html><title>Not found</title><h1>Not found</h1>";
  return renderSiteHtml(call.ctx.templates, { ...view, origin: "" }, NOT_FOUND_TEMPLATE, facts(call, view));
}

const withQuery = (target: string, search: string): string => (target.includes("?") ? target : target + search);

const facts = (call: Call, view: View): RequestFacts => ({
  path: call.url.pathname,
  url: call.origin + call.url.pathname + call.url.search,
  host: new URL(call.origin).host,
  language: view.lang,
});
