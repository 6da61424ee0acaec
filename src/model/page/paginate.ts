/** What the pages of a model list, a number of items to a page: `paginate` of a page model. */
import { isObject, own, type Json, type JsonObject } from "../input/json.ts";
import { parseFilter, QuerySyntaxError } from "../query/grammar.ts";

export const LIST_SOURCES = ["articles", "pages", "instances"] as const;
/** What a list may be divided by: each group of its items has pages of its own. */
export const LIST_GROUPS = ["tags", "authors", "year"] as const;
export type ListGroups = (typeof LIST_GROUPS)[number];

export interface Paginate {
  readonly of: (typeof LIST_SOURCES)[number];
  /** The model of pages; null: the plain ones. */
  readonly model: string | null;
  /** The key of the meta type of instances. */
  readonly type: string | null;
  readonly size: number;
  /** As `fltr` of lists. */
  readonly where: string | null;
  /** As `sort` of lists; null: articles newest first, others in the order of their list. */
  readonly sort: string | null;
  readonly each: ListGroups | null;
}

export const LIST_SIZE_MAX = 100;
const SIZE = 10;
const KEYS = ["of", "model", "type", "size", "where", "sort", "each"];

/** By key of `paginate`. */
export interface PaginateErrors {
  [key: string]: string[];
}

/** A valid `paginate`, or the errors by key. */
export function readPaginate(
  value: Json,
): { readonly paginate: Paginate } | { readonly errors: string[] | PaginateErrors } {
  if (!isObject(value)) return { errors: [`An object with "of" is expected, such as { of: articles, size: 10 }.`] };
  const errors: PaginateErrors = {};
  for (const key of Object.keys(value))
    if (!KEYS.includes(key)) errors[key] = [`There is no such key here: ${KEYS.join(", ")} are known.`];
  const of = LIST_SOURCES.find((each) => each === own(value, "of"));
  if (!of) errors.of = [`One of ${LIST_SOURCES.join(", ")} is expected.`];
  const text = (key: string): string | null => {
    const found = own(value, key) ?? null;
    if (found === null || (typeof found === "string" && found.trim() !== "")) return found;
    errors[key] = ["A text is expected."];
    return null;
  };
  const [model, type, where, sort] = [text("model"), text("type"), text("where"), text("sort")];
  if (model !== null && of !== "pages") errors.model ??= ['Only a list of pages has a "model".'];
  if (type !== null && of !== "instances") errors.type ??= ['Only a list of instances has a "type".'];
  if (type === null && of === "instances") errors.type ??= ["The key of a meta type is expected."];
  const wanted = own(value, "each") ?? null;
  const each = LIST_GROUPS.find((known) => known === wanted) ?? null;
  if (wanted !== null && each === null) errors.each = [`One of ${LIST_GROUPS.join(", ")} is expected.`];
  if (each !== null && of && of !== "articles" && (each !== "year" || of === "instances"))
    errors.each = [each === "year" ? "Instances have no year." : `Only articles have ${each}.`];
  const size = own(value, "size") ?? SIZE;
  const isSize = typeof size === "number" && Number.isInteger(size) && size >= 1 && size <= LIST_SIZE_MAX;
  if (!isSize) errors.size = [`A whole number from 1 to ${LIST_SIZE_MAX} is expected.`];
  const syntax = where === null ? undefined : filterError(where);
  if (syntax !== undefined) errors.where = [syntax];
  if (!of || !isSize || Object.keys(errors).length > 0) return { errors };
  return { paginate: { of, model, type, size, where, sort, each } };
}

function filterError(text: string): string | undefined {
  try {
    parseFilter(text);
    return undefined;
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error.message;
    throw error;
  }
}

/** Without the keys that have their default. */
export const storedPaginate = ({ of, size, ...texts }: Paginate): JsonObject => ({
  of,
  size,
  ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)),
});
