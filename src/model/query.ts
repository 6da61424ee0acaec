/**
 * List queries: the parameters every list endpoint takes (contract.md 5), read once and then asked of records.
 *
 * A query knows names and comparisons, not what a page is: each list says what it may be asked by in a `Queryable`.
 * Everything that is wrong with a query is told at once, by parameter; nothing wrong is skipped in silence, since a
 * filter that does nothing shows more than was asked for.
 */
import { refuseInvalid } from "../errors.ts";
import type { Locales } from "./locale.ts";
import { parseFilter, Unreadable, type Expression } from "./query/grammar.ts";
import { compileLookup, dig } from "./query/lookups.ts";
import { compareKeys, sortKey, type SortKey } from "./query/order.ts";
import { newBudget, refill, type Budget } from "./query/pattern.ts";
import { resolveField, type Queryable, type Standpoint } from "./query/queryable.ts";

export type { Queryable, QueryField, ReferenceField, Standpoint, ValueField, ValueType } from "./query/queryable.ts";

/** Records on a page when `items` is there but empty. */
export const PAGE_SIZE = 30;
const ITEMS_MAX = 10_000;
/** Each is looked for in every record that is shown, or compared for every two. */
const FIELDS_MAX = 200;
const SORT_MAX = 20;

type Question<T, S> = (record: T, at: S) => boolean;

interface OrderTerm<T, S> {
  readonly isDescending: boolean;
  value(record: T, at: S): unknown;
}

/** A query that fits its list. It may be asked again and again, of any records of that list. */
export interface ListQuery<T, S extends Standpoint = Standpoint> {
  /** All must hold: the search, then each `fltr`. */
  readonly questions: readonly Question<T, S>[];
  readonly order: readonly OrderTerm<T, S>[];
  readonly isReversed: boolean;
  /** undefined: a bare list is wanted. */
  readonly paging: Paging | undefined;
  /** What `selectFields` takes; empty for everything. */
  readonly fields: readonly string[];
  /** What regular expressions may cost, each time anew. */
  readonly budget: Budget;
}

export interface Paging {
  /** Infinity: everything on one page. */
  readonly size: number;
  /** 1-based; out of range it means the last page. */
  readonly page: number;
}

/**
 * Reads `items`, `page`, `sort`, `order`, `search`, `fltr` and `fields`. Of a repeated parameter the last counts,
 * except of `fltr`: all of them must hold.
 *
 * @param pageSize for `items` without a value
 * @throws CmsError `invalid` with the parameters that cannot be understood
 */
export function readQuery<T, S extends Standpoint>(
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
      if (!(error instanceof Unreadable)) throw error;
      errors[name] = [...(errors[name] ?? []), error.message];
      return undefined;
    }
  };
  const last = (name: string): string | undefined => params.getAll(name).at(-1);
  const budget = newBudget();

  const size = reading("items", () => readItems(last("items"), pageSize));
  const filters = params.getAll("fltr").map((text) =>
    reading("fltr", () => {
      const expression = parseFilter(text);
      return expression && askExpression(expression, queryable, locales, budget);
    }),
  );
  const sort = (reading("sort", () => readNames(last("sort"), SORT_MAX)) ?? []).map((name) => reading("sort", () => orderTerms(name, queryable, locales)));
  const fields = reading("fields", () => readNames(last("fields"), FIELDS_MAX)) ?? [];
  const ties = queryable.order.map((name) => orderTerms(name, queryable, locales));
  refuseInvalid(errors);

  return {
    questions: [askSearch(last("search") ?? "", queryable, locales), ...filters].filter((question) => question !== undefined),
    order: [...sort, ...ties].flatMap((terms) => terms ?? []),
    isReversed: last("order") === "desc",
    paging: size === undefined ? undefined : { size, page: readPage(last("page")) },
    fields,
    budget,
  };
}

/**
 * Whether a record is asked for. One test serves one reading of the list, which shares what patterns may cost.
 *
 * @throws CmsError `invalid`, when it is called, for a pattern that takes too long
 */
export function openTest<T, S extends Standpoint>({ questions, budget }: ListQuery<T, S>, at: S): (record: T) => boolean {
  refill(budget);
  return (record) => questions.every((holds) => holds(record, at));
}

