/** Payloads of meta types and instances, and the fields of their lists. */
import { everyBlock } from "../../model/fields/blocks.ts";
import { encodePath } from "../../model/language/locale.ts";
import type { DeclaredBlockType } from "../../model/records/block-type.ts";
import { blockTypesIn, linkedSchema } from "../../store/records/block-types.ts";
import type { MetaInstance, MetaType } from "../../model/records/meta.ts";
import type { Queryable, ReferenceField } from "../../model/lists/query.ts";
import type { JsonSchema } from "../../model/fields/definition.ts";
import { jsonSchema } from "../../model/fields/type-schema.ts";
import { metaDataOf, metaTextOf, typeOf } from "../../store/content/indexes/meta-index.ts";
import { META_INSTANCES } from "../../store/records/meta-instances.ts";
import { ownFields } from "../lists/list-field.ts";
import { instanceFields, localisedInstance } from "./meta-fields.ts";
import { resolverOf } from "../records/reference.ts";
import type { Payload, View } from "../view.ts";

export { typePayload } from "./meta-fields.ts";

/** With references resolved, and links with their URLs in the language of the view. */
export const instancePayload = (view: View, instance: MetaInstance): Payload =>
  instanceFields(view, instance, resolverOf(view));

/** The same in the language of the view, for readers of the site. */
export const shownInstance = (view: View, instance: MetaInstance): Payload =>
  localisedInstance(view, instance, resolverOf(view));

/** The JSON Schema of the instances of a type. */
export const typeSchema = (view: View, type: MetaType): JsonSchema =>
  jsonSchema(linkedSchema(view.content, type.schema), `MetaType_${type.id}`, view.locales);

/** @property preview_url where `preview` is served; "" for none */
export const blockTypePayload = (
  { config, origin }: Pick<View, "config" | "origin">,
  { name, label, description, icon, category, template, preview, schema }: DeclaredBlockType,
): Payload => ({
  ...{ name, label, description, icon, category, template, preview },
  preview_url: preview === "" ? "" : origin + config.MEDIA.URL + encodePath(preview),
  schema,
});

/** The JSON Schema of the blocks of a type. */
export const blockTypeSchema = ({ content, locales }: View, { name }: DeclaredBlockType): JsonSchema =>
  jsonSchema(everyBlock(blockTypesIn(content)).fieldsOf(name) ?? [], `BlockType_${name}`, locales);

export const BLOCK_TYPE_LIST: Queryable<DeclaredBlockType, View> = {
  fields: ownFields<DeclaredBlockType>({
    name: "text",
    label: "text",
    description: "text",
    icon: "text",
    category: "text",
    template: "text",
    preview: "text",
  }),
  search: ["name", "label", "description", "category"],
  order: ["name"],
};

export const META_TYPE_LIST: Queryable<MetaType, View> = {
  fields: {
    ...ownFields<MetaType>({
      id: "integer",
      key: "text",
      name: "text",
      description: "text",
      created_at: "instant",
      updated_at: "instant",
    }),
    compiled_at: { type: "instant", get: (type) => type.updated_at },
  },
  search: ["name", "key"],
  order: ["-id"],
  created: "created_at",
};

const metaType: ReferenceField<MetaInstance, View> = {
  type: "reference",
  target: () => META_TYPE_LIST,
  get: (instance, view) => {
    const type = typeOf(view.content, instance);
    return type ? [type] : [];
  },
};

/** `data__price__gte=3` filters by data, where references are ids; `text` is all text in the data. */
export const META_INSTANCE_LIST: Queryable<MetaInstance, View> = {
  fields: {
    ...ownFields<MetaInstance>({
      id: "integer",
      identifier: "text",
      created_at: "instant",
      updated_at: "instant",
    }),
    meta_type: metaType,
    /** The path of its file, without the suffix. */
    path: {
      type: "text",
      get: ({ id }, { content }) => content.table?.(META_INSTANCES).byId.get(id)?.base ?? "",
    },
    data: { type: "json", get: (instance, view) => metaDataOf(view.content, instance, view.locales) },
    text: { type: "text", get: (instance, view) => metaTextOf(view.content, instance, view.locales) },
  },
  search: ["identifier", "text"],
  order: ["-id"],
  created: "created_at",
};
