/** Schemas of the files of pages, drafts, declared records and meta instances. */
import { ARTICLE_MODEL, fieldsOf, GLOBAL_FIELDS, PAGE_MODEL, TEXT_FIELDS } from "../model/page.ts";
import { INSTANCE_FIELDS } from "../model/meta.ts";
import { plainFieldsOf, textFieldsOf, type RecordDeclaration } from "../model/record.ts";
import { dataSchema } from "./data.ts";
import { FILE_ID, fileFields, fileMoment, fileSchema, fileTranslations, mapping } from "./file-schema.ts";
import {
  ANY_OBJECT,
  byKey,
  ID,
  oneOfTexts,
  orNull,
  sentNames,
  TEXT,
  text,
  told,
  type Schema,
  type Schemas,
} from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";

const BYLINE = told(
  "The author of the article.",
  orNull({
    ...mapping({ id: ID, username: TEXT, first_name: TEXT, last_name: TEXT }, ["id", "username"]),
    description: "As the account was called when it was chosen.",
  }),
);

/** @param model the built-in model of the files: pages, of which custom models are some, or articles */
export function pageFile(site: SiteShape, model: typeof PAGE_MODEL | typeof ARTICLE_MODEL): Schema {
  const isArticle = model === ARTICLE_MODEL;
  const alias = mapping(
    {
      language: told("The language of the permalink; the default one without it.", oneOfTexts(...site.codes)),
      from: text("/about"),
    },
    ["from"],
  );
  const properties: Schemas = {
    id: FILE_ID,
    ...(!isArticle && { model: told("The page model; a plain page without it.", modelNames(site)) }),
    ...fileFields(fieldsOf(GLOBAL_FIELDS, model)),
    ...(isArticle && { author: BYLINE }),
    deleted_at: fileMoment("When it was moved to the trash; hidden in every language."),
    date_created: fileMoment("When it was created."),
    date_updated_at: fileMoment("When it was last changed."),
    aliases: told("Former permalinks, which redirect to the page.", { type: ["array", "null"], items: alias }),
    translations: fileTranslations(site.codes, mapping(fileFields(fieldsOf(TEXT_FIELDS, model)))),
  };
  const title = isArticle ? "Article" : "Page";
  const what = `${title}: only what differs from its default needs a line.`;
  const ofModels = site.models.map(({ name, schema }) =>
    ifModel(site, name, dataSchema(schema, { codes: site.codes, form: "sent" })),
  );
  const schema = { ...mapping(properties), ...(!isArticle && ofModels.length > 0 && { allOf: ofModels }) };
  return fileSchema(title, what, schema);
}

const modelNames = ({ models }: SiteShape): Schema => oneOfTexts(PAGE_MODEL, ...models.map(({ name }) => name));

/** The declared `template_data` of a page model. A page in writing may lack required values. */
const ifModel = ({ codes }: SiteShape, name: string, data: Schema): Schema => ({
  if: { properties: { model: { const: name } }, required: ["model"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: {
    properties: {
      translations: {
        properties: Object.fromEntries(
          codes.map((lang) => [
            lang,
            {
              properties: { template_data: { anyOf: [data, { type: "object", maxProperties: 0 }, { type: "null" }] } },
            },
          ]),
        ),
      },
    },
  },
});

export function draftFile({ codes, models }: SiteShape): Schema {
  const rows = [...GLOBAL_FIELDS, ...TEXT_FIELDS];
  const texts = TEXT_FIELDS.map(({ name }) => name);
  const parents = models.map(({ parent_page_field }) => [parent_page_field, orNull(ID)] as const);
  const payload = {
    type: "object",
    description: "Values of the page that take the place of the live ones, as in a PATCH of the page.",
    properties: {
      ...fileFields(rows),
      author: { anyOf: [ID, BYLINE] },
      ...Object.fromEntries(parents),
      ...Object.fromEntries(sentNames(texts, codes).map((name) => [name, {}])),
      translations: byKey(codes, mapping(fileFields(TEXT_FIELDS)), "Values by language."),
    },
  };
  return fileSchema(
    "Draft",
    "The pending draft of a page in one language: the page's file has the same name without `.draft.<language>`.",
    mapping({
      language: told("The language, as in the name of the file.", oneOfTexts(...codes)),
      scheduled_for: fileMoment("When it is published; without it when somebody publishes it."),
      created_at: fileMoment("When it was begun."),
      updated_at: fileMoment("When it was last saved."),
      payload,
    }),
  );
}

export function recordFile({ codes }: SiteShape, declaration: RecordDeclaration): Schema {
  const texts = textFieldsOf(declaration);
  return fileSchema(
    declaration.name,
    `A ${declaration.label}.`,
    mapping({
      id: FILE_ID,
      ...fileFields(plainFieldsOf(declaration)),
      ...(texts.length > 0 && { translations: fileTranslations(codes, mapping(fileFields(texts))) }),
    }),
  );
}

export function instanceFile({ codes }: SiteShape, type: SiteShape["types"][number]): Schema {
  return fileSchema(
    type.name,
    type.description || `An instance of "${type.name}".`,
    mapping({
      id: FILE_ID,
      meta_type: told("Id of the type; without it the folder says which it is.", {
        type: ["integer", "null"],
        const: type.id,
      }),
      ...fileFields(INSTANCE_FIELDS),
      created_at: fileMoment("When it was created."),
      updated_at: fileMoment("When it was last changed."),
      data: dataSchema(type.schema, { codes, form: "sent" }),
    }),
  );
}

export const anyInstanceFile = (): Schema =>
  fileSchema(
    "Instance",
    "An instance of a meta type.",
    mapping({
      id: FILE_ID,
      meta_type: told("Id of the type.", orNull(ID)),
      ...fileFields(INSTANCE_FIELDS),
      created_at: fileMoment("When it was created."),
      updated_at: fileMoment("When it was last changed."),
      data: ANY_OBJECT,
    }),
  );
