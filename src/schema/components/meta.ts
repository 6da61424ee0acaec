/** Schemas of meta types and their instances, and of the records that references show in data. */
import { KIND_NAMES, type FieldDefinition } from "../../model/fields/definition.ts";
import { BLOCK_TYPE_FIELDS } from "../../model/records/block-type.ts";
import { INSTANCE_FIELDS, TYPE_FIELDS } from "../../model/records/meta.ts";
import { modelOf, RECORDS } from "../../model/records/records.ts";
import { blockSchemas, dataSchema, REFERENCED, referencedName } from "../data.ts";
import { sentFields, servedFields } from "../fields.ts";
import * as s from "../json-schema.ts";
import { LIST_SCHEMA } from "../list-schema.ts";
import { STATUS } from "./pages.ts";
import type { SiteShape } from "../site-shape.ts";

const NUMBER: s.Schema = { type: "number" };

/** The keys of a field definition. @param kinds those of plugins are texts, too */
const definitionKeys = (children: s.Schema): { readonly [key in keyof FieldDefinition & string]-?: s.Schema } => ({
  name: s.told("Key of the value in the data.", { type: "string", minLength: 1, maxLength: 100, examples: ["price"] }),
  label: s.told("What editors see; made from the name by default.", s.TEXT),
  kind: s.told("Kind of the value; `string` by default. Plugins may add kinds.", {
    anyOf: [s.oneOfTexts(...KIND_NAMES), s.TEXT],
  }),
  required: s.told("Whether there must be a value.", s.FLAG),
  translated: s.told("Whether the value is an object from languages to values.", s.FLAG),
  multiline: s.told("Whether editors offer several lines.", s.FLAG),
  integer: s.told("Of `number`: whole numbers only.", s.FLAG),
  target_model: s.told("Of `ref` and `queryset`: the model of the records.", s.text("cms.Page")),
  target: s.told(
    "Of `ref` and `queryset`: which of the records can be chosen.",
    s.record(
      {
        model: s.told("Of pages: the name of their page model.", s.text("house")),
        below: s.told("Of pages and articles: the permalink of a page above, in any language.", s.text("/journal")),
        meta_type: s.told("Of instances: the key of their meta type.", s.text("opening_hours")),
      },
      { optional: "all" },
    ),
  ),
  types: s.told(
    "Of `blocks`: names of block types, and `@` with a category for all of it; every type by default.",
    s.listOf(s.text("hero")),
  ),
  children: s.told("Of `group` and `list`: the fields in it.", children),
  choices: s.told(
    "Of `select`: the values to choose from.",
    s.listOf(s.record({ value: s.TEXT, label: s.TEXT }, { optional: ["label"] })),
  ),
  multiple: s.told("Of `select`: the value is a list of choices.", s.FLAG),
  min_length: s.told("Of texts of every kind but `html`, in characters.", s.COUNT),
  max_length: s.told("Of texts of every kind but `html`, in characters.", s.COUNT),
  placeholder: s.told("What an empty field shows.", s.TEXT),
  pattern: s.told("Of texts on one line or several: a regular expression that a value matches.", s.text("^[A-Z]{2}$")),
  message: s.told("What is said of a value that does not match `pattern`.", s.TEXT),
  show_if: s.told(
    "Values of other fields of the record, each one or a list, without which this one is neither shown nor required.",
    s.ANY_OBJECT,
  ),
  help: s.told("What editors are told of the field.", s.TEXT),
  group: s.told("The heading above this field and others with the same one.", s.TEXT),
  minimum: s.told("Of `number` and `integer`; of `blocks`, how many there are.", NUMBER),
  maximum: s.told("Of `number` and `integer`; of `blocks`, how many there are.", NUMBER),
});

/** One definition of a list; nested lists are `children`. */
export const definitionSchema = (children: s.Schema, isStored: boolean): s.Schema => {
  const keys = definitionKeys(children);
  const always = isStored ? ["name", "label"] : ["name"];
  return s.record(keys, {
    optional: Object.keys(keys).filter((key) => !always.includes(key)),
    description: "A field of a content type.",
  });
};

const stamps: s.Schemas = { created_at: s.MOMENT, updated_at: s.MOMENT };

