/**
 * Permalinks that hand-written files leave out, derived from title and parent as a save would.
 *
 * Permalinks written in files have priority, then earlier pages: a later page gets a number. A page
 * without a title uses its id. A parent is decided before its children.
 */
import { nameIn } from "./addresses.ts";
import type { Lang, Locales } from "../language/locale.ts";
import { EMPTY_TEXT, permalinkIn, textOf, type Id, type Page, type PageSummary } from "../page/page.ts";
import { generatePermalink } from "./permalink.ts";
import { isReserved } from "./possible-names.ts";

/** Whether a page leaves out a permalink that is derived. */
export const lacksPermalinks = (page: Page, { codes }: Locales): boolean =>
  codes.some((lang) => lacksPermalink(page, lang));

const lacksPermalink = (page: Page, lang: Lang): boolean => {
  const text = textOf(page, lang);
  return text.permalink === null && text.autopermalink;
};

/**
 * The page with the permalinks it leaves out.
 *
 * @param parent with its own permalinks derived; undefined for none
 * @param isTaken whether a page that has priority has this permalink
 */
export function derivePermalinks(
  page: Page,
  parent: PageSummary | undefined,
  locales: Locales,
  isTaken: (lang: Lang, permalink: string) => boolean,
): Page {
  let derived = page;
  for (const lang of locales.codes) {
    if (!lacksPermalink(page, lang)) continue;
    const permalink = generatePermalink({
      title: nameIn(page, lang, locales),
      parent: parent ? permalinkIn(parent, lang) : null,
      current: null,
      taken: (wanted) => isTaken(lang, wanted) || isReserved(locales, wanted),
      uuid: () => String(page.id),
    });
    const text = { ...EMPTY_TEXT, ...derived.translations[lang], permalink };
    derived = { ...derived, translations: { ...derived.translations, [lang]: text } };
  }
  return derived;
}

export interface DerivationSite {
  readonly locales: Locales;
  /** A page as its files have it. */
  find(id: Id): PageSummary | undefined;
  /** Whether the files of a page state this permalink. */
  isStated(lang: Lang, permalink: string): boolean;
}

export interface DerivedPage {
  readonly page: Page;
  /**
   * The earliest of the pages that leave permalinks out, among this page and its descendants; descendants below a page
   * that states its permalinks do not count. Pages are decided in the order of their `first`, of equal ones the
   * ancestor before the descendant.
   */
  readonly first: Id;
  /** The permalinks it was compared with, by `permalinkKey`: if one of them is taken or given up, it may get another. */
  readonly asked: readonly string[];
  /** Whether it is its own ancestor, so that its parent was not decided before. */
  readonly isInCircle: boolean;
}

export const permalinkKey = (lang: Lang, permalink: string): string => `${lang}${permalink}`;

/**
 * Derives the permalinks of a whole site, page by page, in the order in which they are decided.
 *
 * @param lacking the pages that leave permalinks out, by precedence
 */
export function* deriveAllPermalinks(lacking: readonly Page[], site: DerivationSite): Generator<DerivedPage> {
  const open = new Map(lacking.map((page) => [page.id, page]));
  const done = new Map<Id, Page>();
  const derived = new Set<string>();
  for (const first of lacking) {
    const chain: Page[] = [];
    const inChain = new Set<Id>();
    let next: Page | undefined = first;
    while (next && !done.has(next.id) && !inChain.has(next.id)) {
      chain.push(next);
      inChain.add(next.id);
      next = next.parent_page === null ? undefined : open.get(next.parent_page);
    }
    const isInCircle = next !== undefined && inChain.has(next.id);
    for (const page of chain.reverse()) {
      const parent =
        page.parent_page === null ? undefined : (done.get(page.parent_page) ?? site.find(page.parent_page));
      const asked: string[] = [];
      const completed = derivePermalinks(page, parent, site.locales, (lang, permalink) => {
        const key = permalinkKey(lang, permalink);
        asked.push(key);
        return derived.has(key) || site.isStated(lang, permalink);
      });
      done.set(page.id, completed);
      for (const lang of site.locales.codes)
        if (lacksPermalink(page, lang)) derived.add(permalinkKey(lang, permalinkIn(completed, lang)!));
      yield { page: completed, first: first.id, asked, isInCircle };
    }
  }
}
