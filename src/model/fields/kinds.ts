/** The table of field kinds. Definitions, schemas, validation, storage and payloads follow it: a new kind is a row. */
import type { Json } from "../input/json.ts";
import { group, list } from "./containers.ts";
import { PLUGIN_KIND, type FieldDefinition, type KindName } from "./definition.ts";
import type { FieldKind } from "./kind.ts";
import { date, datetime } from "./moments.ts";
import { boolean, htmlKind, integer, number, select, textKind } from "./plain.ts";
import { media, permalink, queryset, refKind } from "./references.ts";

const FIELD_KINDS: Readonly<Record<KindName, FieldKind>> = {
  string: textKind,
  text: textKind,
  html: htmlKind,
  integer,
  number,
  boolean,
  date,
  datetime,
  select,
  media,
  ref: refKind,
  queryset,
  group,
  list,
  permalink,
};

export const fieldKindOf = (definition: FieldDefinition): FieldKind =>
  (definition[PLUGIN_KIND] as FieldKind | undefined) ?? FIELD_KINDS[definition.kind ?? "string"];

/** Whether the value of a field may be null. */
export const mayBeNull = (definition: FieldDefinition): boolean =>
  !definition.required || fieldKindOf(definition).nullable === true;

/** The served value of an absent field. */
export const emptyOf = (definition: FieldDefinition): Json =>
  definition.translated ? null : (fieldKindOf(definition).empty ?? null);
