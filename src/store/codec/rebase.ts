import { isObject, objectOf, own, sameJson } from "../../model/json.ts";
import type { Json, JsonObject } from "../../model/json.ts";

/**
 * What a text should say, given what it says and a change somebody made to a reading of it.
 *
 * The reading (`before`) may have keys the text leaves out, as defaults, and lack keys it does not know: both stay as
 * the text has them unless `after` differs.
 */
export function rebase(said: Json, before: Json, after: Json): Json {
  if (sameJson(before, after)) return said;
  if (isObject(said) && isObject(before) && isObject(after)) return rebaseObject(said, before, after);
  if (isList(said) && isList(before) && isList(after) && said.length === before.length)
    return rebaseList(said, before, after);
  return after;
}

function rebaseObject(said: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const result = new Map<string, Json>();
  for (const [key, value] of Object.entries(said)) {
    const [was, will] = [own(before, key), own(after, key)];
    if (was === undefined) result.set(key, will ?? value);
    else if (will !== undefined) result.set(key, rebase(value, was, will));
  }
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(said, key)) continue;
    const was = own(before, key);
    if (was === undefined || !sameJson(was, value)) result.set(key, value);
  }
  return objectOf(result);
}

/** Items are told apart by place while there are as many; else the unchanged ones at both ends stay as they are said. */
function rebaseList(said: readonly Json[], before: readonly Json[], after: readonly Json[]): readonly Json[] {
  if (before.length === after.length) return said.map((item, i) => rebase(item, before[i] ?? null, after[i] ?? null));
  const { head, tail } = sameEnds(before, after);
  return [...said.slice(0, head), ...after.slice(head, after.length - tail), ...said.slice(said.length - tail)];
}

/** How many items two lists share at their beginning and, past those, at their end. */
export function sameEnds(a: readonly Json[], b: readonly Json[]): { head: number; tail: number } {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && sameJson(a[head], b[head])) head++;
  let tail = 0;
  while (tail < shorter - head && sameJson(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail++;
  return { head, tail };
}

/** `Array.isArray` does not narrow readonly arrays. */
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
