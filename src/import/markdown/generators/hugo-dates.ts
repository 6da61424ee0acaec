/** Dates of Hugo: which keys have them, as `frontmatter` of the configuration says. */
import { foreignMoment } from "../../../model/front-matter/foreign-moment.ts";
import type { JsonObject } from "../../../model/input/json.ts";
import { listOf } from "../field-values.ts";
import { dirPart, basePart, stemOf, type SourcePath } from "../source-tree.ts";

/** The keys that Hugo has the date of a page from, unless it is configured: `:year` is of the first that is there. */
export const ADDRESS_DATES = ["date", "publishDate", "pubDate", "published", "lastmod", "modified"];

const DEFAULTS = {
  date: ADDRESS_DATES,
  publishDate: ["publishDate", "pubDate", "published", "date"],
  expiryDate: ["expiryDate", "unpublishDate"],
} as const;

/**
 * The front matter with the dates that the configuration has from other keys, or from the name of the file, which then gives the
 * slug, too. What only git and the file system know is left out.
 */
export function withDates(data: JsonObject, path: SourcePath, configured: JsonObject): JsonObject {
  const stated = Object.entries(DEFAULTS).flatMap(([name, defaults]) => {
    const [, keys] = Object.entries(configured).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
    const all = listOf(keys).flatMap((key) => (key.toLowerCase() === ":default" ? defaults : [key.toLowerCase()]));
    return all.length === 0 ? [] : [[name, all] as const];
  });
  if (stated.length === 0) return data;
  const stem = stemOf(path);
  const [, day, rest = ""] = FILE_NAME.exec(/^index\b/.test(stem) ? basePart(dirPart(path)) : stem) ?? [];
  const values = new Map(Object.entries(data).map(([key, value]) => [key.toLowerCase(), value] as const));
  if (day !== undefined) values.set(":filename", day);
  const found = stated.flatMap(([name, keys]) => {
    const key = keys.find((each) => foreignMoment(values.get(each.toLowerCase()) ?? null, undefined) !== undefined);
    return key === undefined ? [] : [[name, key, values.get(key.toLowerCase())!] as const];
  });
  const isNamed = found.some(([, key]) => key === ":filename") && rest !== "" && !values.has("slug");
  return {
    ...data,
    ...(isNamed && { slug: rest }),
    ...Object.fromEntries(found.map(([name, , value]) => [name, value])),
  };
}

const FILE_NAME = /^(\d{4}-\d{2}-\d{2})[ _-]{0,9}([^.]*)/;
