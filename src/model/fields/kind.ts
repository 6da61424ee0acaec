/** What a row of the table of field kinds says. */
import type { ErrorNode } from "../../errors.ts";
import { isObject, own, type Json } from "../json.ts";
import type { FieldDefinition, JsonSchema, Reference, Resolver } from "./definition.ts";

/** A reference inside a value; `path` leads to it from the value. */
export interface HeldReference extends Reference {
  readonly path: readonly string[];
}

export interface FieldKind {
  /** What its definitions need besides a name; one of these missing is an error. */
  readonly needs?: "target_model" | "children" | "choices";
  /** Whether a value is one record of the children, or a list of them. */
  readonly nests?: "one" | "many";
  /** Null stands for a target that is gone, so that what was read can be written back: it is allowed everywhere. */
  readonly nullable?: boolean;
  /** What null is stored as, where it is not null. */
  readonly empty?: Json;
  /** JSON Schema of one value. @param record schema of an object with the children's fields, for kinds that nest */
  schema(definition: FieldDefinition, record: () => JsonSchema): JsonSchema;
  /** Lax input as the value that is stored. What makes no sense comes back as it is, for the schema to refuse. */
  normalise?(value: Json, definition: FieldDefinition): Json;
  /** Why a value of the wrong type is refused; nested where the fault lies inside. */
  complaint(value: Json, definition: FieldDefinition): ErrorNode;
  references?(value: Json, definition: FieldDefinition): readonly HeldReference[];
  /** What a reader is shown in the place of the stored value. */
  resolve?(value: Json, definition: FieldDefinition, resolver: Resolver): unknown;
}

/** An id, a numeric text, or an object with such an `id`: what was read can be written back (contract.md 10.6). */
export function idIn(value: Json): Json {
  const id = isObject(value) ? own(value, "id") : value;
  if (typeof id === "string" && /^\s*\d{1,10}\s*$/.test(id)) return Number(id);
  return typeof id === "number" ? id : value;
}

export const isId = (value: Json | undefined): value is number => typeof value === "number" && Number.isInteger(value);
