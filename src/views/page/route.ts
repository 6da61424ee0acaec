/**
 * Resolves a public path to a page, a redirect, or nothing. Pure: `library/publish-on-read.ts` publishes due drafts.
 */
import { encodePath, publicPath, splitLang, type Lang } from "../../model/language/locale.ts";
import { overlayDraft } from "../../model/page/draft.ts";
import { permalinkIn, type Page, type PageSummary } from "../../model/page/page.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import { permalinkOf } from "../../model/address/permalink.ts";
import { listPermalink, listPlaces, type ListPlace } from "../../model/address/list-address.ts";
import { addressError } from "../../model/address/possible-names.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { redirectAt } from "../../store/content/indexes/redirects.ts";
import type { Redirect } from "../../store/records/redirects.ts";
import { listAddresses, placeLink, placeNamed, type Address } from "./pagination.ts";
import { routerlink, type View } from "../view.ts";

export type RouteResult =
  | { readonly kind: "page"; readonly page: Page; readonly lang: Lang; readonly place?: ListPlace }
  /** `page` is set when the path only differs from the canonical form. */
  | {
      readonly kind: "redirect";
      readonly to: string;
      readonly status: 301 | 302;
      readonly lang: Lang;
      readonly page?: Page;
      readonly place?: ListPlace;
    }
  /** `hidden` is a page that is not public, for the check for due drafts only. */
  | { readonly kind: "missing"; readonly lang: Lang; readonly hidden?: Page };

/**
 * Resolves a path as the public router does: redirect table, page, public gate, canonical form.
 *
 * On the preview surface there is no gate and no redirect table, and the page has its pending draft.
 *
 * @param path decoded, with its leading slash; the final slash matters
 */
export function resolveRoute(view: View, path: string): RouteResult {
  const { lang, rest } = splitLang(view.locales, path);
  const permalink = permalinkOf(rest);
  const seen = { ...view, lang };
  const index = pageIndex(view.content);
  const isPreview = view.surface !== "public";
  if (!isPreview) {
    const configured = redirectAt(view.content, view.locales, lang, permalink);
    if (configured) return { kind: "redirect", to: redirectTarget(seen, configured), status: configured.status, lang };
    if (addressError(view.locales, lang, permalink) !== undefined) return { kind: "missing", lang };
  }
  const own = index.byPermalink(lang, permalink);
  const listed = own ? undefined : listedAt(seen, permalink);
  const page = own ?? listed?.page;
  if (!page) {
    const former = isPreview ? undefined : formerAt(seen, permalink);
    const to = former && isPublic(former.page, lang, view.now) ? former.to : null;
    // An alias of a hidden page is missing like the page itself.
    if (to === null) return { kind: "missing", lang, ...(former && { hidden: former.page }) };
    return { kind: "redirect", to, status: 301, lang };
  }
  if (!isPreview && !isPublic(page, lang, view.now)) return { kind: "missing", lang, hidden: page };
  const place = listed && { place: listed.place };
  const canonical = publicPath(view.locales, lang, listed?.permalink ?? permalink, view.config.APPEND_SLASH);
  if (path !== canonical) return { kind: "redirect", to: encodePath(canonical), status: 301, lang, page, ...place };
  return { kind: "page", page: isPreview ? overlayDraft(page, lang, view.locales) : page, lang, ...place };
}

/** The page whose list has a page at a permalink, and the canonical form of this. A hidden page is found, too. */
function listedAt(view: View, permalink: string) {
  const index = pageIndex(view.content);
  for (const named of listPlaces(view.locales, view.lang, permalink)) {
    const page = index.byPermalink(view.lang, named.list);
    const place = page && placeNamed(view, page, named);
    if (place) return { page, place, permalink: listPermalink(view.locales, view.lang, named.list, named) };
  }
  return undefined;
}

/** The page that had a permalink, or whose list had a page there, and its address or that of the page of the list today. */
function formerAt(view: View, permalink: string): { readonly page: Page; readonly to: string | null } | undefined {
  const index = pageIndex(view.content);
  const page = index.byAlias(view.lang, permalink);
  if (page) return { page, to: routerlink(view, page) };
  for (const named of listPlaces(view.locales, view.lang, permalink)) {
    if (index.summaryByPermalink(view.lang, named.list)) continue;
    const former = index.byAlias(view.lang, named.list);
    const place = former && placeNamed(view, former, named);
    if (place) return { page: former, to: placeLink(view, former, place) };
  }
  return undefined;
}

/** The addresses at which the public surfaces have a page in a language: several for a list with pages. */
export function servedAddresses(view: View, page: PageSummary, lang: Lang): readonly Address[] {
  const path = servedPath(view, page, lang);
  return path === undefined ? [] : listAddresses({ ...view, lang }, page, path);
}

/**
 * The address at which the public surfaces have a page in a language, not percent-encoded; undefined where they have none:
 * the page is hidden, or another page, a redirect or another part of the site answers there.
 */
export function servedPath(view: View, page: PageSummary, lang: Lang): string | undefined {
  const { locales, now, config } = view;
  const permalink = permalinkIn(page, lang);
  if (permalink === null || !isPublic(page, lang, now)) return undefined;
  if (pageIndex(view.content).summaryByPermalink(lang, permalink)?.id !== page.id) return undefined;
  if (addressError(locales, lang, permalink) !== undefined || redirectAt(view.content, locales, lang, permalink))
    return undefined;
  return publicPath(locales, lang, permalink, config.APPEND_SLASH);
}

/**
 * The target of a configured redirect: an absolute URL unchanged, as is the path of a file, which has no language; any other
 * path as the public path in its language.
 */
export function redirectTarget(view: View, { to, language }: Redirect): string {
  if (!to.startsWith("/")) return to;
  const end = to.search(/[?#]/);
  const [path, tail] = end < 0 ? [to, ""] : [to.slice(0, end), to.slice(end)];
  // Permalinks have no dots.
  if (path.slice(path.lastIndexOf("/")).includes(".")) return path.replace(/[^\x21-\x7e]+/g, encodeURIComponent) + tail;
  const { lang, rest, prefixed } = splitLang(view.locales, path);
  const target = prefixed ? lang : (language ?? view.locales.default);
  return encodePath(publicPath(view.locales, target, rest || "/", view.config.APPEND_SLASH)) + tail;
}
