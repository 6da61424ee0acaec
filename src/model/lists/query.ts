/**
 * List queries: the parameters of every list endpoint, compiled once and then applied to records.
 *
 * Queries are independent of the kind of record: each list declares its fields in a `Queryable`. All errors are
 * reported at once, by parameter. An invalid filter is never ignored: the list would show more than requested.
 */
import { refuseInvalid } from "../../errors.ts";
import type { Locales } from "../language/locale.ts";
import { parseFilter, QuerySyntaxError, type Expression } from "../query/grammar.ts";
import { compileLookup, valueAtPath } from "../query/lookups.ts";
import { compareKeys, sortKey, type SortKey } from "../query/order.ts";
import { newBudget, resetBudget, type Budget } from "../query/pattern.ts";
import { mostOf, resolveField, type Queryable, type QueryContext, type Reads } from "../query/queryable.ts";

export type {
  Queryable,
  QueryField,
  Reads,
  ReferenceField,
  QueryContext,
  ValueField,
  ValueType,
} from "../query/queryable.ts";

/** Records per page when `items` is empty. */
export const PAGE_SIZE = 30;
export const ITEMS_MAX = 10_000;
/** Limits: each field is looked up in every served record, each sort key compared for every two records. */
export const FIELDS_MAX = 200;
const SORT_MAX = 20;
const SEARCH_WORDS_MAX = 16;

interface Predicate<T, S> {
  readonly reads: Reads;
  readonly isTimed: boolean;
  holds(record: T, at: S): boolean;
}

interface OrderTerm<T, S> {
  readonly isDescending: boolean;
  readonly reads: Reads;
  value(record: T, at: S): unknown;
}

/** What a page of a list is of. */
export interface Paginator {
  readonly count: number;
  readonly page: number;
  readonly has_next: boolean;
  readonly has_previous: boolean;
  readonly pages: number;
  readonly page_size: number;
}

/** A compiled query, which can be applied to its list any number of times. */
export interface ListQuery<T, S extends QueryContext = QueryContext> {
  /** All must hold: the search, then each `fltr`. */
  readonly predicates: readonly Predicate<T, S>[];
  readonly order: readonly OrderTerm<T, S>[];
  /** The list whose own order this is; undefined where `sort` names another. */
  readonly ownOrderOf: Queryable<T, S> | undefined;
  readonly isReversed: boolean;
  /** What the order and the predicates are made from; equal keys mean that they are the same. */
  readonly ordering: Dependence;
  readonly matching: Dependence & { readonly isTimed: boolean };
  /** undefined: the list is not paged. */
  readonly paging: Paging | undefined;
  /** The argument of `selectFields`; empty for all fields. */
  readonly fields: readonly string[];
  /** The work that regular expressions may do; reset each time the query is applied. */
  readonly budget: Budget;
}

export interface Dependence {
  readonly key: string;
  readonly reads: Reads;
}

interface Paging {
  /** Records per page; Infinity: all on one. */
  readonly size: number;
  /** 1-based; beyond the last page it is the last one. */
  readonly page: number;
}

/**
 * Reads `items`, `page`, `sort`, `order`, `search`, `fltr` and `fields`. The last value of a repeated parameter counts,
 * except for `fltr`: all filters must hold.
 *
 * @param pageSize for `items` without a value
 * @throws CmsError `invalid` with the parameters that cannot be understood
 */
