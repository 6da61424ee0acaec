/**
 * The responses of list endpoints: the records of a query, paged or not.
 *
 * Records are paged before payloads are made, so the cost is that of one page.
 */
import { derived, keptBy } from "../../memo.ts";
import { CmsError } from "../../errors.ts";
import {
  inOrder,
  openTest,
  type ListQuery,
  type Paginator,
  type Queryable,
  type QueryContext,
} from "../../model/lists/query.ts";
import { pace } from "../../time-slices.ts";
import type { Payload } from "../view.ts";

/** All records, or one page of them. */
export type RecordListing<T> = readonly T[] | { readonly items: readonly T[]; readonly paginator: Paginator };

/**
 * Applies search, filters, order and paging. Yields between records, since a long list with many conditions takes seconds.
 *
 * @throws CmsError `invalid` for a regular expression that takes too long
 */
export async function list<T, S extends QueryContext>(
  records: readonly T[],
  query: ListQuery<T, S>,
  at: S,
): Promise<RecordListing<T>> {
  const ordered = query.ownOrderOf ? inOwnOrder(records, query, query.ownOrderOf, at) : undefined;
  const matching = await matchingOf(ordered ?? records, query, at);
  const found = ordered ? matching : inOrder(matching, { ...query, isReversed: false }, at);
  const { rows, ...paginator } = listPageOf(found, query);
  return query.paging ? { items: rows, paginator } : rows;
}

/** The page of a list that a query asks for, or all of it; reversed where the query is. */
export function listPageOf<R>(
  found: readonly R[],
  { paging, isReversed }: Pick<ListQuery<never>, "paging" | "isReversed">,
): Paginator & { readonly rows: readonly R[] } {
  const count = found.length;
  const size = !paging || paging.size === Infinity ? count : paging.size;
  const pages = Math.max(1, Math.ceil(count / Math.max(1, size)));
  const page = Math.min(paging?.page ?? 1, pages);
  const [from, to] = [(page - 1) * size, Math.min(page * size, count)];
  const rows = isReversed ? found.slice(count - to, count - from).reverse() : found.slice(from, to);
  return { rows, count, page, has_next: page < pages, has_previous: page > 1, pages, page_size: size };
}

const ownOrders = derived((_records: readonly unknown[]) => new Map<object, readonly unknown[]>());

/** The records in the default order of their list, sorted once until a record changes. */
function inOwnOrder<T, S extends QueryContext>(
  records: readonly T[],
  query: ListQuery<T, S>,
  queryable: Queryable<T, S>,
  at: S,
): readonly T[] {
  const sort = (): readonly T[] => inOrder(records, { ...query, isReversed: false }, at);
  return keptBy(ownOrders(records), queryable, sort) as readonly T[];
}

async function matchingOf<T, S extends QueryContext>(
  records: readonly T[],
  query: ListQuery<T, S>,
  at: S,
): Promise<readonly T[]> {
  if (query.predicates.length === 0) return records;
  const matches = openTest(query, at);
  const matching: T[] = [];
  for (const record of records) {
    if (matches(record)) matching.push(record);
    const rest = pace();
    if (rest) await rest;
  }
  return matching;
}

/** In characters; Node's longest text has four times as many. */
const TEXT_MAX = 128 * 1024 * 1024;

/**
 * The listing as JSON text, with each record shown.
 *
 * @throws CmsError `too_large` when the text would be longer than `most` characters
 */
export async function listingText<T>(
  listing: RecordListing<T>,
  show: (record: T) => Payload,
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