/** The records in the query's order. */
export function inOrder<T, S extends Standpoint>(found: readonly T[], query: ListQuery<T, S>, at: S): T[] {
  const { order } = query;
  /** Keys are made as far as comparing needs them: most often the first decides. */
  const rows = found.map((record) => ({ record, keys: [] as SortKey[] }));
  const key = (row: { record: T; keys: SortKey[] }, n: number): SortKey => {
    const known = row.keys[n];
    return known === undefined ? (row.keys[n] = sortKey(order[n]!.value(row.record, at))) : known;
  };
  rows.sort((a, b) => {
    for (let n = 0; n < order.length; n++) {
      const difference = compareKeys(key(a, n), key(b, n));
      if (difference !== 0) return order[n]!.isDescending ? -difference : difference;
    }
    return 0;
  });
  const sorted = rows.map(({ record }) => record);
  return query.isReversed ? sorted.reverse() : sorted;
}

/** @throws Unreadable for more of them than may be named */
function readNames(text: string | undefined, most: number): readonly string[] {
  const names = new Set((text ?? "").split(","));
  names.delete("");
  if (names.size > most) throw new Unreadable(`At most ${most} names are expected.`);
  return [...names];
}

/** @returns undefined when the parameter is absent */
function readItems(text: string | undefined, pageSize: number): number | undefined {
  if (text === undefined || text === "") return text === undefined ? undefined : pageSize;
  if (text === "-1") return Infinity;
  const size = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (size < 1) throw new Unreadable("A positive integer is expected, or -1 for everything.");
  if (size > ITEMS_MAX) throw new Unreadable(`At most ${ITEMS_MAX} at a time, or -1 for everything.`);
  return size;
}

/** No integer means the first page; one that is out of range the last, zero and below too (contract.md 5). */
function readPage(text: string | undefined): number {
  if (text === undefined || !/^[+-]?\d+$/.test(text.trim())) return 1;
  const page = Number(text);
  return page < 1 ? Infinity : page;
}

/** Any search field, as the reader is shown it, holds the text, whatever the case. */
function askSearch<T, S extends Standpoint>(text: string, queryable: Queryable<T, S>, locales: Locales): Question<T, S> | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === "" || queryable.search.length === 0) return undefined;
  const fields = queryable.search.map((name) => declared(queryable, name, locales));
  return (record, at) =>
    fields.some((field) => {
      const value = field.shown(record, at);
      return typeof value === "string" && value.toLowerCase().includes(wanted);
    });
}

function askExpression<T, S extends Standpoint>(
  expression: Expression,
  queryable: Queryable<T, S>,
  locales: Locales,
  budget: Budget,
): Question<T, S> {
  if ("op" in expression) {
    const items = expression.items.map((item) => askExpression(item, queryable, locales, budget));
    return expression.op === "AND"
      ? (record, at) => items.every((holds) => holds(record, at))
      : (record, at) => items.some((holds) => holds(record, at));
  }
  const field = declared(queryable, expression.path.join("__"), locales);
  const test = compileLookup(field.type, field.choices, field.rest, expression.value, budget);
  return (record, at) => field.some(record, at, test);
}

/** One name of `sort`, or of the default order. @throws Unreadable */
function orderTerms<T, S extends Standpoint>(name: string, queryable: Queryable<T, S>, locales: Locales): OrderTerm<T, S>[] {
  const isDescending = name.startsWith("-");
  const path = isDescending ? name.slice(1) : name;
  const field = declared(queryable, path, locales);
  if (field.rest.length > 0 && field.type !== "json") throw new Unreadable(`Cannot be sorted by "${path}".`);
  const term = { isDescending, value: (record: T, at: S) => dig(field.shown(record, at), field.rest) };
  return path === "id" && queryable.created !== undefined
    ? [...orderTerms(`${isDescending ? "-" : ""}${queryable.created}`, queryable, locales), term]
    : [term];
}

/** @throws Unreadable */
function declared<T, S extends Standpoint>(queryable: Queryable<T, S>, path: string, locales: Locales) {
  const field = resolveField(queryable, path.split("__"), locales);
  if (!field) throw new Unreadable(`There is no field "${path}".`);
  return field;
}
