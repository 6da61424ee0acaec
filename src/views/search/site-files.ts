/** The search of a built site: its files in each language, over exactly the pages that are public and not hidden from search engines. */
import type { Lang } from "../../model/language/locale.ts";
import { encodePath } from "../../model/language/locale.ts";
import { isNoindex } from "../../model/page/robots.ts";
import { textOf, titleOf } from "../../model/page/page.ts";
import { stemmerOf } from "../../model/search/stemmer.ts";
import { allSummaries, pageOf } from "../../store/content/indexes/pages-by-model.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { pace } from "../../time-slices.ts";
import { servedPath } from "../page/route.ts";
import type { View } from "../view.ts";
import { textsOfPage } from "./searched-texts.ts";
import { sitePieces, type SearchedPage } from "./site-pieces.ts";

/** The folder of all files. */
export const SEARCH_FOLDER = "search/";

/** The script with the element `<cms-search>`. */
export const SEARCH_SCRIPT = `${SEARCH_FOLDER}cms-search.js`;

/** Texts by path, as `search/en/pieces.json`. Works in slices. @param view public */
export async function searchFiles(view: View & { readonly content: Snapshot }): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const lang of view.locales.codes) {
    const pieces = await sitePieces(await searchedPages(view, lang), await stemmerOf(lang));
    for (const [name, text] of pieces) files.set(`${SEARCH_FOLDER}${lang}/${name}`, text);
  }
  return files;
}

async function searchedPages(
  view: View & { readonly content: Snapshot },
  lang: Lang,
): Promise<readonly SearchedPage[]> {
  const found: SearchedPage[] = [];
  for (const summary of allSummaries(view.content)) {
    const path = servedPath(view, summary, lang);
    if (path === undefined || isNoindex(summary.robots)) continue;
    const page = pageOf(summary);
    if (!textOf(page, lang).indexable) continue;
    const texts = textsOfPage(view.content, page, lang).filter(({ isHidden }) => !isHidden);
    found.push({ id: page.id, url: encodePath(path), title: titleOf(page, lang, view.locales.default), texts });
    const rest = pace();
    if (rest) await rest;
  }
  return found;
}
