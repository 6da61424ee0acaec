/** Schemas of pages: payloads for editors, on the public site and in previews, nested pages, and bodies of writes. */
import { contentTypeOf, relatedName } from "../../model/page/content-type.ts";
import { STATUSES } from "../../model/page/page-filters.ts";
import { langSuffix } from "../../model/language/locale.ts";
import { ARTICLE_MODEL, fieldsOf, GLOBAL_FIELDS, PAGE_FIELDS, PAGE_MODEL, TEXT_FIELDS } from "../../model/page/page.ts";
import { PARENT_FIELD } from "../../model/page/page-model.ts";
import { modelOf, RECORDS } from "../../model/records/records.ts";
import { dataSchema } from "../data.ts";
import { exampleOf } from "../example.ts";
import { sentRecord, servedFields, type ShownTargets } from "../fields.ts";
import * as s from "../json-schema.ts";
import type { SiteShape } from "../site-shape.ts";

export const STATUS = s.told(
  "PUB: public; PLA: public from `published_at` on; DRF: not published; TRS: in the trash.",
  s.oneOfTexts(...STATUSES),
);

/** The records that payloads of pages show in place of an id. */
const SHOWN: ReadonlyMap<string, s.Schema> = new Map([
  ["cms.Media", s.ref("NestedMedia")],
  ...RECORDS.map((of) => [modelOf(of), s.ref(`Nested${of.name}`)] as const),
]);
const shown: ShownTargets = (target) => SHOWN.get(target);

/** The fields that articles have beyond those of other pages. */
const articleRows = PAGE_FIELDS.filter(({ only }) => only === ARTICLE_MODEL);
const textRows = fieldsOf(TEXT_FIELDS, PAGE_MODEL);
/** The fields that a nested page has, too; the parent is nested in several ways. */
const flatRows = fieldsOf(PAGE_FIELDS, PAGE_MODEL).filter(({ name }) => ![PARENT_FIELD, "permalink"].includes(name));
const permalinkRow = textRows.filter(({ name }) => name === "permalink");

const articleFields: s.Schemas = { ...servedFields(articleRows, shown), author: s.orNull(s.ref("Byline")) };

/** The payloads and bodies of one page model. */
interface Model {
  /** How its schemas are called: `Page`, `PublicPage`, `PreviewPage`, `PageInput`. */
  readonly name: string;
  readonly model: string;
  readonly parentField: string;
  /** The fields that only this model has. */
  readonly own?: s.Schemas;
  readonly data?: { readonly served: s.Schema; readonly sent: s.Schema; readonly example: unknown };
}

export function pageSchemas(site: SiteShape): s.Schemas {
  const models: readonly Model[] = [
    { name: "Page", model: PAGE_MODEL, parentField: PARENT_FIELD },
    { name: "Article", model: ARTICLE_MODEL, parentField: PARENT_FIELD, own: articleFields },
    ...site.models.map(({ name, typeName, parent_page_field, schema }): Model => ({
      name: `${typeName}Page`,
      model: name,
      parentField: parent_page_field,
      data: {
        served: s.ref(`${typeName}Data`),
        sent: s.ref(`${typeName}DataInput`),
        example: exampleOf(dataSchema(schema, { codes: site.codes, form: "sent" })),
      },
    })),
  ];
  const pages = models.filter(({ model }) => model !== ARTICLE_MODEL);
  const anyOf = (prefix: string, of: readonly Model[]): s.Schema => ({
    anyOf: of.map(({ name }) => s.ref(prefix + name)),
  });
  return {
    ...sharedSchemas(site),
    ...Object.assign({}, ...models.map((model) => modelSchemas(site, model))),
    ...Object.assign({}, ...site.models.map(({ typeName, schema }) => dataSchemas(site, typeName, schema))),
    AnyPage: s.told("A page of any model but the article.", anyOf("", pages)),
    AnyPageInput: s.told("A page of any model but the article.", {
      anyOf: pages.map(({ name }) => s.ref(`${name}Input`)),
    }),
    AnyPublicPage: s.told("A public page or article.", anyOf("Public", models)),
    AnyPreviewPage: s.told("A page or article, with its pending draft.", anyOf("Preview", models)),
    PublicAnswer: { anyOf: [s.ref("AnyPublicPage"), s.ref("Redirect")] },
    PreviewAnswer: { anyOf: [s.ref("AnyPreviewPage"), s.ref("Redirect")] },
    Redirect: s.recordOf("The path leads elsewhere. It comes with status 200.", {
      redirect: s.told("Where the page is.", s.text("/about-us/")),
      status: { type: "integer", enum: [301, 302] },
    }),
  };
}

