/**
 * What a template can query of the site beyond its own page, and the answers from the content in memory.
 *
 * Helpers never read content directly: they run these queries, so that a build can record what a page depends on, or
 * answer from a server. Arguments and results are JSON.
 */
import { isPublic } from "../model/page/lifecycle.ts";
import { own } from "../model/input/json.ts";
import { decoded, encodePath, splitLang } from "../model/language/locale.ts";
import { ARTICLE_MODEL, type Id, type Page, type PageSummary } from "../model/page/page.ts";
import { permalinkOf } from "../model/address/permalink.ts";
import { clockAnswer, siteClock, type Clock } from "../model/time/clock-answers.ts";
import { blockTypesIn } from "../store/records/block-types.ts";
import { ARTICLES, PAGES } from "../store/records/pages.ts";
import { declaredTypeOf } from "../store/records/declared.ts";
import { findTypeByKey, instancesOf } from "../store/content/indexes/meta-index.ts";
import { pageIndex } from "../store/content/indexes/page-index.ts";
import { pageModels, pageOf, paginateOf } from "../store/content/indexes/pages-by-model.ts";
import { pageContents } from "../views/records/content.ts";
import { mediaIndex } from "../store/content/indexes/media-index.ts";
import { nestedMedia } from "../views/media/media.ts";
import { findItems, queryErrors, type ListSpec } from "../views/lists/found-list.ts";
import { menusByKey } from "../views/records/menu.ts";
import { shownInstance } from "../views/meta/meta.ts";
import { groupPayloads, placeLink } from "../views/page/pagination.ts";
import { resolveRoute } from "../views/page/route.ts";
import { pagePayload } from "../views/page/page.ts";
import { recordPayload } from "../views/records/record.ts";
import { TAG } from "../model/records/tag.ts";
import { mayShow, routerlink, type Payload, type View } from "../views/view.ts";
import { meant } from "./template-hints.ts";

/** Arguments and result of each query. */
interface QueryTypes {
  /** All menus by key. */
  menus: { args: []; result: { readonly [key: string]: Payload } };
  media: { args: [id: Id]; result: Payload | null };
  /** The public children of a page, in their order. */
  pages_of: { args: [page: Id]; result: readonly Payload[] };
  /** The public articles, newest first; only those with a tag, if one is given. */
  articles: { args: [tag: Id | null]; result: readonly Payload[] };
  tags: { args: []; result: readonly Payload[] };
  /** The instances of a meta type, with one value for each translated field. */
  instances: { args: [key: string]; result: readonly Payload[] };
  /** A content block of a page; of the whole site when the page is null. */
  block: { args: [page: Id | null, identifier: string]; result: Payload | null };
  /** The template of a block type, below templates/; null where the type names none. */
  block_template: { args: [type: string]; result: string | null };
  /** Root-relative URL, in the view's language, of the page at a public path without query; null if there is none. */
  link: { args: [path: string]; result: string | null };
  /** The page at a public path, found as `link` finds it, in the view's language; null where it is not public. */
  page_at: { args: [path: string]; result: Payload | null };
  /** The groups of the list of the page at a public path, found as `page_at` finds it. */
  list_groups: { args: [path: string]; result: readonly Payload[] };
  /** The address of one of them, which stays the same when items are added. @param key as a group has it */
  group_link: { args: [path: string, key: number]; result: string | null };
  /** The public pages that a `PagesQuery` finds, in its order. @param query as JSON */
  pages: { args: [query: string]; result: readonly Payload[] };
  /** What the clock says; the answers and when they change are in `model/time/clock-answers.ts`. */
  today: { args: []; result: string };
  now: { args: []; result: string };
  is_past: { args: [moment: string]; result: string };
  distance: { args: [moment: string]; result: string };
  /** Where a page or file of the library is now that a path leads to by a permanent redirect; null for other paths. */
  moved: { args: [path: string]; result: string | null };
}

export type QueryName = keyof QueryTypes;
export type QueryArgs<Q extends QueryName> = QueryTypes[Q]["args"];
export type QueryResult<Q extends QueryName> = QueryTypes[Q]["result"];

type TemplateQueries = {
  readonly [Q in QueryName]: (view: View, ...args: QueryTypes[Q]["args"]) => QueryTypes[Q]["result"];
};

/** Runs a query for the view that a page is rendered for. */
export type RunQuery = <Q extends QueryName>(view: View, query: Q, ...args: QueryArgs<Q>) => QueryResult<Q>;

