import { isObject, objectOf } from "../../model/input/json.ts";
import type { Json, JsonObject } from "../../model/input/json.ts";

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
export const inKeyOrder = (data: JsonObject, order: KeyOrder): JsonObject =>
  isOrdered(data, order, 0) ? data : sorted(data, order, 0);

/** As `inOrder`, of a value. @param depth the level of its own keys or items */
export const orderedValue = (value: Json, order: KeyOrder, depth: number): Json =>
  isOrdered(value, order, depth) ? value : sortedValue(value, order, depth);

function isOrdered(value: Json, order: KeyOrder, depth: number): boolean {
  // A missing level keeps its order, and so do those below it.
  if (depth >= order.length || typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((item: Json) => isOrdered(item, order, depth + 1));
  let last = 0;
  for (const key of Object.keys(value)) {
    const rank = rankOf(order[depth], key);
    if (rank < last || !isOrdered((value as JsonObject)[key]!, order, depth + 1)) return false;
    last = rank;
  }
  return true;
}

function sorted(data: JsonObject, order: KeyOrder, depth: number): JsonObject {
  const level = order[depth];
  const ranked = Object.entries(data).map(([key, value]) => ({
    key,
    value: orderedValue(value, order, depth + 1),
    rank: rankOf(level, key),
  }));
  return objectOf(ranked.sort((a, b) => a.rank - b.rank).map(({ key, value }) => [key, value] as const));
}

function sortedValue(value: Json, order: KeyOrder, depth: number): Json {
  if (Array.isArray(value)) return value.map((item: Json) => orderedValue(item, order, depth + 1));
  return isObject(value) ? sorted(value, order, depth) : value;
}
