/**
 * Computes the permalinks of a page in all languages, and what follows from a change: aliases that redirect from former
 * permalinks, and new permalinks of child pages.
 */
import { NOT_NULL } from "../input/input-errors.ts";
import type { FieldErrors } from "../../errors.ts";
import { isObject, type Json } from "../input/json.ts";
import type { Instant } from "../time/instant.ts";
import { findLang, langSuffix, type Lang, type Locales } from "../language/locale.ts";
import { mayBeAbove } from "../page/page-model.ts";
import { textOf, titleOf, withText, type Alias, type Id, type Page } from "../page/page.ts";
import { generatePermalink, PERMALINK_MAX } from "./generated-permalink.ts";
import { hasLongSegment, sanitizePermalink } from "./permalink.ts";
import { SEGMENT_BYTES_MAX, slugify } from "./slug.ts";
import { isReserved, permalinkError } from "./possible-names.ts";

export const TAKEN = "There is an other page with same permalink.";
const SEGMENT_TOO_LONG = `Ensure no part of this path has more than ${SEGMENT_BYTES_MAX} bytes.`;

/** What permalinks depend on besides the page itself. */
export interface Site {
  readonly locales: Locales;
  readonly now: Instant;
  page(id: Id): Page | undefined;
  /** Another page, of any model, that has this permalink in this language. */
  ownerOf(lang: Lang, permalink: string): Id | undefined;
  uuid(): string;
  /** The file or folder at the top of `static/` that has the permalink of a page at the top, which new pages avoid. */
  staticAt?(permalink: string): string | undefined;
  /**
   * Whether the page's parent is known to be in no circle. Then the page is in none either, and the way up need not be
   * walked: for a chain of pages that move together, that would take time in proportion to the square of its length.
   */
  readonly isParentAcyclic?: boolean;
}

/**
 * The page with its permalinks up to date, and the errors of manual permalinks by suffixed key (all
 * languages with an error together).
 *
 * @param before the page as stored; undefined for a new one
 */
export function settlePermalinks(
  page: Page,
  before: Page | undefined,
  site: Site,
): { page: Page; errors: FieldErrors } {
  const { locales } = site;
  const errors: Record<string, string[]> = {};
  const parent = parentOf(page, site);
  let settled = page;
  for (const lang of locales.codes) {
    const text = textOf(page, lang);
    const current = before ? textOf(before, lang).permalink : null;
    const isOwned = (permalink: string): boolean => ![undefined, page.id].includes(site.ownerOf(lang, permalink));
    if (text.autopermalink) {
      const permalink = generatePermalink({
        title: nameIn(page, lang, locales),
        parent: parent && textOf(parent, lang).permalink,
        current,
        own: String(page.id),
        taken: (permalink) =>
          isOwned(permalink) ||
          isReserved(locales, permalink) ||
          (permalink !== current && site.staticAt?.(permalink) !== undefined),
        uuid: site.uuid,
      });
      if (permalink !== text.permalink) settled = withText(settled, lang, { permalink });
      continue;
    }
    // A stored permalink is kept even if another page has it too, as after a merge: otherwise neither page could be
    // saved.
    if (before && !textOf(before, lang).autopermalink && text.permalink === current) continue;
    const key = `permalink_${langSuffix(lang)}`;
    // A page without a manual permalink in this language can be saved without one.
    if (text.permalink === null) {
      if (current !== null) errors[key] = [NOT_NULL];
      continue;
    }
    const permalink = sanitizePermalink(text.permalink);
    const impossible = permalinkError(locales, permalink);
    const file = site.staticAt?.(permalink);
    if ([...permalink].length > PERMALINK_MAX)
      errors[key] = [`Ensure this field has no more than ${PERMALINK_MAX} characters.`];
    else if (hasLongSegment(permalink)) errors[key] = [SEGMENT_TOO_LONG];
    else if (impossible !== undefined) errors[key] = [impossible];
    else if (file !== undefined) errors[key] = [`The site has static/${file} at this address.`];
    else if (isOwned(permalink)) errors[key] = [TAKEN];
    if (permalink !== text.permalink) settled = withText(settled, lang, { permalink });
  }
  return { page: before ? { ...settled, aliases: nextAliases(settled, before, site) } : settled, errors };
}

