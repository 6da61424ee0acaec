/** JSON values, and the few operations on them that the rest is built from. Nothing here mutates its input. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * An object from entries whose keys come from outside.
 *
 * `__proto__` becomes an own key like any other: an assignment would change the prototype instead.
 */
export function objectOf<T>(entries: Iterable<readonly [string, T]>): { readonly [key: string]: T } {
  return Object.fromEntries(entries);
}

/** The own value under a key, never an inherited one (`constructor`, `toString`). */
export function own<T>(object: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Equality of JSON values: key order does not matter, order in arrays does. A key with `undefined` counts as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keysA = Object.keys(a).filter((key) => a[key] !== undefined);
  const keysB = Object.keys(b).filter((key) => b[key] !== undefined);
  return keysA.length === keysB.length && keysA.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}

/**
 * A PATCH of a free-form JSON value: objects merge key by key to any depth, everything else (arrays, null,
 * scalars) replaces what was there (contract.md 4.5).
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

/** JSON text with sorted keys: equal values give equal text, on every machine. Keys with `undefined` are left out. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  // Text grows in place: lists of parts to be joined take a third longer over many payloads.
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${canonicalJson(item ?? null)}`;
    return `[${text}]`;
  }
  if (!isObject(value)) return JSON.stringify(value ?? null);
  for (const key of Object.keys(value).sort()) {
    if (value[key] !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(value[key])}`;
  }
  return `{${text}}`;
}

/** How deep arrays and objects nest; 0 for a scalar. Walks without recursion, so hostile depth cannot overflow the stack. */
export function depthOf(value: unknown): number {
  let deepest = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    deepest = Math.max(deepest, next.depth);
    if (typeof next.value !== "object" || next.value === null) continue;
    for (const child of Object.values(next.value)) open.push({ value: child, depth: next.depth + 1 });
  }
  return deepest;
}
