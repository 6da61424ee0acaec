/**
 * Permalinks that hand-written files leave out, derived from title and parent as a save would. A page without a title
 * uses its id.
 */
import { nameIn } from "./page-permalinks.ts";
import type { Lang, Locales } from "../language/locale.ts";
import { permalinkIn, textOf, withText, type Page, type PageSummary } from "../page/page.ts";
import { generatePermalink } from "./generated-permalink.ts";
import { slugify } from "./slug.ts";
import { isReserved } from "./possible-names.ts";

/** Whether a page leaves out a permalink that is derived. */
export const lacksPermalinks = (page: Page, { codes }: Locales): boolean =>
  codes.some((lang) => textOf(page, lang).permalink === null && textOf(page, lang).autopermalink);

export interface PermalinkGround {
  readonly lang: Lang;
  readonly locales: Locales;
  /** With its own permalink derived; undefined for none. */
  readonly parent: PageSummary | undefined;
  /** Whether a page that has priority has this permalink. */
  isTaken(permalink: string): boolean;
}

/** A page with the permalink in a language that its files leave out, whatever was derived before. */
export function derivePermalink(page: Page, { lang, locales, parent, isTaken }: PermalinkGround): Page {
  if (!textOf(page, lang).autopermalink) return page;
  const permalink = generatePermalink({
    title: nameIn(page, lang, locales),
    parent: parent ? permalinkIn(parent, lang) : null,
    current: null,
    taken: (wanted) => isTaken(wanted) || isReserved(locales, wanted),
    uuid: () => String(page.id),
  });
  return withText(page, lang, { permalink });
}

/**
 * What the permalink of a page in a language is derived from, as its files have it; undefined where they state one that
 * cannot come from that.
 */
export function sourceOfPermalink(page: Page, lang: Lang, locales: Locales): string | undefined {
  const name = nameIn(page, lang, locales);
  const permalink = permalinkIn(page, lang);
  const isFromName = permalink === null || permalink.endsWith(`/${slugify(name)}`);
  return isFromName ? JSON.stringify([lang, page.parent_page, name]) : undefined;
}

export const permalinkKey = (lang: Lang, permalink: string): string => `${lang}${permalink}`;
