/** The configured redirects by their addresses. */
import { derived } from "../../../memo.ts";
import type { Lang, Locales } from "../../../model/language/locale.ts";
import { textOf } from "../../../model/page/page.ts";
import type { Reader } from "../../records/record-type.ts";
import { langPath, REDIRECTS, type Redirect } from "../../records/redirects.ts";
import { pageIndex } from "./page-index.ts";

/** The configured redirects, in the order of their file. */
export const redirects = (content: Reader): readonly Redirect[] => content.all(REDIRECTS)[0]?.rows ?? NO_ROWS;
const NO_ROWS: readonly Redirect[] = [];

/** The redirect that answers at a permalink of a language instead of a page. */
export function redirectAt(content: Reader, locales: Locales, lang: Lang, permalink: string): Redirect | undefined {
  const found = findRedirect(redirects(content), locales, lang, permalink);
  return found && !wouldLoop(content, locales, lang, found, permalink) ? found : undefined;
}

/** Whether a redirect leads to an alias of the page at its source, which would redirect back to it. */
function wouldLoop(content: Reader, locales: Locales, lang: Lang, { to }: Redirect, permalink: string): boolean {
  if (!to.startsWith("/")) return false;
  const target = langPath(to, lang, locales);
  const former = target.lang === lang ? pageIndex(content).byAlias(lang, target.permalink) : undefined;
  return former !== undefined && textOf(former, lang).permalink === permalink;
}

/** Of several rows from one address the first counts. */
function findRedirect(
  rows: readonly Redirect[],
  locales: Locales,
  lang: Lang,
  permalink: string,
): Redirect | undefined {
  if (rows.length === 0) return undefined;
  const positions = positionsOf(rows);
  const found = [lang, ...(lang === locales.default ? [""] : [])].flatMap(
    (each) => positions.get(keyOf(each, permalink)) ?? [],
  );
  return found.length > 0 ? rows[Math.min(...found)] : undefined;
}

/** Where the first row from each address is; the language of rows that state none is "". */
const positionsOf = derived((rows: readonly Redirect[]): ReadonlyMap<string, number> => {
  const positions = new Map<string, number>();
  for (const [at, { from, language = "" }] of rows.entries()) {
    const key = keyOf(language, from);
    if (!positions.has(key)) positions.set(key, at);
  }
  return positions;
});

const keyOf = (lang: Lang, permalink: string): string => `${lang}\n${permalink}`;
