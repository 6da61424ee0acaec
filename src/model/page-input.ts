/**
 * Reads and validates writes to a page, and single values by their field row.
 *
 * A translatable value may be flat (the active language), under `translations.<lang>`, or have a suffix (`title_it`);
 * the suffix wins, then `translations`, then the flat value (decisions.md 2). Read-only keys are ignored, so that a
 * payload can be written back. All errors are collected under the suffixed names and thrown at once.
 */
import { invalid, type ErrorNode, type FieldErrors } from "../errors.ts";
import { parseInstant } from "./instant.ts";
import { isObject, mergeJson, own, type Json, type JsonObject } from "./json.ts";
import { anything, mergeErrors, named, translated, type Keys } from "./known-keys.ts";
import { langSuffix, type Lang, type Locales } from "./locale.ts";
import {
  EMPTY_TEXT,
  fieldsOf,
  GLOBAL_FIELDS,
  PAGE_MODEL,
  TEXT_FIELDS,
  textOf,
  type FieldRow,
  type Id,
  type Page,
  type PageText,
} from "./page.ts";
import { PARENT_FIELD } from "./page-model.ts";
import { sentTexts } from "./translated-input.ts";

export const ID_MAX = 2 ** 31 - 1;

const TEXT_NAMES = new Set(TEXT_FIELDS.map((row) => row.name));

export interface PageChange {
  readonly globals: Partial<
    Pick<
      Page,
      "identifier" | "parent_page" | "template" | "ordering" | "og_image" | "meta" | "highlight_image" | "tags"
    >
  >;
  /** Id of an account, which the caller converts to a byline; undefined: not sent. */
  readonly author?: Id | null;
  readonly texts: { readonly [lang: Lang]: Partial<PageText> };
}

export const NOT_AN_OBJECT = (value: unknown): string =>
  `Invalid data. Expected a dictionary, but got ${typeName(value)}.`;

/** @throws CmsError `invalid` when a body is not an object */
export function requireObject(body: unknown): asserts body is JsonObject {
  if (!isObject(body)) throw invalid({ non_field_errors: [NOT_AN_OBJECT(body)] });
}

/** Read-only keys of a page payload; `model` is fixed when the page is created. */
export const PAGE_READ_ONLY = [
  "id",
  "model",
  "deleted_at",
  "date_created",
  "date_updated_at",
  "slug",
  "routerlink",
  "alternates",
  "breadcrumbs",
  "status",
  "is_public",
  "pubblication_date",
  "template_file",
  "language",
  "related_name",
  "content_type",
  "contents",
  "url_node",
  "has_draft",
  "has_scheduled_draft",
  "draft_scheduled_for",
  "draft_data",
] as const;

/**
 * The keys that a write to a page may have.
 *
 * @param parentField the name of `parent_page` in its model
 * @param computed keys that plugins add to payloads, read-only too
 * @param templateData the keys of `template_data`, if the model declares a schema
 */
export function pageKeys(
  locales: Locales,
  model: string,
  parentField: string = PARENT_FIELD,
  templateData: Keys = anything,
  computed: readonly string[] = [],
): Keys {
  const texts = { ...named(...fieldsOf(TEXT_FIELDS, model).map(({ name }) => name)), template_data: templateData };
  const globals = named(...fieldsOf(GLOBAL_FIELDS, model).map(({ name }) => name), parentField);
  return translated(locales, texts, globals, [...PAGE_READ_ONLY, ...computed]);
}

/**
 * @param body parsed JSON or a form as an object of strings
 * @param lang the active language, of flat translatable keys
 * @param model the page's model, which determines its fields
 * @param found other errors of the body, to be reported together
 * @throws CmsError `invalid` with every offending field
 */
export function readPageChange(
  body: unknown,
  locales: Locales,
  lang: Lang,
  model: string = PAGE_MODEL,
  found: FieldErrors = {},
): PageChange {
  requireObject(body);
  const errors = new Map<string, ErrorNode>();
  const { byLang, malformed } = sentTexts(body, locales, lang, TEXT_NAMES);
  for (const [key, value] of malformed) errors.set(key, [NOT_AN_OBJECT(value)]);
  const globals: Record<string, unknown> = {};
  for (const row of fieldsOf(GLOBAL_FIELDS, model)) {
    const value = own(body, row.name);
    if (value !== undefined) readInto(globals, row, row.name, value, errors);
  }
  const texts: Record<Lang, Record<string, unknown>> = {};
  for (const code of locales.codes) {
    for (const row of fieldsOf(TEXT_FIELDS, model)) {
      const value = byLang.get(code)?.get(row.name);
      if (value === undefined) continue;
      readInto((texts[code] ??= {}), row, `${row.name}_${langSuffix(code)}`, value, errors);
    }
  }
  const all = mergeErrors(Object.fromEntries(errors), found) as FieldErrors;
  if (Object.keys(all).length > 0) throw invalid(all);
  const { author, ...rest } = globals;
  return { globals: rest, texts, ...(author !== undefined && { author: author as Id | null }) };
}

/**
 * The page with a change applied, before its permalinks are computed.
 *
 * @param mode `merge` (PATCH) merges objects of JSON fields key by key, `replace` (PUT) replaces them; both keep what
 *   was not sent (contract.md 4.5 and 6.4)
 */
