/**
 * The permalinks of a page settled in all its languages, with what follows from a change: former permalinks that
 * redirect, and children that move along.
 */
import type { FieldErrors } from "../errors.ts";
import type { UnknownFields } from "./known-keys.ts";
import { langSuffix, findLang, type Lang, type Locales } from "./locale.ts";
import { EMPTY_TEXT, textOf, titleOf, withText, type Alias, type Id, type Page, type PageText } from "./page.ts";
import {
  generatePermalink, hasLongSegment, PERMALINK_MAX, sanitizePermalink, SEGMENT_BYTES_MAX, slugify,
} from "./permalink.ts";

export const TAKEN = "There is an other page with same permalink.";
const SEGMENT_TOO_LONG = `Ensure no part of this path has more than ${SEGMENT_BYTES_MAX} bytes.`;
const NOT_NULL = "This field may not be null.";

/** What the rest of the site has to say about addresses. */
export interface Site {
  readonly locales: Locales;
  page(id: Id): Page | undefined;
  /** Another page, of any model, that has this permalink in this language. */
  ownerOf(lang: Lang, permalink: string): Id | undefined;
  uuid(): string;
  /**
   * Whether the page's parent is known to be in no circle. Then the page is in none either, and the way up need not be
   * walked: for a chain of pages that move together, that would take time in proportion to the square of its length.
   */
  readonly isParentInNoCircle?: boolean;
}

/**
 * The page with its permalinks brought up to date, or what is wrong with the manual ones, by suffixed key
 * (contract.md 6.5: all offending languages together).
 *
 * @param before the page as stored; undefined for a new one
 */
export function settlePermalinks(page: Page, before: Page | undefined, site: Site): { page: Page; errors: FieldErrors } {
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
        taken: (permalink) => isOwned(permalink) || isReserved(locales, permalink),
        uuid: site.uuid,
      });
      if (permalink !== text.permalink) settled = withText(settled, lang, { permalink });
      continue;
    }
    // What is stored stays: a merge may have made two pages claim it, and each must still be hidden or moved.
    if (before && !textOf(before, lang).autopermalink && text.permalink === current) continue;
    const key = `permalink_${langSuffix(lang)}`;
    // A page that never had a manual permalink in this language needs none to be saved.
    if (text.permalink === null) {
      if (current !== null) errors[key] = [NOT_NULL];
      continue;
    }
    const permalink = sanitizePermalink(text.permalink);
    if ([...permalink].length > PERMALINK_MAX) errors[key] = [`Ensure this field has no more than ${PERMALINK_MAX} characters.`];
    else if (startsWithLang(locales, permalink)) errors[key] = ["A permalink cannot begin with a language code."];
    else if (hasLongSegment(permalink)) errors[key] = [SEGMENT_TOO_LONG];
    else if (isOwned(permalink)) errors[key] = [TAKEN];
    settled = withText(settled, lang, { permalink });
  }
  return { page: before ? { ...settled, aliases: nextAliases(settled, before, locales) } : settled, errors };
}

/**
 * What is wrong with permalinks as they were sent, by suffixed key (decisions.md 61).
 *
 * One beside `autopermalink` would be dropped in silence. It passes where it is what the page has, or once had: then a
 * record is written back as it was read. Null takes a manual permalink away, which only another one may do.
 *
 * @param page with the change applied
 * @param before the page as stored; undefined for a new one
 * @param sent the texts as they were sent
 * @param unknownFields `ignore` drops a permalink beside `autopermalink`, as clients of the upstream system expect
 */
export function sentPermalinkErrors(
  page: Page,
  before: Page | undefined,
  sent: { readonly [lang: Lang]: Partial<PageText> },
  unknownFields: UnknownFields,
): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const [lang, { permalink }] of Object.entries(sent)) {
    if (permalink === undefined) continue;
    const { autopermalink } = textOf(page, lang);
    const stored = before ? textOf(before, lang) : EMPTY_TEXT;
    const isKept = (permalink || null) === stored.permalink;
    const key = `permalink_${langSuffix(lang)}`;
    if (!autopermalink) {
      const wasNull = before !== undefined && stored.permalink === null && !stored.autopermalink;
      if (permalink === null && !wasNull) errors[key] = [NOT_NULL];
      continue;
    }
    if (isKept || unknownFields === "ignore" || wasPermalinkOf(before, lang, permalink)) continue;
    const flag = `autopermalink_${langSuffix(lang)}`;
    errors[key] = [`This permalink is automatic. Send ${flag}: false with it, or leave it out.`];
  }
  return errors;
}

const wasPermalinkOf = (page: Page | undefined, lang: Lang, permalink: string | null): boolean =>
  page?.aliases.some(({ language, from }) => language === lang && from === permalink) ?? false;

/** null for a missing parent, and in a circle made by hand, where each permalink would lengthen the next without end. */
function parentOf(page: Page, site: Pick<Site, "page" | "isParentInNoCircle">): Page | null {
  if (page.parent_page === null) return null;
  if (!site.isParentInNoCircle && closesCircle(page.id, page.parent_page, site.page)) return null;
  return site.page(page.parent_page) ?? null;
}

/** A page without a title in its language and the default one still has a name in another. */
const nameIn = (page: Page, lang: Lang, locales: Locales): string =>
  titleOf(page, lang, locales.default) || anyTitle(page, locales);

