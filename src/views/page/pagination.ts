/**
 * Lists with pages: a page that has `paginate`, or whose model has it, shows the items of a list, and its further pages have addresses of
 * their own. Router, HTML route, manifest, sitemap and build have the addresses and the payloads from here.
 */
import {
  isFirstPlace,
  listPermalink,
  type GroupAddress,
  type ListPlace,
  type NamedPlace,
} from "../../model/address/list-address.ts";
import { addressError } from "../../model/address/possible-names.ts";
import { objectOf } from "../../model/input/json.ts";
import { encodePath, publicPath, type Lang } from "../../model/language/locale.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import { PAGE_MODEL, permalinkIn, type Id, type Page, type PageSummary } from "../../model/page/page.ts";
import type { Paginate } from "../../model/page/paginate.ts";
import { findTypeByKey, instancesOf } from "../../store/content/indexes/meta-index.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { paginateOf } from "../../store/content/indexes/pages-by-model.ts";
import { redirectAt } from "../../store/content/indexes/redirects.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import { META_INSTANCES } from "../../store/records/meta-instances.ts";
import { ARTICLES, PAGES } from "../../store/records/pages.ts";
import { findItems, queryErrors, type FoundItems } from "../lists/found-list.ts";
import type { ListGroup } from "../lists/list-groups.ts";
import { shownInstance } from "../meta/meta.ts";
import type { Payload, View } from "../view.ts";
import { pagePayload } from "./page.ts";

/** What a page lists, of which each item is shown when its page is. */
interface List {
  readonly paginate: Paginate;
  readonly ids: readonly Id[];
  readonly groups: readonly ListGroup[];
  show(id: Id): Payload;
}

const lengthOf = (ids: readonly Id[], { size }: Paginate): number => Math.max(1, Math.ceil(ids.length / size));

const groupIn = ({ groups }: List, { group }: ListPlace): ListGroup | undefined =>
  group === undefined ? undefined : groups.find(({ key }) => key === group);

/** The place of a list that an address names; undefined for a page without a list, and for a place that the list does not have. */
export function placeNamed(view: View, page: PageSummary, { number, group }: NamedPlace): ListPlace | undefined {
  if (group && paginateOf(view.content, page)?.each !== group.each) return undefined;
  const list = listOf(view, page);
  const found = group && list?.groups.find(({ slug }) => slug === group.slug);
  if (!list || (group && !found) || number > lengthOf((found ?? list).ids, list.paginate)) return undefined;
  return { number, ...(found && { group: found.key }) };
}

/**
 * The payload at an address of a page: that of the page, and for one with a list `pagination`.
 *
 * @param place which page of the list is there
 */
export function addressPayload(view: View, page: Page, place = FIRST, included: readonly Lang[] = []): Payload {
  const payload = pagePayload(view, page, included);
  const list = listOf(view, page);
  if (!list) return payload;
  const { paginate } = list;
  const { number } = place;
  const group = groupIn(list, place);
  const { ids } = group ?? list;
  const length = lengthOf(ids, paginate);
  const permalink = permalinkIn(page, view.lang);
  const link = (at: number): string | null =>
    at < 1 || at > length ? null : listLink(view, permalink, { number: at, group: addressOf(list, group) });
  return {
    ...payload,
    ...(!isFirstPlace(place) && {
      routerlink: link(number),
      alternates: objectOf(
        view.locales.codes
          .filter((lang) => lang !== view.lang)
          .map(
            (lang) =>
              [lang, isPublic(page, lang, view.now) ? placeLink({ ...view, lang }, page, place) : null] as const,
          ),
      ),
    }),
    pagination: {
      items: ids.slice((number - 1) * paginate.size, number * paginate.size).map(list.show),
      number,
      count: length,
      total: ids.length,
      size: paginate.size,
      previous: link(number - 1),
      next: link(number + 1),
      pages: shownNumbers(number, length).map((each) => ({ number: each, url: link(each) })),
      group: group ? shownGroup(view, list, group, permalink) : null,
      groups: group ? [] : list.groups.map((each) => shownGroup(view, list, each, permalink)),
    },
  };
}

const FIRST: ListPlace = { number: 1 };

/** @param permalink that of the list */
const shownGroup = (view: View, list: List, group: ListGroup, permalink: string | null): Payload => ({
  key: group.key,
  title: group.title,
  address: listLink(view, permalink, { number: 1, group: addressOf(list, group) }),
  count: group.ids.length,
});

/** The groups of the list of a page, as the payload of the page has them. */
export function groupPayloads(view: View, page: PageSummary): readonly Payload[] {
  const list = listOf(view, page);
  return list ? list.groups.map((each) => shownGroup(view, list, each, permalinkIn(page, view.lang))) : [];
}

