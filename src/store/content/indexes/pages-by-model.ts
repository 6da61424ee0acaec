/** The page models, the kind that stores each, and look-ups of pages of any model. */
import { derived } from "../../../memo.ts";
import type { Config } from "../../../config.ts";
import { notFound } from "../../../errors.ts";
import { ARTICLE_MODEL, PAGE_MODEL, type Id, type Page, type PageSummary } from "../../../model/page/page.ts";
import { mayBeAbove } from "../../../model/page/page-model.ts";
import { readPaginate, type Paginate } from "../../../model/page/paginate.ts";
import type { AnyKind, Kind, Reader } from "../../records/record-type.ts";
import { findPageModel, PAGE_MODELS } from "../../records/page-models.ts";
import { ARTICLES, PAGES } from "../../records/pages.ts";
import { recordOf } from "../../snapshot.ts";
import { pace } from "../../../time-slices.ts";

/** Every kind whose records are pages: served by the routers, with permalinks in one namespace. */
export const PAGE_KINDS: readonly Kind<Page>[] = [PAGES, ARTICLES];

/** The kind that stores pages of a model. */
export const kindOf = ({ model }: { readonly model: string }): Kind<Page> =>
  model === ARTICLE_MODEL ? ARTICLES : PAGES;

/** The names of the page models a site has. */
export const pageModels = (reader: Reader): readonly string[] => [
  PAGE_MODEL,
  ARTICLE_MODEL,
  ...reader.all(PAGE_MODELS).map((model) => model.name),
];

/** A page of any model; ids are unique across them. */
export const findPage = (reader: Reader, id: Id): Page | undefined =>
  reader.find(PAGES, id) ?? reader.find(ARTICLES, id);

/** The page with an id, if it may be the parent of pages of a model. */
export function findParent(reader: Reader, id: Id, page: { readonly model: string }): Page | undefined {
  const above = findPage(reader, id);
  return above && mayBeAbove(above, page) ? above : undefined;
}

/** Its summary, which costs less: the page is not parsed. */
export const findPageSummary = (reader: Reader, id: Id): PageSummary | undefined =>
  reader.findSummary
    ? ((reader.findSummary(PAGES, id) ?? reader.findSummary(ARTICLES, id)) as PageSummary | undefined)
    : findPage(reader, id);

/** Permalinks and former ones, in every language. */
export const addressesOf = ({ translations, aliases }: PageSummary): readonly string[] => [
  ...Object.values(translations).flatMap(({ permalink }) => permalink ?? []),
  ...aliases.map(({ from }) => from),
];

/** Those of all pages above a page. @param isIncluded with what is above a page that is left out */
export function addressesAbove(
  reader: Reader,
  page: PageSummary,
  isIncluded: (above: PageSummary) => boolean = () => true,
): readonly string[] {
  const found = new Map<Id, PageSummary>();
  for (let { parent_page: id } = page; id !== null && id !== page.id && !found.has(id);) {
    const above = findPageSummary(reader, id);
    if (!above) break;
    found.set(id, above);
    id = above.parent_page;
  }
  return [...found.values()].filter(isIncluded).flatMap(addressesOf);
}

/** @throws CmsError `not_found` */
export function getPage(reader: Reader, id: Id): Page {
  const page = findPage(reader, id);
  if (!page) throw notFound("Page");
  return page;
}

const ARTICLE_TEMPLATE = "defaults/articles/default.html";

/** The template of pages of a model that name none. */
export function defaultTemplate(reader: Reader, config: Config, model: string): string {
  if (model === ARTICLE_MODEL) return ARTICLE_TEMPLATE;
  return findPageModel(reader, model)?.default_template ?? config.RENDER.PAGE.DEFAULT_TEMPLATE;
}

/** The template a page is rendered with. */
export const templateOf = (reader: Reader, config: Config, page: Page): string =>
  page.template || defaultTemplate(reader, config, page.model);

/** What a page lists, by itself or by its model; undefined for most. */
export function paginateOf(
  reader: Reader,
  { model, paginate }: Pick<PageSummary, "model" | "paginate">,
): Paginate | undefined {
  const read = paginate === null ? undefined : readPaginate(paginate);
  if (read) return "paginate" in read ? read.paginate : undefined;
  return model === PAGE_MODEL ? undefined : (findPageModel(reader, model)?.paginate ?? undefined);
}

/** The summaries of the pages of a kind, by id. */
const summariesOf = (reader: Reader, kind: Kind<Page>): readonly PageSummary[] =>
  (reader.summaries?.(kind) as readonly PageSummary[] | undefined) ?? reader.all(kind);

/** The page of a summary. */
export function pageOf(summary: PageSummary): Page;
export function pageOf(summary: PageSummary | undefined): Page | undefined;
export function pageOf(summary: PageSummary | undefined): Page | undefined {
  return summary && (recordOf(summary) as Page);
}

/** The summaries of all pages, by id within each kind. */
export function allSummaries(reader: Reader): readonly PageSummary[] {
  const [pages, articles] = [summariesOf(reader, PAGES), summariesOf(reader, ARTICLES)];
  return articles.length === 0 ? pages : [...pages, ...articles];
}

/**
 * Loads every record of some kinds, in slices. Await it before `reader.all` of pages: most of a large site are parsed
 * only on first use, and `all` parses what is left at once, while every other request waits.
 */
export async function loadRecords(reader: Reader, kinds: readonly AnyKind[] = PAGE_KINDS): Promise<void> {
  for (const kind of kinds) {
    for (const summary of reader.summaries?.(kind) ?? []) {
      recordOf(summary);
      const rest = pace();
      if (rest) await rest;
    }
  }
}

const together = derived((pages: readonly Page[]) => derived((articles: readonly Page[]) => [...pages, ...articles]));

/** The pages of every model, by id within each kind; the same array as long as none changes. See `loadRecords`. */
export function allPages(reader: Reader): readonly Page[] {
  const pages = reader.all(PAGES);
  const articles = reader.all(ARTICLES);
  return articles.length === 0 ? pages : together(pages)(articles);
}
