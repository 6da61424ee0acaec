/**
 * Turns an imported entry into a page. Pure: permalinks that are taken, references, and the links in texts are the
 * caller's to settle.
 */
import { invalid } from "../../errors.ts";
import { readValue } from "../../model/input/field.ts";
import type { Instant } from "../../model/time/instant.ts";
import { isObject, objectOf, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import {
  ARTICLE_MODEL,
  EMPTY_TEXT,
  fieldsOf,
  TEXT_FIELDS,
  textOf,
  type Page,
  type PageText,
} from "../../model/page/page.ts";
import { hasLongSegment, sanitizePermalink } from "../../model/address/permalink.ts";
import { PERMALINK_MAX } from "../../model/address/generated-permalink.ts";
import { permalinkError } from "../../model/address/possible-names.ts";
import type { ImportedEntry, ImportedText } from "../imported-site.ts";

/** Where `template_data` has the whole of a value that was cut. */
export const WHOLE_VALUES = "imported";

/** A page, and what could not be carried as it was: sentences. */
export interface EntryPage {
  readonly page: Page;
  readonly remarks: readonly string[];
}

/**
 * @param before the page as it is, or a blank one; languages that the entry lacks stay as they are
 * @param now when undated texts are published
 */
export function pageOfEntry(entry: ImportedEntry, before: Page, locales: Locales, now: Instant): EntryPage {
  const remarks: string[] = [];
  const translations: Record<Lang, PageText> = { ...before.translations };
  for (const lang of locales.codes) {
    const text = entry.texts[lang];
    if (text) translations[lang] = textFor(entry.model, text, textOf(before, lang), { locales, now, remarks });
  }
  for (const lang of Object.keys(entry.texts)) {
    if (!locales.codes.includes(lang))
      remarks.push(
        `The site has no language ${lang}: its text is not imported. Add it to LANGUAGES, and import again.`,
      );
  }
  const published = Object.values(entry.texts).flatMap(({ published: at }) => (at && at !== "undated" ? [at] : []));
  const page: Page = {
    ...before,
    // What has become blocks since, or is none any more.
    model: before.model === ARTICLE_MODEL || entry.model === ARTICLE_MODEL ? before.model : entry.model,
    date_created: entry.created ?? published.sort()[0] ?? before.date_created,
    date_updated_at: entry.updated ?? before.date_updated_at,
    ordering: entry.ordering ?? before.ordering,
    meta: entry.meta ?? before.meta,
    robots: entry.robots ?? before.robots,
    translations,
    ...(entry.author && entry.model === ARTICLE_MODEL && { author: entry.author }),
  };
  return { page, remarks };
}

interface TextContext {
  readonly locales: Locales;
  readonly now: Instant;
  /** What could not be carried is added. */
  readonly remarks: string[];
}

function textFor(model: string, text: ImportedText, before: PageText, context: TextContext): PageText {
  const { fields, permalink, published, body, data = {} } = text;
  const { locales, now, remarks } = context;
  const whole: Record<string, Json> = {};
  const rows = fieldsOf(TEXT_FIELDS, model);
  const values: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields as JsonObject)) {
    const row = rows.find((each) => each.name === name);
    if (!row || value === undefined) continue;
    const fitting = typeof value === "string" && row.max !== undefined ? shorten(value, row.max) : value;
    const read = readValue(row, fitting);
    if ("error" in read) whole[name] = value;
    else values[name] = read.value;
    if (fitting !== value) whole[name] = value;
    if (name in whole) {
      const reason =
        "error" in read ? `cannot be stored (${String(read.error)})` : `was cut after ${row.max} characters`;
      remarks.push(`${name} ${reason}: all of it is in template_data.${WHOLE_VALUES}.`);
    }
  }
  const isArticle = model === ARTICLE_MODEL;
  const more = Object.keys(whole).length > 0 ? { [WHOLE_VALUES]: { ...innerOf(data, WHOLE_VALUES), ...whole } } : {};
  const template_data = objectOf([
    ...Object.entries(data),
    ...Object.entries(more),
    ...(body !== undefined && !isArticle ? [["body", body] as const] : []),
  ]);
  return {
    ...EMPTY_TEXT,
    indexable: before.indexable,
    ...(values as Partial<PageText>),
    ...permalinkFields(permalink, before, locales, remarks),
    published_at: published === "undated" ? (before.published_at ?? now) : (published ?? null),
    ...(isArticle && { content: body ?? "" }),
    template_data,
  };
}

const innerOf = (data: JsonObject, key: string): JsonObject => {
  const value = data[key];
  return isObject(value) ? value : {};
};

/** The wanted path as a permalink, or an automatic one where it cannot be one. */
function permalinkFields(
  wanted: string | undefined,
  before: PageText,
  locales: Locales,
  remarks: string[],
): Pick<PageText, "permalink" | "autopermalink"> {
  const automatic = { permalink: before.autopermalink ? before.permalink : null, autopermalink: true };
  if (wanted === undefined) return automatic;
  const permalink = sanitizePermalink(wanted);
  const refusal =
    (permalink.length > PERMALINK_MAX && [...permalink].length > PERMALINK_MAX) || hasLongSegment(permalink)
      ? "It is too long for a permalink."
      : permalinkError(locales, permalink);
  if (refusal === undefined) return { permalink, autopermalink: false };
  remarks.push(`No page can have the address ${wanted}, so the permalink is made from the title. ${refusal}`);
  return automatic;
}

/** @param max in characters */
function shorten(text: string, max: number): string {
  const characters = [...text.trim()];
  return characters.length <= max
    ? text
    : characters
        .slice(0, max - 1)
        .join("")
        .trimEnd() + "…";
}

/** @throws CmsError `invalid` for a model that the site lacks */
export function refuseUnknownModels(entries: readonly Pick<ImportedEntry, "model">[], models: readonly string[]): void {
  const unknown = [...new Set(entries.map(({ model }) => model))].filter((model) => !models.includes(model));
  if (unknown.length > 0)
    throw invalid({
      model: [`The site has no page model ${unknown.join(", ")}: add content/page-models files first.`],
    });
}
