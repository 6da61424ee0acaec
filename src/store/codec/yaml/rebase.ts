import { isList, isObject, objectOf, own, sameJson } from "../../../model/input/json.ts";
import type { Json, JsonObject } from "../../../model/input/json.ts";
import { agreedEnds } from "../../../model/merge/alignment.ts";

/**
 * The data a text should have after a change from `before` to `after`, given the data it has (`current`).
 *
 * `before` may have keys the text omits (defaults), and lack keys it has (unknown ones): both stay as in the text unless
 * `after` differs.
 */
export function rebase(current: Json, before: Json, after: Json): Json {
  if (sameJson(before, after)) return current;
  if (isObject(current) && isObject(before) && isObject(after)) return rebaseObject(current, before, after);
  if (isList(current) && isList(before) && isList(after) && current.length === before.length)
    return rebaseList(current, before, after);
  return after;
}

function rebaseObject(current: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const result = new Map<string, Json>();
  for (const [key, value] of Object.entries(current)) {
    const [from, to] = [own(before, key), own(after, key)];
    if (from === undefined) result.set(key, to ?? value);
    else if (to !== undefined) result.set(key, rebase(value, from, to));
  }
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(current, key)) continue;
    const from = own(before, key);
    if (from === undefined || !sameJson(from, value)) result.set(key, value);
  }
  return objectOf(result);
}

/** Items with ids are those they were, wherever they are now. Other lists of equal length are compared item by item; else unchanged items at both ends are kept. */
function rebaseList(current: readonly Json[], before: readonly Json[], after: readonly Json[]): readonly Json[] {
  const places = placesById(current, before);
  if (places)
    return after.map((item) => {
      const at = places.get(idOf(item));
      return at === undefined ? item : rebase(current[at]!, before[at]!, item);
    });
  if (before.length === after.length)
    return current.map((item, i) => rebase(item, before[i] ?? null, after[i] ?? null));
  const { head, tail } = sameEnds(before, after);
  return [
    ...current.slice(0, head),
    ...after.slice(head, after.length - tail),
    ...current.slice(current.length - tail),
  ];
}

const idOf = (item: Json): Json | undefined => (isObject(item) ? own(item, "id") : undefined);

/** Undefined unless every item has an id of its own, in the text too: one that is derived from the place is not the item's. */
function placesById(
  current: readonly Json[],
  before: readonly Json[],
): ReadonlyMap<Json | undefined, number> | undefined {
  const places = new Map(before.map((item, at) => [idOf(item), at]));
  const isStated = before.every((item, at) => typeof idOf(item) === "string" && idOf(current[at]!) === idOf(item));
  return isStated && places.size === before.length ? places : undefined;
}

/** As `agreedEnds`, of JSON values. */
export const sameEnds = (a: readonly Json[], b: readonly Json[]): { head: number; tail: number } =>
  agreedEnds(a, b, sameJson);
