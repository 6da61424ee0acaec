import { isObject, objectOf } from "../../model/json.ts";
import type { Json, JsonObject } from "../../model/json.ts";

/**
 * The order of keys per nesting level, outermost first; a list is a level too.
 *
 * `*` is the position of unlisted keys; without it they come last. A missing level keeps the given order.
 */
export type KeyOrder = readonly (readonly string[])[];

/** A key's position in its level; keys with equal rank keep their order. */
export function rankOf(level: readonly string[] | undefined, key: string): number {
  if (!level) return 0;
  const named = level.indexOf(key);
  if (named >= 0) return named;
  const others = level.indexOf("*");
  return others >= 0 ? others : level.length;
}

/** The data with its keys in order, for a new file; the same data where they are. */
export function inOrder(data: JsonObject, order: KeyOrder, depth = 0): JsonObject {
  const level = order[depth];
  const entries: { readonly key: string; readonly value: Json; readonly rank: number }[] = [];
  let isOrdered = true;
  for (const key of Object.keys(data)) {
    const value = orderedValue(data[key]!, order, depth + 1);
    const rank = rankOf(level, key);
    isOrdered &&= value === data[key] && rank >= (entries.at(-1)?.rank ?? 0);
    entries.push({ key, value, rank });
  }
  return isOrdered
    ? data
    : objectOf(entries.sort((a, b) => a.rank - b.rank).map(({ key, value }) => [key, value] as const));
}

/** @param depth the level of the value's own keys or items */
export function orderedValue(value: Json, order: KeyOrder, depth: number): Json {
  // A missing level keeps its order, and so do those below it.
  if (depth >= order.length) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => orderedValue(item, order, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  return isObject(value) ? inOrder(value, order, depth) : value;
}
