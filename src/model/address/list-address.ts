/** Addresses of the further pages of a list: `/journal/page/2`, with the word of the language. */
import type { Lang, Locales } from "../language/locale.ts";

const DEFAULT_WORD = "page";

const wordOf = ({ listWords = {} }: Locales, lang: Lang): string => listWords[lang] ?? DEFAULT_WORD;

/** The permalink of a numbered page of a list; the first page is at that of the list itself. */
export function listPermalink(locales: Locales, lang: Lang, permalink: string, number: number): string {
  return number === 1 ? permalink : `${permalink === "/" ? "" : permalink}/${wordOf(locales, lang)}/${number}`;
}

/** The list and the number that a permalink may stand for; undefined where it has no such form. */
export function listPlace(
  locales: Locales,
  lang: Lang,
  permalink: string,
): { readonly list: string; readonly number: number } | undefined {
  const [, above, word, digits] = /^(.*)\/([^/]+)\/([1-9]\d{0,8})$/.exec(permalink) ?? [];
  return word === wordOf(locales, lang) ? { list: above || "/", number: Number(digits) } : undefined;
}
