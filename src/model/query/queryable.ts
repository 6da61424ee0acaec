/**
 * What a list may be asked by: a table of named fields, and nothing else.
 *
 * A name that is not in the table cannot be filtered, sorted or followed, so what must stay private is kept private by
 * leaving it out.
 */
import { own } from "../json.ts";
import type { Instant } from "../instant.ts";
import { splitSuffixed, type Lang, type Locales } from "../locale.ts";

/** Where the reader of a list stands; lists whose fields need more (records of other kinds) ask for more. */
export interface Standpoint {
  readonly locales: Locales;
  readonly lang: Lang;
  readonly now: Instant;
}

export type ValueType = "text" | "integer" | "number" | "boolean" | "instant" | "json";

export interface ValueField<T, S extends Standpoint = Standpoint> {
  readonly type: ValueType;
  /** Each language has its own value, which the suffixed name asks for: `title_it`. */
  readonly translated?: boolean;
  /** Whether a reader of one language is shown the default one's value where there is none; for translated fields. */
  readonly fallback?: boolean;
  /** The only values there are; any other in a filter is an error. */
  readonly choices?: readonly string[];
  /** The language's own value; null for none. @param lang matters to translated fields only */
  get(record: T, at: S, lang: Lang): unknown;
}

/** Records of another list this one points at; their fields are reached with `__`, their `id` stands for them. */
export interface ReferenceField<T, S extends Standpoint = Standpoint> {
  readonly type: "reference";
  target(): Queryable<unknown, S>;
  /** None, one, or many: a condition holds when it holds for any of them. */
  get(record: T, at: S): readonly unknown[];
}

export type QueryField<T, S extends Standpoint = Standpoint> = ValueField<T, S> | ReferenceField<T, S>;

export interface Queryable<T, S extends Standpoint = Standpoint> {
  /** Has an `id`. */
  readonly fields: { readonly [name: string]: QueryField<T, S> };
  /** Names of text fields of which any may hold what is searched. None: `search` is ignored. */
  readonly search: readonly string[];
  /** Default order, and what decides between equals under any other: names, `-` in front for descending. Ends in `id`. */
  readonly order: readonly string[];
  /** The moment of creation. Ids are random, so ordering by `id` means by this first (decisions.md 34). */
  readonly created?: string;
}

/** A name as the table has it, or with a language's suffix where the field is translated. */
export function findField<T, S extends Standpoint>(
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

/** A field found by its path, through references. */
export interface Resolved<T, S extends Standpoint> {
  readonly type: ValueType;
  readonly choices?: readonly string[];
  /** What follows the field in the path: date parts, JSON keys, a lookup. */
  readonly rest: readonly string[];
  /** Whether the test holds for any value: the active language's own, unless a suffix names another. */
  some(record: T, at: S, test: (value: unknown) => boolean): boolean;
  /** The value as the reader is shown it, gaps filled from the default language; of many the first. */
  shown(record: T, at: S): unknown;
}

/** @returns undefined when the path names no field */
export function resolveField<T, S extends Standpoint>(
  queryable: Queryable<T, S>,
  path: readonly string[],
  locales: Locales,
): Resolved<T, S> | undefined {
  const [name = "", ...rest] = path;
  const found = findField(queryable, name, locales);
  if (!found) return undefined;
  const { field, lang } = found;
  if (field.type === "reference") return throughReference(field, rest, locales);
  const fills = field.translated === true && field.fallback !== false && lang === undefined;
  return {
    type: field.type,
    choices: field.choices,
    rest,
    some: (record, at, test) => test(field.get(record, at, lang ?? at.lang)),
    shown: (record, at) => {
      const value = field.get(record, at, lang ?? at.lang);
      return fills && isGap(value) ? field.get(record, at, at.locales.default) : value;
    },
  };
}

function throughReference<T, S extends Standpoint>(
  field: ReferenceField<T, S>,
  rest: readonly string[],
  locales: Locales,
): Resolved<T, S> | undefined {
  const target = field.target();
  const goesOn = rest[0] !== undefined && findField(target, rest[0], locales) !== undefined;
  const inner = resolveField(target, goesOn ? rest : ["id", ...rest], locales);
  return (
    inner && {
      ...inner,
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

/** As in payloads: null and `{}` give way to the default language, an explicit "" does not (contract.md 4.3). */
const isGap = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0);