const dataSchemas = ({ codes }: SiteShape, typeName: string, schema: Parameters<typeof dataSchema>[0]): s.Schemas => ({
  [`${typeName}Data`]: s.told(
    "`template_data` of the page model as it is served: references as records, links with addresses.",
    dataSchema(schema, { codes, form: "served" }),
  ),
  [`${typeName}DataInput`]: s.told("`template_data` of the page model.", dataSchema(schema, { codes, form: "sent" })),
});

function sharedSchemas({ codes, computed }: SiteShape): s.Schemas {
  return {
    FlatPage: s.part(
      {
        id: s.ID,
        ...servedFields(flatRows, shown),
        template: s.told(
          "Path of the template below templates/, the default included.",
          s.text("defaults/pages/default.html"),
        ),
        deleted_at: s.told("When it was moved to the trash.", s.orNull(s.MOMENT)),
        date_created: s.MOMENT,
        date_updated_at: s.MOMENT,
      },
      { description: "The fields that a page has in its own payload and inside others.", optional: ["paginate"] },
    ),
    PageFields: {
      description:
        "The fields of every payload of a page: its texts in one language, with fallback to the default one.",
      allOf: [s.ref("FlatPage"), s.part({ ...servedFields(permalinkRow), ...computedFields(codes, computed) })],
    },
    DraftFields: s.part(
      {
        has_draft: s.told("Whether a draft of the active language is pending.", s.FLAG),
        has_scheduled_draft: s.FLAG,
        draft_scheduled_for: s.orNull(s.MOMENT),
        draft_data: s.told("The pending draft, as the body of a PATCH; {} without one.", s.ANY_OBJECT),
        paths: s.byName(s.text("textarea"), "With `?paths=1`: the kind of each field, by its path in the payload."),
      },
      { description: "What only editors see.", optional: ["paths"] },
    ),
    NestedPage: s.joined(
      "A page inside the payload of another.",
      s.ref("FlatPage"),
      s.part({
        url_node: s.ref("UrlNode"),
        parent_page: s.told("Its parent; the bare id at the depth of the setting API.NESTING_DEPTH.", {
          anyOf: [s.ref("NestedPage"), s.ID, { type: "null" }],
        }),
      }),
      s.ref("ArticleOnly"),
    ),
    UrlNode: s.recordOf("A page as the target of a link.", {
      id: s.ID,
      permalink: s.orNull(s.text("/about-us")),
      related_name: s.text("cms_page"),
    }),
    ArticleOnly: s.part(articleFields, { optional: "all", description: "The fields that only articles have." }),
    Pagination: s.recordOf("A page of a list.", {
      items: s.told("What it shows: pages, articles, or instances of a meta type.", s.listOf(s.ANY_OBJECT)),
      number: s.told("Which page it is, from 1.", s.COUNT),
      count: s.told("How many pages the list has.", s.COUNT),
      total: s.told("How many items the list has.", s.COUNT),
      size: s.told("How many items a page has at most.", s.COUNT),
      previous: s.told("Address of the page before.", s.orNull(s.PATH)),
      next: s.told("Address of the page after.", s.orNull(s.PATH)),
      pages: s.told(
        "The first page, the last, and those near this one.",
        s.listOf(s.record({ number: s.COUNT, url: s.orNull(s.PATH) })),
      ),
      group: s.told("The group whose page it is; null for a page of the whole list.", s.orNull(s.ref("ListGroup"))),
      groups: s.told("On the pages of the whole list: the groups it is divided into.", s.listOf(s.ref("ListGroup"))),
    }),
    ListGroup: s.recordOf("A tag, an author or a year of a list, which has pages of its own.", {
      key: s.told("The id of the tag or of the author's account, or the year.", { type: "integer" }),
      title: s.TEXT,
      address: s.told("Address of its first page.", s.orNull(s.PATH)),
      count: s.told("How many items it has.", s.COUNT),
    }),
    Breadcrumb: s.record({ permalink: s.orNull(s.PATH), title: s.orNull(s.TEXT) }),
  };
}

