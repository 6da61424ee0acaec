/** Texts, numbers, booleans and choices. */
import { NOT_A_STRING, NOT_A_BOOLEAN, NOT_A_LIST } from "../input/input-errors.ts";
import { objectOf, type Json } from "../input/json.ts";
import { CANONICAL } from "./canonical.ts";
import type { FieldDefinition, JsonSchema } from "./definition.ts";
import type { FieldKind } from "./kind.ts";

export const lengths = ({ min_length, max_length }: FieldDefinition): JsonSchema => ({
  ...(min_length !== undefined && { minLength: min_length }),
  ...(max_length !== undefined && { maxLength: max_length }),
});

// JSON Schema has no placeholder; `examples` is the closest keyword.
const example = ({ placeholder }: FieldDefinition): JsonSchema => (placeholder ? { examples: [placeholder] } : {});

export const textKind: FieldKind = {
  isText: true,
  schema: (definition) => ({ type: "string", ...lengths(definition), ...example(definition) }),
  typeError: () => [NOT_A_STRING],
};

export const htmlKind: FieldKind = {
  schema: (definition) => ({ type: "string", contentMediaType: "text/html", ...example(definition) }),
  typeError: () => [NOT_A_STRING],
};

const bounds = ({ minimum, maximum }: FieldDefinition): JsonSchema => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});

export const integer = {
  schema: (definition: FieldDefinition) => ({ type: "integer", ...bounds(definition) }),
  normalize: CANONICAL.integer,
  typeError: () => ["A valid integer is required."],
} satisfies FieldKind;

export const number: FieldKind = {
  schema: (definition) => (definition.integer ? integer.schema(definition) : { type: "number", ...bounds(definition) }),
  normalize: CANONICAL.number,
  typeError: (_value, definition) => (definition.integer ? integer.typeError() : ["A valid number is required."]),
};

export const boolean: FieldKind = {
  schema: () => ({ type: "boolean" }),
  normalize: CANONICAL.boolean,
  typeError: () => [NOT_A_BOOLEAN],
};

const choiceSchema = ({ choices = [] }: FieldDefinition): JsonSchema => ({
  type: "string",
  enum: choices.map(({ value }) => value),
  oneOf: choices.map(({ value, label }) => ({ const: value, title: label })),
});

const notAChoice = (value: Json): string[] =>
  typeof value === "string" ? [`"${value}" is not a valid choice.`] : [NOT_A_STRING];

/** A text counts as a list of one, as it is where the field had one value before. */
const choiceList: FieldKind = {
  empty: [],
  schema: (definition) => ({
    type: "array",
    items: choiceSchema(definition),
    uniqueItems: true,
    ...(definition.required && !definition.translated && !definition.show_if && { minItems: 1 }),
  }),
  normalize(value) {
    if (typeof value === "string") return value === "" ? [] : [value];
    return Array.isArray(value) && new Set(value).size < value.length ? [...new Set(value as Json[])] : value;
  },
  typeError(value, { choices = [] }) {
    if (!Array.isArray(value)) return [NOT_A_LIST(value)];
    const wrong = value.map((item: Json, at) => [String(at), item] as const);
    return objectOf(
      wrong.flatMap(([at, item]) => (choices.some((choice) => choice.value === item) ? [] : [[at, notAChoice(item)]])),
    );
  },
};

export const select: FieldKind = { schema: choiceSchema, typeError: notAChoice, several: choiceList };
