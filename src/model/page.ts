/**
 * A page with all its languages, and the table of its fields.
 *
 * `PAGE_FIELDS` has one row per writable field. The types of pages, their defaults, reading and writing files,
 * validating input, payloads, filters of lists, references and OpenAPI follow the table: adding a field is adding a
 * row.
 */
import type { FieldRow } from "./field.ts";
import type { Id } from "./id.ts";
import type { Instant } from "./instant.ts";
import { isEmpty, type Json, type JsonObject } from "./json.ts";
import type { Lang, Locales } from "./locale.ts";
import type { BuiltInModel } from "./model-names.ts";

export type { Id } from "./id.ts";

/** A former permalink, which redirects to the page's current one. */
export interface Alias {
  readonly language: Lang;
  readonly from: string;
}

/** A staged future state of one language (interface.md, Draft). */
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

/** The built-in page models; custom models are named by their file below `content/page-models`. */
export const PAGE_MODEL = "page";
export const ARTICLE_MODEL = "article";

const templateErrors = (path: string): string | undefined =>
  path === "" || (!/[\\\0]/.test(path) && path.split("/").every((part) => part !== "" && !part.startsWith(".")))
    ? undefined
    : "Enter the path of a template below templates/.";

/** The writable fields, in the order of the file (contract.md 6.1 and 11.1). */
const ROWS = [
  {
    name: "identifier",
    help: "A name that programs find the page by, unique within its page model; a UUID unless another is given.",
    type: "text",
    max: 200,
    default: null,
    nullable: true,
    blank: false,
  },
  {
    name: "parent_page",
    help: "Id of the page above, whose permalink precedes that of this one.",
    type: "reference",
    target: "cms.Page",
    default: null,
    nullable: true,
  },
  /** null: the default template. */
  {
    name: "template",
    help: "Path of the template below templates/; null: the default of the page model or of the site.",
    type: "text",
    max: 500,
    default: null,
    nullable: true,
    check: templateErrors,
  },
  { name: "ordering", help: "Position in lists, ascending.", type: "integer", default: 0 },
  {
    name: "og_image",
    help: "Id of the picture that is shown where the page is shared.",
    type: "reference",
    target: "cms.Media",
    default: null,
    nullable: true,
  },
  {
    name: "highlight_image",
    help: "Id of the picture of the article.",
    type: "reference",
    target: "cms.Media",
    default: null,
    nullable: true,
    only: ARTICLE_MODEL,
  },
  {
    name: "author",
    help: "The author of the article.",
    type: "account",
    default: null,
    nullable: true,
    only: ARTICLE_MODEL,
  },
  {
    name: "tags",
    help: "Ids of the tags of the article.",
    type: "references",
    target: "cms.Tag",
    default: [],
    only: ARTICLE_MODEL,
  },
  { name: "meta", help: "Free-form data of the site, the same in every language.", type: "object", default: {} },
  {
    name: "robots",
    help: 'Directives for search engines, such as "noindex, nofollow".',
    type: "text",
    max: 200,
    default: "",
  },
  {
    name: "title",
    help: "The title; automatic permalinks are made from it.",
    type: "text",
    translated: true,
    max: 200,
    default: null,
    nullable: true,
  },
  {
    name: "permalink",
    help: "Path of the page in this language, without the prefix of the language: /about-us.",
    type: "text",
    translated: true,
    fallback: false,
    max: 400,
    default: null,
    nullable: true,
  },
  {
    name: "autopermalink",
    help: "Whether the permalink follows from the title and the parent.",
    type: "boolean",
    translated: true,
    default: true,
  },
  {
    name: "published_at",
    help: "When this language goes live; null: it is a draft.",
    type: "instant",
    translated: true,
    fallback: false,
    default: null,
    nullable: true,
  },
  {
    name: "indexable",
    help: "Whether search engines are told of the page.",
    type: "boolean",
    translated: true,
    default: true,
  },
  {
    name: "description",
    help: "The summary for search engines.",
    type: "text",
    translated: true,
    default: null,
    nullable: true,
  },
  {
    name: "keywords",
    help: "Keywords for search engines.",
    type: "text",
    translated: true,
    max: 200,
    default: null,
    nullable: true,
  },
  {
    name: "breadcrumbs_title",
    help: "The title in breadcrumbs; without one the title.",
    type: "text",
    translated: true,
    max: 128,
    default: null,
    nullable: true,
  },
  // `canonical` or `og_url` of another language would tell search engines that this page is a copy (decisions.md 65).
  {
    name: "canonical",
    help: "Address of the original, if this page is a copy of another.",
    type: "text",
    translated: true,
    fallback: false,
    max: 200,
    default: null,
    nullable: true,
  },
  {
    name: "og_title",
    help: "The title where the page is shared; without one the title.",
    type: "text",
    translated: true,
    max: 200,
    default: null,
    nullable: true,
  },
  {
    name: "og_description",
    help: "The description where the page is shared.",
    type: "text",
    translated: true,
    default: null,
    nullable: true,
  },
  {
    name: "og_type",
    help: 'The kind of page where it is shared, such as "article".',
    type: "text",
    translated: true,
    max: 200,
    default: null,
    nullable: true,
  },
  {
    name: "og_url",
    help: "The address where the page is shared.",
    type: "text",
    translated: true,
    fallback: false,
    max: 200,
    default: null,
    nullable: true,
  },
  /** Markdown or HTML, depending on the template. */
  {
    name: "content",
    help: "The text of the article: Markdown or HTML, depending on the template.",
    type: "text",
    translated: true,
    default: "",
    raw: true,
    only: ARTICLE_MODEL,
  },
  /** Any JSON, unless the page model declares a schema; never null (decisions.md 31). */
  {
    name: "template_data",
    help: "Data for the template: free-form, or as the page model declares.",
    type: "json",
    translated: true,
    default: {},
    nullable: true,
  },
] as const satisfies readonly PageFieldRow[];

