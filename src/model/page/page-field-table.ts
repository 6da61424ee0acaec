/**
 * The table of the writable fields of pages and articles, in the order of the file.
 *
 * The types of pages, their defaults, reading and writing files, validating input, payloads, filters of lists, references
 * and OpenAPI follow the table: adding a field is adding a row.
 */
import type { FieldRow } from "../input/field.ts";
import { isTooLongName } from "../address/possible-names.ts";
import type { Json } from "../input/json.ts";
import type { BuiltInModel } from "../records/model-names.ts";

/** The built-in page models; custom models are named by their file below `content/page-models`. */
export const PAGE_MODEL = "page";
export const ARTICLE_MODEL = "article";

const isTemplateName = (name: string): boolean => name !== "" && !name.startsWith(".") && !isTooLongName(name);

const templateErrors = (path: string): string | undefined =>
  path === "" || (!/[\\\0]/.test(path) && path.split("/").every(isTemplateName))
    ? undefined
    : "Enter the path of a template below templates/.";

export const PAGE_FIELD_ROWS = [
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
    help: "Id of the page above, whose permalink precedes that of this one; above an article, an article or a page.",
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
  {
    name: "paginate",
    help: "What the page lists, a number of items to a page; null: what its page model says.",
    type: "pagination",
    default: null,
    nullable: true,
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
  // `canonical` or `og_url` of another language would tell search engines that this page is a copy.
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
  /** Any JSON, unless the page model declares a schema; never null. */
  {
    name: "template_data",
    help: "Data for the template: free-form, or as the page model declares.",
    type: "json",
    translated: true,
    default: {},
    nullable: true,
  },
] as const satisfies readonly PageFieldRow[];

/** A row of `PAGE_FIELD_ROWS`. */
export interface PageFieldRow extends FieldRow {
  readonly target?: BuiltInModel;
  /** The value of a page without the field, which needs no line in the file. */
  readonly default: Json;
  /** Only pages of this model have the field. */
  readonly only?: string;
  /** For a translated field, false: an empty value does not fall back to the default language. */
  readonly fallback?: false;
}
