/**
 * Resolves a public path to a page, a redirect, or nothing. Pure: `library/public-read.ts` publishes due drafts.
 */
import { encodePath, publicPath, splitLang, type Lang } from "../model/locale.ts";
import { overlayDraft } from "../model/draft.ts";
import { textOf, type Page } from "../model/page.ts";
import { isPublic } from "../model/lifecycle.ts";
import { permalinkOf } from "../model/permalink.ts";
import { pageIndex } from "../store/content/indexes/page-index.ts";
import { placeOf, REDIRECTS, type Redirect } from "../store/content/records/redirects.ts";
import { routerlink, type View } from "./view.ts";

export type RouteResult =
  | { readonly kind: "page"; readonly page: Page; readonly lang: Lang }
  /** `page` is set when the path only differs from the canonical form. */
  | {
      readonly kind: "redirect";
      readonly to: string;
      readonly status: 301 | 302;
      readonly lang: Lang;
      readonly page?: Page;
    }
  /** `hidden` is a page that is not public, for the check for due drafts only. */
  | { readonly kind: "missing"; readonly lang: Lang; readonly hidden?: Page };

/**
 * Resolves a path as the public router does (contract.md 8.1): redirect table, page, public gate, canonical form.
 *
 * On the preview surface there is no gate and no redirect table, and the page has its pending draft (contract.md 8.6).
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
    const configured = findRedirect(seen, permalink);
    if (configured && !wouldLoop(seen, configured, permalink))
      return { kind: "redirect", to: redirectTarget(seen, configured), status: configured.status, lang };
  }
  const page = index.byPermalink(lang, permalink);
  if (!page) {
    const former = isPreview ? undefined : index.byAlias(lang, permalink);
    const to = former && isPublic(former, lang, view.now) ? routerlink(seen, former) : null;
    // An alias of a hidden page is missing like the page itself (decisions.md 53).
    if (to === null) return { kind: "missing", lang, ...(former && { hidden: former }) };
    return { kind: "redirect", to, status: 301, lang };
  }
  if (!isPreview && !isPublic(page, lang, view.now)) return { kind: "missing", lang, hidden: page };
  const canonical = publicPath(view.locales, lang, permalink, view.config.APPEND_SLASH);
  if (path !== canonical) return { kind: "redirect", to: encodePath(canonical), status: 301, lang, page };
  return { kind: "page", page: isPreview ? overlayDraft(page, lang, view.locales) : page, lang };
}

/** Whether a configured redirect leads to an alias of the page at its source, which would redirect back to it. */
function wouldLoop(view: View, { to }: Redirect, permalink: string): boolean {
  if (!to.startsWith("/")) return false;
  const target = placeOf(to, view.lang, view.locales);
  const former = target.lang === view.lang ? pageIndex(view.content).byAlias(target.lang, target.permalink) : undefined;
  return former !== undefined && textOf(former, view.lang).permalink === permalink;
}

/** Of several rows from one address the first counts. */
function findRedirect(view: View, permalink: string): Redirect | undefined {
  const rows = redirects(view);
  if (rows.length === 0) return undefined;
  const positions = positionsOf(rows);
  const isDefault = view.lang === view.locales.default;
  const found = [view.lang, ...(isDefault ? [""] : [])].flatMap((lang) => positions.get(keyOf(lang, permalink)) ?? []);
  return found.length > 0 ? rows[Math.min(...found)] : undefined;
}

/** Where the first row from each address is; the language of rows that state none is "". */
function positionsOf(rows: readonly Redirect[]): ReadonlyMap<string, number> {
  const known = POSITIONS.get(rows);
  if (known) return known;
  const positions = new Map<string, number>();
  for (const [at, { from, language = "" }] of rows.entries()) {
    const key = keyOf(language, from);
    if (!positions.has(key)) positions.set(key, at);
  }
  POSITIONS.set(rows, positions);
  return positions;
}

const POSITIONS = new WeakMap<readonly Redirect[], ReadonlyMap<string, number>>();

const keyOf = (lang: Lang, permalink: string): string => `${lang}\n${permalink}`;

/** The configured redirects, in the order of their file. */
export const redirects = (view: View): readonly Redirect[] => view.content.all(REDIRECTS)[0]?.rows ?? NO_ROWS;
const NO_ROWS: readonly Redirect[] = [];

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
