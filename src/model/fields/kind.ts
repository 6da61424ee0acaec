/** A row of the table of field kinds. */
import type { ErrorNode } from "../../errors.ts";
import { isObject, own, type Json } from "../input/json.ts";
import type { VisitReference } from "../records/reference-name.ts";
import type { Definitions, FieldDefinition, JsonSchema, Reference, Resolver } from "./definition.ts";

/** A reference in a value, with its path from the value. */
export interface HeldReference extends Reference {
  readonly path: readonly string[];
}

/** JSON Schemas of what `Resolver` returns. */
export interface ShownSchemas {
  readonly link: JsonSchema;
  /** The schema of a reference to a record of one model that exists and is visible. */
  reference(model: string): JsonSchema;
}

export interface FieldKind {
  /** Whether a value is an object with the children as fields, or a list of such objects. */
  readonly nests?: "one" | "many";
  /** The fields of a kind that nests the same ones always; others have those of their definition. */
  readonly children?: Definitions;
  /** The fields of one object, for a kind in which they depend on it. */
  fieldsOf?(definition: FieldDefinition, item: Json): Definitions;
  /** Whether each object in the list has an `id`; see blocks.ts. */
  readonly isIdentified?: true;
  /** Whether a definition may have a pattern. */
  readonly isText?: true;
  /** The kind of a definition with `multiple`. */
  readonly several?: FieldKind;
  /**
   * Whether null is always valid: it is served for a target that no longer exists, and a payload can be written back.
   */
  readonly nullable?: boolean;
  /** Whether a value that is not null stands for none, such as a link that leads nowhere. */
  isEmpty?(value: Json): boolean;
  /** The keys that an object may have in a file, for a kind whose values are objects and that does not nest. */
  readonly keys?: readonly string[];
  /** The stored form of null; null by default. */
  readonly empty?: Json;
  /** JSON Schema of one value. @param record schema of an object in the value, for kinds that nest */
  schema(definition: FieldDefinition, record: RecordSchema): JsonSchema;
  /** JSON Schema of the served form of a value, for kinds that `resolve` into another. */
  served?(definition: FieldDefinition, shown: ShownSchemas): JsonSchema;
  /** Whether a value is valid, for kinds whose schema has keywords that the validator (validator.ts) does not know. */
  accepts?(value: Json): boolean;
  /** Converts accepted input to the stored form. Other input is returned unchanged, for the schema to reject. */
  normalize?(value: Json, definition: FieldDefinition): Json;
  /** The error of a value of the wrong type; nested when it is inside the value. */
  typeError(value: Json, definition: FieldDefinition): ErrorNode;
  references?(value: Json, definition: FieldDefinition): readonly HeldReference[];
  /** A stored value with each reference in it visited; the same value when none changes. */
  visit?(value: Json, definition: FieldDefinition, visit: VisitReference): Json;
  /** The served form of a stored value. */
  resolve?(value: Json, definition: FieldDefinition, resolver: Resolver): unknown;
}

/** The canonical name of a model for `target_model`, ignoring case; undefined when there is none. */
export type FindModel = (name: string) => string | undefined;

/** The schema of an object with the children's fields; of a block, with those of its type. */
export type RecordSchema = (block?: { readonly type: string; readonly fields: Definitions }) => JsonSchema;

/** Field kinds by name. */
export type FieldKinds = { readonly [name: string]: FieldKind };

/** The id in an id, a numeric text, or an object with `id`, as payloads have it. */
export function referencedId(value: Json): Json {
  const id = isObject(value) ? own(value, "id") : value;
  if (typeof id === "string" && /^\s*\d{1,10}\s*$/.test(id)) return Number(id);
  return typeof id === "number" ? id : value;
}

export const isIdValue = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isInteger(value);
