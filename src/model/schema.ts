/**
 * Data of a declared type: its JSON Schema, and reading it from input.
 *
 * Input is first brought into the form that is stored, then judged by the very schema the API serves, so a validator
 * elsewhere that has the schema accepts what this service stores. Only the wording of errors is ours.
 */
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { ErrorNode } from "../errors.ts";
import type { Definitions, FieldDefinition, JsonSchema, Reference, Resolver } from "./fields/definition.ts";
import { labelOf } from "./fields/definition.ts";
import { explain, withMissing } from "./fields/explain.ts";
import { emptyOf, kindOf, mayBeNull } from "./fields/kinds.ts";
import { compileSchema } from "./fields/validator.ts";
import { meantData, normaliseData, referencesIn, resolvedData } from "./fields/walk.ts";
import { isObject, objectOf, type Json, type JsonObject } from "./json.ts";
import type { Locales } from "./locale.ts";
import { NOT_AN_OBJECT } from "./page-input.ts";

export type { Definitions, FieldDefinition, JsonSchema, Reference, Resolver } from "./fields/definition.ts";
export { dataKeys } from "./fields/data-keys.ts";
export { DEFINITION_KEYS, readDefinitions, storedDefinitions, type FindModel } from "./fields/definitions.ts";
export { localisedData, meantData, prunedData, referencesIn, unknownIn } from "./fields/walk.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

export interface ReadOptions {
  readonly locales: Locales;
  /** Whether the record a reference names is there; without it references are not followed. */
  exists?(reference: Reference): boolean;
  /**
   * `input`: what was sent, where a language the site does not have is an error. `stored`: what a file holds, where the
   * text of a language taken out of the settings may stay.
   */
  readonly mode?: "input" | "stored";
}

export type ReadData = { readonly data: JsonObject } | { readonly errors: ErrorNode };

/**
 * Data in the form that is stored, or everything that is wrong with it, nested as the data is.
 *
 * Only what was sent is in the result: optional fields that are absent stay absent. Unknown keys are dropped.
 *
 * @param value an object; an empty list counts as one
 */
export function readData(definitions: Definitions, value: Json | undefined, { locales, exists, mode = "input" }: ReadOptions): ReadData {
  if (value === undefined) return { errors: ["This field is required."] };
  if (value === null) return { errors: ["This field may not be null."] };
  const sent = Array.isArray(value) && value.length === 0 ? {} : value;
  if (!isObject(sent)) return { errors: [NOT_AN_OBJECT(sent)] };
  const data = normaliseData(definitions, mode === "stored" ? meantData(definitions, sent, locales, false) : sent, locales);
  const isFit = validatorOf(definitions, locales)(data);
  const errors = isFit ? {} : explain(definitions, data, locales);
  const missing = exists ? [...referencesIn(definitions, data)].filter((held) => !exists(held)) : [];
  if (isFit && missing.length === 0) return { data };
  return { errors: withMissing(errors, missing) };
}

/**
 * Data as a reader is shown it: references as the records they name, links with their URLs, hand-written spellings as
 * the stored ones. Whatever does not fit its definition is shown as it is.
 *
 * @param fill whether optional fields that are absent show as null
 */
export function resolveData(
  definitions: Definitions,
  data: JsonObject,
  locales: Locales,
  resolver: Resolver,
  { fill = false }: { readonly fill?: boolean } = {},
): { readonly [key: string]: unknown } {
  return resolvedData(definitions, meantData(definitions, data, locales, fill), resolver);
}

/**
 * The standard JSON Schema (2020-12) of data of this type, in the form it is stored in.
 *
 * @param title also what its nested parts are named after
 */
export function jsonSchema(definitions: Definitions, title: string, locales: Locales): JsonSchema {
  return { $schema: DIALECT, title, ...typeSchema(definitions, title, locales) };
}

function typeSchema(definitions: Definitions, title: string, locales: Locales): JsonSchema {
  const parts = new Map<string, JsonSchema>();
  const root = recordSchema(definitions, title, locales, parts);
  return { ...root, ...(parts.size > 0 && { $defs: objectOf(parts) }) };
}

function recordSchema(definitions: Definitions, title: string, locales: Locales, parts: Map<string, JsonSchema>): JsonSchema {
  const required = definitions.filter((definition) => definition.required).map(({ name }) => name);
  const properties = definitions.map((definition) => [definition.name, fieldSchema(definition, title, locales, parts)] as const);
  return { type: "object", properties: objectOf(properties), ...(required.length > 0 && { required }) };
}

function fieldSchema(definition: FieldDefinition, above: string, locales: Locales, parts: Map<string, JsonSchema>): JsonSchema {
  const kind = kindOf(definition);
  const title = labelOf(definition.name);
  const value = kind.schema(definition, () => {
    const part = freeName(`${above}__${definition.name}${kind.nests === "many" ? "_item" : ""}`, parts);
    parts.set(part, {}); // takes the name before those of its own parts
    parts.set(part, recordSchema(definition.children ?? [], part, locales, parts));
    return { $ref: `#/$defs/${pointer(part)}` };
  });
  const inner: JsonSchema = definition.translated
    ? { type: "object", additionalProperties: kind.nullable ? orNull(value) : value, propertyNames: { enum: locales.codes } }
    : value;
  if (!mayBeNull(definition)) return { title, ...inner };
  return { title, ...orNull(inner), ...(!definition.required && { default: emptyOf(definition) }) };
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

function freeName(name: string, parts: ReadonlyMap<string, unknown>): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}_${n}`;
    if (!parts.has(free)) return free;
  }
}

/** A key as a step of a JSON pointer inside a URI. */
const pointer = (key: string): string => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));

const VALIDATORS = new WeakMap<Locales, WeakMap<Definitions, ValidateFunction>>();

function validatorOf(definitions: Definitions, locales: Locales): ValidateFunction {
  const known = VALIDATORS.get(locales) ?? new WeakMap<Definitions, ValidateFunction>();
  VALIDATORS.set(locales, known);
  const validate = known.get(definitions) ?? compileSchema(typeSchema(definitions, "Data", locales));
  known.set(definitions, validate);
  return validate;
}
