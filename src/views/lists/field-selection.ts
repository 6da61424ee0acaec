/** Payloads reduced to the fields that a request names with `fields`. */
import { isObject, objectOf, own } from "../../model/input/json.ts";
import { splitSuffixed, type Lang, type Locales } from "../../model/language/locale.ts";
import type { Queryable, QueryContext, QueryField } from "../../model/lists/query.ts";
import type { Payload } from "../view.ts";

/**
 * A payload reduced to some fields, in its own order.
 *
 * Unknown names are ignored; if none is known, all fields are kept. `rel__sub` names a field of a nested record; a
 * nested record without names of its own is reduced by the same list, if it has any of its fields. `title_it` is inside
 * `translations`, unless the payload has it flat.
 *
 * @param queryable its references are the nested records
 */
export function selectFields<T, S extends QueryContext>(
  payload: Payload,
  fields: readonly string[],
  queryable: Queryable<T, S>,
  locales: Locales,
): Payload {
  return fields.length === 0 ? payload : pick(payload, fields, fields, queryable, locales);
}

/** The fields of a router payload that belong to its URL node; all others, and the shared ones, belong to the page. */
// oxfmt-ignore
const NODE_FIELDS = new Set([
  "id", "is_public", "status", "indexable", "permalink", "related_name", "alternates", "contents", "content_type",
  "language", "translations", "has_draft", "has_scheduled_draft", "draft_scheduled_for", "draft_data",
]);
const SHARED_FIELDS = new Set(["id", "is_public", "status", "indexable"]);

/**
 * `selectFields` for the routers, where URL node and page are reduced separately: `title` keeps the whole URL node,
 * `title,permalink` gives exactly those two.
 */
export function selectRouteFields<T, S extends QueryContext>(
  payload: Payload,
  fields: readonly string[],
  queryable: Queryable<T, S>,
  locales: Locales,
): Payload {
  if (fields.length === 0) return payload;
  const part = (holds: (name: string) => boolean): Payload =>
    selectFields(objectOf(Object.entries(payload).filter(([name]) => holds(name))), fields, queryable, locales);
  const kept = {
    ...part((name) => NODE_FIELDS.has(name)),
    ...part((name) => !NODE_FIELDS.has(name) || SHARED_FIELDS.has(name)),
  };
  return objectOf(
    Object.keys(payload)
      .filter((name) => Object.hasOwn(kept, name))
      .map((name) => [name, own(kept, name)] as const),
  );
}

/** @param names of this record; @param all the whole list, for nested records without names of their own */
function pick<T, S extends QueryContext>(
  payload: Payload,
  names: readonly string[],
  all: readonly string[],
  queryable: Queryable<T, S>,
  locales: Locales,
): Payload {
  const below = new Map<string, string[]>();
  const texts = new Map<Lang, string[]>();
  for (const name of names) {
    const cut = name.indexOf("__");
    const key = cut > 0 ? name.slice(0, cut) : name;
    if (Object.hasOwn(payload, key)) {
      const named = below.get(key) ?? [];
      if (cut > 0) named.push(name.slice(cut + 2)); // in place: a request may name thousands
      below.set(key, named);
      continue;
    }
    const suffixed = splitSuffixed(locales, name);
    if (suffixed && hasText(payload, suffixed.lang, suffixed.field)) {
      const named = texts.get(suffixed.lang) ?? [];
      named.push(suffixed.field);
      texts.set(suffixed.lang, named);
    }
  }
  const isAll = below.size === 0 && texts.size === 0;
  const kept = Object.entries(payload).flatMap(([key, value]): [string, unknown][] => {
    if (isAll || below.has(key))
      return [[key, narrow(value, below.get(key) ?? [], all, own(queryable.fields, key), locales)]];
    return key === "translations" && texts.size > 0 ? [[key, pickTexts(value, texts)]] : [];
  });
  return objectOf(kept);
}

function narrow<T, S extends QueryContext>(
  value: unknown,
  names: readonly string[],
  all: readonly string[],
  field: QueryField<T, S> | undefined,
  locales: Locales,
): unknown {
  if (field?.type !== "reference") return value;
  if (Array.isArray(value)) return value.map((each) => narrow(each, names, all, field, locales));
  return isObject(value) ? pick(value, names.length > 0 ? names : all, all, field.target(), locales) : value;
}

const textsOf = (translations: unknown, lang: Lang): Payload | undefined => {
  const texts = isObject(translations) ? own(translations, lang) : undefined;
  return isObject(texts) ? texts : undefined;
};

const hasText = (payload: Payload, lang: Lang, field: string): boolean =>
  Object.hasOwn(textsOf(own(payload, "translations"), lang) ?? {}, field);

const pickTexts = (translations: unknown, wanted: ReadonlyMap<Lang, readonly string[]>): Payload =>
  objectOf(
    [...wanted].map(([lang, fields]) => {
      const texts = Object.entries(textsOf(translations, lang) ?? {});
      return [lang, objectOf(texts.filter(([field]) => fields.includes(field)))] as const;
    }),
  );
