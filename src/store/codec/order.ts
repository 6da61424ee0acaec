import { isObject, objectOf } from "../../model/json.ts";
import type { Json, JsonObject } from "../../model/json.ts";

/**
 * The order of keys, level by level from the outside in; an item of a list counts as a level.
 *
 * `*` stands for every key that is not named; without it they come last. A level that is missing has no order.
 */
export type KeyOrder = readonly (readonly string[])[];

/** Where a key belongs among its level's; keys with the same rank stay as they come. */
export function rankOf(level: readonly string[] | undefined, key: string): number {
  if (!level) return 0;
  const named = level.indexOf(key);
  if (named >= 0) return named;
  const others = level.indexOf("*");
  return others >= 0 ? others : level.length;
}

/** The same data with its keys in order, as a new file has them. */
export const inOrder = (data: JsonObject, order: KeyOrder): JsonObject => objectOf(ordered(data, order, 0));

function ordered(data: JsonObject, order: KeyOrder, depth: number): [string, Json][] {
  const level = order[depth];
  return Object.entries(data)
    .sort(([a], [b]) => rankOf(level, a) - rankOf(level, b))
    .map(([key, value]) => [key, orderedValue(value, order, depth + 1)]);
}

/** @param depth the level its own keys or items are of */
export function orderedValue(value: Json, order: KeyOrder, depth: number): Json {
  if (Array.isArray(value)) return value.map((item: Json) => orderedValue(item, order, depth + 1));
  return isObject(value) ? objectOf(ordered(value, order, depth)) : value;
}
