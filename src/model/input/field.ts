/** Fields of records as rows of a table, and the reader of a single value by its row. */
import type { ErrorNode } from "../../errors.ts";
import { ID_MAX, numericId } from "./id.ts";
import { NOT_AN_OBJECT, typeName, NOT_NULL, NOT_A_STRING, NOT_BLANK, NOT_A_BOOLEAN } from "./input-errors.ts";
import { readPaginate, storedPaginate, type PaginateErrors } from "../page/paginate.ts";
import { parseInstant } from "../time/instant.ts";
import { booleanIn } from "../fields/canonical.ts";
import { isObject, own, type Json } from "./json.ts";

/**
 * `account`: sent as the id of an account, and stored as a copy of its name (`Byline`). `pagination`: what a page lists
 * (`Paginate`), as it is stored.
 */
export type FieldType =
  | "object"
  | "text"
  | "boolean"
  | "integer"
  | "instant"
  | "json"
  | "reference"
  | "references"
  | "account"
  | "pagination";

export interface FieldRow {
  readonly name: string;
  readonly type: FieldType;
  readonly translated?: boolean;
  /** For text, in characters. */
  readonly max?: number;
  /** Whether null may be written. */
  readonly nullable?: boolean;
  /** For text, false: "" may not be written. */
  readonly blank?: boolean;
  /** For references: the model of the records they point at. */
  readonly target?: string;
  /** One sentence that says what the value is for, in descriptions of the API and in editors. */
  readonly help?: string;
  /** Text that is not trimmed. */
  readonly raw?: boolean;
  /** For text: the message for a wrong one. */
  check?(text: string): string | undefined;
}

/** A value, or the error of one that is not valid. */
export type ReadValue<T = Json, E = ErrorNode> = { readonly value: T } | { readonly error: E };
type Read = ReadValue<Json, string>;

/** As `readValue`, with the errors of a value that has several under its keys. */
export function readNested(row: FieldRow, value: Json): ReadValue<Json, string[] | PaginateErrors> {
  if (row.type === "pagination" && value !== null) {
    const read = readPaginate(value);
    return "errors" in read ? { error: read.errors } : { value: storedPaginate(read.paginate) };
  }
  const read = readValue(row, value);
  return "error" in read ? { error: [read.error] } : read;
}

/** Reads one value by its field row, with the messages that clients know. */
export function readValue(row: FieldRow, value: Json): Read {
  if (value === null) return row.nullable ? { value: null } : { error: NOT_NULL };
  switch (row.type) {
    case "text":
      return readText(row, value);
    case "boolean":
      return readBoolean(value);
    case "integer":
      return readInteger(value);
    case "instant": {
      const at = parseInstant(value);
      return at ? { value: at } : { error: `${WRONG_MOMENT}${ZONE_HINT}` };
    }
    case "object":
      return isObject(value) ? { value } : { error: NOT_AN_OBJECT(value) };
    case "json":
      return { value };
    case "reference":
    case "account":
      return readReference(value);
    case "references":
      return readReferences(value);
    case "pagination": {
      const read = readNested(row, value);
      return "error" in read ? { error: NOT_A_LIST } : read;
    }
  }
}

const NOT_A_LIST = "What a page lists is expected, such as { of: articles, size: 10 }.";
const WRONG_MOMENT = "Datetime has wrong format. Use one of these formats instead: ";
const ZONE_HINT = "YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].";

function readText(row: FieldRow, value: Json): Read {
  if (typeof value !== "string" && typeof value !== "number") return { error: NOT_A_STRING };
  const text = row.raw ? String(value) : String(value).trim();
  // A lone surrogate has no UTF-8 form: the stored text would differ from the acknowledged one.
  if (/[\0\ufffe\uffff]/.test(text) || !text.isWellFormed())
    return { error: "Null and invalid characters are not allowed." };
  if (text === "" && row.blank === false) return { error: NOT_BLANK };
  const wrong = row.check?.(text);
  if (wrong !== undefined) return { error: wrong };
  if (row.max !== undefined && text.length > row.max && [...text].length > row.max) {
    return { error: `Ensure this field has no more than ${row.max} characters.` };
  }
  return { value: text };
}

function readBoolean(value: Json): Read {
  const found = booleanIn(value);
  return found === undefined ? { error: NOT_A_BOOLEAN } : { value: found };
}

function readInteger(value: Json): Read {
  const number = typeof value === "string" && /^\s*[+-]?\d{1,15}(\.0*)?\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return { error: "A valid integer is required." };
  if (number < 0) return { error: "Ensure this value is greater than or equal to 0." };
  return number > ID_MAX ? { error: `Ensure this value is less than or equal to ${ID_MAX}.` } : { value: number };
}

/** An id, a numeric text, an object with `id`, or "" for none. Does not check that it exists. */
function readReference(value: Json): Read {
  if (value === "") return { value: null };
  const id = isObject(value) ? own(value, "id") : value;
  const number = numericId(id);
  if (typeof number !== "number" || !Number.isInteger(number)) {
    return { error: `Incorrect type. Expected pk value, received ${typeName(id)}.` };
  }
  return { value: number };
}

/** A list of references, without duplicates. */
function readReferences(value: Json): Read {
  if (!Array.isArray(value)) return { error: `Expected a list of items but got type "${typeName(value)}".` };
  const ids = new Set<number>();
  for (const item of value as readonly Json[]) {
    const read = readReference(item);
    if ("error" in read) return read;
    if (typeof read.value === "number") ids.add(read.value);
  }
  return { value: [...ids] };
}
