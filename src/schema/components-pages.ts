/** Schemas of pages: payloads for editors, on the public site and in previews, nested pages, and bodies of writes. */
import { contentTypeOf, relatedName } from "../model/content-type.ts";
import { STATUSES } from "../model/page-filters.ts";
import { langSuffix } from "../model/locale.ts";
import { ARTICLE_MODEL, fieldsOf, GLOBAL_FIELDS, PAGE_FIELDS, PAGE_MODEL, TEXT_FIELDS } from "../model/page.ts";
import { PARENT_FIELD } from "../model/page-model.ts";
import { modelOf, RECORDS } from "../model/records.ts";
import { dataSchema } from "./data.ts";
import { exampleOf } from "./example.ts";
import { sentRecord, servedFields, type ShownTargets } from "./fields.ts";
import {
  ANYTHING,
  ANY_OBJECT,
  byKey,
  byLanguage,
  FLAG,
  ID,
  joined,
  listOf,
  MOMENT,
  oneOfTexts,
  orNull,
  part,
  PATH,
  record,
  ref,
  TEXT,
  text,
  told,
  withExample,
  type Schema,
  type Schemas,
} from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";

export const STATUS = told(
  "PUB: public; PLA: public from `published_at` on; DRF: not published; TRS: in the trash.",
  oneOfTexts(...STATUSES),
);

/** The records that payloads of pages show in place of an id. */
const SHOWN: ReadonlyMap<string, Schema> = new Map([
  ["cms.Media", ref("NestedMedia")],
  ...RECORDS.map((of) => [modelOf(of), ref(`Nested${of.name}`)] as const),
]);
const shown: ShownTargets = (target) => SHOWN.get(target);

/** The fields that articles have beyond those of other pages. */
const articleRows = PAGE_FIELDS.filter(({ only }) => only === ARTICLE_MODEL);
const textRows = fieldsOf(TEXT_FIELDS, PAGE_MODEL);
/** The fields that a nested page has, too; the parent is nested in several ways. */
const flatRows = fieldsOf(PAGE_FIELDS, PAGE_MODEL).filter(({ name }) => ![PARENT_FIELD, "permalink"].includes(name));
const permalinkRow = textRows.filter(({ name }) => name === "permalink");

const articleFields: Schemas = { ...servedFields(articleRows, shown), author: orNull(ref("Byline")) };

/** The payloads and bodies of one page model. */
interface Model {
  /** Of its schemas: `Page`, `PublicPage`, `PreviewPage`, `PageInput`. */
  readonly name: string;
  readonly model: string;
  readonly parentField: string;
  /** The fields that only this model has. */
  readonly own?: Schemas;
  readonly data?: { readonly served: Schema; readonly sent: Schema; readonly example: unknown };
}

export function pageSchemas(site: SiteShape): Schemas {
  const models: readonly Model[] = [
    { name: "Page", model: PAGE_MODEL, parentField: PARENT_FIELD },
    { name: "Article", model: ARTICLE_MODEL, parentField: PARENT_FIELD, own: articleFields },
    ...site.models.map(({ name, typeName, parent_page_field, schema }): Model => ({
      name: `${typeName}Page`,
      model: name,
      parentField: parent_page_field,
      data: {
        served: ref(`${typeName}Data`),
        sent: ref(`${typeName}DataInput`),
        example: exampleOf(dataSchema(schema, { codes: site.codes, form: "sent" })),
      },
    })),
  ];
  const pages = models.filter(({ model }) => model !== ARTICLE_MODEL);
  const anyOf = (prefix: string, of: readonly Model[]): Schema => ({ anyOf: of.map(({ name }) => ref(prefix + name)) });
  return {
    ...sharedSchemas(site),
    ...Object.assign({}, ...models.map((model) => modelSchemas(site, model))),
    ...Object.assign({}, ...site.models.map(({ typeName, schema }) => dataSchemas(site, typeName, schema))),
    AnyPage: told("A page of any model but the article.", anyOf("", pages)),
    AnyPageInput: told("A page of any model but the article.", {
      anyOf: pages.map(({ name }) => ref(`${name}Input`)),
    }),
    AnyPublicPage: told("A public page or article.", anyOf("Public", models)),
    AnyPreviewPage: told("A page or article, with its pending draft.", anyOf("Preview", models)),
    PublicAnswer: { anyOf: [ref("AnyPublicPage"), ref("Redirect")] },
    PreviewAnswer: { anyOf: [ref("AnyPreviewPage"), ref("Redirect")] },
    Redirect: record(
      { redirect: told("Where the page is.", text("/about-us/")), status: { type: "integer", enum: [301, 302] } },
      { description: "The path leads elsewhere. It comes with status 200." },
    ),
  };
}

const dataSchemas = ({ codes }: SiteShape, typeName: string, schema: Parameters<typeof dataSchema>[0]): Schemas => ({
  [`${typeName}Data`]: told(
    "`template_data` of the page model as it is served: references as records, links with addresses.",
    dataSchema(schema, { codes, form: "served" }),
  ),
  [`${typeName}DataInput`]: told("`template_data` of the page model.", dataSchema(schema, { codes, form: "sent" })),
});

