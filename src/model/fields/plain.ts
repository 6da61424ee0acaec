/** Texts, numbers, booleans and choices. */
import type { Json } from "../json.ts";
import type { FieldDefinition, JsonSchema } from "./definition.ts";
import type { FieldKind } from "./kind.ts";

const NO_STRING = ["Not a valid string."];

const lengths = ({ min_length, max_length }: FieldDefinition): JsonSchema => ({
  ...(min_length !== undefined && { minLength: min_length }),
  ...(max_length !== undefined && { maxLength: max_length }),
});

// JSON Schema has no placeholder; `examples` is the closest keyword.
const example = ({ placeholder }: FieldDefinition): JsonSchema => (placeholder ? { examples: [placeholder] } : {});

export const text: FieldKind = {
  schema: (definition) => ({ type: "string", ...lengths(definition), ...example(definition) }),
  typeError: () => NO_STRING,
};

export const html: FieldKind = {
  schema: (definition) => ({ type: "string", contentMediaType: "text/html", ...example(definition) }),
  typeError: () => NO_STRING,
};

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i;
const INTEGER = /^\s*[+-]?\d+(?:\.0*)?\s*$/;

const bounds = ({ minimum, maximum }: FieldDefinition): JsonSchema => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});

/** Booleans become 1 and 0; numeric text becomes a number unless `isFit` rejects it, as when digits would be lost. */
function toNumber(value: Json, form: RegExp, isFit: (number: number) => boolean): Json {
  const number = typeof value === "boolean" || (typeof value === "string" && form.test(value)) ? Number(value) : value;
  if (typeof number !== "number" || !isFit(number)) return value;
  return number === 0 ? 0 : number; // -0 becomes 0, as in `JSON.stringify`
}

export const integer: FieldKind = {
  schema: (definition) => ({ type: "integer", ...bounds(definition) }),
  normalize: (value) => toNumber(value, INTEGER, Number.isSafeInteger),
  typeError: () => ["A valid integer is required."],
};

export const number: FieldKind = {
  schema: (definition) =>
    definition.integer ? integer.schema(definition, noRecord) : { type: "number", ...bounds(definition) },
  normalize: (value, definition) =>
    definition.integer ? integer.normalize!(value, definition) : toNumber(value, NUMBER, Number.isFinite),
  typeError: (value, definition) =>
    definition.integer ? integer.typeError(value, definition) : ["A valid number is required."],
};

const noRecord = (): JsonSchema => ({});

const TRUE = new Set<Json>([true, 1, "1", "true", "t", "yes", "y", "on"]);
const FALSE = new Set<Json>([false, 0, "0", "false", "f", "no", "n", "off"]);

export const boolean: FieldKind = {
  schema: () => ({ type: "boolean" }),
  normalize(value) {
    const key = typeof value === "string" ? value.trim().toLowerCase() : value;
    return TRUE.has(key) ? true : FALSE.has(key) ? false : value;
  },
  typeError: () => ["Must be a valid boolean."],
};

export const select: FieldKind = {
  needs: "choices",
  schema: ({ choices = [] }) => ({
    type: "string",
    enum: choices.map(({ value }) => value),
    oneOf: choices.map(({ value, label }) => ({ const: value, title: label })),
  }),
  typeError: (value) => (typeof value === "string" ? [`"${value}" is not a valid choice.`] : NO_STRING),
};
