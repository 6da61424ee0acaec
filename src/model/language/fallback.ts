/**
 * The fallback to the default language, the same for pages, blocks, media items,
 * menus, declared records, typed data and the fields of lists.
 *
 * What never falls back does not come here: `published_at`, `status`, `is_public`, permalinks, drafts, and the fields
 * with `fallback: false`.
 */
import { isEmpty } from "../input/json.ts";
import type { Lang } from "./locale.ts";

/**
 * The value in a language, or that of the default language when it is missing there.
 *
 * @param isNullable whether null stands for no value. Where it does not, an empty text, list or object does; a nullable
 *   text that is "" is meant to be empty.
 */
export function withFallback<T>(valueIn: (lang: Lang) => T, lang: Lang, defaultLang: Lang, isNullable = true): T {
  const value = valueIn(lang);
  return lang !== defaultLang && isMissing(value, isNullable) ? valueIn(defaultLang) : value;
}

function isMissing(value: unknown, isNullable: boolean): boolean {
  if (value === null || value === undefined) return true;
  return !isNullable && (value === "" || (typeof value === "object" && isEmpty(value)));
}
