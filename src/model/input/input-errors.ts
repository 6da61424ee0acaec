/** Messages of validation errors that several kinds of record share. */
import { invalid } from "../../errors.ts";
import type { Id } from "./id.ts";
import { isObject, type JsonObject } from "./json.ts";

export const NOT_AN_OBJECT = (value: unknown): string =>
  `Invalid data. Expected a dictionary, but got ${typeName(value)}.`;

export const NOT_A_LIST = (value: unknown): string => `Expected a list of items but got type "${typeName(value)}".`;

export const REQUIRED = "This field is required.";
export const NOT_NULL = "This field may not be null.";
export const NOT_BLANK = "This field may not be blank.";
export const NOT_A_STRING = "Not a valid string.";
export const NOT_A_BOOLEAN = "Must be a valid boolean.";

/** @throws CmsError `invalid` when a body is not an object */
export function requireObject(body: unknown): asserts body is JsonObject {
  if (!isObject(body)) throw invalid({ non_field_errors: [NOT_AN_OBJECT(body)] });
}

/** The message for a reference to a record that does not exist. */
export const noSuchTarget = (id: Id): string => `Invalid pk "${id}" - object does not exist.`;

/** The message for a template that does not exist below `templates/`. */
export const noSuchTemplate = (name: string): string => `There is no template "${name}" below templates/.`;

/** The type name of a JSON value in messages: the Python names of the upstream system. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return "dict";
}
