/**
 * The items of a release in a merge: an item is that of its page and language, and what was published is one list.
 *
 * Its publication applied the items that one side had. Items of the other side were not applied, so the lists are not
 * combined then, and the conflict tells of ours.
 */
import { isList, isObject, own, sameJson, type Json, type JsonObject } from "../input/json.ts";
import type { FieldConflict } from "./conflict.ts";

const ITEMS = "items";

/** As `mergeLists` knows records. */
const KEY = "key";

/** A release whose items have keys. */
export function withItemKeys(release: Json | undefined): Json | undefined {
  const items = isObject(release) ? own(release, ITEMS) : undefined;
  if (!isObject(release) || !isList(items)) return release;
  return { ...release, [ITEMS]: items.map((item) => (isObject(item) ? { ...item, [KEY]: keyOf(item) } : item)) };
}

const keyOf = (item: JsonObject): string =>
  JSON.stringify([own(item, "page"), own(item, "action") === "trash" ? null : (own(item, "language") ?? null)]);

export function withoutItemKeys(release: Json | undefined): Json | undefined {
  const items = isObject(release) ? own(release, ITEMS) : undefined;
  return isObject(release) && isList(items) ? { ...release, [ITEMS]: items.map(withoutKey) } : release;
}

const withoutKey = (item: Json): Json => {
  if (!isObject(item)) return item;
  const { [KEY]: _key, ...rest } = item;
  return rest;
};

const withoutKeys = (value: Json | undefined): Json | undefined =>
  isList(value) ? value.map(withoutKey) : value === undefined ? value : withoutKey(value);

/** @param conflict of a release whose items have keys */
export const conflictWithoutItemKeys = (conflict: FieldConflict): FieldConflict =>
  conflict.path[0] === ITEMS
    ? {
        ...conflict,
        base: withoutKeys(conflict.base),
        ours: withoutKeys(conflict.ours),
        theirs: withoutKeys(conflict.theirs),
      }
    : conflict;

/** The conflict of the items where one side published the release and the other changed what is in it. */
export function publishedItemsConflict(base: JsonObject, ours: JsonObject, theirs: JsonObject): FieldConflict | null {
  const isPublished = (release: JsonObject): boolean => own(release, "published_at") != null;
  const [from, our, their] = [own(base, ITEMS), own(ours, ITEMS), own(theirs, ITEMS)];
  if (isPublished(base) || isPublished(ours) === isPublished(theirs) || sameJson(our, their)) return null;
  return { kind: "field", path: [ITEMS], field: ITEMS, base: from, ours: our, theirs: their };
}
