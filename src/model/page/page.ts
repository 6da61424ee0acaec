/** A page with all its languages. Its fields are those of `page-field-table.ts`. */
import { withFallback } from "../language/fallback.ts";
import type { Id } from "../input/id.ts";
import { UNDATED, type Instant } from "../time/instant.ts";
import type { Json, JsonObject } from "../input/json.ts";
import type { Lang, Locales } from "../language/locale.ts";
import { ARTICLE_MODEL, PAGE_FIELD_ROWS, PAGE_MODEL, type PageFieldRow } from "./page-field-table.ts";

export type { Id } from "../input/id.ts";
export { ARTICLE_MODEL, PAGE_MODEL, type PageFieldRow } from "./page-field-table.ts";

/** A former permalink, which redirects to the page's current one. */
export interface Alias {
  readonly language: Lang;
  readonly from: string;
}

/** A staged future state of one language. */
export interface Draft {
  readonly payload: JsonObject;
  readonly scheduled_for: Instant | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

/** The author of an article, copied into it: accounts are private, and every clone must show the same. */
export interface Byline {
  readonly id: Id;
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
}

interface ValueTypes {
  readonly object: JsonObject;
  readonly text: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly instant: Instant;
  readonly json: Json;
  readonly reference: Id;
  readonly references: readonly Id[];
  readonly account: Byline;
  readonly pagination: JsonObject;
}

type Row = (typeof PAGE_FIELD_ROWS)[number];
type ValuesOf<Of extends Row> = {
  readonly [Each in Of as Each["name"]]: ValueTypes[Each["type"]] | Extract<Each["default"], null>;
};

/** The values of one language, without fallback. */
export type PageText = ValuesOf<Extract<Row, { translated: true }>>;

/** The values that are the same in all languages. */
export type PageGlobals = ValuesOf<Exclude<Row, { translated: true }>>;

export interface Page extends PageGlobals {
  readonly id: Id;
  /** Name of the page model; fixed when the page is created. */
  readonly model: string;
  readonly deleted_at: Instant | null;
  readonly date_created: Instant;
  readonly date_updated_at: Instant;
  readonly aliases: readonly Alias[];
  /** A language without an entry has the defaults of `EMPTY_TEXT`. */
  readonly translations: { readonly [lang: Lang]: PageText };
  readonly drafts: { readonly [lang: Lang]: Draft };
}

/** The fields of a page that look-ups need; every `Page` is one. */
export interface PageSummary extends Pick<
  Page,
  | "id"
  | "model"
  | "identifier"
  | "parent_page"
  | "ordering"
  | "paginate"
  | "robots"
  | "deleted_at"
  | "date_created"
  | "date_updated_at"
  | "aliases"
> {
  readonly translations: { readonly [lang: Lang]: Pick<PageText, "permalink" | "published_at"> };
  readonly drafts: { readonly [lang: Lang]: Pick<Draft, "scheduled_for"> };
}

export const PAGE_FIELDS: readonly PageFieldRow[] = PAGE_FIELD_ROWS;

/** The translated and the other fields, of all models. */
export const TEXT_FIELDS: readonly PageFieldRow[] = PAGE_FIELDS.filter((row) => row.translated);
export const GLOBAL_FIELDS: readonly PageFieldRow[] = PAGE_FIELDS.filter((row) => !row.translated);

/** A row with its value in a page. */
export type GlobalValue = readonly [row: PageFieldRow, value: PageGlobals[keyof PageGlobals]];

/** The fields of a page's model that are not translated, with their values. */
export const globalsOf = (page: Page): readonly GlobalValue[] =>
  fieldsOf(GLOBAL_FIELDS, page.model).map((row) => [row, page[row.name as keyof PageGlobals]] as const);

/** The fields of one model. */
export function fieldsOf(rows: readonly PageFieldRow[], model: string): readonly PageFieldRow[] {
  // All models but the article have the same fields, so both lists are computed once.
  const known = FIELDS_OF.get(rows)?.[model === ARTICLE_MODEL ? 1 : 0];
  return known ?? rows.filter(({ only }) => only === undefined || only === model);
}

const FIELDS_OF = new Map(
  [TEXT_FIELDS, GLOBAL_FIELDS].map((rows) => [rows, [rows.filter(({ only }) => only === undefined), rows]]),
);

const defaultsOf = (rows: readonly PageFieldRow[]): object =>
  Object.fromEntries(rows.map((row) => [row.name, row.default] as const));

// The types of both follow from the same rows.
export const EMPTY_TEXT = defaultsOf(TEXT_FIELDS) as PageText;
export const EMPTY_GLOBALS = defaultsOf(GLOBAL_FIELDS) as PageGlobals;

/**
 * A page with nothing, to be spread: V8 replaces the values of a spread object in a tenth of the time that it takes to add
 * keys to it, and every page of an import is made several times.
 */
export const EMPTY_PAGE: Page = {
  ...EMPTY_GLOBALS,
  id: 0,
  model: PAGE_MODEL,
  deleted_at: null,
  date_created: UNDATED,
  date_updated_at: UNDATED,
  aliases: [],
  translations: {},
  drafts: {},
};

/** One language's own values, without fallback. */
export const textOf = (page: Page, lang: Lang): PageText => page.translations[lang] ?? EMPTY_TEXT;

/** null without one. */
export const permalinkIn = (page: PageSummary, lang: Lang): string | null => page.translations[lang]?.permalink ?? null;

/** The page with some values of one language replaced. */
export function withText(page: Page, lang: Lang, change: Partial<PageText>): Page {
  return { ...page, translations: { ...page.translations, [lang]: { ...textOf(page, lang), ...change } } };
}

const NO_FALLBACK: ReadonlySet<string> = new Set(
  TEXT_FIELDS.filter(({ fallback }) => fallback === false).map(({ name }) => name),
);

/** The shown value of a field: with fallback to the default language, unless its row has `fallback: false`. */
export function fallbackText<K extends keyof PageText>(
  page: Page,
  lang: Lang,
  defaultLang: Lang,
  field: K,
): PageText[K] {
  if (NO_FALLBACK.has(field)) return textOf(page, lang)[field];
  return withFallback((each) => textOf(page, each)[field], lang, defaultLang, EMPTY_TEXT[field] === null);
}

/** The title, with fallback to the default language; "" for none. */
export const titleOf = (page: Page, lang: Lang, defaultLang: Lang): string =>
  fallbackText(page, lang, defaultLang, "title") ?? "";

/** A display name for messages: the title in the default language, in any other, or the id. */
export function nameOf(page: Page, locales: Locales): string {
  const titles = [locales.default, ...locales.codes].map((lang) => textOf(page, lang).title ?? "");
  return titles.find((title) => title !== "") ?? `${page.id}`;
}
