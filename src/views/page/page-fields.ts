/** The fields of a page that are the same in its own payload and inside other payloads. */
import { showInstant, type Instant } from "../../model/time/instant.ts";
import type { Resolver } from "../../model/fields/definition.ts";
import { isObject, type Json } from "../../model/input/json.ts";
import {
  ARTICLE_MODEL,
  fallbackText,
  fieldsOf,
  GLOBAL_FIELDS,
  PAGE_MODEL,
  TEXT_FIELDS,
  type GlobalValue,
  type Id,
  type Page,
  type PageFieldRow,
  type PageGlobals,
  type PageText,
} from "../../model/page/page.ts";
import { PARENT_FIELD } from "../../model/page/page-model.ts";
import { resolveData } from "../../model/records/schema.ts";
import { modelOf, RECORDS } from "../../model/records/records.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import { templateOf } from "../../store/content/indexes/pages-by-model.ts";
import { nestedMedia } from "../media/media.ts";
import { nestedResolver } from "../records/resolver.ts";
import { nestedRecordOf } from "../records/record.ts";
import type { View } from "../view.ts";

/** What the flat fields of pages of a model are made from. */
interface FlatRows {
  /** Without the parent, which payloads nest in several ways, and without what few pages have. */
  readonly globals: readonly PageFieldRow[];
  /** Without the permalink, which has no fallback and is added separately. */
  readonly texts: readonly PageFieldRow[];
}

const flatRowsOf = (model: string): FlatRows => ({
  globals: fieldsOf(GLOBAL_FIELDS, model).filter(({ name, type }) => name !== PARENT_FIELD && type !== "pagination"),
  texts: fieldsOf(TEXT_FIELDS, model).filter(({ name }) => name !== "permalink"),
});
const PLAIN = flatRowsOf(PAGE_MODEL);
const ARTICLE = flatRowsOf(ARTICLE_MODEL);
const rowsFor = (page: Page): FlatRows => (page.model === ARTICLE_MODEL ? ARTICLE : PLAIN);

/** What a payload consists of: an object to be filled. */
export type Fields = { [key: string]: unknown };

/** Makes objects for `fillFlatFields`, with the keys of the flat fields, then the given ones. All must be assigned. */
export function emptyFields(...more: readonly string[]): (page: Page) => Fields {
  const emptyOf = ({ globals, texts }: FlatRows): Fields => {
    const names = (rows: readonly PageFieldRow[]): string[] => rows.map(({ name }) => name);
    const keys = ["id", ...names(globals), ...FIXED, ...names(texts), ...more];
    return Object.fromEntries(keys.map((key) => [key, null]));
  };
  const [plain, article] = [emptyOf(PLAIN), emptyOf(ARTICLE)];
  // Replacing the values of a spread object takes V8 half the time of adding keys to an empty one. Adding keys to a
  // spread object takes it much longer than either.
  return (page) => (page.model === ARTICLE_MODEL ? { ...article } : { ...plain });
}

const FIXED = ["template", "deleted_at", "date_created", "date_updated_at"];

/**
 * Adds the flat fields of a page and of a nested parent: the active language, with fallback to the default one.
 *
 * @param resolverFor of references and links in `template_data`
 */
export function fillFlatFields(
  fields: Fields,
  view: View,
  page: Page,
  resolverFor: (view: View) => Resolver = nestedResolver,
): Fields {
  const { globals, texts } = rowsFor(page);
  fields.id = page.id;
  for (const row of globals) fields[row.name] = shownGlobal(view, row, page[row.name as keyof PageGlobals]);
  if (page.paginate) fields.paginate = page.paginate;
  fields.template = templateOf(view.content, view.config, page);
  fields.deleted_at = showInstant(page.deleted_at);
  fields.date_created = showInstant(page.date_created);
  fields.date_updated_at = showInstant(page.date_updated_at);
  for (const { name, type } of texts) {
    const value = fallbackText(page, view.lang, view.locales.default, name as keyof PageText);
    fields[name] = type === "instant" ? showInstant(value as Instant | null) : value;
  }
  fields.template_data = dataIn(view, page, fields.template_data as Json, resolverFor);
  return fields;
}

/** A value as payloads show it. Of a list of references, those to records that do not exist are omitted. */
function shownGlobal(view: View, { type, target }: PageFieldRow, value: GlobalValue[1]): unknown {
  if (type === "instant") return showInstant(value as Instant | null);
  if (target === undefined) return value;
  const show = SHOWN_TARGETS.get(target) ?? ((at: View, id: Id) => nestedResolver(at).reference(target, id));
  return Array.isArray(value)
    ? (value as readonly Id[]).map((id) => show(view, id)).filter((shown) => shown !== null)
    : value === null
      ? null
      : show(view, value as Id);
}

/** Records that are shown in place of their id; null for one that does not exist. */
const SHOWN_TARGETS: ReadonlyMap<string, (view: View, id: Id) => unknown> = new Map([
  ["cms.Media", nestedMedia],
  ...RECORDS.map((of) => [modelOf(of), (view: View, id: Id) => nestedRecordOf(view, of, id)] as const),
]);

/** `template_data`, with references and links resolved for a custom page model. */
export function dataIn(view: View, page: Page, data: Json, resolverFor: (view: View) => Resolver): unknown {
  const model = findPageModel(view.content, page.model);
  return model && isObject(data) ? resolveData(model.schema, data, view.locales, resolverFor(view)) : data;
}
