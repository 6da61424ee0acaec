/** Differences of two states of a record, field by field. */
import { isList, isRecord, isSame, type Json, type Values } from "../json.ts";

export interface FieldDifference {
  /** The names of the fields that lead to the value; items of lists by their number, from 1. */
  readonly path: readonly string[];
  readonly before: string;
  readonly after: string;
}

/** @param names of the fields to be compared, in this order */
export const fieldDifferences = (before: Values, after: Values, names: readonly string[]): FieldDifference[] =>
  names.flatMap((name) => differences([name], before[name] ?? null, after[name] ?? null));

function differences(path: readonly string[], before: Json, after: Json): FieldDifference[] {
  if (isSame(before, after)) return [];
  const [old, now] = [partsOf(before), partsOf(after)];
  if (!old && !now) {
    const difference = { path, before: shownValue(before), after: shownValue(after) };
    return difference.before === difference.after ? [] : [difference];
  }
  const keys = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  return keys.flatMap((key) => differences([...path, key], old?.[key] ?? null, now?.[key] ?? null));
}

/** undefined: the value is compared as a whole. */
function partsOf(value: Json): Values | undefined {
  if (isList(value)) return Object.fromEntries(value.map((item, at) => [String(at + 1), item]));
  return isRecord(value) && !isReference(value) && !("link_type" in value) ? value : undefined;
}

/** A record that is served in place of its id. */
const isReference = (value: Json): value is Values => isRecord(value) && typeof value.id === "number";

/** A value as a text that can be compared word by word. */
export function shownValue(value: Json): string {
  if (value === null) return "";
  if (isList(value)) return value.map(shownValue).join("\n");
  if (isReference(value)) return String(value.title ?? value.name ?? value.permalink ?? `#${String(value.id)}`);
  if (isRecord(value) && "link_type" in value)
    return shownValue(value.link_type === "RE" ? (value.url_node ?? null) : (value.static ?? null));
  if (isRecord(value)) return Object.values(value).map(shownValue).join("\n");
  return String(value);
}

/** The values of a language, without those of the default one in their place. */
export const ownValues = (payload: Values, lang: string): Values => ({
  ...payload,
  ...((isRecord(payload.translations) && isRecord(payload.translations[lang]) && payload.translations[lang]) as Values),
});
