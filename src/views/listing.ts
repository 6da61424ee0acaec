/**
 * The responses of list endpoints (contract.md 5): the records of a query, paged or not, and payloads reduced to the
 * requested `fields`.
 *
 * Records are paged before payloads are made, so the cost is that of one page.
 */
import { CmsError } from "../errors.ts";
import { isObject, objectOf, own } from "../model/json.ts";
import { splitSuffixed, type Lang, type Locales } from "../model/locale.ts";
import {
  inOrder,
  openTest,
  type ListQuery,
  type Queryable,
  type QueryField,
  type QueryContext,
} from "../model/query.ts";
import { openPace, type Pace } from "../store/git/time-slices.ts";
import type { Payload } from "./view.ts";

export interface Paginator {
  readonly count: number;
  readonly page: number;
  readonly has_next: boolean;
  readonly has_previous: boolean;
  readonly pages: number;
  readonly page_size: number;
}

/** All records, or one page of them. */
export type Listing<T> = readonly T[] | { readonly items: readonly T[]; readonly paginator: Paginator };

/**
 * Applies search, filters, order and paging.
 *
 * @param pace awaited between records, since a long list with many conditions takes seconds
 * @throws CmsError `invalid` for a regular expression that takes too long
 */
export async function list<T, S extends QueryContext>(
  records: readonly T[],
  query: ListQuery<T, S>,
  at: S,
  pace: Pace = openPace(),
): Promise<Listing<T>> {
  const ordered = query.ownOrderOf ? inOwnOrder(records, query, query.ownOrderOf, at) : undefined;
  const matching = await matchingOf(ordered ?? records, query, at, pace);
  const found = !ordered ? inOrder(matching, query, at) : query.isReversed ? matching.toReversed() : matching;
  if (!query.paging) return found;
  const count = found.length;
  const size = query.paging.size === Infinity ? count : query.paging.size;
  const pages = Math.max(1, Math.ceil(count / Math.max(1, size)));
  const page = Math.min(query.paging.page, pages);
  return {
    items: found.slice((page - 1) * size, page * size),
    paginator: { count, page, has_next: page < pages, has_previous: page > 1, pages, page_size: size },
  };
}

const IN_OWN_ORDER = new WeakMap<readonly unknown[], WeakMap<object, readonly unknown[]>>();

/** The records in the order of their list, which depends on nothing else: sorted once, until a record changes. */
function inOwnOrder<T, S extends QueryContext>(
  records: readonly T[],
  query: ListQuery<T, S>,
  queryable: Queryable<T, S>,
  at: S,
): readonly T[] {
  const lists = IN_OWN_ORDER.get(records) ?? new WeakMap<object, readonly unknown[]>();
  IN_OWN_ORDER.set(records, lists);
  const known = lists.get(queryable) as readonly T[] | undefined;
  if (known) return known;
  const sorted = inOrder(records, { ...query, isReversed: false }, at);
  lists.set(queryable, sorted);
  return sorted;
}

async function matchingOf<T, S extends QueryContext>(
  records: readonly T[],
  query: ListQuery<T, S>,
  at: S,
  pace: Pace,
): Promise<readonly T[]> {
  if (query.predicates.length === 0) return records;
  const matches = openTest(query, at);
  const matching: T[] = [];
  for (const record of records) {
    if (matches(record)) matching.push(record);
    await pace();
  }
  return matching;
}

/** Characters; a text of Node's has four times as many at most. */
const TEXT_MAX = 128 * 1024 * 1024;

/**
 * The listing as JSON text, with each record shown.
 *
 * @throws CmsError `too_large` for one whose text would be longer than `most` characters
 */
export async function listingText<T>(
  listing: Listing<T>,
  show: (record: T) => Payload,
  pace: Pace = openPace(),
  most = TEXT_MAX,
): Promise<string> {
  const isPaged = "items" in listing;
  const shown: string[] = [];
  let length = 0;
  for (const record of isPaged ? listing.items : listing) {
    const text = JSON.stringify(show(record));
    if ((length += text.length) > most)
      throw new CmsError(
        "too_large",
        "The list is too long for one answer: " +
          "ask for a page of it with `items`, or for less of each record with `fields`.",
      );
    shown.push(text);
    await pace();
  }
  const items = `[${shown.join()}]`;
  return isPaged ? `{"items":${items},"paginator":${JSON.stringify(listing.paginator)}}` : items;
}

