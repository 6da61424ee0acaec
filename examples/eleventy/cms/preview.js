/** Pages with their drafts at /preview/<path>, in `eleventy --serve` only. Needs a running service: CMS_URL and CMS_TOKEN. */
import { renderPage } from "../views/page.js";
import { site } from "./site.js";

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { AnyPage, Article, Redirect } from "./cms-types.js" */

/**
 * Refuses requests of other machines: the server of Eleventy listens on all interfaces, and has no setting for that.
 *
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {() => void} next
 */
export function localOnly({ socket }, response, next) {
  if (/^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? "")) return next();
  response.writeHead(403, { "Content-Type": "text/plain; charset=utf-8" }).end("Only this machine may ask.");
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {() => void} next
 */
export async function preview({ url = "" }, response, next) {
  if (!url.startsWith("/preview/")) return next();
  const { CMS_URL = "http://127.0.0.1:8000", CMS_TOKEN } = process.env;
  const answer = await fetch(`${CMS_URL}/api/cms/pages-router-preview${url.slice("/preview".length)}`, {
    headers: { Authorization: `Token ${CMS_TOKEN}` },
  });
  if (!answer.ok) {
    response.writeHead(answer.status, { "Content-Type": "text/plain; charset=utf-8" }).end(await answer.text());
    return;
  }
  const page = /** @type {AnyPage | Article | Redirect} */ (await answer.json());
  if ("redirect" in page) response.writeHead(302, { Location: `/preview${page.redirect}` }).end();
  else response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(renderPage(page, site()));
}