export function readQuery<T, S extends QueryContext>(
  params: URLSearchParams,
  queryable: Queryable<T, S>,
  locales: Locales,
  pageSize: number = PAGE_SIZE,
): ListQuery<T, S> {
  const errors: Record<string, string[]> = {};
  const reading = <R>(name: string, read: () => R): R | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error;
      errors[name] = [...(errors[name] ?? []), error.message];
      return undefined;
    }
  };
  const last = (name: string): string | undefined => params.getAll(name).at(-1);
  const budget = newBudget();

  const size = reading("items", () => readItems(last("items"), pageSize));
  const search = last("search") ?? "";
  const filterTexts = params.getAll("fltr");
  const expressions = filterTexts.map((text) => reading("fltr", () => parseFilter(text)));
  const { ownFilter } = queryable;
  if (ownFilter && !expressions.some((each) => each && namesField(each, ownFilter.unless)))
    expressions.push(parseFilter(ownFilter.text));
  const filters = expressions.map(
    (each) => each && reading("fltr", () => expressionPredicate(each, queryable, locales, budget)),
  );
  const sort = (reading("sort", () => readNames(last("sort"), SORT_MAX)) ?? []).map((name) =>
    reading("sort", () => orderTerms(name, queryable, locales)),
  );
  const fields = reading("fields", () => readNames(last("fields"), FIELDS_MAX)) ?? [];
  const ties = queryable.order.map((name) => orderTerms(name, queryable, locales));
  refuseInvalid(errors);

  const words = searchWords(search);
  const searched = words.length > 0 ? queryable.search.map((name) => declared(queryable, name, locales)) : [];
  const predicates = [...filters].filter((each) => each !== undefined);
  if (searched.length > 0) predicates.unshift(searchPredicate(words, searched));
  const isRanked = searched.length > 0 && words.length > 1 && sort.length === 0;
  const rank = isRanked ? [rankTerm(words, searched)] : [];
  const order = [...sort, rank, ...ties].flatMap((terms) => terms ?? []);
  return {
    predicates,
    order,
    ownOrderOf: sort.length === 0 && !isRanked ? queryable : undefined,
    isReversed: last("order") === "desc",
    ordering: {
      key: isRanked ? JSON.stringify(["search", search]) : (last("sort") ?? ""),
      reads: mostOf(order.map(({ reads }) => reads)),
    },
    matching: {
      key: JSON.stringify([search, ...filterTexts]),
      reads: mostOf(predicates.map(({ reads }) => reads)),
      isTimed: predicates.some(({ isTimed }) => isTimed),
    },
    paging: size === undefined ? undefined : { size, page: readPage(last("page")) },
    fields,
    budget,
  };
}

/**
 * A test whether a record matches, for one pass over the list: all calls share the budget of regular expressions.
 *
 * @returns a function that throws CmsError `invalid` for a regular expression that takes too long
 */
export function openTest<T, S extends QueryContext>(
  { predicates, budget }: ListQuery<T, S>,
  at: S,
): (record: T) => boolean {
  resetBudget(budget);
  return (record) => {
    for (const each of predicates) if (!each.holds(record, at)) return false;
    return true;
  };
}

/** A record with the sort keys that are known of it. They are computed on demand: most often the first decides. */
export interface SortRow<T> {
  readonly record: T;
  readonly keys: SortKey[];
}

/** Compares rows by the order of the query, not reversed. */
export function openComparison<T, S extends QueryContext>(
  { order }: Pick<ListQuery<T, S>, "order">,
  at: S,
): (a: SortRow<T>, b: SortRow<T>) => number {
  const key = (row: SortRow<T>, n: number): SortKey => {
    const known = row.keys[n];
    return known === undefined ? (row.keys[n] = sortKey(order[n]!.value(row.record, at))) : known;
  };
  return (a, b) => {
    for (let n = 0; n < order.length; n++) {
      const difference = compareKeys(key(a, n), key(b, n));
      if (difference !== 0) return order[n]!.isDescending ? -difference : difference;
    }
    return 0;
  };
}

/** The records in the order of the query. */
export function inOrder<T, S extends QueryContext>(found: readonly T[], query: ListQuery<T, S>, at: S): T[] {
  const rows = found.map((record): SortRow<T> => ({ record, keys: [] }));
  rows.sort(openComparison(query, at));
  const sorted = rows.map(({ record }) => record);
  return query.isReversed ? sorted.reverse() : sorted;
}

/** @throws QuerySyntaxError for more of them than may be named */
function readNames(text: string | undefined, most: number): readonly string[] {
  const names = new Set((text ?? "").split(","));
  names.delete("");
  if (names.size > most) throw new QuerySyntaxError(`At most ${most} names are expected.`);
  return [...names];
}

/** @returns undefined when the parameter is absent */
function readItems(text: string | undefined, pageSize: number): number | undefined {
  if (text === undefined || text === "") return text === undefined ? undefined : pageSize;
  if (text === "-1") return Infinity;
  const size = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (size < 1) throw new QuerySyntaxError("A positive integer is expected, or -1 for everything.");
  if (size > ITEMS_MAX) throw new QuerySyntaxError(`At most ${ITEMS_MAX} at a time, or -1 for everything.`);
  return size;
}