/** null for a parent that is missing or may not be one, and in a cycle in hand-written files, where permalinks would grow without limit. */
function parentOf(page: Page, site: Pick<Site, "page" | "isParentAcyclic">): Page | null {
  if (page.parent_page === null) return null;
  if (!site.isParentAcyclic && createsCycle(page.id, page.parent_page, site.page)) return null;
  const above = site.page(page.parent_page);
  return above && mayBeAbove(above, page) ? above : null;
}

/** The title in the language, else in the default one, else in any; "" for none. */
export const nameIn = (page: Page, lang: Lang, locales: Locales): string =>
  titleOf(page, lang, locales.default) || anyTitle(page, locales);

const anyTitle = (page: Page, locales: Locales): string =>
  locales.codes.map((lang) => textOf(page, lang).title ?? "").find((title) => title !== "") ?? "";

/**
 * The aliases of a page after a save: per language, the previous permalink is added and the new one removed.
 *
 * An alias redirects to the page's current permalink, so a chain of renames is one redirect, and a page that returns to
 * a former permalink no longer redirects from it. A language that is not published gets no alias: no link leads to its
 * permalink. One that ceases to be public keeps its own as an alias, so that a rename while it is hidden redirects, too.
 */
function nextAliases(page: Page, before: Page, { locales, now: moment }: Site): readonly Alias[] {
  let aliases = page.aliases;
  for (const lang of locales.codes) {
    const [old, { permalink: now, published_at }] = [textOf(before, lang), textOf(page, lang)];
    const isPublished = published_at !== null && published_at <= moment;
    const hasAlias = (from: string | null): boolean =>
      aliases.some((alias) => alias.language === lang && alias.from === from);
    if (isPublished && hasAlias(now)) {
      aliases = aliases.filter((alias) => alias.language !== lang || alias.from !== now);
    }
    const wasPublished = old.published_at !== null && old.published_at <= moment;
    if (old.permalink === null || !wasPublished || hasAlias(old.permalink)) continue;
    if (old.permalink !== now || !isPublished) aliases = [...aliases, { language: lang, from: old.permalink }];
  }
  return aliases;
}

/** An alias as a file states it, in the canonical form; undefined where the language is none of the site's. */
export function readAlias(row: Json, locales: Locales): Alias | undefined {
  const language = isObject(row) ? findLang(locales, String(row.language ?? locales.default)) : undefined;
  return isObject(row) && language && typeof row.from === "string"
    ? { language, from: sanitizePermalink(row.from) }
    : undefined;
}

/** The page without the aliases that another page has taken; the same object when there are none. */
export function dropAliases(page: Page, taken: readonly Alias[]): Page {
  const kept = page.aliases.filter(
    (alias) => !taken.some(({ language, from }) => language === alias.language && from === alias.from),
  );
  return kept.length === page.aliases.length ? page : { ...page, aliases: kept };
}

/**
 * Whether setting the parent of a page would make the page its own ancestor.
 *
 * @param parent the new parent
 */
export function createsCycle(id: Id, parent: Id, page: (id: Id) => Page | undefined): boolean {
  const seen = new Set<Id>();
  for (let next: Id | null | undefined = parent; next != null && !seen.has(next); next = page(next)?.parent_page) {
    if (next === id) return true;
    seen.add(next);
  }
  return false;
}

/**
 * The permalink a page would have in a language if it were neither taken nor reserved; undefined without a title.
 */
export function unnumberedPermalink(page: Page, lang: Lang, site: Pick<Site, "locales" | "page">): string | undefined {
  const title = nameIn(page, lang, site.locales);
  if (slugify(title) === "") return undefined;
  const above = parentOf(page, site);
  const parent = above && textOf(above, lang).permalink;
  return generatePermalink({ title, parent, current: null, taken: () => false, uuid: () => "" });
}
