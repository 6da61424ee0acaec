/**
 * Why data does not fit its definitions, field by field, in the words of contract.md 1.4.
 *
 * Only asked once the schema has refused the data: values are judged by their own part of the schema, so there is no
 * second account of what is allowed.
 */
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { ErrorNode, FieldErrors } from "../../errors.ts";
import { isObject, objectOf, own, type Json, type JsonObject } from "../json.ts";
import type { Locales } from "../locale.ts";
import { noSuchTarget, NOT_AN_OBJECT } from "../page-input.ts";
import type { Definitions, FieldDefinition } from "./definition.ts";
import type { HeldReference } from "./kind.ts";
import { kindOf, mayBeNull } from "./kinds.ts";
import { compileSchema } from "./validator.ts";

/** A list of a million wrong items needs no million messages. */
const MESSAGES_MAX = 100;

const REQUIRED = ["This field is required."];
const NOT_NULL = ["This field may not be null."];

/** @param data normalised, so that only what the schema refuses is left to complain of */
export function explain(definitions: Definitions, data: JsonObject, locales: Locales): FieldErrors {
  let left = MESSAGES_MAX;

  const record = (fields: Definitions, values: JsonObject): FieldErrors => {
    const errors = fields.flatMap((definition): [string, ErrorNode][] => {
      const found = left > 0 ? field(definition, own(values, definition.name)) : undefined;
      return found === undefined ? [] : [[definition.name, found]];
    });
    return objectOf(errors);
  };

  const field = (definition: FieldDefinition, value: Json | undefined): ErrorNode | undefined => {
    if (value === undefined) return definition.required ? say(REQUIRED) : undefined;
    if (value === null) return mayBeNull(definition) ? undefined : say(NOT_NULL);
    if (!definition.translated) return one(definition, value);
    if (!isObject(value)) return say([NOT_AN_OBJECT(value)]);
    return byKey(Object.entries(value), (inner, lang) => {
      if (!locales.codes.includes(lang)) return say([`"${lang}" is not among the languages of this site (${locales.codes.join(", ")}).`]);
      if (inner === null) return kindOf(definition).nullable ? undefined : say(NOT_NULL);
      return one(definition, inner);
    });
  };

  const one = (definition: FieldDefinition, value: Json): ErrorNode | undefined => {
    const kind = kindOf(definition);
    const inside = (item: Json): ErrorNode | undefined => {
      if (!isObject(item)) return say([NOT_AN_OBJECT(item)]);
      const errors = record(definition.children ?? [], item);
      return Object.keys(errors).length > 0 ? errors : undefined;
    };
    if (kind.nests === "one") return inside(value);
    if (kind.nests === "many") return Array.isArray(value) ? byKey([...value.entries()], inside) : say(kind.complaint(value, definition));
    const validate = leafValidator(definition);
    return validate(value) ? undefined : say(constraint(validate.errors?.[0]) ?? kind.complaint(value, definition));
  };

  const byKey = <T>(entries: readonly (readonly [string | number, T])[], check: (item: T, key: string) => ErrorNode | undefined): ErrorNode | undefined => {
    const errors: [string, ErrorNode][] = [];
    for (const [key, item] of entries) {
      if (left <= 0) break;
      const found = check(item, String(key));
      if (found !== undefined) errors.push([String(key), found]);
    }
    return errors.length > 0 ? objectOf(errors) : undefined;
  };

  const say = (message: ErrorNode): ErrorNode => {
    left--;
    return message;
  };

  return record(definitions, data);
}

/** Errors with those of references to what is not there. */
export function withMissing(errors: FieldErrors, missing: readonly HeldReference[]): FieldErrors {
  return missing.slice(0, MESSAGES_MAX).reduce((node, { path, id }) => put(node, path, [noSuchTarget(id)]), errors);
}

function put(errors: FieldErrors, [key = "", ...rest]: readonly string[], message: ErrorNode): FieldErrors {
  const there = own(errors, key);
  const below = isObject(there) ? (there as FieldErrors) : {};
  return objectOf([...Object.entries(errors), [key, rest.length === 0 ? message : put(below, rest, message)] as const]);
}

/** Messages for what is of the right type and yet not allowed. */
const CONSTRAINTS: Readonly<Record<string, (limit: unknown) => string>> = {
  minLength: (limit) => `Ensure this field has at least ${limit} characters.`,
  maxLength: (limit) => `Ensure this field has no more than ${limit} characters.`,
  minimum: (limit) => `Ensure this value is greater than or equal to ${limit}.`,
  maximum: (limit) => `Ensure this value is less than or equal to ${limit}.`,
};

function constraint(error: ErrorObject | undefined): string[] | undefined {
  const message = error && own(CONSTRAINTS, error.keyword);
  return message && [message((error.params as { limit?: unknown }).limit)];
}

const LEAVES = new WeakMap<FieldDefinition, ValidateFunction>();

/** Of one value, without languages and null. Kinds that nest are never asked. */
function leafValidator(definition: FieldDefinition): ValidateFunction {
  const validate = LEAVES.get(definition) ?? compileSchema(kindOf(definition).schema(definition, () => ({})));
  LEAVES.set(definition, validate);
  return validate;
}
