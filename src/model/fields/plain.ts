/** Texts, numbers, booleans and choices. */
import { NOT_A_STRING, NOT_A_BOOLEAN } from "../input/input-errors.ts";
import { booleanIn } from "../input/field.ts";
import type { Json } from "../input/json.ts";
import type { FieldDefinition, JsonSchema } from "./definition.ts";
import type { FieldKind } from "./kind.ts";

const lengths = ({ min_length, max_length }: FieldDefinition): JsonSchema => ({
  ...(min_length !== undefined && { minLength: min_length }),
  ...(max_length !== undefined && { maxLength: max_length }),
});

// JSON Schema has no placeholder; `examples` is the closest keyword.
const example = ({ placeholder }: FieldDefinition): JsonSchema => (placeholder ? { examples: [placeholder] } : {});

export const textKind: FieldKind = {
  schema: (definition) => ({ type: "string", ...lengths(definition), ...example(definition) }),
  typeError: () => [NOT_A_STRING],
};

export const htmlKind: FieldKind = {
  schema: (definition) => ({ type: "string", contentMediaType: "text/html", ...example(definition) }),
  typeError: () => [NOT_A_STRING],
};

export const NUMBER_TEXT = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i;
export const INTEGER_TEXT = /^\s*[+-]?\d+(?:\.0*)?\s*$/;

const bounds = ({ minimum, maximum }: FieldDefinition): JsonSchema => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});

/** Booleans become 1 and 0; numeric text becomes a number unless `isFit` rejects it, as when digits would be lost. */
export function toNumber(value: Json, form: RegExp, isFit: (number: number) => boolean): Json {
  const number = typeof value === "boolean" || (typeof value === "string" && form.test(value)) ? Number(value) : value;
  if (typeof number !== "number" || !isFit(number)) return value;
  return number === 0 ? 0 : number; // -0 becomes 0, as in `JSON.stringify`
}

export const integer = {
  schema: (definition: FieldDefinition) => ({ type: "integer", ...bounds(definition) }),
  normalize: (value: Json) => toNumber(value, INTEGER_TEXT, Number.isSafeInteger),
  typeError: () => ["A valid integer is required."],
} satisfies FieldKind;

export const number: FieldKind = {
  schema: (definition) => (definition.integer ? integer.schema(definition) : { type: "number", ...bounds(definition) }),
  normalize: (value, definition) =>
    definition.integer ? integer.normalize(value) : toNumber(value, NUMBER_TEXT, Number.isFinite),
  typeError: (_value, definition) => (definition.integer ? integer.typeError() : ["A valid number is required."]),
};

export const boolean: FieldKind = {
  schema: () => ({ type: "boolean" }),
  normalize: (value) => booleanIn(value) ?? value,
  typeError: () => [NOT_A_BOOLEAN],
};

export const select: FieldKind = {
  schema: ({ choices = [] }) => ({
    type: "string",
    enum: choices.map(({ value }) => value),
    oneOf: choices.map(({ value, label }) => ({ const: value, title: label })),
  }),
  typeError: (value) => (typeof value === "string" ? [`"${value}" is not a valid choice.`] : [NOT_A_STRING]),
};
