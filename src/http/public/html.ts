/** The HTML route: public pages with their templates, and the files for search engines. */
import { CmsError } from "../../errors.ts";
import { readPublic } from "../../library/public-read.ts";
import { renderPath, renderPathNow, templateRequest } from "../../library/render.ts";
import { encodePath, publicPath, splitLang, type Lang } from "../../model/language/locale.ts";
import type { Page } from "../../model/page/page.ts";
import { permalinkOf } from "../../model/address/permalink.ts";
import { pageAddressOf, precedesPages } from "../../model/address/static-file.ts";
import { renderInput, renderPage } from "../../render/page.ts";
import { systemFailure } from "../../store/git/disk-error.ts";
import { digestPayload } from "../../views/manifest/digest.ts";
import { pagePayload } from "../../views/page/page.ts";
import type { View } from "../../views/view.ts";
import { defectReply } from "../request/errors.ts";
import { html, jsonText, PRIVATE, redirect, type Headers, type Reply } from "../request/reply.ts";
import type { Call } from "../request/route.ts";
import { publicView } from "./public-view.ts";
import { siteFileReply } from "./site-files.ts";
import { findStaticFile, staticReply } from "./static-files.ts";

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
    if ((error instanceof CmsError && error.code !== "broken") || systemFailure(error)) throw error;
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
  const first = (precedesPages(path) && (await staticReply(call, path))) || (await siteFileReply(call, path.slice(1)));
  if (first) return first;
  const reply = (await pageFileReply(call, path)) ?? (await pageReply(call, path));
  if (reply.status === 200) return reply;
  const file = await staticReply(call, path);
  if (file || reply.status !== 404 || path.endsWith("/")) return file ?? reply;
  // Relative links of an index.html need the final slash.
  const { pathname, search } = call.url;
  return (await findStaticFile(call, `${path}/`)) ? redirect(`${pathname}/${search}`, 302) : reply;
}

async function pageReply(call: Call, path: string, pathname = call.url.pathname): Promise<Reply> {
  const { search } = call.url;
  const rendered = await renderPath(call.ctx, () => publicView(call), { path, pathname, search, origin: call.origin });
  if ("location" in rendered) return redirect(rendered.location, rendered.status);
  if (rendered.status === 404) return html(rendered.html, 404, NO_CACHE);
  return shownPage(rendered);
}

const shownPage = ({ html: text, lang }: { readonly html: string; readonly lang: Lang }): Reply =>
  html(text, 200, { "cache-control": "no-cache", "content-language": lang });

/**
 * A page at its canonical path, as `siteReply`, where nothing has to be waited for; undefined for all else.
 *
 * @param path decoded; of no file of the library and no part of the service
 * @throws CmsError `broken` naming the template that fails
 */
export function pageReplyNow(call: Call, path: string): Reply | undefined {
  // Files have names with a dot, and permalinks have none.
  if (path.includes(".")) return undefined;
  const { pathname, search } = call.url;
  const rendered = renderPathNow(call.ctx, publicView(call), { path, pathname, search, origin: call.origin });
  return rendered && shownPage(rendered);
}

/** `index.html` and `index.json` of a page's folder, as a build writes them. @returns undefined where there is no page */
async function pageFileReply(call: Call, path: string): Promise<Reply | undefined> {
  const folder = pageAddressOf(path);
  if (folder === undefined) return undefined;
  const { locales, config } = call.ctx;
  const { lang, rest } = splitLang(locales, folder);
  const address = publicPath(locales, lang, permalinkOf(rest), config.APPEND_SLASH);
  const { route, view } = await readPublic(call.ctx, publicView(call), address);
  if (route.kind !== "page") return undefined;
  if (path.endsWith(".html")) return pageReply(call, address, encodePath(address));
  return jsonText(digestPayload(pagePayload({ ...view, origin: "" }, route.page)).text, NO_CACHE);
}

/**
 * A page for an editor: `page` has the live values as on the public site, and the pending draft is `draft_data`.
 *
 * @throws CmsError `broken` naming the template that fails
 */
export function previewPage(call: Call, view: View, page: Page): Promise<string> {
  const { pathname, search } = call.url;
  const relative = { ...view, origin: "" };
  const request = templateRequest({ pathname, search, origin: call.origin }, view.lang);
  const draft = page.drafts[view.lang]?.payload;
  return renderPage(call.ctx.templates, relative, renderInput(relative, page), request, { draft, marksFields: true });
}
