/**
 * Data of a declared type: its JSON Schema, and validation of input.
 *
 * Input is first normalized, then validated with the same schema that the API serves, so any validator accepts what
 * this service stores. Only the error messages are our own.
 */
import type { ErrorNode } from "../../errors.ts";
import type { Definitions, FieldDefinition, JsonSchema, Reference, Resolver } from "../fields/definition.ts";
import { labelOf } from "../fields/definition.ts";
import { explain, withMissing } from "../fields/validate-data.ts";
import { childrenOf, isAlwaysRequired, declaredSchema, emptyOf, fieldKindOf, mayBeNull } from "../fields/kinds.ts";
import { normalizeStored, normalizeInput, referencesIn, resolvedData } from "../fields/walk.ts";
import { isObject, objectOf, type Json, type JsonObject } from "../input/json.ts";
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

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

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
  { locales, exists, mode = "input", isPartial = false, newId }: RecordReadOptions,
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
  const errors = explain(definitions, data, locales, isPartial);
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

/**
 * The JSON Schema (2020-12) of stored data of a type.
 *
 * @param title also the prefix of the names in `$defs`
 */
export function jsonSchema(definitions: Definitions, title: string, locales: Locales): JsonSchema {
  const parts: Parts = { schemas: new Map(), names: new Map() };
  const root = recordSchema(definitions, title, locales, parts);
  return { $schema: DIALECT, title, ...root, ...(parts.schemas.size > 0 && { $defs: objectOf(parts.schemas) }) };
}

/** The schemas of nested objects by name, and the names of those that were made. */
interface Parts {
  readonly schemas: Map<string, JsonSchema>;
  readonly names: Map<Definitions, string>;
}

function recordSchema(definitions: Definitions, title: string, locales: Locales, parts: Parts): JsonSchema {
  const required = definitions.filter(isAlwaysRequired).map(({ name }) => name);
  const properties = definitions.map(
    (definition) => [definition.name, fieldSchema(definition, title, locales, parts)] as const,
  );
  return { type: "object", properties: objectOf(properties), ...(required.length > 0 && { required }) };
}

function fieldSchema(definition: FieldDefinition, above: string, locales: Locales, parts: Parts): JsonSchema {
  const kind = fieldKindOf(definition);
  const told = { title: labelOf(definition.name), ...(definition.help && { description: definition.help }) };
  const value = declaredSchema(definition, (block) => {
    const fields = block?.fields ?? childrenOf(definition);
    // A type of block may contain itself.
    const known = block && parts.names.get(fields);
    const wanted = block
      ? `Block_${block.type}`
      : `${above}__${definition.name}${kind.nests === "many" ? "_item" : ""}`;
    const part = known ?? freeName(wanted, parts.schemas);
    if (known === undefined) {
      parts.schemas.set(part, {}); // reserves the name before nested parts choose theirs
      parts.names.set(fields, part);
      parts.schemas.set(part, recordSchema(fields, part, locales, parts));
    }
    return { $ref: `#/$defs/${pointer(part)}` };
  });
  const inner: JsonSchema = definition.translated
    ? {
        type: "object",
        additionalProperties: kind.nullable ? orNull(value) : value,
        propertyNames: { enum: locales.codes },
      }
    : value;
  if (!mayBeNull(definition)) return { ...told, ...inner };
  return { ...told, ...orNull(inner), ...(!isAlwaysRequired(definition) && { default: emptyOf(definition) }) };
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

function freeName(name: string, parts: ReadonlyMap<string, unknown>): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}_${n}`;
    if (!parts.has(free)) return free;
  }
}

/** Escapes a key for a JSON pointer in a URI fragment. */
const pointer = (key: string): string => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