/**
 * A payload reduced to some fields, in its own order (contract.md 5.2).
 *
 * Unknown names are ignored; if none is known, all fields are kept. `rel__sub` names a field of a nested record; a
 * nested record without names of its own is reduced by the same list, if it has any of its fields. `title_it` is inside
 * `translations`, unless the payload has it flat.
 *
 * @param queryable its references are the nested records
 */
export function selectFields<T, S extends QueryContext>(
  payload: Payload,
  fields: readonly string[],
  queryable: Queryable<T, S>,
  locales: Locales,
): Payload {
  return fields.length === 0 ? payload : pick(payload, fields, fields, queryable, locales);
}

/** The fields of a router payload that belong to its URL node; all others, and the shared ones, belong to the page. */
const NODE_FIELDS = new Set([
  "id",
  "is_public",
  "status",
  "indexable",
  "permalink",
  "related_name",
  "alternates",
  "contents",
  "content_type",
  "language",
  "translations",
  "has_draft",
  "has_scheduled_draft",
  "draft_scheduled_for",
  "draft_data",
]);
const SHARED_FIELDS = new Set(["id", "is_public", "status", "indexable"]);

/**
 * `selectFields` for the routers, where URL node and page are reduced separately: `title` keeps the whole URL node,
 * `title,permalink` gives exactly those two (contract.md 5.2).
 */
export function selectRouteFields<T, S extends QueryContext>(
  payload: Payload,
  fields: readonly string[],
  queryable: Queryable<T, S>,
  locales: Locales,
): Payload {
  if (fields.length === 0) return payload;
  const part = (holds: (name: string) => boolean): Payload =>
    selectFields(objectOf(Object.entries(payload).filter(([name]) => holds(name))), fields, queryable, locales);
  const kept = {
    ...part((name) => NODE_FIELDS.has(name)),
    ...part((name) => !NODE_FIELDS.has(name) || SHARED_FIELDS.has(name)),
  };
  return objectOf(
    Object.keys(payload)
      .filter((name) => Object.hasOwn(kept, name))
      .map((name) => [name, own(kept, name)] as const),
  );
}

/** @param names of this record; @param all the whole list, for nested records without names of their own */
function pick<T, S extends QueryContext>(
  payload: Payload,
  names: readonly string[],
  all: readonly string[],
  queryable: Queryable<T, S>,
  locales: Locales,
): Payload {
  const below = new Map<string, string[]>();
  const texts = new Map<Lang, string[]>();
  for (const name of names) {
    const cut = name.indexOf("__");
    const key = cut > 0 ? name.slice(0, cut) : name;
    if (Object.hasOwn(payload, key)) {
      const named = below.get(key) ?? [];
      if (cut > 0) named.push(name.slice(cut + 2)); // in place: a request may name thousands
      below.set(key, named);
      continue;
    }
    const suffixed = splitSuffixed(locales, name);
    if (suffixed && hasText(payload, suffixed.lang, suffixed.field)) {
      const named = texts.get(suffixed.lang) ?? [];
      named.push(suffixed.field);
      texts.set(suffixed.lang, named);
    }
  }
  const isAll = below.size === 0 && texts.size === 0;
  const kept = Object.entries(payload).flatMap(([key, value]): [string, unknown][] => {
    if (isAll || below.has(key))
      return [[key, narrow(value, below.get(key) ?? [], all, own(queryable.fields, key), locales)]];
    return key === "translations" && texts.size > 0 ? [[key, pickTexts(value, texts)]] : [];
  });
  return objectOf(kept);
}

function narrow<T, S extends QueryContext>(
  value: unknown,
  names: readonly string[],
  all: readonly string[],
  field: QueryField<T, S> | undefined,
  locales: Locales,
): unknown {
  if (field?.type !== "reference") return value;
  if (Array.isArray(value)) return value.map((each) => narrow(each, names, all, field, locales));
  return isObject(value) ? pick(value, names.length > 0 ? names : all, all, field.target(), locales) : value;
}

const textsOf = (translations: unknown, lang: Lang): Payload | undefined => {
  const texts = isObject(translations) ? own(translations, lang) : undefined;
  return isObject(texts) ? texts : undefined;
};

const hasText = (payload: Payload, lang: Lang, field: string): boolean =>
  Object.hasOwn(textsOf(own(payload, "translations"), lang) ?? {}, field);

const pickTexts = (translations: unknown, wanted: ReadonlyMap<Lang, readonly string[]>): Payload =>
  objectOf(
    [...wanted].map(([lang, fields]) => {
      const texts = Object.entries(textsOf(translations, lang) ?? {});
      return [lang, objectOf(texts.filter(([field]) => fields.includes(field)))] as const;
    }),
  );