/** A row of `PAGE_FIELDS`. */
export interface PageFieldRow extends FieldRow {
  readonly target?: BuiltInModel;
  /** The value of a page without the field, which needs no line in the file. */
  readonly default: Json;
  /** Only pages of this model have the field. */
  readonly only?: string;
  /** For a translated field, false: an empty value does not fall back to the default language. */
  readonly fallback?: false;
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
}

type Row = (typeof ROWS)[number];
type ValuesOf<Of extends Row> = {
  readonly [Each in Of as Each["name"]]: ValueTypes[Each["type"]] | Extract<Each["default"], null>;
};

/** The values of one language, without fallback (contract.md 4.2). */
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
  | "robots"
  | "deleted_at"
  | "date_created"
  | "date_updated_at"
  | "aliases"
> {
  readonly translations: { readonly [lang: Lang]: Pick<PageText, "permalink" | "published_at"> };
  readonly drafts: { readonly [lang: Lang]: Pick<Draft, "scheduled_for"> };
}

export const PAGE_FIELDS: readonly PageFieldRow[] = ROWS;

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

/**
 * The value of a field in one language, falling back to the default language for null or an empty object, but not for
 * "" (contract.md 4.3).
 */
export function fallbackText<K extends keyof PageText>(
  page: Page,
  lang: Lang,
  defaultLang: Lang,
  field: K,
): PageText[K] {
  const value = textOf(page, lang)[field];
  if (NO_FALLBACK.has(field) || typeof value === "boolean") return value;
  // The "" of a field that cannot be null falls back.
  const empty =
    value === null || (value === "" && EMPTY_TEXT[field] === "") || (typeof value === "object" && isEmpty(value));
  return empty ? textOf(page, defaultLang)[field] : value;
}

/** The title, with fallback to the default language; "" for none. */
export const titleOf = (page: Page, lang: Lang, defaultLang: Lang): string =>
  fallbackText(page, lang, defaultLang, "title") ?? "";

/** A display name for messages: the title in the default language, in any other, or the id. */
export function nameOf(page: Page, locales: Locales): string {
  const titles = [locales.default, ...locales.codes].map((lang) => textOf(page, lang).title ?? "");
  return titles.find((title) => title !== "") ?? `${page.id}`;
}
