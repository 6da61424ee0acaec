/**
 * Data of a declared type: validation of input, and as it is served.
 *
 * Input is first normalized, then validated with the same schema that the API serves, so any validator accepts what
 * this service stores. Only the error messages are our own.
 */
import type { ErrorNode } from "../../errors.ts";
import type { Definitions, Reference, Resolver } from "../fields/definition.ts";
import { explain, withMissing } from "../fields/validate-data.ts";
import { normalizeStored, normalizeInput, referencesIn, resolvedData } from "../fields/walk.ts";
import { isObject, type Json, type JsonObject } from "../input/json.ts";
import type { Locales } from "../language/locale.ts";
import { NOT_AN_OBJECT, REQUIRED, NOT_NULL } from "../input/input-errors.ts";

export type { Definitions, FieldDefinition, JsonSchema, Reference, Resolver } from "../fields/definition.ts";
export { dataKeys } from "../fields/data-keys.ts";
export type { FindModel } from "../fields/kind.ts";
export { DEFINITION_KEYS, readDefinitions, storedDefinitions } from "../fields/read-definitions.ts";
export {
  blocksIn,
  fieldsWithReferences,
  localisedData,
  meantChoices,
  normalizeStored,
  prunedData,
  referencesIn,
  unknownIn,
  unknownMessage,
  visitData,
} from "../fields/walk.ts";

export interface RecordReadOptions {
  readonly locales: Locales;
  /** Whether the target of a reference exists; absent: references are not checked. */
  exists?(reference: Reference): boolean;
  /**
   * `input`: from a client; a language that is not configured is an error. `stored`: from a file; values of languages
   * that were removed from the settings are accepted.
   */
  readonly mode?: "input" | "stored";
  /** Whether what is required may be missing, as in a draft. */
  readonly isPartial?: boolean;
  /** Whether a required reference may not be null: readers have null once its target is gone, and may write it back. */
  readonly needsReferences?: boolean;
  /** An id for a block that has none; absent: it stays without. */
  newId?(): string;
}

export type ReadData = { readonly data: JsonObject } | { readonly errors: ErrorNode };

/**
 * Normalizes and validates data; all errors are returned, nested as the data is.
 *
 * Optional fields that are absent stay absent. Unknown keys are dropped.
 *
 * @param value an object; an empty list counts as an empty object
 */
export function readData(
  definitions: Definitions,
  value: Json | undefined,
  { locales, exists, mode = "input", isPartial = false, needsReferences = false, newId }: RecordReadOptions,
): ReadData {
  if (value === undefined) return { errors: [REQUIRED] };
  if (value === null) return { errors: [NOT_NULL] };
  const sent = Array.isArray(value) && value.length === 0 ? {} : value;
  if (!isObject(sent)) return { errors: [NOT_AN_OBJECT(sent)] };
  const data = normalizeInput(
    definitions,
    mode === "stored" ? normalizeStored(definitions, sent, locales, false) : sent,
    locales,
    newId,
  );
  const errors = explain(definitions, data, { locales, isPartial, needsReferences });
  const missing = exists ? [...referencesIn(definitions, data)].filter((held) => !exists(held)) : [];
  if (Object.keys(errors).length === 0 && missing.length === 0) return { data };
  return { errors: withMissing(errors, missing) };
}

/**
 * Data as it is served: references as the records they name, links with their URLs, values normalized. A value that is
 * not valid for its definition is passed through.
 *
 * @param fill whether absent optional fields become null
 */
export function resolveData(
  definitions: Definitions,
  data: JsonObject,
  locales: Locales,
  resolver: Resolver,
  { fill = false }: { readonly fill?: boolean } = {},
): { readonly [key: string]: unknown } {
  return resolvedData(definitions, normalizeStored(definitions, data, locales, fill), resolver);
}