export function applyChange(page: Page, change: PageChange, mode: "merge" | "replace"): Page {
  const json = (before: Json, after: Json): Json => (mode === "merge" ? mergeJson(before, after) : after);
  const translations: Record<Lang, PageText> = { ...page.translations };
  for (const [lang, text] of Object.entries(change.texts)) {
    const before = textOf(page, lang);
    const template_data =
      text.template_data === undefined ? before.template_data : json(before.template_data, text.template_data);
    translations[lang] = { ...EMPTY_TEXT, ...before, ...text, template_data };
  }
  const meta = change.globals.meta === undefined ? page.meta : (json(page.meta, change.globals.meta) as Page["meta"]);
  return { ...page, ...change.globals, meta, translations };
}

function readInto(
  into: Record<string, unknown>,
  row: FieldRow,
  key: string,
  value: Json,
  errors: Map<string, ErrorNode>,
): void {
  const read = readValue(row, value);
  if ("error" in read) errors.set(key, [read.error]);
  else into[row.name] = read.value;
}

type Read = { readonly value: Json } | { readonly error: string };

/** Reads one value by its field row, with the messages of contract.md 1.4. */
export function readValue(row: FieldRow, value: Json): Read {
  if (value === null) {
    if (row.type === "json") return row.nullable ? { value: {} } : { error: "This field may not be null." };
    return row.nullable ? { value: null } : { error: "This field may not be null." };
  }
  switch (row.type) {
    case "text":
      return readText(row, value);
    case "boolean":
      return readBoolean(value);
    case "integer":
      return readInteger(value);
    case "instant": {
      const at = parseInstant(value);
      return at ? { value: at } : { error: `${WRONG_MOMENT}${ZONE_HINT}` };
    }
    case "object":
      return isObject(value) ? { value } : { error: NOT_AN_OBJECT(value) };
    case "json":
      return { value };
    case "reference":
      return readReference(value);
    case "references":
      return readReferences(value);
  }
}

const WRONG_MOMENT = "Datetime has wrong format. Use one of these formats instead: ";
const ZONE_HINT = "YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].";

function readText(row: FieldRow, value: Json): Read {
  if (typeof value !== "string" && typeof value !== "number") return { error: "Not a valid string." };
  const text = row.raw ? String(value) : String(value).trim();
  // A lone surrogate has no UTF-8 form: the stored text would differ from the acknowledged one.
  if (/[\0\ufffe\uffff]/.test(text) || !text.isWellFormed())
    return { error: "Null and invalid characters are not allowed." };
  if (text === "" && row.blank === false) return { error: "This field may not be blank." };
  if (row.name === "template" && text !== "" && !isTemplatePath(text))
    return { error: "Enter the path of a template below templates/." };
  if (row.max !== undefined && text.length > row.max && [...text].length > row.max) {
    return { error: `Ensure this field has no more than ${row.max} characters.` };
  }
  return { value: text };
}

const isTemplatePath = (path: string): boolean =>
  !/[\\\0]/.test(path) && path.split("/").every((part) => part !== "" && !part.startsWith("."));

const TRUE = new Set<unknown>([true, 1, "1", "true", "t", "yes", "y", "on"]);
const FALSE = new Set<unknown>([false, 0, "0", "false", "f", "no", "n", "off"]);

function readBoolean(value: Json): Read {
  const key = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (TRUE.has(key)) return { value: true };
  return FALSE.has(key) ? { value: false } : { error: "Must be a valid boolean." };
}

function readInteger(value: Json): Read {
  const number = typeof value === "string" && /^\s*[+-]?\d{1,15}(\.0*)?\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return { error: "A valid integer is required." };
  if (number < 0) return { error: "Ensure this value is greater than or equal to 0." };
  return number > ID_MAX ? { error: `Ensure this value is less than or equal to ${ID_MAX}.` } : { value: number };
}

/** An id, a numeric text, an object with `id`, or "" for none (contract.md 6.3). Does not check that it exists. */
function readReference(value: Json): Read {
  if (value === "") return { value: null };
  const id = isObject(value) ? own(value, "id") : value;
  const number = typeof id === "string" && /^\d{1,10}$/.test(id) ? Number(id) : id;
  if (typeof number !== "number" || !Number.isInteger(number)) {
    return { error: `Incorrect type. Expected pk value, received ${typeName(id)}.` };
  }
  return { value: number };
}

/** A list of references, without duplicates. */
function readReferences(value: Json): Read {
  if (!Array.isArray(value)) return { error: `Expected a list of items but got type "${typeName(value)}".` };
  const ids = new Set<number>();
  for (const item of value as readonly Json[]) {
    const read = readReference(item);
    if ("error" in read) return read;
    if (typeof read.value === "number") ids.add(read.value);
  }
  return { value: [...ids] };
}

/** The message for a reference to a record that does not exist. */
export const noSuchTarget = (id: Id): string => `Invalid pk "${id}" - object does not exist.`;

/** The message for a template that does not exist below `templates/` (decisions.md 52). */
export const noSuchTemplate = (name: string): string => `There is no template "${name}" below templates/.`;

/** The type name of a JSON value in messages: the Python names of the upstream system. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return "dict";
}