export const TEMPLATE_QUERIES: TemplateQueries = {
  menus: menusByKey,
  media: nestedMedia,
  pages_of: (view, id) => publicChildren(view, id).map((child) => pagePayload(view, pageOf(child))),
  articles: (view, tag) => publicArticles(view, tag).map((article) => pagePayload(view, article)),
  tags: (view) => view.content.all(declaredTypeOf(TAG)).map((each) => recordPayload(view, TAG, each)),
  instances: instancesByKey,
  block: (view, page, identifier) => own(pageContents(view, page), identifier) ?? null,
  block_template: ({ content }, type) => blockTypesIn(content).find(({ name }) => name === type)?.template || null,
  link(view, path) {
    const page = pageAt(view, path);
    return page && mayShow(view, page) ? routerlink(view, page) : null;
  },
  page_at(view, path) {
    const page = pageAt(view, path);
    return page && mayShow(view, page) ? pagePayload(view, page) : null;
  },
  list_groups(view, path) {
    const page = pageAt(view, path);
    return page && mayShow(view, page) ? groupPayloads(view, page) : [];
  },
  group_link(view, path, key) {
    const page = pageAt(view, path);
    return page && mayShow(view, page) ? placeLink(view, page, { number: 1, group: key }) : null;
  },
  pages: (view, query) => queriedPages(view, JSON.parse(query) as PagesQuery),
  today: (view) => clockAnswer(clockOf(view), "today"),
  now: (view) => clockAnswer(clockOf(view), "now"),
  is_past: (view, moment) => clockAnswer(clockOf(view), "is_past", moment),
  distance: (view, moment) => clockAnswer(clockOf(view), "distance", moment),
  moved({ content, ...others }, path) {
    const { URL: mediaUrl } = others.config.MEDIA;
    if (path.startsWith(mediaUrl)) {
      const media = mediaIndex(content).movedFrom(path.slice(mediaUrl.length));
      return media?.deleted_at === null ? mediaUrl + encodePath(media.file) : null;
    }
    const view: View = { ...others, content, surface: "public", origin: "" };
    const route = resolveRoute(view, path);
    if (route.kind !== "redirect" || route.status !== 301) return null;
    return route.page || resolveRoute(view, decoded(route.to)).kind === "page" ? route.to : null;
  },
};

const clockOf = ({ now, locales }: View): Clock => siteClock(now, locales.timeZone);

/** Answers from the content of the view. */
export const queryContent: RunQuery = (view, query, ...args) => TEMPLATE_QUERIES[query](view, ...args);

/** In their order. */
export const publicChildren = (view: View, id: Id): readonly PageSummary[] => {
  const index = pageIndex(view.content);
  const children = index.childSummaries(id);
  return children.length > 0 && index.has(id) ? children.filter((child) => isPublic(child, view.lang, view.now)) : [];
};

/** Newest first. */
export function publicArticles(view: View, tag: Id | null): readonly Page[] {
  const at = (article: Page): string => article.translations[view.lang]?.published_at ?? "";
  return view.content
    .all(ARTICLES)
    .filter((article) => isPublic(article, view.lang, view.now) && (tag === null || article.tags.includes(tag)))
    .sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : b.id - a.id));
}

/** What the function `pages` of templates asks for. */
export interface PagesQuery {
  readonly model: string | null;
  /** The path of the page that they are below, at any depth. */
  readonly below: string | null;
  readonly where: string | null;
  readonly sort: string | null;
  readonly limit: number | null;
}

const specOf = ({ model, where, sort, below }: PagesQuery): ListSpec => ({
  of: "pages",
  model,
  type: null,
  where,
  sort,
  ...(below !== null && { below }),
});

/** What is wrong with a query: a model that the site lacks, a filter or an order that cannot be used; undefined for nothing. */
export function pagesQueryError(view: View, query: PagesQuery): string | undefined {
  const models = pageModels(view.content).filter((name) => name !== ARTICLE_MODEL);
  if (query.model !== null && !models.includes(query.model))
    return `There is no page model "${query.model}".${meant(query.model, models)}`;
  if (query.below !== null && !pageAt(view, query.below)) return `There is no page at "${query.below}".`;
  const errors = queryErrors(view.locales, specOf(query));
  return errors && Object.values(errors).flat().join(" ");
}

/** Why a path leads to no list with groups; undefined where it does. */
export function groupsQueryError(view: View, path: string): string | undefined {
  const page = pageAt(view, path);
  if (!page) return `There is no page at "${path}".`;
  return paginateOf(view.content, page)?.each ? undefined : `The page at "${path}" has no "paginate" with "each".`;
}

function queriedPages(view: View, query: PagesQuery): readonly Payload[] {
  const found = findItems(view, specOf(query), (seen) => {
    const top = query.below === null ? undefined : pageAt(seen, query.below)?.id;
    if (query.below !== null && top === undefined) return [];
    return seen.content
      .all(PAGES)
      .filter(
        (page) =>
          (query.model === null || page.model === query.model) &&
          isPublic(page, seen.lang, seen.now) &&
          (top === undefined || isBelow(seen, page, top)),
      );
  });
  return (found?.ids ?? [])
    .slice(0, query.limit ?? undefined)
    .map((id) => pagePayload(view, view.content.get(PAGES, id)));
}

function isBelow({ content }: View, page: Page, top: Id): boolean {
  const passed = new Set([page.id]);
  for (let above = page.parent_page; above !== null && !passed.has(above);) {
    if (above === top) return true;
    passed.add(above);
    above = content.find(PAGES, above)?.parent_page ?? null;
  }
  return false;
}

/** In order of creation. */
function instancesByKey(view: View, key: string): readonly Payload[] {
  const type = findTypeByKey(view.content, key);
  return type ? instancesOf(view.content, type).map((instance) => shownInstance(view, instance)) : [];
}

/**
 * The page at a path, in the language of the path, of the view, or the default one, in this order; current permalinks
 * go before former ones. Pages that the reader must not see are skipped.
 */
function pageAt(view: View, path: string): Page | undefined {
  const { lang, rest } = splitLang(view.locales, path);
  const bare = permalinkOf(rest);
  const index = pageIndex(view.content);
  const langs = [lang, view.lang, view.locales.default];
  const shown = (find: (lang: string) => Page | undefined): Page | undefined =>
    langs.map((each) => [each, find(each)] as const).find(([each, page]) => page && mayShow(view, page, each))?.[1];
  return shown((each) => index.byPermalink(each, bare)) ?? shown((each) => index.byAlias(each, bare));
}