export function metaSchemas(site: SiteShape): s.Schemas {
  const { types } = site;
  const typeInput = { ...sentFields(TYPE_FIELDS), schema: s.listOf(s.ref("FieldDefinitionInput")) };
  const blockTypeInput = {
    name: s.told("As blocks have it as `type`; it is never changed.", s.text("quote")),
    ...sentFields(BLOCK_TYPE_FIELDS),
    schema: s.listOf(s.ref("FieldDefinitionInput")),
  };
  const instanceInput = {
    meta_type: s.told("Id of the type.", s.ID),
    ...sentFields(INSTANCE_FIELDS),
    data: s.told("Values by field, as the type declares.", s.ANY_OBJECT),
  };
  return {
    FieldDefinition: definitionSchema(s.listOf(s.ref("FieldDefinition")), true),
    FieldDefinitionInput: definitionSchema(s.listOf(s.ref("FieldDefinitionInput")), false),
    BlockType: s.recordOf("A kind of section.", {
      name: s.told("As blocks have it as `type`.", s.text("hero")),
      ...servedFields(BLOCK_TYPE_FIELDS),
      preview_url: s.told("Where `preview` is served.", s.TEXT),
      schema: s.listOf(s.ref("FieldDefinition")),
    }),
    BlockTypeInput: s.withExample(
      s.record(blockTypeInput, {
        optional: Object.keys(blockTypeInput).filter((name) => name !== "name"),
        description: "A kind of section.",
      }),
      { name: "quote", icon: "quote", schema: [{ name: "words", kind: "text", required: true }] },
    ),
    BlockTypeChange: s.withExample(
      s.record(blockTypeInput, { optional: "all", description: "Values of a kind of section." }),
      { label: "Quotation" },
    ),
    PageModel: s.recordOf("A kind of pages with fields of its own.", {
      name: s.text("room"),
      related_name: s.told("As pages of the model have it.", s.text("pages_room")),
      parent_page_field: s.told("Another name of `parent_page` in payloads.", s.text("house")),
      default_template: s.orNull(s.text("pages/room.html")),
      paginate: s.told("What its pages list, a number of items to a page.", s.orNull(LIST_SCHEMA)),
      schema: s.listOf(s.ref("FieldDefinition")),
    }),
    MetaTypeFields: s.part({
      id: s.ID,
      ...servedFields(TYPE_FIELDS),
      schema: s.listOf(s.ref("FieldDefinition")),
      ...stamps,
      compiled_at: s.told("The same as `updated_at`.", s.MOMENT),
    }),
    MetaType: s.joined("A content type that editors declare.", s.ref("MetaTypeFields")),
    MetaTypeInput: s.withExample(
      s.record(typeInput, { optional: ["description", "schema"], description: "A content type." }),
      { key: "faq", name: "Question and answer", schema: [{ name: "question", required: true }] },
    ),
    MetaTypeChange: s.withExample(s.record(typeInput, { optional: "all", description: "Values of a content type." }), {
      name: "Question and answer",
    }),
    MetaTypeEffects: s.recordOf("What a change of a content type would do to its instances.", {
      instances: s.told("All of the type.", s.COUNT),
      invalid: s.told("Instances that are valid now, and would not be.", s.COUNT),
      examples: s.told(
        "The first 20 of them, with the messages that their next write would have.",
        s.listOf(s.record({ id: s.ID, identifier: s.TEXT, errors: s.ANY_OBJECT })),
      ),
      lost: s.told(
        "Fields that would not be declared any more, with the number of instances that have a value. The next write of " +
          "an instance drops it.",
        s.listOf(s.record({ field: s.text("opening.from"), instances: s.COUNT })),
      ),
    }),
    JsonSchema: s.told("A JSON Schema (2020-12).", s.ANY_OBJECT),
    InstanceFields: s.part({ id: s.ID, ...servedFields(INSTANCE_FIELDS), ...stamps }),
    ...Object.assign({}, ...types.map((type) => instanceSchemas(site, type))),
    OtherInstance: s.joined(
      "An instance of a type that does not exist.",
      s.ref("InstanceFields"),
      s.part({
        meta_type: s.orNull(types.length > 0 ? { ...s.ID, not: { enum: types.map(({ id }) => id) } } : s.ID),
        data: s.ANY_OBJECT,
      }),
    ),
    MetaInstance: {
      description: "An instance of a content type: `meta_type` says of which.",
      anyOf: [...types.map(({ typeName }) => s.ref(`${typeName}Instance`)), s.ref("OtherInstance")],
    },
    MetaInstanceInput: anyInput(
      types.map(({ typeName }) => s.ref(`${typeName}InstanceInput`)),
      s.record(instanceInput, { optional: ["identifier"], description: "An instance of a content type." }),
    ),
    MetaInstanceChange: s.withExample(
      s.record(instanceInput, { optional: "all", description: "Values of an instance." }),
      {
        identifier: "may-my-dog-come",
      },
    ),
    ...referencedSchemas(),
    ...blockSchemas(site, "served"),
    ...blockSchemas(site, "sent"),
  };
}

