/** Validates values against the schemas of field kinds. */
import { keptBy } from "../../memo.ts";
import { isObject, own, type Json } from "../input/json.ts";
import type { JsonSchema } from "./definition.ts";

/** The keyword that a value violates, with its value in the schema. */
export interface Violation {
  readonly keyword: string;
  readonly limit: unknown;
}

type Check = (value: Json, limit: never) => boolean;

/**
 * The keywords that field kinds use, each with the test of a value. A keyword for another type of value passes.
 *
 * `format` and `oneOf` are left out: where a kind has them, its `pattern` and `enum` accept exactly the same values.
 * So are `uniqueItems`, since what is there twice is dropped before, and `minItems`: a list without items is a missing value.
 */
const KEYWORDS: Readonly<Record<string, Check>> = {
  type: (value, type: string) => TYPES[type]?.(value) === true,
  minLength: (value, limit: number) => typeof value !== "string" || lengthOf(value) >= limit,
  maxLength: (value, limit: number) => typeof value !== "string" || value.length <= limit || lengthOf(value) <= limit,
  minimum: (value, limit: number) => typeof value !== "number" || value >= limit,
  maximum: (value, limit: number) => typeof value !== "number" || value <= limit,
  enum: (value, values: readonly Json[]) => values.includes(value),
  pattern: (value, source: string) => typeof value !== "string" || patternOf(source).test(value),
  anyOf: (value, schemas: readonly JsonSchema[]) => schemas.some((schema) => violation(schema, value) === undefined),
  properties: (value, schemas: Readonly<Record<string, JsonSchema>>) =>
    !isObject(value) ||
    Object.entries(schemas).every(([key, schema]) => {
      const inner = own(value, key);
      return inner === undefined || violation(schema, inner) === undefined;
    }),
  items: (value, schema: JsonSchema) =>
    !Array.isArray(value) || value.every((item: Json) => violation(schema, item) === undefined),
};

const TYPES: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value),
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  array: (value) => Array.isArray(value),
  null: (value) => value === null,
};

/**
 * The first keyword of a schema that the value violates; undefined for a value that is valid.
 *
 * The schemas are interpreted, since compiling one of 300 fields takes a second, in which no other request is served.
 */
export function violation(schema: JsonSchema, value: Json): Violation | undefined {
  for (const [keyword, limit] of Object.entries(schema)) {
    if (own(KEYWORDS, keyword)?.(value, limit as never) === false) return { keyword, limit };
  }
  return undefined;
}

/** In characters, as JSON Schema counts them. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** By source: the kinds have a handful. */
const PATTERNS = new Map<string, RegExp>();

const patternOf = (source: string): RegExp =>
  // linear: SAFE_ADDRESS and those of formats.ts, checked where they are defined, and anchored ones of dates of 32 characters.
  keptBy(PATTERNS, source, () => new RegExp(source, "u"));
