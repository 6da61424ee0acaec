/**
 * Content types that editors declare at run time, and their instances.
 *
 * Instances hold no copy of their type: a changed type applies to all of them as soon as it is saved.
 */
import type { FieldErrors } from "../../errors.ts";
import type { Definitions } from "../fields/definition.ts";
import type { Instant } from "../time/instant.ts";
import { own, type Json, type JsonObject } from "../input/json.ts";
import { mergeErrors, named, record, refusedKeys, type Keys, type UnknownFields } from "../input/known-keys.ts";
import type { FieldRow } from "../input/field.ts";
import type { Id } from "../page/page.ts";
import { REQUIRED, requireObject, NOT_NULL } from "../input/input-errors.ts";
import { readSent, type Errors } from "../input/sent-fields.ts";
import { readValue } from "../input/field.ts";
import { DEFINITION_KEYS } from "./schema.ts";
import { readDeclaration, type TypeReading } from "./type-change.ts";

export interface MetaType {
  readonly id: Id;
  /** Unique: letters, digits, `-` and `_`. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly schema: Definitions;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export interface MetaInstance {
  readonly id: Id;
  /** null in a file without it: then the folder determines the type. */
  readonly meta_type: Id | null;
  /** Name of the folder the file is in, the key of a type; "" for a file outside of any. */
  readonly folder: string;
  /** Need not be unique; "" for none. */
  readonly identifier: string;
  /** As `readData` returns it, unless the file was written by hand or the type was changed later. */
  readonly data: JsonObject;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export const TYPE_FIELDS: readonly FieldRow[] = [
  {
    name: "key",
    type: "text",
    max: 120,
    blank: false,
    help: "Unique: letters, digits, - and _; the folder of its instances has this name.",
  },
  { name: "name", type: "text", max: 200, blank: false, help: "What editors call the type." },
  { name: "description", type: "text", help: "What the type is for." },
];

export const INSTANCE_FIELDS: readonly FieldRow[] = [
  {
    name: "identifier",
    type: "text",
    max: 200,
    help: "A name that programs find the instance by; need not be unique.",
  },
];

const TYPE_KEYS: Keys = record({ ...named(...TYPE_FIELDS.map(({ name }) => name)), schema: DEFINITION_KEYS }, [
  "id",
  "created_at",
  "updated_at",
  "compiled_at",
]);
/** The keys of `data` depend on the type. */
const INSTANCE_KEYS: Keys = record(named(...INSTANCE_FIELDS.map(({ name }) => name), "meta_type", "data"), [
  "id",
  "created_at",
  "updated_at",
]);

const KEY = /^[-a-zA-Z0-9_]+$/;

export const isKey = (text: string): boolean => KEY.test(text);

export const WRONG_KEY = "Enter a valid “slug” consisting of letters, numbers, underscores or hyphens.";

/** The sent values of a write to a type. @throws CmsError `invalid` with every offending field */
export const readTypeChange = (
  body: unknown,
  reading: TypeReading,
): Partial<Pick<MetaType, "key" | "name" | "description" | "schema">> =>
  readDeclaration<MetaType>(
    body,
    {
      rows: TYPE_FIELDS,
      keys: TYPE_KEYS,
      required: ["key", "name"],
      errorsOf: ({ key }): FieldErrors => (key === undefined || isKey(key) ? {} : { key: [WRONG_KEY] }),
    },
    reading,
  );

/** The sent values of a write to an instance; `data` is not validated yet, which takes the type. */
interface InstanceChange {
  readonly identifier?: string;
  readonly meta_type?: Id;
  readonly data?: Json;
  /** Errors of other fields, to be reported together with those of the data. */
  readonly errors: FieldErrors;
}

/**
 * @param requireAll whether type and data are required
 * @throws CmsError `invalid` when the body is not an object
 */
export function readInstanceChange(body: unknown, requireAll: boolean, unknownFields: UnknownFields): InstanceChange {
  requireObject(body);
  const errors: Errors = {};
  const change = readSent(body, INSTANCE_FIELDS, errors) as Pick<InstanceChange, "identifier">;
  const asked = own(body, "meta_type");
  const meta_type = asked === undefined ? undefined : readTypeId(asked, errors);
  if (requireAll && asked === undefined) errors.meta_type = [REQUIRED];
  const data = own(body, "data");
  if (requireAll && data === undefined) errors.data = [REQUIRED];
  const found = mergeErrors(errors, refusedKeys(unknownFields, INSTANCE_KEYS, body)) as FieldErrors;
  return {
    ...change,
    ...(meta_type !== undefined && { meta_type }),
    ...(data !== undefined && { data }),
    errors: found,
  };
}

function readTypeId(asked: Json, errors: Record<string, FieldErrors[string]>): Id | undefined {
  const read = readValue(TYPE_REFERENCE, asked);
  if ("value" in read && typeof read.value === "number") return read.value;
  errors.meta_type = ["error" in read ? read.error : NOT_NULL];
  return undefined;
}

const TYPE_REFERENCE: FieldRow = { name: "meta_type", type: "reference" };
