/**
 * Lists with pages: a page that has `paginate`, or whose model has it, shows the items of a list, and its further pages have addresses of
 * their own. Router, HTML route, manifest, sitemap and build have the addresses and the payloads from here.
 */
import { listPermalink } from "../../model/address/list-address.ts";
import { addressError } from "../../model/address/possible-names.ts";
import { objectOf } from "../../model/input/json.ts";
import { encodePath, publicPath, type Lang } from "../../model/language/locale.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import { PAGE_MODEL, permalinkIn, type Page, type PageSummary } from "../../model/page/page.ts";
import type { Paginate } from "../../model/page/paginate.ts";
import { findTypeByKey, instancesOf } from "../../store/content/indexes/meta-index.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { paginateOf } from "../../store/content/indexes/pages-by-model.ts";
import { redirectAt } from "../../store/content/indexes/redirects.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import { META_INSTANCES } from "../../store/records/meta-instances.ts";
import { ARTICLES, PAGES } from "../../store/records/pages.ts";
import { foundIds, queryErrors } from "../lists/found-list.ts";
import { shownInstance } from "../meta/meta.ts";
import type { Payload, View } from "../view.ts";
import { pagePayload } from "./page.ts";

/** The items of a list, in its order, of which each is shown when its page is. */
interface Items {
  readonly count: number;
  show(from: number, to: number): readonly Payload[];
}

/** How many pages the list of a page has, at least 1; undefined for a page without a list. */
export function listLength(view: View, page: PageSummary): number | undefined {
  const paginate = paginateOf(view.content, page);
  const items = paginate && itemsOf(view, paginate, page);
  return items && lengthOf(items, paginate);
}

const lengthOf = ({ count }: Items, { size }: Paginate): number => Math.max(1, Math.ceil(count / size));

/**
 * The payload at an address of a page: that of the page, and for one with a list `pagination`.
 *
 * @param number of the page of the list, from 1
 */
export function addressPayload(view: View, page: Page, number = 1, included: readonly Lang[] = []): Payload {
  const payload = pagePayload(view, page, included);
  const paginate = paginateOf(view.content, page);
  const items = paginate && itemsOf(view, paginate, page);
  if (!items) return payload;
  const length = lengthOf(items, paginate);
  const link = (at: number): string | null =>
    at < 1 || at > length ? null : listLink(view, permalinkIn(page, view.lang), at);
  return {
    ...payload,
    ...(number > 1 && {
      routerlink: link(number),
      alternates: objectOf(
        view.locales.codes
          .filter((lang) => lang !== view.lang)
          .map((lang) => [lang, numberedAlternate({ ...view, lang }, page, number)] as const),
      ),
    }),
    pagination: {
      items: items.show((number - 1) * paginate.size, number * paginate.size),
      number,
      count: length,
      total: items.count,
      size: paginate.size,
      previous: link(number - 1),
      next: link(number + 1),
      pages: shownNumbers(number, length).map((each) => ({ number: each, url: link(each) })),
    },
  };
}

const NEAR = 4;

/** The first, the last, and those near a number: a payload must not grow with the list. */
const shownNumbers = (number: number, length: number): readonly number[] => {
  const near = Array.from({ length: 2 * NEAR + 1 }, (_, at) => number - NEAR + at);
  return [...new Set([1, ...near.filter((each) => each > 1 && each < length), length])];
};

function numberedAlternate(view: View, page: Page, number: number): string | null {
  if (!isPublic(page, view.lang, view.now) || (listLength(view, page) ?? 1) < number) return null;
  return listLink(view, permalinkIn(page, view.lang), number);
}

/** The address of a page of a list, percent-encoded; null where the list has none. @param permalink that of the list */
export function listLink({ locales, lang, config }: View, permalink: string | null, number: number): string | null {
  if (permalink === null || addressError(locales, lang, permalink) !== undefined) return null;
  return encodePath(publicPath(locales, lang, listPermalink(locales, lang, permalink, number), config.APPEND_SLASH));
}

/** An address of a page in a language. */
export interface Address {
  /** Not percent-encoded. */
  readonly path: string;
  readonly permalink: string;
  /** For a page with a list: which page of the list is there. */
  readonly number?: number;
}

/** The addresses of the list of a page, without those at which a real page or a redirect is. @param path of the first */
export function listAddresses(view: View, page: PageSummary, path: string): readonly Address[] {
  const { locales, lang, config, content } = view;
  const permalink = permalinkIn(page, lang)!;
  const length = listLength(view, page);
  if (length === undefined) return [{ path, permalink }];
  const further = Array.from({ length: length - 1 }, (_, at) => at + 2).flatMap((number) => {
    const each = listPermalink(locales, lang, permalink, number);
    const isTaken =
      pageIndex(content).summaryByPermalink(lang, each) !== undefined || redirectAt(content, locales, lang, each);
    return isTaken ? [] : [{ path: publicPath(locales, lang, each, config.APPEND_SLASH), permalink: each, number }];
  });
  return [{ path, permalink, number: 1 }, ...further];
}

/** Why a list cannot be made; undefined where it can. */
export function listError(
  { content, locales }: Pick<View, "content" | "locales">,
  paginate: Paginate,
): ListError | undefined {
  const { of, model, type } = paginate;
  if (of === "pages" && model !== null && model !== PAGE_MODEL && !findPageModel(content, model))
    return { key: "model", message: `There is no content/page-models/${model}.yaml.` };
  if (of === "instances" && !findTypeByKey(content, type ?? ""))
    return { key: "type", message: `There is no meta type "${type}".` };
  const errors = queryErrors(locales, paginate);
  for (const [key, parameter] of [
    ["where", "fltr"],
    ["sort", "sort"],
  ] as const)
    if (errors?.[parameter]) return { key, message: String(errors[parameter]) };
  return undefined;
}

export interface ListError {
  /** Of `paginate`. */
  readonly key: string;
  readonly message: string;
}

/** @returns undefined where the list cannot be made, which `cms check` tells */
function itemsOf(view: View, paginate: Paginate, { id }: PageSummary): Items | undefined {
  if (listError(view, paginate)) return undefined;
  const { content } = view;
  if (paginate.of === "instances") {
    const ids = foundIds(view, paginate, (seen) =>
      instancesOf(seen.content, findTypeByKey(seen.content, paginate.type!)!),
    )!;
    return {
      count: ids.length,
      show: (from, to) => ids.slice(from, to).map((each) => shownInstance(view, content.get(META_INSTANCES, each))),
    };
  }
  const model = paginate.of === "articles" ? undefined : (paginate.model ?? PAGE_MODEL);
  const kind = model === undefined ? ARTICLES : PAGES;
  const all = foundIds(view, paginate, (seen) =>
    seen.content
      .all(kind)
      .filter((page) => (model === undefined || page.model === model) && isPublic(page, seen.lang, seen.now)),
  )!;
  const ids = all.includes(id) ? all.filter((each) => each !== id) : all;
  return {
    count: ids.length,
    show: (from, to) => ids.slice(from, to).map((each) => pagePayload(view, content.get(kind, each))),
  };
}
