/**
 * Reads and validates writes to a page.
 *
 * A translatable value may be flat (the active language), under `translations.<lang>`, or have a suffix (`title_it`);
 * the suffix wins, then `translations`, then the flat value. Read-only keys are ignored, so that a
 * payload can be written back. All errors are collected under the suffixed names and thrown at once.
 */
import { invalid, type FieldErrors } from "../../errors.ts";
import type { FieldRow } from "../input/field.ts";
import { requireObject } from "../input/input-errors.ts";
import { mergeJson, type Json } from "../input/json.ts";
import { anything, mergeErrors, named, translated, type Keys } from "../input/known-keys.ts";
import { type Lang, type Locales } from "../language/locale.ts";
import {
  EMPTY_TEXT,
  fieldsOf,
  GLOBAL_FIELDS,
  PAGE_MODEL,
  TEXT_FIELDS,
  textOf,
  type Id,
  type Page,
  type PageGlobals,
  type PageText,
} from "./page.ts";
import { PARENT_FIELD } from "./page-model.ts";
import { readersOf, readSent, readSentTexts, type Errors, type SaveMode } from "../input/sent-fields.ts";

export interface PageChange {
  readonly globals: Partial<Omit<PageGlobals, "author">>;
  /** Id of an account, which the caller converts to a byline; undefined: not sent. */
  readonly author?: Id | null;
  readonly texts: { readonly [lang: Lang]: Partial<PageText> };
  /** Errors of keys that were not read, which the write reports together with its own and refuses. */
  readonly unknown?: FieldErrors;
  /** Set for the change of a draft, in which required data may still be missing. */
  readonly isDraft?: boolean;
  /**
   * The language that is published with the change: what is required must be there, references too. Where it becomes public
   * for the first time, all of its data must be complete, else what was sent.
   */
  readonly published?: { readonly lang: Lang; readonly isFirst: boolean };
}

/** Read-only keys of a page payload; `model` is fixed when the page is created. */
// oxfmt-ignore
export const PAGE_READ_ONLY = [
  "id", "model", "deleted_at", "date_created", "date_updated_at", "slug", "routerlink", "alternates", "breadcrumbs",
  "status", "is_public", "pubblication_date", "template_file", "language", "related_name", "content_type", "contents",
  "url_node", "has_draft", "has_scheduled_draft", "draft_scheduled_for", "draft_data",
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
 * @param unknown errors of other keys: thrown with those of the values, else part of the result
 * @throws CmsError `invalid` with every offending field
 */
export function readPageChange(
  body: unknown,
  locales: Locales,
  lang: Lang,
  model: string = PAGE_MODEL,
  unknown?: FieldErrors,
): PageChange {
  requireObject(body);
  const errors: Errors = {};
  const readers = readersOf(fieldsOf(TEXT_FIELDS, model));
  const texts = readSentTexts(body, locales, lang, readers, errors);
  const globals = readSent(body, fieldsOf(GLOBAL_FIELDS, model), errors);
  if (Object.keys(errors).length > 0) throw invalid(mergeErrors(errors, unknown) as FieldErrors);
  const { author, ...rest } = globals;
  return {
    globals: rest,
    texts,
    ...(unknown && { unknown }),
    ...(author !== undefined && { author: author as Id | null }),
  };
}

/**
 * The page with a change applied, before its permalinks are computed.
 *
 * @param mode `merge` (PATCH) merges objects of JSON fields key by key, `replace` (PUT) replaces them; both keep what
 *   was not sent
 */
export function applyChange(page: Page, change: PageChange, mode: SaveMode): Page {
  const translations: Record<Lang, PageText> = { ...page.translations };
  for (const [lang, text] of Object.entries(change.texts)) {
    const before = textOf(page, lang);
    translations[lang] = { ...EMPTY_TEXT, ...before, ...merged(TEXT_FIELDS, before, text, mode) };
  }
  return { ...page, ...merged(GLOBAL_FIELDS, page, change.globals, mode), translations };
}

/** The changed values; with `merge`, those of JSON fields merged into the values before. */
function merged<Values extends object>(
  rows: readonly FieldRow[],
  before: object,
  change: Values,
  mode: SaveMode,
): Values {
  const after = { ...change } as Record<string, unknown>;
  for (const { name, type } of rows) {
    const sent = after[name] as Json | undefined;
    if (sent === undefined || (type !== "object" && type !== "json")) continue;
    // Null replaces the whole value, as everything does that is no object, and is stored as {}.
    if (sent === null) after[name] = {};
    else if (mode === "merge") after[name] = mergeJson((before as Record<string, Json>)[name] ?? null, sent);
  }
  return after as Values;
}

/**
 * The page with null for the default template of its model, so that writing back what was read changes nothing.
 */
export const withoutDefaultTemplate = (page: Page, defaultTemplate: string): Page =>
  page.template === defaultTemplate || page.template === "" ? { ...page, template: null } : page;