const computedFields = (codes: readonly string[], names: readonly string[]): s.Schemas => ({
  slug: s.told("The last segment of the permalink.", s.orNull(s.text("about-us"))),
  routerlink: s.told("Address of the page; null without a permalink.", s.orNull(s.PATH)),
  alternates: s.byKey(codes, s.orNull(s.PATH), "Address in each other language; null where the page is not public."),
  breadcrumbs: s.told("From the root to the page itself.", s.listOf(s.ref("Breadcrumb"))),
  status: STATUS,
  is_public: s.FLAG,
  pubblication_date: s.told("The same as `published_at`.", s.orNull(s.MOMENT)),
  template_file: s.told("The same as `template`.", s.TEXT),
  language: s.told("The language of the texts.", s.oneOfTexts(...codes)),
  contents: {
    type: "object",
    description: "Content blocks of the page by identifier.",
    additionalProperties: s.record({ id: s.ID, content: s.TEXT }),
  },
  url_node: s.ref("UrlNode"),
  parent_page: s.told("The page above, if it may be shown.", { anyOf: [s.ref("NestedPage"), s.ID, { type: "null" }] }),
  ...Object.fromEntries(names.map((name) => [name, s.told("Computed by a plugin.", s.ANYTHING)])),
});

function modelSchemas({ codes }: SiteShape, { name, model, parentField, own = {}, data }: Model): s.Schemas {
  const texts = { ...servedFields(fieldsOf(TEXT_FIELDS, model)), ...(data && { template_data: data.served }) };
  const isArticle = model === ARTICLE_MODEL;
  const textsName = data || isArticle ? `${name}Texts` : "PageTexts";
  const ownPart = s.part({
    related_name: { type: "string", const: relatedName(model) },
    content_type: { type: "integer", const: contentTypeOf(model).id },
    ...own,
    ...(data && { template_data: data.served }),
    ...(parentField !== PARENT_FIELD && {
      [parentField]: s.told("The same as `parent_page`.", {
        anyOf: [s.ref("NestedPage"), s.ID, { type: "null" }],
      }),
    }),
  });
  const suffixed = Object.entries(texts).flatMap(([field, schema]) =>
    codes.map((lang) => [`${field}_${langSuffix(lang)}`, schema] as const),
  );
  const onRequest = s.part(
    {
      translations: s.byKey(codes, s.ref(textsName), "Texts of the requested languages."),
      ...Object.fromEntries(suffixed),
    },
    { description: "Added on request (`included_translations`).", optional: "all" },
  );
  // Only pages with a list that can be made have it.
  const list = s.part({ pagination: s.ref("Pagination") }, { optional: "all" });
  const what = isArticle ? "An article" : data ? `A page of the model "${model}"` : "A plain page";
  const rows = fieldsOf([...GLOBAL_FIELDS, ...TEXT_FIELDS], model);
  const alias =
    parentField === PARENT_FIELD ? {} : { [parentField]: s.told("The same as `parent_page`.", s.orNull(s.ID)) };
  const input = sentRecord(rows, codes, {
    ...(data && { texts: { template_data: data.sent } }),
    others: {
      ...alias,
      ...(!isArticle && { model: s.told("The page model; it cannot be changed.", { type: "string", const: model }) }),
    },
  });
  return {
    [textsName]: s.record(texts, { description: "The values of one language, without fallback." }),
    [name]: s.joined(
      `${what}, for editors.`,
      s.ref("PageFields"),
      ownPart,
      s.ref("DraftFields"),
      s.part({ translations: s.byLanguage(codes, s.ref(textsName)) }),
    ),
    [`Public${name}`]: s.joined(`${what}, on the public site.`, s.ref("PageFields"), ownPart, onRequest, list),
    [`Preview${name}`]: s.joined(
      `${what}, in a preview.`,
      s.ref("PageFields"),
      ownPart,
      s.ref("DraftFields"),
      onRequest,
      list,
    ),
    [`${name}Input`]: s.told(
      `${what}, as it is written. Keys of the payload that cannot be written are ignored.`,
      s.withExample(input, {
        title: "About us",
        description: "Who we are, and how to find us",
        ...(isArticle && { content: "We are three and a boat." }),
        ...(data && { model, template_data: data.example }),
      }),
    ),
  };
}