function sharedSchemas({ codes, computed }: SiteShape): Schemas {
  return {
    FlatPage: part(
      {
        id: ID,
        ...servedFields(flatRows, shown),
        template: told(
          "Path of the template below templates/, the default included.",
          text("defaults/pages/default.html"),
        ),
        deleted_at: told("When it was moved to the trash.", orNull(MOMENT)),
        date_created: MOMENT,
        date_updated_at: MOMENT,
      },
      { description: "The fields that a page has in its own payload and inside others." },
    ),
    PageFields: {
      description:
        "The fields of every payload of a page: its texts in one language, with fallback to the default one.",
      allOf: [ref("FlatPage"), part({ ...servedFields(permalinkRow), ...computedFields(codes, computed) })],
    },
    DraftFields: part(
      {
        has_draft: told("Whether a draft of the active language is pending.", FLAG),
        has_scheduled_draft: FLAG,
        draft_scheduled_for: orNull(MOMENT),
        draft_data: told("The pending draft, as the body of a PATCH; {} without one.", ANY_OBJECT),
      },
      { description: "What only editors see." },
    ),
    NestedPage: joined(
      "A page inside the payload of another.",
      ref("FlatPage"),
      part({
        url_node: ref("UrlNode"),
        parent_page: told("Its parent; the bare id at the depth of the setting API.NESTING_DEPTH.", {
          anyOf: [ref("NestedPage"), ID, { type: "null" }],
        }),
      }),
      ref("ArticleOnly"),
    ),
    UrlNode: record(
      { id: ID, permalink: orNull(text("/about-us")), related_name: text("cms_page") },
      { description: "A page as the target of a link." },
    ),
    ArticleOnly: part(articleFields, { optional: "all", description: "The fields that only articles have." }),
    Breadcrumb: record({ permalink: orNull(PATH), title: orNull(TEXT) }),
  };
}

const computedFields = (codes: readonly string[], names: readonly string[]): Schemas => ({
  slug: told("The last segment of the permalink.", orNull(text("about-us"))),
  routerlink: told("Address of the page; null without a permalink.", orNull(PATH)),
  alternates: byKey(codes, orNull(PATH), "Address in each other language; null where the page is not public."),
  breadcrumbs: told("From the root to the page itself.", listOf(ref("Breadcrumb"))),
  status: STATUS,
  is_public: FLAG,
  pubblication_date: told("The same as `published_at`.", orNull(MOMENT)),
  template_file: told("The same as `template`.", TEXT),
  language: told("The language of the texts.", oneOfTexts(...codes)),
  contents: {
    type: "object",
    description: "Content blocks of the page by identifier.",
    additionalProperties: record({ id: ID, content: TEXT }),
  },
  url_node: ref("UrlNode"),
  parent_page: told("The page above, if it may be shown.", { anyOf: [ref("NestedPage"), ID, { type: "null" }] }),
  ...Object.fromEntries(names.map((name) => [name, told("Computed by a plugin.", ANYTHING)])),
});

function modelSchemas({ codes }: SiteShape, { name, model, parentField, own = {}, data }: Model): Schemas {
  const texts = { ...servedFields(fieldsOf(TEXT_FIELDS, model)), ...(data && { template_data: data.served }) };
  const isArticle = model === ARTICLE_MODEL;
  const textsName = data || isArticle ? `${name}Texts` : "PageTexts";
  const ownPart = part({
    related_name: { type: "string", const: relatedName(model) },
    content_type: { type: "integer", const: contentTypeOf(model).id },
    ...own,
    ...(data && { template_data: data.served }),
    ...(parentField !== PARENT_FIELD && {
      [parentField]: told("The same as `parent_page`.", {
        anyOf: [ref("NestedPage"), ID, { type: "null" }],
      }),
    }),
  });
  const suffixed = Object.entries(texts).flatMap(([field, schema]) =>
    codes.map((lang) => [`${field}_${langSuffix(lang)}`, schema] as const),
  );
  const onRequest = part(
    {
      translations: byKey(codes, ref(textsName), "Texts of the requested languages."),
      ...Object.fromEntries(suffixed),
    },
    { description: "Added on request (`included_translations`).", optional: "all" },
  );
  const what = isArticle ? "An article" : data ? `A page of the model "${model}"` : "A plain page";
  const rows = fieldsOf([...GLOBAL_FIELDS, ...TEXT_FIELDS], model);
  const alias = parentField === PARENT_FIELD ? {} : { [parentField]: told("The same as `parent_page`.", orNull(ID)) };
  const input = sentRecord(rows, codes, {
    ...(data && { texts: { template_data: data.sent } }),
    others: {
      ...alias,
      ...(!isArticle && { model: told("The page model; it cannot be changed.", { type: "string", const: model }) }),
    },
  });
  return {
    [textsName]: record(texts, { description: "The values of one language, without fallback." }),
    [name]: joined(
      `${what}, for editors.`,
      ref("PageFields"),
      ownPart,
      ref("DraftFields"),
      part({ translations: byLanguage(codes, ref(textsName)) }),
    ),
    [`Public${name}`]: joined(`${what}, on the public site.`, ref("PageFields"), ownPart, onRequest),
    [`Preview${name}`]: joined(`${what}, in a preview.`, ref("PageFields"), ownPart, ref("DraftFields"), onRequest),
    [`${name}Input`]: told(
      `${what}, as it is written. Keys of the payload that cannot be written are ignored.`,
      withExample(input, {
        title: "About us",
        description: "Who we are, and how to find us",
        ...(isArticle && { content: "We are three and a boat." }),
        ...(data && { model, template_data: data.example }),
      }),
    ),
  };
}
