/** What the editor of a menu chooses targets from: page models, the pages of a model, and pages by their permalink. */
import { notFound } from "../../errors.ts";
import { contentTypeOf } from "../../model/page/content-type.ts";
import { statusFields } from "../../model/page/lifecycle.ts";
import { nameOf, textOf, type Page, type PageSummary } from "../../model/page/page.ts";
import { allSummaries, pageModels, pageOf } from "../../store/content/indexes/pages-by-model.ts";
import { pace } from "../../time-slices.ts";
import type { View } from "../view.ts";

export const pageTypes = ({ content }: View) =>
  pageModels(content).map((model) => ({
    ...contentTypeOf(model),
    verbose_name: model,
    verbose_name_plural: `${model}s`,
  }));

/** @param type the id of the content type @throws CmsError `not_found` */
export function pagesOfType({ content, locales }: View, type: string) {
  const model = pageModels(content).find((each) => String(contentTypeOf(each).id) === type);
  if (model === undefined) throw notFound("ContentType");
  const { app_label, model: name } = contentTypeOf(model);
  return shownPages(
    allSummaries(content).filter((page) => page.model === model),
    (page) => ({ id: page.id, name: nameOf(page, locales), url_node_id: page.id, model: `${app_label}.${name}` }),
  );
}

/** The pages whose permalink in the view's language contains a text, by permalink. @param wanted in lower case */
export async function pagesByPermalink({ content, lang, now }: View, wanted: string) {
  const permalinkOf = (page: PageSummary): string | null => page.translations[lang]?.permalink ?? null;
  const found = await shownPages(
    allSummaries(content).filter((page) => permalinkOf(page)?.toLowerCase().includes(wanted)),
    (page) => ({
      id: page.id,
      permalink: permalinkOf(page)!,
      indexable: textOf(page, lang).indexable,
      ...statusFields(page, lang, now),
    }),
  );
  return found.sort((a, b) => (a.permalink < b.permalink ? -1 : a.permalink > b.permalink ? 1 : a.id - b.id));
}

/** Works in slices, since most pages of a large site are parsed on first use. */
async function shownPages<T>(summaries: readonly PageSummary[], show: (page: Page) => T): Promise<T[]> {
  const shown: T[] = [];
  for (const summary of summaries) {
    shown.push(show(pageOf(summary)));
    const rest = pace();
    if (rest) await rest;
  }
  return shown;
}
