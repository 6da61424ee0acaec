/**
 * Three-way merge of JSON data: objects by key, lists by item, texts of several lines by line.
 *
 * A value that only one side changed is that side's. Where both changed it differently, the remote's stands and the
 * conflict has ours.
 */
import { isList, isObject, objectOf, own, sameJson, type Json, type JsonObject } from "../input/json.ts";
import type { FieldConflict } from "./conflict.ts";
import { mergeLists, type Clash, type Merged } from "./list.ts";
import { DEFAULT_RULES, withRules, type MergeRules } from "./rules.ts";
import { conflictWithoutItemKeys, publishedItemsConflict, withItemKeys, withoutItemKeys } from "./release-items.ts";
import { hasClash, mergeText, textOfSide } from "./text.ts";

export interface MergedValue {
  /** undefined: absent on the merged side. */
  readonly value: Json | undefined;
  /** The value as it would be if ours stood in all conflicts. */
  readonly ours: Json | undefined;
  readonly conflicts: readonly FieldConflict[];
}

/**
 * Merges the data of a record that two sides changed, both starting from `base`.
 *
 * @param base undefined: both sides added the record
 */
export function mergeValues(
  base: Json | undefined,
  ours: Json | undefined,
  theirs: Json | undefined,
  rules: MergeRules = DEFAULT_RULES,
): MergedValue {
  const sides = withRules({ base, ours, theirs }, rules);
  if (rules.releaseItems) return mergeRelease({ base, ...sides });
  const { value, ours: asOurs, conflicts } = mergeNode(base, sides.ours, sides.theirs);
  return { value, ours: asOurs, conflicts: conflicts.map(fieldConflict) };
}

function mergeRelease({ base, ours, theirs }: Pick<MergedValue, "ours"> & { base?: Json; theirs?: Json }): MergedValue {
  const contested =
    isObject(ours) && isObject(theirs) ? publishedItemsConflict(isObject(base) ? base : {}, ours, theirs) : null;
  const merged = mergeNode(...([base, ours, theirs].map(withItemKeys) as [Json?, Json?, Json?]));
  const [value, asOurs] = [withoutItemKeys(merged.value), withoutItemKeys(merged.ours)];
  const conflicts = merged.conflicts.map((each) => conflictWithoutItemKeys(fieldConflict(each)));
  if (!contested || !isObject(value) || !isObject(asOurs)) return { value, ours: asOurs, conflicts };
  const { ours: ourItems = [], theirs: theirItems = [] } = contested;
  return {
    value: { ...value, items: theirItems },
    ours: { ...asOurs, items: ourItems },
    conflicts: [...conflicts.filter(({ path }) => path[0] !== "items"), contested],
  };
}

function fieldConflict({ path, base, ours, theirs }: Clash): FieldConflict {
  const [top, language] = path;
  const isTranslated = top === "translations" && typeof language === "string";
  return {
    kind: "field",
    path,
    ...(isTranslated && { language }),
    field: (isTranslated ? path.slice(2) : path).join("."),
    base,
    ours,
    theirs,
  };
}

function mergeNode(base: Json | undefined, ours: Json | undefined, theirs: Json | undefined): Merged {
  if (sameJson(ours, theirs) || sameJson(base, theirs)) return agreed(ours);
  if (sameJson(base, ours)) return agreed(theirs);
  if (isObject(ours) && isObject(theirs)) return mergeObjects(isObject(base) ? base : {}, ours, theirs);
  if (isList(ours) && isList(theirs)) return mergeLists(isList(base) ? base : [], ours, theirs, mergeNode);
  if (isLong(ours) && isLong(theirs)) return mergeLongTexts(base, ours, theirs);
  return { value: theirs, ours, conflicts: [{ path: [], base, ours, theirs }] };
}

const agreed = (value: Json | undefined): Merged => ({ value, ours: value, conflicts: [] });

const isLong = (value: Json | undefined): value is string => typeof value === "string" && value.includes("\n");

function mergeObjects(base: JsonObject, ours: JsonObject, theirs: JsonObject): Merged {
  const value = new Map<string, Json>();
  const asOurs = new Map<string, Json>();
  const conflicts: Clash[] = [];
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const merged = mergeNode(own(base, key), own(ours, key), own(theirs, key));
    if (merged.value !== undefined) value.set(key, merged.value);
    if (merged.ours !== undefined) asOurs.set(key, merged.ours);
    for (const conflict of merged.conflicts) conflicts.push({ ...conflict, path: [key, ...conflict.path] });
  }
  return { value: objectOf(value), ours: objectOf(asOurs), conflicts };
}

function mergeLongTexts(base: Json | undefined, ours: string, theirs: string): Merged {
  const parts = mergeText(typeof base === "string" ? base : undefined, ours, theirs);
  const [value, asOurs] = [textOfSide(parts, "theirs"), textOfSide(parts, "ours")];
  return {
    value,
    ours: asOurs,
    conflicts: hasClash(parts) ? [{ path: [], base, ours: asOurs, theirs: value }] : [],
  };
}
