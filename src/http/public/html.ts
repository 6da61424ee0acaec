/** The HTML route: public pages with their templates, and the files for search engines. */
import { CmsError } from "../../errors.ts";
import { whenReady } from "../../library/at-once.ts";
import { readPublic } from "../../library/publish-on-read.ts";
import { renderPath, templateRequest } from "../../library/render.ts";
import { encodePath, findLang, firstSegment, publicPath, splitLang } from "../../model/language/locale.ts";
import type { Page } from "../../model/page/page.ts";
import { permalinkOf } from "../../model/address/permalink.ts";
import { BRIDGE_PATH } from "../../model/address/possible-names.ts";
import { pageAddressOf, precedesPages } from "../../model/address/static-file.ts";
import { renderInput, renderPage } from "../../render/page.ts";
import { systemFailure } from "../../store/git/disk-error.ts";
import { digestPayload } from "../../views/manifest/json-digest.ts";
import { addressPayload } from "../../views/page/pagination.ts";
import type { View } from "../../views/view.ts";
import { defectReply } from "../request/errors.ts";
import { html, jsonText, PRIVATE, redirect, type Headers, type Reply } from "../request/reply.ts";
import type { Call } from "../app/route.ts";
import { publicView } from "../app/call.ts";
import { beforeBodyEnd } from "./body-end.ts";
import { KEY_PARAMETER } from "./kept-previews.ts";
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
export function siteReply(call: Call, path: string, explain?: Explain): Reply | Promise<Reply> {
  const failed = (error: unknown): Reply => {
    if ((error instanceof CmsError && error.code !== "broken") || systemFailure(error)) throw error;
    const reply = defectReply(error, call.ctx.env, { method: call.method, path: call.url.pathname });
    const id = reply.headers["x-request-id"] ?? "";
    if (explain) return html(explain(error, id), 500, { ...PRIVATE, "x-request-id": id });
    const isForBrowser = call.headers.get("accept")?.includes("text/html");
    return isForBrowser ? html(failedPage(id), 500, { ...PRIVATE, "x-request-id": id }) : reply;
  };
  try {
    // Files have names with a dot, and permalinks have none.
    const found = path.includes(".")
      ? fileOrPage(call, path)
      : whenReady(pageReply(call, path), (reply) => replyOrFile(call, path, reply));
    return found instanceof Promise ? found.catch(failed) : found;
  } catch (error) {
    return failed(error);
  }
}

const failedPage = (requestId: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>Internal server error</title><h1>This page cannot be shown</h1>` +
  `<p>The server failed to make it. Its log has the reason under request ${requestId}.</p></html>`;

async function fileOrPage(call: Call, path: string): Promise<Reply> {
  const first = (precedesPages(path) && (await staticReply(call, path))) || (await siteFileReply(call, path.slice(1)));
  return first ?? replyOrFile(call, path, (await pageFileReply(call, path)) ?? (await pageReply(call, path)));
}

/**
 * The reply of the pages, or a file of `static/` where they have no page. Below the prefix of the default language files come
 * first, since builds have no pages there.
 */
function replyOrFile(call: Call, path: string, reply: Reply): Reply | Promise<Reply> {
  const { locales } = call.ctx.config;
  const isOfPages = reply.status === 200 && findLang(locales, firstSegment(path)) !== locales.default;
  return isOfPages ? reply : fileInstead(call, path, reply);
}

async function fileInstead(call: Call, path: string, reply: Reply): Promise<Reply> {
  const file = await staticReply(call, path);
  if (file || ![200, 404].includes(reply.status) || path.endsWith("/")) return file ?? reply;
  // Relative links of an index.html need the final slash.
  const { pathname, search } = call.url;
  return (await findStaticFile(call, `${path}/`)) ? redirect(`${pathname}/${search}`, 302) : reply;
}

function pageReply(call: Call, path: string, pathname = call.url.pathname): Reply | Promise<Reply> {
  const request = { path, pathname, search: call.url.search, origin: call.origin };
  return whenReady(
    renderPath(call.ctx, () => publicView(call), request),
    (rendered) => {
      if ("location" in rendered) return redirect(rendered.location, rendered.status);
      if (rendered.status === 404) return html(rendered.html, 404, NO_CACHE);
      return html(rendered.html, 200, { "cache-control": "no-cache", "content-language": rendered.lang });
    },
  );
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
  return jsonText(digestPayload(addressPayload({ ...view, origin: "" }, route.page, route.place)).text, NO_CACHE);
}

/**
 * A page for an editor: `page` has the live values as on the public site, and the pending draft is `draft_data`. With the bridge
 * where the request has a key, as in the editor's frame.
 *
 * @throws CmsError `broken` naming the template that fails
 */
export function previewPage(call: Call, view: View, page: Page): string | Promise<string> {
  const { pathname, search } = call.url;
  const relative = { ...view, origin: "" };
  const request = templateRequest({ pathname, search, origin: call.origin }, view.lang);
  const draft = page.drafts[view.lang]?.payload;
  const options = { draft, marksFields: true };
  const rendered = renderPage(call.ctx.templates, relative, renderInput(relative, page), request, options);
  if (!call.url.searchParams.has(KEY_PARAMETER)) return rendered;
  // Not deferred, or it would wait for every script of the page.
  const bridge = `<script src="${call.ctx.config.BASE_PATH}${BRIDGE_PATH}" data-refresh></script>`;
  return whenReady(rendered, (text) => beforeBodyEnd(text, bridge));
}
