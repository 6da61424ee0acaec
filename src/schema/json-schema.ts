/** JSON Schemas (2020-12) and the pieces that they are made of. */
import { ID_MAX } from "../model/input/id.ts";
import { langSuffix, type Lang } from "../model/language/locale.ts";

export interface Schema {
  readonly [keyword: string]: unknown;
}

export type Schemas = { readonly [name: string]: Schema };

const COMPONENTS = "#/components/schemas/";

/** A schema of the description of the API, by name. */
export const ref = (name: string): Schema => ({ $ref: COMPONENTS + name });

/** The name in a reference that `ref` made; undefined for any other schema. */
export const refName = ({ $ref }: Schema): string | undefined =>
  typeof $ref === "string" && $ref.startsWith(COMPONENTS) ? $ref.slice(COMPONENTS.length) : undefined;

export const ID: Schema = { type: "integer", minimum: 1, maximum: ID_MAX, examples: [12] };
export const TEXT: Schema = { type: "string" };
export const FLAG: Schema = { type: "boolean" };
export const COUNT: Schema = { type: "integer", minimum: 0 };
export const MOMENT: Schema = { type: "string", format: "date-time", examples: ["2027-01-01T08:00:00.000Z"] };
/** The path of a page; root-relative and percent-encoded. */
export const PATH: Schema = { type: "string", examples: ["/about-us/"] };
export const COMMIT: Schema = { type: "string", examples: ["5d41402abc4b2a76b9719d911017c592a1b2c3d4"] };
export const ANYTHING: Schema = {};
export const ANY_OBJECT: Schema = { type: "object" };

export const text = (...examples: readonly string[]): Schema => ({ type: "string", examples });
export const oneOfTexts = (...values: readonly string[]): Schema => ({ type: "string", enum: values });
export const listOf = (items: Schema): Schema => ({ type: "array", items });
export const told = (description: string, schema: Schema): Schema => ({ ...schema, description });

/** The schema with an example, which tools show. */
export const withExample = (schema: Schema, example: unknown): Schema => ({ ...schema, examples: [example] });

/** The schema with null as another value. */
export function orNull(schema: Schema): Schema {
  const { type, ...rest } = schema;
  if (typeof type === "string" && !("enum" in schema) && !("const" in schema)) return { ...rest, type: [type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

interface ObjectOptions {
  readonly description?: string;
  /** Keys that may be absent; `all` for every key. */
  readonly optional?: readonly string[] | "all";
}

/** An object with these keys and no others. */
export const record = (properties: Schemas, options: ObjectOptions = {}): Schema => ({
  ...part(properties, options),
  unevaluatedProperties: false,
});

/** An object with these keys, all of which are there, and no others. */
export const recordOf = (description: string, properties: Schemas): Schema => record(properties, { description });

/** An object with these keys, for `joined`. */
export function part(properties: Schemas, { description, optional = [] }: ObjectOptions = {}): Schema {
  const required = Object.keys(properties).filter((key) => optional !== "all" && !optional.includes(key));
  return {
    type: "object",
    ...(description !== undefined && { description }),
    properties,
    ...(required.length > 0 && { required }),
  };
}

/** An object that is all of the parts, and has no other keys. */
export const joined = (description: string, ...parts: readonly Schema[]): Schema => ({
  type: "object",
  description,
  allOf: parts,
  unevaluatedProperties: false,
});

/** An object with one value for each key, of which none need be there. */
export const byKey = (keys: readonly string[], value: Schema, description: string): Schema => ({
  type: "object",
  description,
  properties: Object.fromEntries(keys.map((key) => [key, value])),
  additionalProperties: false,
});

/** An object with any names. */
export const byName = (value: Schema, description: string): Schema => ({
  type: "object",
  description,
  additionalProperties: value,
});

/** An object with a value for every language. */
export const byLanguage = (codes: readonly string[], value: Schema): Schema => ({
  ...byKey(codes, value, "By language."),
  required: codes,
});

/** The names of translated fields with the suffix of each language: `title_it`. */
export const sentNames = (names: readonly string[], codes: readonly Lang[]): string[] =>
  names.flatMap((name) => codes.map((lang) => `${name}_${langSuffix(lang)}`));
