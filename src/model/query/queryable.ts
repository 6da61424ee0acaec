/**
 * The fields that a list can be filtered, sorted and searched by: a table of named fields.
 *
 * Only fields in the table can be used, so private values are protected by not being in it.
 */
import { withFallback } from "../language/fallback.ts";
import { own } from "../input/json.ts";
import type { Instant } from "../time/instant.ts";
import { splitSuffixed, type Lang, type Locales } from "../language/locale.ts";

/** What the fields of a list depend on; lists whose fields need more (such as other records) extend it. */
export interface QueryContext {
  readonly locales: Locales;
  readonly lang: Lang;
  readonly now: Instant;
}

export type ValueType = "text" | "integer" | "number" | "boolean" | "instant" | "json";

/**
 * What a value is made from: the fields that a record's summary has, the whole record, or other records and settings too.
 * With the first two, orders and matches of a list can be kept until a record changes.
 */
export type Reads = "summary" | "record" | "anything";

const READS: readonly Reads[] = ["summary", "record", "anything"];

/** The most that any of them reads; "summary" for none. */
export const mostOf = (all: Iterable<Reads>): Reads =>
  READS[Math.max(0, ...Array.from(all, (each) => READS.indexOf(each)))]!;

export interface ValueField<T, S extends QueryContext = QueryContext> {
  readonly type: ValueType;
  /** Whether each language has its own value, named with a suffix: `title_it`. */
  readonly translated?: boolean;
  /** For translated fields: whether the shown value falls back to the default language. */
  readonly fallback?: boolean;
  /** For translated fields: whether null stands for no value (model/language/fallback.ts), by default true. */
  readonly isNullable?: boolean;
  /** The only possible values; any other in a filter is an error. */
  readonly choices?: readonly string[];
  /** What `get` reads besides the languages, by default "anything". */
  readonly reads?: Reads;
  /** Whether the value of a record changes with time. */
  readonly isTimed?: boolean;
  /** The value without fallback; null for none. @param lang for translated fields */
  get(record: T, at: S, lang: Lang): unknown;
}

/** A reference to records of another list. Their fields are reached with `__`; the name alone means their `id`. */
export interface ReferenceField<T, S extends QueryContext = QueryContext> {
  readonly type: "reference";
  target(): Queryable<unknown, S>;
  /** A condition holds when it holds for any of these. */
  get(record: T, at: S): readonly unknown[];
}

export type QueryField<T, S extends QueryContext = QueryContext> = ValueField<T, S> | ReferenceField<T, S>;

export interface Queryable<T, S extends QueryContext = QueryContext> {
  /** Must have an `id`. */
  readonly fields: { readonly [name: string]: QueryField<T, S> };
  /** Names of text fields that `search` looks in. Empty: `search` is ignored. */
  readonly search: readonly string[];
  /**
   * Default order, and the tie-breaker of any other: names, with `-` in front for descending. Ends in `id`. Of fields
   * that are the same in every language and at any time, since a list is sorted by it once until a record changes.
   */
  readonly order: readonly string[];
  /** The field of the creation date. Ids are random, so ordering by `id` orders by this first. */
  readonly created?: string;
  /** A filter that holds unless a query filters by one of these fields. */
  readonly ownFilter?: { readonly text: string; readonly unless: readonly string[] };
}

/** The field of a name, which may have a language suffix if the field is translated. */
function findField<T, S extends QueryContext>(
  queryable: Queryable<T, S>,
  name: string,
  locales: Locales,
): { readonly field: QueryField<T, S>; readonly lang?: Lang } | undefined {
  const plain = own(queryable.fields, name);
  if (plain) return { field: plain };
  const suffixed = splitSuffixed(locales, name);
  const field = suffixed && own(queryable.fields, suffixed.field);
  return field && field.type !== "reference" && field.translated ? { field, lang: suffixed.lang } : undefined;
}

/** A field resolved from a path, through references. */
export interface ResolvedQuery<T, S extends QueryContext> {
  readonly type: ValueType;
  readonly choices?: readonly string[];
  readonly reads: Reads;
  readonly isTimed: boolean;
  /** The path after the field: date parts, JSON keys, a lookup. */
  readonly rest: readonly string[];
  /** Whether the test holds for any value, in the language of the suffix or else the active one, without fallback. */
  some(record: T, at: S, test: (value: unknown) => boolean): boolean;
  /** The shown value, with fallback to the default language; of several the first. */
  shown(record: T, at: S): unknown;
}

/** @returns undefined when the path names no field */
export function resolveField<T, S extends QueryContext>(
  queryable: Queryable<T, S>,
  path: readonly string[],
  locales: Locales,
): ResolvedQuery<T, S> | undefined {
  const [name = "", ...rest] = path;
  const found = findField(queryable, name, locales);
  if (!found) return undefined;
  const { field, lang } = found;
  if (field.type === "reference") return throughReference(field, rest, locales);
  const fills = field.translated === true && field.fallback !== false && lang === undefined;
  return {
    type: field.type,
    choices: field.choices,
    reads: field.reads ?? "anything",
    isTimed: field.isTimed === true,
    rest,
    some: (record, at, test) => test(field.get(record, at, lang ?? at.lang)),
    shown: (record, at) =>
      fills
        ? withFallback((each) => field.get(record, at, each), at.lang, at.locales.default, field.isNullable)
        : field.get(record, at, lang ?? at.lang),
  };
}

function throughReference<T, S extends QueryContext>(
  field: ReferenceField<T, S>,
  rest: readonly string[],
  locales: Locales,
): ResolvedQuery<T, S> | undefined {
  const target = field.target();
  const goesOn = rest[0] !== undefined && findField(target, rest[0], locales) !== undefined;
  const inner = resolveField(target, goesOn ? rest : ["id", ...rest], locales);
  return (
    inner && {
      ...inner,
      reads: "anything",
      some: (record, at, test) => {
        const records = field.get(record, at);
        return records.length === 0 ? test(null) : records.some((each) => inner.some(each, at, test));
      },
      shown: (record, at) => {
        const [first] = field.get(record, at);
        return first === undefined ? null : inner.shown(first, at);
      },
    }
  );
}
