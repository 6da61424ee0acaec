/** The HTML route: public pages with their templates, and the files for search engines. */
import { CmsError } from "../errors.ts";
import { renderPath, templateRequest } from "../library/render.ts";
import type { Page } from "../model/page.ts";
import { renderInput, renderPage } from "../render/page.ts";
import { ROBOTS, robotsText, sitemaps } from "../views/sitemap.ts";
import type { View } from "../views/view.ts";
import { defectReply } from "./errors.ts";
import { html, PRIVATE, redirect, type Headers, type Reply } from "./reply.ts";
import type { Call } from "./route.ts";

const NO_CACHE: Headers = { "cache-control": "no-cache" };

/** What explains a failure to the person who works on the site. @returns HTML */
type Explain = (error: unknown, requestId: string) => string;

/**
 * A page or a file for search engines. A page that cannot be made is logged, and answered as HTML with status 500.
 *
 * @param path decoded
 * @param explain in development mode
 */
export async function siteReply(call: Call, path: string, explain?: Explain): Promise<Reply> {
  try {
    return await pageOrFile(call, path);
  } catch (error) {
    if (error instanceof CmsError && error.code !== "broken") throw error;
    const reply = defectReply(error, call.ctx.env, { method: call.method, path: call.url.pathname });
    const id = reply.headers["x-request-id"] ?? "";
    if (explain) return html(explain(error, id), 500, { ...PRIVATE, "x-request-id": id });
    const isForBrowser = call.headers.get("accept")?.includes("text/html");
    return isForBrowser ? html(failedPage(id), 500, { ...PRIVATE, "x-request-id": id }) : reply;
  }
}

const failedPage = (requestId: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>Internal server error</title><h1>This page cannot be shown</h1>` +
  `<p>The server failed to make it. Its log has the reason under request ${requestId}.</p></html>`;

async function pageOrFile(call: Call, path: string): Promise<Reply> {
  const file = await siteFileReply(call, path.slice(1));
  if (file) return file;
  const { pathname, search } = call.url;
  const rendered = await renderPath(call.ctx, () => publicView(call), { path, pathname, search, origin: call.origin });
  if ("location" in rendered) return redirect(rendered.location, rendered.status);
  if (rendered.status === 404) return html(rendered.html, 404, NO_CACHE);
  return html(rendered.html, 200, { ...NO_CACHE, "content-language": rendered.lang });
}

/** A public view of a snapshot, as caches need it. Its language is replaced by that of the path later. */
export function publicView(call: Call) {
  const content = call.ctx.store.current;
  return { ...call.view("public", { content, lang: call.ctx.locales.default }), content };
}

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
export function previewPage(call: Call, view: View, page: Page): Promise<string> {
  const { pathname, search } = call.url;
  const relative = { ...view, origin: "" };
  const request = templateRequest({ pathname, search, origin: call.origin }, view.lang);
  const draft = page.drafts[view.lang]?.payload;
  return renderPage(call.ctx.templates, relative, renderInput(relative, page), request, { draft });
}