/** Anything but an integer is the first page; an integer out of range, also 0 and below, the last. */
function readPage(text: string | undefined): number {
  if (text === undefined || !/^[+-]?\d+$/.test(text.trim())) return 1;
  const page = Number(text);
  return page < 1 ? Infinity : page;
}

/** The words of a search in lower case; what is in quotes is one of them. */
function searchWords(search: string): readonly string[] {
  const found = [...search.toLowerCase().matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted?.trim() ?? word);
  return [...new Set(found.filter((word) => word !== ""))].slice(0, SEARCH_WORDS_MAX);
}

type DeclaredField<T, S extends QueryContext> = NonNullable<ReturnType<typeof resolveField<T, S>>>;

/** Matches records whose search fields, as they are shown, contain every word, ignoring case. */
const searchPredicate = <T, S extends QueryContext>(
  words: readonly string[],
  fields: readonly DeclaredField<T, S>[],
): Predicate<T, S> => ({
  ...dependenceOf(fields),
  holds(record, at) {
    let left = words;
    for (const field of fields) {
      const value = field.shown(record, at);
      if (typeof value === "string") left = wordsNotIn(value, left);
      if (left.length === 0) return true;
    }
    return false;
  },
});

function wordsNotIn(value: string, words: readonly string[]): readonly string[] {
  const lower = value.toLowerCase();
  return words.filter((word) => !lower.includes(word));
}

/** Records with all words in the first of the search fields come first, which is the title; then those with most of them. */
const rankTerm = <T, S extends QueryContext>(
  words: readonly string[],
  fields: readonly DeclaredField<T, S>[],
): OrderTerm<T, S> => ({
  isDescending: false,
  reads: mostOf(fields.map(({ reads }) => reads)),
  value(record, at) {
    const value = fields[0]!.shown(record, at);
    return typeof value === "string" ? wordsNotIn(value, words).length : words.length;
  },
});

const dependenceOf = (parts: readonly { readonly reads: Reads; readonly isTimed: boolean }[]) => ({
  reads: mostOf(parts.map(({ reads }) => reads)),
  isTimed: parts.some(({ isTimed }) => isTimed),
});

function expressionPredicate<T, S extends QueryContext>(
  expression: Expression,
  queryable: Queryable<T, S>,
  locales: Locales,
  budget: Budget,
): Predicate<T, S> {
  if ("op" in expression) {
    const items = expression.items.map((item) => expressionPredicate(item, queryable, locales, budget));
    return {
      ...dependenceOf(items),
      holds:
        expression.op === "AND"
          ? (record, at) => items.every((item) => item.holds(record, at))
          : (record, at) => items.some((item) => item.holds(record, at)),
    };
  }
  const field = declared(queryable, expression.path.join("__"), locales);
  const test = compileLookup(field.type, field.choices, field.rest, expression.value, budget);
  return { ...dependenceOf([field]), holds: (record, at) => field.some(record, at, test) };
}

const namesField = (expression: Expression, fields: readonly string[]): boolean =>
  "op" in expression
    ? expression.items.some((item) => namesField(item, fields))
    : fields.includes(expression.path[0] ?? "");

/** One name of `sort`, or of the default order. @throws QuerySyntaxError */
function orderTerms<T, S extends QueryContext>(
  name: string,
  queryable: Queryable<T, S>,
  locales: Locales,
): OrderTerm<T, S>[] {
  const isDescending = name.startsWith("-");
  const path = isDescending ? name.slice(1) : name;
  const field = declared(queryable, path, locales);
  if (field.rest.length > 0 && field.type !== "json") throw new QuerySyntaxError(`Cannot be sorted by "${path}".`);
  const term: OrderTerm<T, S> = {
    isDescending,
    // A value that changes with time is no reason for another order to be kept.
    reads: field.isTimed ? "anything" : field.reads,
    value: (record, at) => valueAtPath(field.shown(record, at), field.rest),
  };
  return path === "id" && queryable.created !== undefined
    ? [...orderTerms(`${isDescending ? "-" : ""}${queryable.created}`, queryable, locales), term]
    : [term];
}

/** @throws QuerySyntaxError */
function declared<T, S extends QueryContext>(queryable: Queryable<T, S>, path: string, locales: Locales) {
  const field = resolveField(queryable, path.split("__"), locales);
  if (!field) throw new QuerySyntaxError(`There is no field "${path}".`);
  return field;
}