const anyTitle = (page: Page, locales: Locales): string =>
  locales.codes.map((lang) => textOf(page, lang).title ?? "").find((title) => title !== "") ?? "";

/** Such a path would be read as a language prefix: no request could reach the page. */
function startsWithLang(locales: Locales, permalink: string): boolean {
  const [, first = ""] = permalink.split("/", 2);
  return first !== "" && findLang(locales, first) !== undefined;
}

/** Paths of the router that are no pages (interface.md, Public page router 9). */
const ROUTER_PATHS: ReadonlySet<string> = new Set(["/changes", "/publish-due"]);

/** Whether an automatic permalink must be another one (decisions.md 48). Below a path nothing is reserved. */
const isReserved = (locales: Locales, permalink: string): boolean =>
  permalink.lastIndexOf("/") === 0 && (ROUTER_PATHS.has(permalink) || startsWithLang(locales, permalink));

/**
 * The former permalinks of a page after a save: each language's old one joins, its new one leaves.
 *
 * An alias leads to the page's present permalink whatever that is, so a chain of renames is one hop and a page that
 * returns to an old permalink stops redirecting from it (contract.md 6.6). A language that had neither a title of its
 * own nor a publication had no address anyone could know.
 */
function nextAliases(page: Page, before: Page, locales: Locales): readonly Alias[] {
  let aliases = page.aliases;
  for (const lang of locales.codes) {
    const old = textOf(before, lang);
    const now = textOf(page, lang).permalink;
    if (aliases.some((alias) => alias.language === lang && alias.from === now)) {
      aliases = aliases.filter((alias) => alias.language !== lang || alias.from !== now);
    }
    if (old.permalink === null || old.permalink === now || (old.title === null && old.published_at === null)) continue;
    aliases = [...aliases, { language: lang, from: old.permalink }];
  }
  return aliases;
}

/** The page without redirects from permalinks that now belong to another page; the very same page when there are none. */
export function dropAliases(page: Page, taken: readonly Alias[]): Page {
  const kept = page.aliases.filter((alias) => !taken.some(({ language, from }) => language === alias.language && from === alias.from));
  return kept.length === page.aliases.length ? page : { ...page, aliases: kept };
}

/**
 * Whether making one page the parent of another closes a circle.
 *
 * @param parent the parent to be
 */
export function closesCircle(id: Id, parent: Id, page: (id: Id) => Page | undefined): boolean {
  const seen = new Set<Id>();
  for (let next: Id | null | undefined = parent; next != null && !seen.has(next); next = page(next)?.parent_page) {
    if (next === id) return true;
    seen.add(next);
  }
  return false;
}

/**
 * Permalinks for pages whose files, written by hand, leave them out: derived as a save would, from title and parent.
 *
 * What a file says comes first, then the order of the pages: who comes later gets a number (decisions.md 48). Where
 * there is no title the id takes its place.
 */
export function completePermalinks(pages: readonly Page[], locales: Locales): readonly Page[] {
  const lacking = pages.filter((page) => locales.codes.some((lang) => needsPermalink(page, lang)));
  if (lacking.length === 0) return pages;
  const done = new Map(pages.map((page) => [page.id, page]));
  const owners = new Map<string, Id>();
  for (const page of pages) {
    for (const lang of locales.codes) {
      const { permalink } = textOf(page, lang);
      if (permalink !== null && !owners.has(`${lang}${permalink}`)) owners.set(`${lang}${permalink}`, page.id);
    }
  }
  const visiting = new Set<Id>();
  const complete = (page: Page): Page => {
    if (visiting.has(page.id) || !locales.codes.some((lang) => needsPermalink(page, lang))) return page;
    visiting.add(page.id);
    const parent = page.parent_page === null ? undefined : done.get(page.parent_page);
    const above = parent && complete(parent);
    let next = page;
    for (const lang of locales.codes) {
      if (!needsPermalink(page, lang)) continue;
      const permalink = generatePermalink({
        title: nameIn(page, lang, locales),
        parent: above ? textOf(above, lang).permalink : null,
        current: null,
        taken: (wanted) => owners.has(`${lang}${wanted}`) || isReserved(locales, wanted),
        uuid: () => String(page.id),
      });
      owners.set(`${lang}${permalink}`, page.id);
      next = { ...next, translations: { ...next.translations, [lang]: { ...EMPTY_TEXT, ...next.translations[lang], permalink } } };
    }
    done.set(page.id, next);
    visiting.delete(page.id);
    return next;
  };
  for (const page of lacking) complete(done.get(page.id)!);
  return pages.map((page) => done.get(page.id)!);
}

/**
 * The permalink a page would have in a language if no other page stood in its way and nothing were reserved; undefined
 * where there is no title to make it from.
 */
export function plainPermalink(page: Page, lang: Lang, site: Pick<Site, "locales" | "page">): string | undefined {
  const title = nameIn(page, lang, site.locales);
  if (slugify(title) === "") return undefined;
  const above = parentOf(page, site);
  const parent = above && textOf(above, lang).permalink;
  return generatePermalink({ title, parent, current: null, taken: () => false, uuid: () => "" });
}

const needsPermalink = (page: Page, lang: Lang): boolean => {
  const text = textOf(page, lang);
  return text.permalink === null && text.autopermalink;
};
