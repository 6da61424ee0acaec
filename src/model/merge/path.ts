/** Values inside JSON data, by key paths. */
import { isList, isObject, objectOf, own, type Json } from "../input/json.ts";
import type { ValuePath } from "./conflict.ts";

/** undefined: there is none. */
export function valueAt(value: Json | undefined, [step, ...rest]: ValuePath): Json | undefined {
  if (step === undefined) return value;
  if (typeof step === "number") return valueAt(isList(value) ? value[step] : undefined, rest);
  return valueAt(isObject(value) ? own(value, step) : undefined, rest);
}

/**
 * The data with another value at a path; mappings that are missing on the way are added.
 *
 * @param next undefined removes the key or item
 */
export function withValueAt(
  value: Json | undefined,
  [step, ...rest]: ValuePath,
  next: Json | undefined,
): Json | undefined {
  if (step === undefined) return next;
  if (typeof step === "number") {
    if (!isList(value)) return value;
    const inner = withValueAt(value[step], rest, next);
    return value.flatMap((item, at) => (at !== step ? [item] : inner === undefined ? [] : [inner]));
  }
  const entries = new Map(Object.entries(isObject(value) ? value : {}));
  const inner = withValueAt(entries.get(step), rest, next);
  if (inner === undefined) entries.delete(step);
  else entries.set(step, inner);
  return objectOf(entries);
}
