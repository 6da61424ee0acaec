/**
 * Reads by preview links: the public site in one other state, without an account.
 *
 * The token of a link is a parameter of its address. On pages it is kept in a cookie, so that links, pictures and style
 * sheets of the page are of the same state; on the API it must be sent with each request. It opens what anyone may read of
 * that state, by GET, and nothing else. Answers are in no cache and in no search engine, and no page learns the token from
 * the header `Referer`.
 */
import { findPreviewLink } from "../../actions/preview-links.ts";
import type { Config } from "../../config.ts";
import { CmsError } from "../../errors.ts";
import type { SiteContext } from "../../library/context.ts";
import { isOfBridge } from "../../model/address/possible-names.ts";
import { msOf } from "../../model/time/instant.ts";
import type { PreviewLink } from "../../model/page/preview-link.ts";
import { RELEASES } from "../../store/records/releases.ts";
import { cookieOf, setCookie } from "../request/cookies.ts";
import { requestedOrigin } from "../request/origin.ts";
import { namesContent, openSite, readOf, type OtherContent } from "./other-content.ts";
import { html, PRIVATE, redirect, type Headers, type Reply } from "../request/reply.ts";
import type { AppRequest } from "../request/request.ts";
import type { Matched } from "../app/route.ts";

export const LINK_PARAMETER = "preview_link";
export const LINK_COOKIE = "cms_preview";

/** Paths of the service itself, which a cookie does not change: else an editor who tried a link could not go on. */
export const isOfService = ({ ADMIN }: Config, path: string): boolean =>
  OF_SERVICE.test(path) || isOfBridge(path) || `${path}/`.startsWith(ADMIN.PATH);
const OF_SERVICE = /^\/(?:healthz|readyz|metrics)(?:\/|$)/;

const LINKED: Headers = { ...PRIVATE, "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" };

/** Whether a request is made with a preview link, valid or not. @param isSite whether its path is outside the API */
export function namesLink(config: Config, { url, headers }: AppRequest, path: string, isSite: boolean): boolean {
  if (url.search !== "" && url.searchParams.has(LINK_PARAMETER)) return true;
  if (!isSite || isOfService(config, path) || namesContent(url)) return false;
  return (headers.get("cookie") ?? "").includes(`${LINK_COOKIE}=`) && cookieOf(headers, LINK_COOKIE) !== undefined;
}

/**
 * Opens what the link of a request shows.
 *
 * @throws CmsError `forbidden` for a link that does not hold, a write, and another parameter that names content
 */
export async function openLinked(ctx: SiteContext, request: AppRequest, isSite: boolean): Promise<OtherContent> {
  const sent = request.url.searchParams.getAll(LINK_PARAMETER);
  const token = sent[0] ?? cookieOf(request.headers, LINK_COOKIE) ?? "";
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isAlone = sent.length < 2 && !namesContent(request.url);
  const link = isRead && isAlone ? await findPreviewLink(ctx, token) : undefined;
  if (!link) throw new CmsError("forbidden", "This preview link does not hold, or not for this request.");
  if (isSite && sent.length > 0) ctx.env.log.info(`Preview link ${link.id} was opened`);
  const site = await siteOf(ctx, link);
  const read = sent.length > 0 ? readOf(site, request, LINK_PARAMETER, token) : { ctx: site, request };
  const seconds = Math.floor((msOf(link.expires_at) - msOf(ctx.env.now())) / 1000);
  const cookie = setCookie(LINK_COOKIE, token, { seconds, secure: isSecure(ctx, request), httpOnly: true });
  return {
    ...read,
    answer(reply) {
      const { cached: _cached, isFromCache: _isFromCache, ...plain } = "answer" in read ? read.answer(reply) : reply;
      const cookies = isSite && sent.length > 0 ? [...(plain.cookies ?? []), cookie] : plain.cookies;
      return { ...plain, headers: { ...plain.headers, ...LINKED }, ...(cookies && { cookies }) };
    },
  };
}

/** @throws CmsError `forbidden` when the state cannot be shown any more: the reason is for staff */
async function siteOf(ctx: SiteContext, { id, context, value }: PreviewLink): Promise<SiteContext> {
  const name = context === "release" ? (ctx.store.current.find(RELEASES, Number(value))?.name ?? "") : value;
  try {
    return await openSite(ctx, context, name);
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    ctx.env.log.warn(`Preview link ${id} cannot be shown: ${error.message}`);
    throw new CmsError("forbidden", "What this preview link shows does not exist at present.", { cause: error });
  }
}

/** @throws CmsError `forbidden` on routes that are not for anyone */
export function refuseBeyondLink({ byMethod }: Matched): void {
  if (byMethod.get("GET")?.access !== "public")
    throw new CmsError("forbidden", "A preview link opens public addresses only.");
}

/** The way out of a preview: an empty parameter. @returns undefined for any other request */
export function leaveReply({ url }: AppRequest): Reply | undefined {
  if (url.searchParams.get(LINK_PARAMETER) !== "") return undefined;
  return { ...redirect(url.pathname.replace(/^\/+/, "/"), 302, LINKED), cookies: [NO_COOKIE] };
}

/** For people who follow a link that does not hold; the next page they open is the public one. */
export const refusedReply = (): Reply => ({
  ...html(
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
      "<title>This preview has ended</title><h1>This preview has ended</h1>" +
      '<p>Ask for a new link, or open the <a href="/">site</a>.</p></html>',
    403,
    LINKED,
  ),
  cookies: [NO_COOKIE],
});

const NO_COOKIE = setCookie(LINK_COOKIE, "", { seconds: 0, secure: false, httpOnly: true });

const isSecure = ({ config }: SiteContext, request: AppRequest): boolean =>
  [config.BASE_URL, requestedOrigin(config, request)].some((origin) => origin?.startsWith("https:"));
