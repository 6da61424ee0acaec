/**
 * Aliases of a merged page whose path is a permalink: one side renamed the page, and the other gave it or another page the
 * permalink. The page with the permalink is served there, so the redirect is never used, and a write through the API drops it.
 */
import { readAlias } from "../address/page-permalinks.ts";
import { isList, objectOf, own, type Json, type JsonObject } from "../input/json.ts";
import type { Locales } from "../language/locale.ts";
import type { Alias } from "../page/page.ts";

/** The aliases that the data of a page's main file states. */
export const statedAliases = (data: JsonObject, locales: Locales): Alias[] =>
  rowsOf(data).flatMap((row) => readAlias(row, locales) ?? []);

/**
 * The data without some of its aliases; other rows stay as they are, also those that are not valid.
 *
 * @param isUnused whether a page has the permalink
 */
export function withoutUnusedAliases(
  data: JsonObject,
  locales: Locales,
  isUnused: (alias: Alias) => boolean,
): JsonObject {
  const kept = rowsOf(data).filter((row) => {
    const alias = readAlias(row, locales);
    return !alias || !isUnused(alias);
  });
  if (kept.length === rowsOf(data).length) return data;
  return objectOf(
    Object.entries(data).flatMap(([key, value]): [string, Json][] =>
      key !== "aliases" ? [[key, value]] : kept.length > 0 ? [[key, kept]] : [],
    ),
  );
}

function rowsOf(data: JsonObject): readonly Json[] {
  const rows = own(data, "aliases");
  return isList(rows) ? rows : [];
}
