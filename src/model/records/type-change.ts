/** Reads a write to what declares fields: a meta type, a block type. */
import { refuseInvalid, type FieldErrors } from "../../errors.ts";
import type { Definitions } from "../fields/definition.ts";
import type { FieldKinds } from "../fields/kind.ts";
import type { FieldRow } from "../input/field.ts";
import { REQUIRED, requireObject } from "../input/input-errors.ts";
import { own, type Json } from "../input/json.ts";
import { mergeErrors, refusedKeys, type Keys, type UnknownFields } from "../input/known-keys.ts";
import { readSent, type Errors } from "../input/sent-fields.ts";
import { readDefinitions, type FindModel } from "./schema.ts";

export interface TypeReading {
  readonly findModel: FindModel;
  /** Whether what a type needs must be sent: on create, and on PUT. */
  readonly requireAll: boolean;
  readonly unknownFields: UnknownFields;
  /** The field kinds that plugins add. */
  readonly kinds?: FieldKinds | undefined;
}

interface TypeForm<T> {
  readonly rows: readonly FieldRow[];
  readonly keys: Keys;
  readonly required: readonly (keyof T & string)[];
  /** What the rows cannot say. */
  errorsOf(change: Partial<T>): FieldErrors;
}

/** The sent values. @throws CmsError `invalid` with every offending field, those of the schema by row */
export function readDeclaration<T extends { readonly schema: Definitions }>(
  body: unknown,
  { rows, keys, required, errorsOf }: TypeForm<T>,
  { findModel, requireAll, unknownFields, kinds }: TypeReading,
): Partial<T> {
  requireObject(body);
  const errors: Errors = {};
  const values: Record<string, Json | Definitions> = readSent(body, rows, errors);
  for (const name of requireAll ? required : []) if (own(body, name) === undefined) errors[name] = [REQUIRED];
  const schema = own(body, "schema");
  const read = schema === undefined ? undefined : readDefinitions(schema, findModel, kinds);
  if (read && "errors" in read) errors.schema = read.errors;
  if (read && "definitions" in read) values.schema = read.definitions;
  const change = values as Partial<T>;
  const found = mergeErrors({ ...errorsOf(change), ...errors }, refusedKeys(unknownFields, keys, body));
  refuseInvalid(found as FieldErrors);
  return change;
}
