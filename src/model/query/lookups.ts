/**
 * The lookups: suffixes of a field name in a filter, each compiled with a written value to a test.
 *
 * The filters of page lists that depend on time (`status__in`, `is_public`) are in `page/page-filters.ts`.
 *
 * A written value is read as the type of its field. JSON values have types of their own, so `template_data__a=1` finds
 * both 1 and "1". Only `isnull` holds for a missing value.
 */
import { parseInstant } from "../time/instant.ts";
import { isObject, own } from "../input/json.ts";
import { QuerySyntaxError, type Literal } from "./grammar.ts";
import { compilePattern, type Budget } from "./pattern.ts";
import type { ValueType } from "./queryable.ts";

export type Test = (value: unknown) => boolean;

type AnyType = ValueType | "date" | "time";

/** A written value, read as a type, that stored values are compared with. */
interface Comparand {
  equals(value: unknown): boolean;
  /** Negative, 0 or positive as the stored value is less, equal or greater; NaN when they are not comparable. */
  compare(value: unknown): number;
}

/** The operand of a lookup. Each method throws `QuerySyntaxError` when the written value cannot be read that way. */
interface Operand {
  one(): Comparand;
  oneOf(): Test;
  pair(): readonly [Comparand, Comparand];
  text(): string;
  flag(): boolean;
  readonly type: AnyType;
  readonly budget: Budget;
}

const LOOKUPS: { readonly [name: string]: (operand: Operand) => Test } = {
  exact: (operand) => operand.one().equals,
  iexact: (operand) => lowerCaseTest(operand, (text, wanted) => text === wanted),
  contains: (operand) => containsTest(operand),
  icontains: (operand) => lowerCaseTest(operand, (text, wanted) => text.includes(wanted)),
  startswith: (operand) => textTest(operand, (text, wanted) => text.startsWith(wanted)),
  istartswith: (operand) => lowerCaseTest(operand, (text, wanted) => text.startsWith(wanted)),
  endswith: (operand) => textTest(operand, (text, wanted) => text.endsWith(wanted)),
  iendswith: (operand) => lowerCaseTest(operand, (text, wanted) => text.endsWith(wanted)),
  gt: (operand) => orderTest(operand, (order) => order > 0),
  gte: (operand) => orderTest(operand, (order) => order >= 0),
  lt: (operand) => orderTest(operand, (order) => order < 0),
  lte: (operand) => orderTest(operand, (order) => order <= 0),
  in: (operand) => operand.oneOf(),
  range(operand) {
    const [from, to] = operand.pair();
    return (value) => from.compare(value) >= 0 && to.compare(value) <= 0;
  },
  isnull(operand) {
    const wanted = operand.flag();
    return (value) => isMissing(value) === wanted;
  },
  regex: (operand) => regexTest(operand, false),
  iregex: (operand) => regexTest(operand, true),
};

/** Parts of a moment, in UTC; a lookup may follow them: `published_at__year__gte=2026`. */
const PARTS: { readonly [name: string]: { readonly type: AnyType; readonly of: (at: string) => unknown } } = {
  year: { type: "integer", of: (at) => Number(at.slice(0, 4)) },
  month: { type: "integer", of: (at) => Number(at.slice(5, 7)) },
  day: { type: "integer", of: (at) => Number(at.slice(8, 10)) },
  hour: { type: "integer", of: (at) => Number(at.slice(11, 13)) },
  minute: { type: "integer", of: (at) => Number(at.slice(14, 16)) },
  second: { type: "integer", of: (at) => Number(at.slice(17, 19)) },
  /** 1 is Sunday. */
  week_day: { type: "integer", of: (at) => new Date(at).getUTCDay() + 1 },
  date: { type: "date", of: (at) => at.slice(0, 10) },
  time: { type: "time", of: (at) => at.slice(11, 19) },
};

/**
 * Compiles the end of a path and a written value to a test of the field's value.
 *
 * @param rest the path after the field: JSON keys or a part of a moment, then a lookup, by default `exact`
 * @param choices the only values the field can have
 * @throws QuerySyntaxError
 */
export function compileLookup(
  type: ValueType,
  choices: readonly string[] | undefined,
  rest: readonly string[],
  value: Literal,
  budget: Budget,
): Test {
  const make = (of: AnyType, names: readonly string[]): Test => {
    const [name = "exact", ...more] = names;
    const lookup = more.length === 0 ? own(LOOKUPS, name) : undefined;
    if (!lookup) throw new QuerySyntaxError(`There is no lookup "${names.join("__")}" on this field.`);
    const test = lookup(operandOf(of, choices, value, budget));
    return name === "isnull" ? test : (stored) => !isMissing(stored) && test(stored);
  };
  if (type === "json") {
    const { keys, names } = splitKeys(rest);
    const test = make(type, names);
    return keys.length === 0 ? test : (stored) => test(valueAtPath(stored, keys));
  }
  const part = type === "instant" && rest[0] !== undefined ? own(PARTS, rest[0]) : undefined;
  if (!part) return make(type, rest);
  const test = make(part.type, rest.slice(1));
  return (stored) => test(typeof stored === "string" ? part.of(stored) : null);
}

const isMissing = (value: unknown): boolean => value === null || value === undefined;

/** The last part of a JSON path is a lookup if there is one of that name; all other parts are keys. */
function splitKeys(rest: readonly string[]): { keys: readonly string[]; names: readonly string[] } {
  const last = rest.at(-1);
  const isLookup = last !== undefined && own(LOOKUPS, last) !== undefined;
  return isLookup ? { keys: rest.slice(0, -1), names: [last] } : { keys: rest, names: [] };
}

