/** The references of a page: its fields, its data of a custom model, and what its drafts change of both. */
import { isObject, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { LINK_TARGET } from "../../model/fields/definition.ts";
import {
  ARTICLE_MODEL,
  fieldsOf,
  GLOBAL_FIELDS,
  PAGE_MODEL,
  type Id,
  type Page,
  type PageFieldRow,
} from "../../model/page/page.ts";
import { PARENT_FIELD } from "../../model/page/page-model.ts";
import { isReferenceName, visitValue, type VisitReference } from "../../model/records/reference-name.ts";
import { visitData, type Definitions } from "../../model/records/schema.ts";
import type { RecordSchemas } from "./record-type.ts";

/**
 * `parent_page` of a file in a folder that says `parent_page: null`. Without the line, the page beside the folder is its
 * parent.
 */
export const NO_PARENT = "" as unknown as Id;

type ReferenceRow = Pick<PageFieldRow, "name"> & { readonly target: string };

/** The fields with references of a model. The parent of an article may be a page of any kind. */
const rowsOf = (model: string): readonly ReferenceRow[] =>
  fieldsOf(GLOBAL_FIELDS, model).flatMap(({ name, target }) =>
    target === undefined
      ? []
      : { name, target: name === PARENT_FIELD && model === ARTICLE_MODEL ? LINK_TARGET : target },
  );
const [OF_ARTICLES, OF_PAGES] = [rowsOf(ARTICLE_MODEL), rowsOf(PAGE_MODEL)];
const referencesOf = ({ model }: Page): readonly ReferenceRow[] => (model === ARTICLE_MODEL ? OF_ARTICLES : OF_PAGES);

export function visitPage(page: Page, visit: VisitReference, schemas: RecordSchemas): Page {
  const rows = referencesOf(page);
  const schema = schemas.pageModel(page.model);
  const globals = visitRows(rows, page as unknown as JsonObject, visit);
  const translations = mapSame(page.translations, (text) => {
    const data = visitTyped(schema, text.template_data, visit);
    return data === text.template_data ? text : { ...text, template_data: data };
  });
  const drafts = mapSame(page.drafts, (draft) => {
    const payload = visitPayload(draft.payload, rows, schema, visit);
    return payload === draft.payload ? draft : { ...draft, payload };
  });
  return globals || translations !== page.translations || drafts !== page.drafts
    ? { ...page, ...globals, translations, drafts }
    : page;
}

/** The values that change; undefined for none. */
function visitRows(rows: readonly ReferenceRow[], values: JsonObject, visit: VisitReference): JsonObject | undefined {
  let changes: Record<string, Json> | undefined;
  for (const { name, target } of rows) {
    const value = own(values, name);
    if (value === undefined || value === null) continue;
    // NO_PARENT
    if (value === "") {
      (changes ??= {})[name] = null;
      continue;
    }
    const to = visitValue(value, target, name, visit);
    if (to !== value) (changes ??= {})[name] = to;
  }
  return changes;
}

const visitTyped = (schema: Definitions | undefined, data: Json, visit: VisitReference): Json =>
  schema && isObject(data) ? visitData(schema, data, visit) : data;

/** A draft has what a PATCH would have; other forms of translated values than `translations` are left as they are. */
function visitPayload(
  payload: JsonObject,
  rows: readonly ReferenceRow[],
  schema: Definitions | undefined,
  visit: VisitReference,
): JsonObject {
  const globals = visitRows(rows, payload, visit);
  const texts = own(payload, "translations");
  const translations = isObject(texts) && schema ? mapSame(texts, (text) => visitText(text, schema, visit)) : texts;
  return globals || translations !== texts
    ? { ...payload, ...globals, ...(translations && { translations }) }
    : payload;
}

function visitText(text: Json, schema: Definitions, visit: VisitReference): Json {
  const data = isObject(text) ? own(text, "template_data") : undefined;
  const to = data === undefined ? undefined : visitTyped(schema, data, visit);
  return to === undefined || to === data ? text : { ...(text as JsonObject), template_data: to };
}

/** The same object when no value changes. */
function mapSame<T>(values: { readonly [key: string]: T }, map: (value: T) => T): { readonly [key: string]: T } {
  let changed: [key: string, value: T][] | undefined;
  for (const key of Object.keys(values)) {
    const value = map(values[key]!);
    if (value !== values[key]) (changed ??= []).push([key, value]);
  }
  return changed ? Object.fromEntries([...Object.entries(values), ...changed]) : values;
}

/** Whether a field or a draft of a page has a name, leaving aside data of a custom model. */
export function hasNames(page: Page): boolean {
  let found = page.parent_page === NO_PARENT;
  const look: VisitReference = (_model, value) => {
    found ||= isReferenceName(value);
    return value;
  };
  const rows = referencesOf(page);
  visitRows(rows, page as unknown as JsonObject, look);
  for (const { payload } of Object.values(page.drafts)) visitPayload(payload, rows, undefined, look);
  return found;
}

/** The keys in data and drafts below which there are texts that may be names. */
export function keysOfTexts(page: Page): readonly string[] {
  const found = new Set<string>();
  const open: [Json, readonly string[]][] = [
    ...Object.values(page.translations).map((text): [Json, readonly string[]] => [text.template_data, []]),
    ...Object.values(page.drafts).map((draft): [Json, readonly string[]] => [draft.payload, []]),
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, keys] = next;
    if (isReferenceName(value)) for (const key of keys) found.add(key);
    else if (Array.isArray(value)) for (const item of value as readonly Json[]) open.push([item, keys]);
    else if (isObject(value)) for (const [key, inner] of Object.entries(value)) open.push([inner, [...keys, key]]);
  }
  return [...found].sort();
}
