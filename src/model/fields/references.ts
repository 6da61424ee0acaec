/** Field kinds that refer to records: stored as ids, served as the records. */
import type { ErrorNode } from "../../errors.ts";
import { isObject, own, type Json } from "../input/json.ts";
import { LINK_NAMES, readLink, SAFE_ADDRESS, UNSAFE_ADDRESS } from "../address/link.ts";
import { NOT_A_LIST, NOT_AN_OBJECT, typeName, NOT_A_STRING } from "../input/input-errors.ts";
import { visitValue } from "../records/reference-name.ts";
import { PAGES_APP } from "../records/model-names.ts";
import { LINK_TARGET, MEDIA_MODEL, type FieldDefinition, type FieldTarget, type JsonSchema } from "./definition.ts";
import { referencedId, isIdValue, type FieldKind, type HeldReference } from "./kind.ts";

/** The name of the targets' model in references; where pages of one page model are meant, that of the page model. */
const modelOf = ({ kind, target_model, target }: FieldDefinition): string =>
  kind === "media" ? MEDIA_MODEL : target?.model === undefined ? (target_model ?? "") : PAGES_APP + target.model;

/** An integer for validators; `x-model` and `x-target` tell editors which records to offer. */
const idSchema = (model: string, target?: FieldTarget): JsonSchema => ({
  type: "integer",
  "x-model": model,
  "x-multiple": false,
  ...targetKey(target),
});

const targetKey = (target: FieldTarget | undefined): JsonSchema => (target ? { "x-target": { ...target } } : {});

const notAnId = (value: Json): string[] => [
  `Incorrect type. Expected pk value, received ${typeName(isObject(value) ? own(value, "id") : value)}.`,
];

/** A reference to one record; `media` is derived from it. */
export const refKind: FieldKind = {
  nullable: true,
  schema: (definition) => idSchema(modelOf(definition), definition.target),
  served: (definition, shown) => shown.reference(modelOf(definition)),
  normalize: referencedId,
  typeError: notAnId,
  references: (value, definition) =>
    isIdValue(value) ? [{ model: modelOf(definition), id: value, target: definition.target, path: [] }] : [],
  visit: (value, definition, visit) => visit(modelOf(definition), value, definition.name),
  resolve: (value, definition, resolver) => (isIdValue(value) ? resolver.reference(modelOf(definition), value) : null),
};

export const media: FieldKind = refKind;

/** A list of references, in order, with duplicates; targets that do not exist are omitted from payloads. */
export const queryset: FieldKind = {
  empty: [],
  schema: (definition) => ({
    type: "array",
    items: { type: "integer" },
    "x-model": modelOf(definition),
    "x-multiple": true,
    ...targetKey(definition.target),
  }),
  served: (definition, shown) => ({ type: "array", items: shown.reference(modelOf(definition)) }),
  normalize: (value) => (Array.isArray(value) ? value.map(referencedId) : value),
  typeError(value) {
    if (!Array.isArray(value)) return [NOT_A_LIST(value)];
    const at = value.findIndex((item: Json) => !isIdValue(item));
    return { [at]: notAnId(value[at] as Json) };
  },
  references: (value, definition) =>
    ids(value).map(({ id, at }): HeldReference => ({
      ...{ model: modelOf(definition), id, target: definition.target },
      path: [String(at)],
    })),
  visit: (value, definition, visit) => visitValue(value, modelOf(definition), definition.name, visit),
  resolve: (value, definition, resolver) =>
    ids(value).flatMap(({ id }) => resolver.reference(modelOf(definition), id) ?? []),
};

const ids = (value: Json): { id: number; at: number }[] =>
  Array.isArray(value) ? value.flatMap((id: Json, at) => (isIdValue(id) ? [{ id, at }] : [])) : [];

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

/** The typed link; the stored form has neither the keys of the other type nor computed ones. */
export const permalink: FieldKind = {
  schema: () => ({
    type: "object",
    properties: {
      link_type: { type: "string", enum: ["RE", "ST"], default: "ST" },
      url_node: orNull(idSchema(LINK_TARGET)),
      static: orNull({ type: "string", pattern: SAFE_ADDRESS.source }),
    },
  }),
  served: (_definition, { link }) => link,
  keys: LINK_NAMES,
  isEmpty(value) {
    const link = readLink(value);
    return link !== undefined && !(link.link_type === "RE" ? link.url_node : link.static);
  },
  normalize: (value) => (readLink(value) as Json | undefined) ?? value,
  typeError(value): ErrorNode {
    if (!isObject(value)) return [NOT_AN_OBJECT(value)];
    const type = own(value, "link_type") ?? "ST";
    if (type !== "RE" && type !== "ST") return { link_type: ["Input should be 'RE' or 'ST'"] };
    if (type === "RE") return { url_node: notAnId(own(value, "url_node") ?? null) };
    return { static: [typeof own(value, "static") === "string" ? UNSAFE_ADDRESS : NOT_A_STRING] };
  },
  references(value) {
    const link = readLink(value);
    return link?.link_type === "RE" && link.url_node !== null
      ? [{ model: LINK_TARGET, id: link.url_node, path: ["url_node"] }]
      : [];
  },
  visit(value, definition, visit) {
    if (!isObject(value) || own(value, "link_type") !== "RE") return value;
    const node = own(value, "url_node") ?? null;
    const to = visit(LINK_TARGET, node, definition.name);
    return to === node ? value : { ...value, url_node: to };
  },
  resolve(value, _definition, resolver) {
    const link = readLink(value);
    return link ? resolver.link(link) : value;
  },
};
