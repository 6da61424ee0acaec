/** JSON values and operations on them. Nothing here mutates its input. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value and all values in it, in their order. Not recursive, so that depth cannot overflow the stack. */
export function* valuesIn(value: unknown): Generator<unknown> {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    yield next;
    if (typeof next !== "object" || next === null) continue;
    for (const inner of Object.values(next).reverse()) open.push(inner);
  }
}

/** All strings in a value, at any depth, without the keys. */
export const stringsIn = (value: Json): string[] => [...valuesIn(value)].filter((each) => typeof each === "string");

/** `Array.isArray` does not narrow readonly arrays. */
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/**
 * An object from entries with untrusted keys.
 *
 * `__proto__` becomes an own key: an assignment would change the prototype instead.
 */
export function objectOf<T>(entries: Iterable<readonly [string, T]>): { readonly [key: string]: T } {
  return Object.fromEntries(entries);
}

/** Whether an object has no keys; listing those of a large one takes milliseconds. */
export function isEmpty(object: object): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

/** The own value under a key, never an inherited one (`constructor`, `toString`). */
export function own<T>(object: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Equality of JSON values, regardless of key order. A key with `undefined` counts as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  let shared = 0;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(b, key) || !sameJson(value, b[key])) return false;
    shared++;
  }
  const keys = Object.keys(b);
  return keys.length === shared || keys.filter((key) => b[key] !== undefined).length === shared;
}

/**
 * A PATCH of a free-form JSON value: objects merge key by key to any depth, everything else (arrays, null, scalars)
 * replaces the stored value.
 */
export function mergeJson(stored: Json, patch: Json): Json {
  if (!isObject(stored) || !isObject(patch)) return patch;
  const merged = new Map(Object.entries(stored));
  for (const [key, value] of Object.entries(patch)) {
    const before = merged.get(key);
    merged.set(key, before === undefined ? value : mergeJson(before, value));
  }
  return objectOf(merged);
}

/**
 * JSON text with sorted keys: equal values give equal text on every machine. Keys with `undefined` are omitted.
 *
 * `JSON.stringify` of a sorted copy takes half the time of concatenating the text, and hashing the result a third,
 * since it is one flat string.
 */
export function canonicalJson(value: unknown): string {
  const copy = sortedCopy(value);
  return copy === UNSORTABLE ? joinedJson(value) : (JSON.stringify(copy) ?? "null");
}

/** Marks an object whose key order cannot be controlled: integer-like keys come first, `__proto__` is no plain key. */
const UNSORTABLE = Symbol("unsortable");

function sortedCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      const copy = sortedCopy(item);
      if (copy === UNSORTABLE) return UNSORTABLE;
      items.push(copy);
    }
    return items;
  }
  const sorted: { [key: string]: unknown } = {};
  for (const key of sortedKeys(value)) {
    const first = key.charCodeAt(0);
    if ((first >= 48 && first <= 57) || key === "__proto__") return UNSORTABLE;
    const copy = sortedCopy((value as { readonly [key: string]: unknown })[key]);
    if (copy === UNSORTABLE) return UNSORTABLE;
    sorted[key] = copy;
  }
  return sorted;
}

const ORDERS = new Map<string, readonly string[]>();
const ORDERS_KEPT = 500;
/** In characters. */
const ORDER_MAX = 2_000;

/** The sorted keys of an object, cached by key list: most objects of a payload share their keys. */
function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  if (keys.length < 2) return keys;
  const joined = keys.join("\n");
  const known = ORDERS.get(joined);
  // A line break in a key could make two key lists join to the same text.
  if (known?.length === keys.length) return known;
  keys.sort();
  if (ORDERS.size < ORDERS_KEPT && joined.length < ORDER_MAX && joined.split("\n").length === keys.length)
    ORDERS.set(joined, keys);
  return keys;
}

function joinedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => joinedJson(item ?? null)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${joinedJson(value[key])}`)
    .join(",")}}`;
}

/**
 * A value whose texts have `\n` at the ends of their lines, since YAML can hold `\r\n` in escaped text only. The value
 * itself if it has no others.
 *
 * @param stored what it replaces: texts that stay as they are stored keep their line ends
 */
export function withLineFeeds<T>(value: T, stored: unknown): T {
  if (value === stored) return value;
  if (typeof value === "string") return value.replaceAll("\r\n", "\n") as T;
  if (typeof value !== "object" || value === null) return value;
  const before = (key: string): unknown =>
    typeof stored === "object" && stored !== null ? own(stored as JsonObject, key) : undefined;
  let isSame = true;
  const entries = Object.entries(value).map(([key, inner]) => {
    const mended: unknown = withLineFeeds(inner, before(key));
    isSame &&= mended === inner;
    return [key, mended] as const;
  });
  if (isSame) return value;
  return (Array.isArray(value) ? entries.map(([, inner]) => inner) : objectOf(entries)) as T;
}