const addressOf = ({ paginate: { each } }: List, group: ListGroup | undefined): GroupAddress | undefined =>
  each && group ? { each, slug: group.slug } : undefined;

const NEAR = 4;

/** The first, the last, and those near a number: a payload must not grow with the list. */
const shownNumbers = (number: number, length: number): readonly number[] => {
  const near = Array.from({ length: 2 * NEAR + 1 }, (_, at) => number - NEAR + at);
  return [...new Set([1, ...near.filter((each) => each > 1 && each < length), length])];
};

/** The address of a place of the list of a page in the language of the view; null where the list does not have it. */
export function placeLink(view: View, page: PageSummary, place: ListPlace): string | null {
  const list = listOf(view, page);
  const group = list && groupIn(list, place);
  if (!list || (place.group !== undefined && !group)) return null;
  if (place.number > lengthOf((group ?? list).ids, list.paginate)) return null;
  return listLink(view, permalinkIn(page, view.lang), { number: place.number, group: addressOf(list, group) });
}

/** The address of a page of a list, percent-encoded; null where the list has none. @param permalink that of the list */
function listLink(
  { locales, lang, config }: View,
  permalink: string | null,
  place: Omit<NamedPlace, "list">,
): string | null {
  if (permalink === null) return null;
  const own = listPermalink(locales, lang, permalink, place);
  return addressError(locales, lang, own) === undefined
    ? encodePath(publicPath(locales, lang, own, config.APPEND_SLASH))
    : null;
}

/** An address of a page in a language. */
export interface Address {
  /** Not percent-encoded. */
  readonly path: string;
  readonly permalink: string;
  /** For a page with a list: which page of the list is there. */
  readonly place?: ListPlace;
}

/** Each place of the list of a page, with its permalink below one of the list; none for a page without a list. */
export function placePermalinks(
  view: View,
  page: PageSummary,
  permalink: string,
): readonly { readonly place: ListPlace; readonly permalink: string }[] {
  const list = listOf(view, page);
  if (!list) return [];
  return [undefined, ...list.groups].flatMap((group) =>
    Array.from({ length: lengthOf((group ?? list).ids, list.paginate) }, (_, at) => ({
      place: { number: at + 1, ...(group && { group: group.key }) },
      permalink: listPermalink(view.locales, view.lang, permalink, { number: at + 1, group: addressOf(list, group) }),
    })),
  );
}

/** The addresses of the list of a page, without those at which a real page or a redirect is. @param path of the first */
export function listAddresses(view: View, page: PageSummary, path: string): readonly Address[] {
  const { locales, lang, config, content } = view;
  const own = permalinkIn(page, lang)!;
  const [first, ...further] = placePermalinks(view, page, own);
  if (!first) return [{ path, permalink: own }];
  const free = further.filter(
    ({ permalink }) =>
      addressError(locales, lang, permalink) === undefined &&
      pageIndex(content).summaryByPermalink(lang, permalink) === undefined &&
      redirectAt(content, locales, lang, permalink) === undefined,
  );
  return [
    { path, ...first },
    ...free.map((each) => ({ path: publicPath(locales, lang, each.permalink, config.APPEND_SLASH), ...each })),
  ];
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

/** @returns undefined for a page without a list, and where the list cannot be made, which `cms check` tells */
function listOf(view: View, page: PageSummary): List | undefined {
  const { content } = view;
  const paginate = paginateOf(content, page);
  if (!paginate || listError(view, paginate)) return undefined;
  if (paginate.of === "instances") {
    const { ids, groups } = findItems(view, paginate, (seen) =>
      instancesOf(seen.content, findTypeByKey(seen.content, paginate.type!)!),
    )!;
    return { paginate, ids, groups, show: (each) => shownInstance(view, content.get(META_INSTANCES, each)) };
  }
  const model = paginate.of === "articles" ? undefined : (paginate.model ?? PAGE_MODEL);
  const kind = model === undefined ? ARTICLES : PAGES;
  const found = findItems(view, paginate, (seen) =>
    seen.content
      .all(kind)
      .filter((each) => (model === undefined || each.model === model) && isPublic(each, seen.lang, seen.now)),
  )!;
  const { ids, groups } = found.ids.includes(page.id) ? withoutItem(found, page.id) : found;
  return { paginate, ids, groups, show: (each) => pagePayload(view, content.get(kind, each)) };
}

/** No page lists itself. */
function withoutItem({ ids, groups }: FoundItems, id: Id): FoundItems {
  const others = (all: readonly Id[]): readonly Id[] => all.filter((each) => each !== id);
  const left = groups.map((group) => ({ ...group, ids: others(group.ids) }));
  return { ids: others(ids), groups: left.filter((group) => group.ids.length > 0) };
}
