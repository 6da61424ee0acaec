/** The table of field kinds. Definitions, schemas, validation, storage and payloads follow it: a new kind is a row. */
import type { Json } from "../input/json.ts";
import { blockNames, blocks } from "./blocks.ts";
import { group, list, location } from "./containers.ts";
import {
  BLOCK_TYPES,
  PLUGIN_KIND,
  type Definitions,
  type FieldDefinition,
  type JsonSchema,
  type KindName,
} from "./definition.ts";
import { color, email, phone, time, url } from "./formats.ts";
import type { FieldKind, RecordSchema } from "./kind.ts";
import { date, datetime } from "./moments.ts";
import { boolean, htmlKind, integer, number, select, textKind } from "./plain-kinds.ts";
import { media, permalink, queryset, refKind } from "./references.ts";

const FIELD_KINDS: Readonly<Record<KindName, FieldKind>> = {
  string: textKind,
  text: textKind,
  textarea: textKind,
  html: htmlKind,
  email,
  url,
  phone,
  integer,
  number,
  boolean,
  date,
  datetime,
  time,
  color,
  location,
  select,
  media,
  ref: refKind,
  queryset,
  group,
  list,
  permalink,
  blocks,
};

export const fieldKindOf = (definition: FieldDefinition): FieldKind => severalOf(definition) ?? singleOf(definition);

/** The kind of a field that takes several values; undefined for one that does not, whatever its definition says. */
export const severalOf = (definition: FieldDefinition): FieldKind | undefined =>
  definition.multiple === true ? singleOf(definition).several : undefined;

/** The kind of one value, also of a field that takes several. */
export const singleOf = (definition: FieldDefinition): FieldKind =>
  (definition[PLUGIN_KIND] as FieldKind | undefined) ?? FIELD_KINDS[definition.kind ?? "string"];

const NO_FIELDS: Definitions = [];

/** The fields in a value of a kind that nests. @param item the object itself, on which those of a block depend */
export function childrenOf(definition: FieldDefinition, item: Json = null): Definitions {
  const { fieldsOf, children } = fieldKindOf(definition);
  return fieldsOf?.(definition, item) ?? children ?? definition.children ?? NO_FIELDS;
}

/** The lists of fields that objects in a value may have. */
export const nestedIn = (definition: FieldDefinition): readonly Definitions[] =>
  definition[BLOCK_TYPES]
    ? blockNames(definition).map((type) => childrenOf(definition, { type }))
    : [childrenOf(definition)];

/** The JSON Schema of one value. Its pattern is the definition's own, where it has one. @param record see `FieldKind` */
export const declaredSchema = (definition: FieldDefinition, record: RecordSchema): JsonSchema => ({
  ...fieldKindOf(definition).schema(definition, record),
  ...(definition.pattern !== undefined && { pattern: definition.pattern }),
});

/** Whether there must be a value, whatever other fields have. */
export const isAlwaysRequired = ({ required, show_if }: FieldDefinition): boolean =>
  required === true && show_if === undefined;

/** Whether the value of a field may be null. */
export const mayBeNull = (definition: FieldDefinition): boolean =>
  !isAlwaysRequired(definition) || fieldKindOf(definition).nullable === true;

/** The served value of an absent field. */
export const emptyOf = (definition: FieldDefinition): Json =>
  definition.translated ? null : (fieldKindOf(definition).empty ?? null);