const anyInput = (known: readonly s.Schema[], other: s.Schema): s.Schema =>
  known.length > 0 ? { anyOf: known } : other;

function instanceSchemas({ codes }: SiteShape, { typeName, name, id, schema }: SiteShape["types"][number]): s.Schemas {
  const type: s.Schema = { type: "integer", const: id };
  return {
    [`${typeName}Data`]: s.told(
      `Data of "${name}" as it is served: references as records, links with addresses; absent values are null.`,
      dataSchema(schema, { codes, form: "served", isFilled: true }),
    ),
    [`${typeName}DataInput`]: s.told(`Data of "${name}".`, dataSchema(schema, { codes, form: "sent" })),
    [`${typeName}Instance`]: s.joined(
      `An instance of "${name}".`,
      s.ref("InstanceFields"),
      s.part({ meta_type: type, data: s.ref(`${typeName}Data`) }),
    ),
    [`${typeName}InstanceInput`]: s.record(
      { meta_type: type, ...sentFields(INSTANCE_FIELDS), data: s.ref(`${typeName}DataInput`) },
      { optional: ["identifier"], description: `An instance of "${name}".` },
    ),
  };
}

/** The records of each model as references show them, which have their `model` first. */
function referencedSchemas(): s.Schemas {
  const named = (model: string): s.Schema => s.part({ model: { type: "string", const: model } });
  const shown = (model: string, ...parts: readonly s.Schema[]): s.Schemas => ({
    [referencedName(model)]: s.joined(`A record of ${model} that a reference names.`, named(model), ...parts),
  });
  const plain = (model: string, properties: s.Schemas, optional: readonly string[] = []): s.Schemas =>
    shown(model, s.part(properties, { optional }));
  return {
    [`${REFERENCED}Page`]: s.joined(
      "A page or article that a reference names.",
      s.part({
        model: s.told("cms.Page, cms.Article, or pages. and the name of the page model.", s.text("cms.Page")),
        permalink: s.orNull(s.text("/about-us")),
        routerlink: s.orNull(s.PATH),
        status: STATUS,
        is_public: s.FLAG,
        url_node: s.ref("UrlNode"),
        parent_page: s.told("Id of the page above.", s.orNull(s.ID)),
      }),
      s.ref("FlatPage"),
      s.ref("ArticleOnly"),
    ),
    ...shown("cms.Media", s.ref("MediaItem")),
    ...shown("cms.MediaFolder", s.ref("Folder")),
    ...plain("cms.Menu", { id: s.ID, key: s.text("main"), enabled: s.FLAG }),
    ...plain("cms.Content", { id: s.ID, identifier: s.text("notice"), content: s.TEXT, object_id: s.orNull(s.ID) }),
    ...shown("cms.MetaType", s.ref("MetaTypeFields")),
    ...shown("cms.MetaInstance", s.ref("InstanceFields"), s.part({ meta_type: s.orNull(s.ID), data: s.ANY_OBJECT })),
    ...plain("auth.User", { id: s.ID, username: s.TEXT, first_name: s.TEXT, last_name: s.TEXT }, [
      "username",
      "first_name",
      "last_name",
    ]),
    ...Object.assign({}, ...RECORDS.map((of) => shown(modelOf(of), s.ref(`${of.name}Fields`)))),
  };
}
