/** Schemas of the files of pages, drafts, declared records and meta instances. */
import { ARTICLE_MODEL, fieldsOf, GLOBAL_FIELDS, PAGE_MODEL, TEXT_FIELDS } from "../model/page/page.ts";
import { plainFieldsOf, textFieldsOf, type RecordDeclaration } from "../model/records/record.ts";
import { META_INSTANCES } from "../store/records/meta-instances.ts";
import { blockSchemas, dataSchema } from "./data.ts";
import {
  FILE_ID,
  FILE_REFERENCE,
  fileFields,
  fileMoment,
  fileSchema,
  fileTranslations,
  mapping,
} from "./file-schema.ts";
import * as s from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";
import { tableMapping } from "./table-files.ts";

const BYLINE = s.told(
  "The author of the article.",
  s.orNull({
    ...mapping({ id: s.ID, username: s.TEXT, first_name: s.TEXT, last_name: s.TEXT }, ["id", "username"]),
    description: "As the account was called when it was chosen.",
  }),
);

/** @param model the built-in model of the files: pages, of which custom models are some, or articles */
export function pageFile(site: SiteShape, model: typeof PAGE_MODEL | typeof ARTICLE_MODEL): s.Schema {
  const isArticle = model === ARTICLE_MODEL;
  const alias = mapping(
    {
      language: s.told("The language of the permalink; the default one without it.", s.oneOfTexts(...site.codes)),
      from: s.text("/about"),
    },
    ["from"],
  );
  const properties: s.Schemas = {
    id: FILE_ID,
    ...(!isArticle && { model: s.told("The page model; a plain page without it.", modelNames(site)) }),
    ...fileFields(fieldsOf(GLOBAL_FIELDS, model), site),
    ...(isArticle && { author: BYLINE }),
    deleted_at: fileMoment("When it was moved to the trash; hidden in every language.", site),
    date_created: fileMoment("When it was created.", site),
    date_updated_at: fileMoment("When it was last changed.", site),
    aliases: s.told("Former permalinks, which redirect to the page.", { type: ["array", "null"], items: alias }),
    translations: fileTranslations(site.codes, mapping(fileFields(fieldsOf(TEXT_FIELDS, model), site))),
  };
  const title = isArticle ? "Article" : "Page";
  const what = `${title}: only what differs from its default needs a line.`;
  const ofModels = site.models.map(({ name, schema }) =>
    ifModel(site, name, dataSchema(schema, { codes: site.codes, form: "file" })),
  );
  const schema = { ...mapping(properties), ...(!isArticle && ofModels.length > 0 && { allOf: ofModels }) };
  return fileSchema(title, what, schema, blockSchemas(site, "file"));
}

const modelNames = ({ models }: SiteShape): s.Schema => s.oneOfTexts(PAGE_MODEL, ...models.map(({ name }) => name));

/** The declared `template_data` of a page model. A page in writing may lack required values. */
const ifModel = ({ codes }: SiteShape, name: string, data: s.Schema): s.Schema => ({
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

export function draftFile(site: SiteShape): s.Schema {
  const { codes, models } = site;
  const rows = [...GLOBAL_FIELDS, ...TEXT_FIELDS];
  const texts = TEXT_FIELDS.map(({ name }) => name);
  const parents = models.map(({ parent_page_field }) => [parent_page_field, s.orNull(FILE_REFERENCE)] as const);
  const payload = {
    type: "object",
    description: "Values of the page that take the place of the live ones, as in a PATCH of the page.",
    properties: {
      ...fileFields(rows, site),
      author: { anyOf: [s.ID, BYLINE] },
      ...Object.fromEntries(parents),
      ...Object.fromEntries(s.sentNames(texts, codes).map((name) => [name, {}])),
      translations: s.byKey(codes, mapping(fileFields(TEXT_FIELDS, site)), "Values by language."),
    },
  };
  return fileSchema(
    "Draft",
    "The pending draft of a page in one language: the page's file has the same name without `.draft.<language>`.",
    mapping({
      language: s.told("The language, as in the name of the file.", s.oneOfTexts(...codes)),
      scheduled_for: fileMoment("When it is published; without it when it is published by hand.", site),
      created_at: fileMoment("When it was begun.", site),
      updated_at: fileMoment("When it was last saved.", site),
      payload,
    }),
  );
}

export function recordFile(site: SiteShape, declaration: RecordDeclaration): s.Schema {
  const { codes } = site;
  const texts = textFieldsOf(declaration);
  return fileSchema(
    declaration.name,
    `A ${declaration.label}.`,
    mapping({
      id: FILE_ID,
      ...fileFields(plainFieldsOf(declaration), site),
      ...(texts.length > 0 && { translations: fileTranslations(codes, mapping(fileFields(texts, site))) }),
    }),
  );
}

export function instanceFile(
  site: SiteShape,
  { id, key, name, description, schema }: SiteShape["types"][number],
): s.Schema {
  const type = { enum: [id, key, null] };
  const known = {
    meta_type: s.told("Id or key of the type; without it the folder says which it is.", type),
    data: dataSchema(schema, { codes: site.codes, form: "file" }),
  };
  return fileSchema(
    name,
    description || `An instance of "${name}".`,
    tableMapping(META_INSTANCES.rows, site, known),
    blockSchemas(site, "file"),
  );
}

export const anyInstanceFile = (site: SiteShape): s.Schema =>
  fileSchema("Instance", META_INSTANCES.help, tableMapping(META_INSTANCES.rows, site));
