/** The permalinks of pages whose files leave them out. */
import { nameIn } from "./addresses.ts";
import type { Lang, Locales } from "./locale.ts";
import { EMPTY_TEXT, textOf, type Id, type Page } from "./page.ts";
import { generatePermalink, isReserved, permalinkNamed } from "./permalink.ts";
import { isReferenceName } from "./reference-name.ts";

/**
 * Derives the permalinks that hand-written files leave out, from title and parent as a save would.
 *
 * Permalinks written in files have priority, then earlier pages: a later page gets a number (decisions.md 48). A page
 * without a title uses its id.
 */
export function fillPermalinks(pages: readonly Page[], locales: Locales): readonly Page[] {
  const lacking = pages.filter((page) => locales.codes.some((lang) => needsPermalink(page, lang)));
  if (lacking.length === 0) return pages;
  const hasNames = lacking.some(({ parent_page }) => isReferenceName(parent_page));
  let filled = fillBelow(pages, lacking, hasNames ? parentsAmong(pages, locales) : numbered, locales);
  // A parent named by a permalink that is derived itself is known one round later.
  for (let rounds = 0; hasNames && rounds < NAMED_DEPTH; rounds++) {
    const before = filled;
    filled = fillBelow(pages, lacking, parentsAmong(before, locales), locales);
    if (filled.every((page, at) => page === before[at] || samePermalinks(page, before[at], locales))) break;
  }
  return filled;
}

/** How many pages above each other may be named by permalinks that are derived. */
const NAMED_DEPTH = 20;

/** The id of a page's parent, which a file may name by its permalink; null for none. */
type ParentOf = (page: Page) => Id | null;

const numbered: ParentOf = (page) => page.parent_page;

function parentsAmong(pages: readonly Page[], locales: Locales): ParentOf {
  const byPermalink = new Map<string, Id>();
  const note = (lang: Lang, permalink: string | null, { id }: Page): void => {
    if (permalink !== null && !byPermalink.has(`${lang}${permalink}`)) byPermalink.set(`${lang}${permalink}`, id);
  };
  for (const page of pages) for (const lang of locales.codes) note(lang, textOf(page, lang).permalink, page);
  for (const page of pages) for (const { language, from } of page.aliases) note(language, from, page);
  return ({ parent_page: parent }) => {
    if (!isReferenceName(parent)) return parent;
    const { lang, permalink } = permalinkNamed(locales, parent);
    return byPermalink.get(`${lang}${permalink}`) ?? null;
  };
}

const samePermalinks = (a: Page, b: Page | undefined, { codes }: Locales): boolean =>
  b !== undefined && codes.every((lang) => textOf(a, lang).permalink === textOf(b, lang).permalink);

function fillBelow(
  pages: readonly Page[],
  lacking: readonly Page[],
  parentIdOf: ParentOf,
  locales: Locales,
): readonly Page[] {
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
    const parentId = parentIdOf(page);
    const parent = parentId === null ? undefined : done.get(parentId);
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
      next = {
        ...next,
        translations: { ...next.translations, [lang]: { ...EMPTY_TEXT, ...next.translations[lang], permalink } },
      };
    }
    done.set(page.id, next);
    visiting.delete(page.id);
    return next;
  };
  for (const page of lacking) complete(done.get(page.id) ?? page);
  return pages.map((page) => done.get(page.id) ?? page);
}

const needsPermalink = (page: Page, lang: Lang): boolean => {
  const text = textOf(page, lang);
  return text.permalink === null && text.autopermalink;
};
