/**
 * A page with all its languages, and the table of its fields.
 *
 * `PAGE_FIELDS` has the name, type and limits of each field, and whether it is translated. Reading files, validating
 * input, payloads and key order follow the table.
 */
import type { FieldRow } from "./field.ts";
import type { Id } from "./id.ts";
import type { Instant } from "./instant.ts";
import { isEmpty, type Json, type JsonObject } from "./json.ts";
import type { Lang, Locales } from "./locale.ts";

export type { Id } from "./id.ts";

/** The values of one language, without fallback (contract.md 4.2). */
export interface PageText {
  readonly title: string | null;
  readonly description: string | null;
  readonly permalink: string | null;
  readonly autopermalink: boolean;
  readonly published_at: Instant | null;
  readonly indexable: boolean;
  readonly keywords: string | null;
  readonly breadcrumbs_title: string | null;
  readonly canonical: string | null;
  readonly og_title: string | null;
  readonly og_description: string | null;
  readonly og_type: string | null;
  readonly og_url: string | null;
  /** Any JSON, unless the page model declares a schema; never null (decisions.md 31). */
  readonly template_data: Json;
  /** Articles only: Markdown or HTML, depending on the template; "" for none. */
  readonly content: string;
}

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

export interface Page {
  readonly id: Id;
  /** Name of the page model; fixed when the page is created. */
  readonly model: string;
  /** Unique within the page model; null is allowed (decisions.md 26). */
  readonly identifier: string | null;
  readonly parent_page: Id | null;
  /** null: the default template. */
  readonly template: string | null;
  readonly ordering: number;
  readonly og_image: Id | null;
  readonly meta: JsonObject;
  readonly deleted_at: Instant | null;
  readonly date_created: Instant;
  readonly date_updated_at: Instant;
  readonly aliases: readonly Alias[];
  /** A language without an entry has the defaults of `EMPTY_TEXT`. */
  readonly translations: { readonly [lang: Lang]: PageText };
  readonly drafts: { readonly [lang: Lang]: Draft };
  /** This field and the two below: articles only. */
  readonly author: Byline | null;
  readonly highlight_image: Id | null;
  readonly tags: readonly Id[];
}

/** The fields of a page that look-ups need; every `Page` is one. */
export interface PageSummary extends Pick<
  Page,
  | "id"
  | "model"
  | "identifier"
  | "parent_page"
  | "ordering"
  | "deleted_at"
  | "date_created"
  | "date_updated_at"
  | "aliases"
> {
  readonly translations: { readonly [lang: Lang]: Pick<PageText, "permalink" | "published_at"> };
  readonly drafts: { readonly [lang: Lang]: Pick<Draft, "scheduled_for"> };
}

/** The writable fields, in the order of the file (contract.md 6.1 and 11.1). */
export const PAGE_FIELDS: readonly FieldRow[] = [
  { name: "identifier", type: "text", translated: false, max: 200, nullable: true, blank: false },
  { name: "parent_page", type: "reference", translated: false, nullable: true, target: "Page" },
  { name: "template", type: "text", translated: false, max: 500, nullable: true, blank: true },
  { name: "ordering", type: "integer", translated: false, nullable: false },
  { name: "og_image", type: "reference", translated: false, nullable: true, target: "Media" },
  {
    name: "highlight_image",
    type: "reference",
    translated: false,
    nullable: true,
    target: "Media",
    only: ARTICLE_MODEL,
  },
  { name: "author", type: "reference", translated: false, nullable: true, target: "User", only: ARTICLE_MODEL },
  { name: "tags", type: "references", translated: false, nullable: false, target: "Tag", only: ARTICLE_MODEL },
  { name: "meta", type: "object", translated: false, nullable: false },
  { name: "title", type: "text", translated: true, max: 200, nullable: true, blank: true },
  { name: "permalink", type: "text", translated: true, max: 400, nullable: true, blank: true },
  { name: "autopermalink", type: "boolean", translated: true, nullable: false },
  { name: "published_at", type: "instant", translated: true, nullable: true },
  { name: "indexable", type: "boolean", translated: true, nullable: false },
  { name: "description", type: "text", translated: true, nullable: true, blank: true },
  { name: "keywords", type: "text", translated: true, max: 200, nullable: true, blank: true },
  { name: "breadcrumbs_title", type: "text", translated: true, max: 128, nullable: true, blank: true },
  { name: "canonical", type: "text", translated: true, max: 200, nullable: true, blank: true },
  { name: "og_title", type: "text", translated: true, max: 200, nullable: true, blank: true },
  { name: "og_description", type: "text", translated: true, nullable: true, blank: true },
  { name: "og_type", type: "text", translated: true, max: 200, nullable: true, blank: true },
  { name: "og_url", type: "text", translated: true, max: 200, nullable: true, blank: true },
  { name: "content", type: "text", translated: true, nullable: false, blank: true, raw: true, only: ARTICLE_MODEL },
  { name: "template_data", type: "json", translated: true, nullable: true },
];

/** The translated and the other fields, of all models. */
export const TEXT_FIELDS: readonly FieldRow[] = PAGE_FIELDS.filter((row) => row.translated);
export const GLOBAL_FIELDS: readonly FieldRow[] = PAGE_FIELDS.filter((row) => !row.translated);

/** The fields of one model. */
export function fieldsOf(rows: readonly FieldRow[], model: string): readonly FieldRow[] {
  // All models but the article have the same fields, so both lists are computed once.
  const known = FIELDS_OF.get(rows)?.[model === ARTICLE_MODEL ? 1 : 0];
  return known ?? rows.filter(({ only }) => only === undefined || only === model);
}

const FIELDS_OF = new Map(
  [TEXT_FIELDS, GLOBAL_FIELDS].map((rows) => [rows, [rows.filter(({ only }) => only === undefined), rows]]),
);

export const EMPTY_TEXT: PageText = {
  title: null,
  description: null,
  permalink: null,
  autopermalink: true,
  published_at: null,
  indexable: true,
  keywords: null,
  breadcrumbs_title: null,
  canonical: null,
  og_title: null,
  og_description: null,
  og_type: null,
  og_url: null,
  content: "",
  template_data: {},
};

/** One language's own values, without fallback. */
export const textOf = (page: Page, lang: Lang): PageText => page.translations[lang] ?? EMPTY_TEXT;

/** The page with some values of one language replaced. */
export function withText(page: Page, lang: Lang, change: Partial<PageText>): Page {
  return { ...page, translations: { ...page.translations, [lang]: { ...textOf(page, lang), ...change } } };
}

/**
 * Fields without fallback: `canonical` or `og_url` of another language would tell search engines that this page is a
 * copy of that one (decisions.md 3 and 65).
 */
const NO_FALLBACK: ReadonlySet<keyof PageText> = new Set(["published_at", "permalink", "canonical", "og_url"]);

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
  // `content` cannot be null, so its "" falls back.
  const empty =
    value === null || (field === "content" && value === "") || (typeof value === "object" && isEmpty(value));
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