/** The value at a path of own keys and array indexes; undefined for none. */
export function valueAtPath(value: unknown, keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (Array.isArray(found)) found = /^\d+$/.test(key) ? found[Number(key)] : undefined;
    else found = isObject(found) ? own(found, key) : undefined;
  }
  return found;
}

function operandOf(type: AnyType, choices: readonly string[] | undefined, value: Literal, budget: Budget): Operand {
  const comparand = (text: string): Comparand =>
    type === "json" ? jsonComparand(text) : scalarComparand(readScalar(type, choices, text));
  const single = (): string => {
    if (typeof value !== "string") throw new QuerySyntaxError("A single value is expected here, not a list.");
    return value;
  };
  const list = (): readonly string[] => {
    if (typeof value === "string") throw new QuerySyntaxError(`A list is expected here: [${value},...]`);
    return value;
  };
  return {
    type,
    budget,
    one: () => (type === "json" && typeof value !== "string" ? arrayComparand(value) : comparand(single())),
    oneOf() {
      if (type === "json") {
        const wanted = list().map(jsonComparand);
        return (stored) => wanted.some((each) => each.equals(stored));
      }
      const wanted = new Set<unknown>(list().map((text) => readScalar(type, choices, text)));
      return (stored) => wanted.has(stored);
    },
    pair() {
      const [from, to, ...more] = list();
      if (from === undefined || to === undefined || more.length > 0)
        throw new QuerySyntaxError("A list of two is expected here: [from,to]");
      return [comparand(from), comparand(to)];
    },
    text: single,
    flag: () => readScalar("boolean", undefined, single()) === true,
  };
}

function orderTest(operand: Operand, holds: (order: number) => boolean): Test {
  if (operand.type === "boolean") throw new QuerySyntaxError("True and false have no order.");
  const wanted = operand.one();
  return (value) => holds(wanted.compare(value));
}

function textTest(operand: Operand, holds: (text: string, wanted: string) => boolean): Test {
  const wanted = operand.text();
  return (value) => holds(textOf(value), wanted);
}

function lowerCaseTest(operand: Operand, holds: (text: string, wanted: string) => boolean): Test {
  const wanted = operand.text().toLowerCase();
  return (value) => holds(lowerTextOf(value), wanted);
}

function regexTest(operand: Operand, ignoreCase: boolean): Test {
  const matches = compilePattern(operand.text(), ignoreCase, operand.budget);
  return (value) => matches(textOf(value));
}

/** For an array, whether an item equals the value; else whether the text contains it. */
function containsTest(operand: Operand): Test {
  const inText = textTest(operand, (text, wanted) => text.includes(wanted));
  const item = jsonComparand(operand.text());
  return (value) => (Array.isArray(value) ? value.some(item.equals) : inText(value));
}

/** Caches the last value: many conditions of one filter test the same value one after the other. */
const lastText: { value?: object; text: string; lower?: string } = { text: "" };

function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (lastText.value !== value) Object.assign(lastText, { value, text: JSON.stringify(value), lower: undefined });
  return lastText.text;
}

function lowerTextOf(value: unknown): string {
  const text = textOf(value);
  if (typeof value !== "object" || value === null) return text.toLowerCase();
  return (lastText.lower ??= text.toLowerCase());
}

type Scalar = string | number | boolean;

const READERS: {
  readonly [type in Exclude<AnyType, "json">]: { readonly is: string; read(text: string): Scalar | undefined };
} = {
  text: { is: "text", read: (text) => text },
  integer: { is: "an integer", read: (text) => (/^[+-]?\d{1,18}$/.test(text) ? Number(text) : undefined) },
  number: {
    is: "a number",
    read: (text) => (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined),
  },
  boolean: {
    is: "true or false",
    read: (text) => (/^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : undefined),
  },
  /** UTC without a zone, midnight without a time: unlike stored values, a filter value may be ambiguous. */
  instant: {
    is: "a datetime",
    read: (text) => parseInstant(text) ?? parseInstant(`${text}Z`) ?? parseInstant(`${text}T00:00Z`),
  },
  date: { is: "a date", read: (text) => parseInstant(`${text}T00:00Z`)?.slice(0, 10) },
  time: { is: "a time", read: (text) => parseInstant(`2000-01-01T${text}Z`)?.slice(11, 19) },
};

function readScalar(type: Exclude<AnyType, "json">, choices: readonly string[] | undefined, text: string): Scalar {
  const value = READERS[type].read(text);
  if (value === undefined) throw new QuerySyntaxError(`"${text}" is not ${READERS[type].is}.`);
  if (choices && !choices.includes(text)) throw new QuerySyntaxError(`"${text}" is none of ${choices.join(", ")}.`);
  return value;
}

const scalarComparand = (wanted: Scalar): Comparand => ({
  equals: (value) => value === wanted,
  compare: (value) => order(value, wanted),
});

function order(a: unknown, b: Scalar): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return NaN;
}

function jsonComparand(text: string): Comparand {
  const number = READERS.number.read(text);
  const boolean = text.toLowerCase();
  return {
    equals: (value) =>
      value === text ||
      (typeof value === "number" && value === number) ||
      (typeof value === "boolean" && String(value) === boolean),
    compare: (value) => (typeof value === "number" && number !== undefined ? order(value, number) : order(value, text)),
  };
}

function arrayComparand(texts: readonly string[]): Comparand {
  const items = texts.map(jsonComparand);
  return {
    equals: (value) =>
      Array.isArray(value) && value.length === items.length && items.every((item, at) => item.equals(value[at])),
    compare: () => NaN,
  };
}
