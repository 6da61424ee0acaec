/** Schemas of meta types and their instances, and of the records that references show in data. */
import { KIND_NAMES, type FieldDefinition } from "../model/fields/definition.ts";
import { INSTANCE_FIELDS, TYPE_FIELDS } from "../model/meta.ts";
import { modelOf, RECORDS } from "../model/records.ts";
import { dataSchema, REFERENCED, referencedName } from "./data.ts";
import { sentFields, servedFields } from "./fields.ts";
import {
  ANY_OBJECT,
  COUNT,
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
import { STATUS } from "./components-pages.ts";
import type { SiteShape } from "./site-shape.ts";

const NUMBER: Schema = { type: "number" };

/** The keys of a field definition. @param kinds those of plugins are texts, too */
const definitionKeys = (children: Schema): { readonly [key in keyof FieldDefinition & string]-?: Schema } => ({
  name: told("Key of the value in the data.", { type: "string", minLength: 1, maxLength: 100, examples: ["price"] }),
  label: told("What editors see; made from the name by default.", TEXT),
  kind: told("Kind of the value; `string` by default. Plugins may add kinds.", {
    anyOf: [oneOfTexts(...KIND_NAMES), TEXT],
  }),
  required: told("Whether there must be a value.", FLAG),
  translated: told("Whether the value is an object from languages to values.", FLAG),
  multiline: told("Whether editors offer several lines.", FLAG),
  integer: told("Of `number`: whole numbers only.", FLAG),
  target_model: told("Of `ref` and `queryset`: the model of the records.", text("cms.Page")),
  children: told("Of `group` and `list`: the fields in it.", children),
  choices: told(
    "Of `select`: the values to choose from.",
    listOf(record({ value: TEXT, label: TEXT }, { optional: ["label"] })),
  ),
  min_length: told("Of `string` and `text`, in characters.", COUNT),
  max_length: told("Of `string` and `text`, in characters.", COUNT),
  placeholder: told("What an empty field shows.", TEXT),
  minimum: told("Of `number` and `integer`.", NUMBER),
  maximum: told("Of `number` and `integer`.", NUMBER),
});

/** One definition of a list; nested lists are `children`. */
export const definitionSchema = (children: Schema, isStored: boolean): Schema => {
  const keys = definitionKeys(children);
  const always = isStored ? ["name", "label"] : ["name"];
  return record(keys, {
    optional: Object.keys(keys).filter((key) => !always.includes(key)),
    description: "A field of a content type.",
  });
};

const stamps: Schemas = { created_at: MOMENT, updated_at: MOMENT };

export function metaSchemas(site: SiteShape): Schemas {
  const { types } = site;
  const typeInput = { ...sentFields(TYPE_FIELDS), schema: listOf(ref("FieldDefinitionInput")) };
  const instanceInput = {
    meta_type: told("Id of the type.", ID),
    ...sentFields(INSTANCE_FIELDS),
    data: told("Values by field, as the type declares.", ANY_OBJECT),
  };
  return {
    FieldDefinition: definitionSchema(listOf(ref("FieldDefinition")), true),
    FieldDefinitionInput: definitionSchema(listOf(ref("FieldDefinitionInput")), false),
    PageModel: record(
      {
        name: text("room"),
        related_name: told("As pages of the model have it.", text("pages_room")),
        parent_page_field: told("Another name of `parent_page` in payloads.", text("house")),
        default_template: orNull(text("pages/room.html")),
        schema: listOf(ref("FieldDefinition")),
      },
      { description: "A kind of pages with fields of its own." },
    ),
    MetaTypeFields: part({
      id: ID,
      ...servedFields(TYPE_FIELDS),
      schema: listOf(ref("FieldDefinition")),
      ...stamps,
      compiled_at: told("The same as `updated_at`.", MOMENT),
    }),
    MetaType: joined("A content type that editors declare.", ref("MetaTypeFields")),
    MetaTypeInput: withExample(
      record(typeInput, { optional: ["description", "schema"], description: "A content type." }),
      { key: "faq", name: "Question and answer", schema: [{ name: "question", required: true }] },
    ),
    MetaTypeChange: withExample(record(typeInput, { optional: "all", description: "Values of a content type." }), {
      name: "Question and answer",
    }),
    JsonSchema: told("A JSON Schema (2020-12).", ANY_OBJECT),
    InstanceFields: part({ id: ID, ...servedFields(INSTANCE_FIELDS), ...stamps }),
    ...Object.assign({}, ...types.map((type) => instanceSchemas(site, type))),
    OtherInstance: joined(
      "An instance of a type that does not exist.",
      ref("InstanceFields"),
      part({
        meta_type: orNull(types.length > 0 ? { ...ID, not: { enum: types.map(({ id }) => id) } } : ID),
        data: ANY_OBJECT,
      }),
    ),
    MetaInstance: {
      description: "An instance of a content type: `meta_type` says of which.",
      anyOf: [...types.map(({ typeName }) => ref(`${typeName}Instance`)), ref("OtherInstance")],
    },
    MetaInstanceInput: anyInput(
      types.map(({ typeName }) => ref(`${typeName}InstanceInput`)),
      record(instanceInput, { optional: ["identifier"], description: "An instance of a content type." }),
    ),
    MetaInstanceChange: withExample(record(instanceInput, { optional: "all", description: "Values of an instance." }), {
      identifier: "may-my-dog-come",
    }),
    ...referencedSchemas(),
  };
}

const anyInput = (known: readonly Schema[], other: Schema): Schema => (known.length > 0 ? { anyOf: known } : other);

function instanceSchemas({ codes }: SiteShape, { typeName, name, id, schema }: SiteShape["types"][number]): Schemas {
  const type: Schema = { type: "integer", const: id };
  return {
    [`${typeName}Data`]: told(
      `Data of "${name}" as it is served: references as records, links with addresses; absent values are null.`,
      dataSchema(schema, { codes, form: "served", isFilled: true }),
    ),
    [`${typeName}DataInput`]: told(`Data of "${name}".`, dataSchema(schema, { codes, form: "sent" })),
    [`${typeName}Instance`]: joined(
      `An instance of "${name}".`,
      ref("InstanceFields"),
      part({ meta_type: type, data: ref(`${typeName}Data`) }),
    ),
    [`${typeName}InstanceInput`]: record(
      { meta_type: type, ...sentFields(INSTANCE_FIELDS), data: ref(`${typeName}DataInput`) },
      { optional: ["identifier"], description: `An instance of "${name}".` },
    ),
  };
}

/** The records of each model as references show them, which have their `model` first. */
function referencedSchemas(): Schemas {
  const named = (model: string): Schema => part({ model: { type: "string", const: model } });
  const shown = (model: string, ...parts: readonly Schema[]): Schemas => ({
    [referencedName(model)]: joined(`A record of ${model} that a reference names.`, named(model), ...parts),
  });
  const plain = (model: string, properties: Schemas, optional: readonly string[] = []): Schemas =>
    shown(model, part(properties, { optional }));
  return {
    [`${REFERENCED}Page`]: joined(
      "A page or article that a reference names.",
      part({
        model: told("cms.Page, cms.Article, or pages. and the name of the page model.", text("cms.Page")),
        permalink: orNull(text("/about-us")),
        routerlink: orNull(PATH),
        status: STATUS,
        is_public: FLAG,
        url_node: ref("UrlNode"),
        parent_page: told("Id of the page above.", orNull(ID)),
      }),
      ref("FlatPage"),
      ref("ArticleOnly"),
    ),
    ...shown("cms.Media", ref("MediaItem")),
    ...shown("cms.MediaFolder", ref("Folder")),
    ...plain("cms.Menu", { id: ID, key: text("main"), enabled: FLAG }),
    ...plain("cms.Content", { id: ID, identifier: text("notice"), content: TEXT, object_id: orNull(ID) }),
    ...shown("cms.MetaType", ref("MetaTypeFields")),
    ...shown("cms.MetaInstance", ref("InstanceFields"), part({ meta_type: orNull(ID), data: ANY_OBJECT })),
    ...plain("auth.User", { id: ID, username: TEXT, first_name: TEXT, last_name: TEXT }, [
      "username",
      "first_name",
      "last_name",
    ]),
    ...Object.assign({}, ...RECORDS.map((of) => shown(modelOf(of), ref(`${of.name}Fields`)))),
  };
}
