/** Values of records as schemas, from their tables of fields: as they are served, and as they are sent. */
import type { FieldRow } from "../model/input/field.ts";
import { langSuffix, type Lang } from "../model/language/locale.ts";
import {
  ANYTHING,
  ANY_OBJECT,
  byKey,
  COUNT,
  FLAG,
  ID,
  listOf,
  MOMENT,
  orNull,
  part,
  record,
  type Schema,
  type Schemas,
} from "./json-schema.ts";

/** The schema of a reference to a record of a model, in place of its id. */
export type ShownTargets = (target: string) => Schema | undefined;

/** The fields with their values as they are served. @param shown the records that are shown in place of their ids */
export const servedFields = (rows: readonly FieldRow[], shown: ShownTargets = () => undefined): Schemas =>
  Object.fromEntries(rows.map((row) => [row.name, servedValue(row, shown)]));

function servedValue(row: FieldRow, shown: ShownTargets): Schema {
  const target = row.target === undefined ? undefined : shown(row.target);
  if (target && row.type === "references") return described(row, listOf(target));
  // A record that does not exist is null.
  if (target) return described(row, orNull(target));
  const value = valueOf(row);
  return described(row, row.nullable && row.type !== "json" ? orNull(value) : value);
}

/** The fields with their values as clients send them. */
export const sentFields = (rows: readonly FieldRow[]): Schemas =>
  Object.fromEntries(rows.map((row) => [row.name, sentValue(row)]));

function sentValue(row: FieldRow): Schema {
  const value = {
    ...valueOf(row),
    ...(targetOf(row) && { "x-model": targetOf(row), "x-multiple": row.type === "references" }),
    ...(row.blank === false && { minLength: 1 }),
    ...(row.max !== undefined && { maxLength: row.max }),
  };
  return described(row, row.nullable ? orNull(value) : value);
}

/** The model of the records that a field refers to, so that forms can offer them. */
const targetOf = ({ type, target }: FieldRow): string | undefined => (type === "account" ? "auth.User" : target);

interface BodyOptions {
  /** Translated fields beyond those of the table, or in their place. */
  readonly texts?: Schemas;
  /** Other fields beyond those of the table. */
  readonly others?: Schemas;
  /** Nothing is, unless it stands here. */
  readonly required?: readonly string[];
}

/**
 * The body of a write: translated fields are for the active language, for one that is named by a suffix (`title_it`), or
 * under `translations`.
 */
export function sentRecord(rows: readonly FieldRow[], codes: readonly Lang[], options: BodyOptions = {}): Schema {
  const { others = {}, required = [] } = options;
  const texts = { ...sentFields(rows.filter((row) => row.translated)), ...options.texts };
  const suffixed = Object.entries(texts).flatMap(([name, schema]) =>
    codes.map((lang) => [`${name}_${langSuffix(lang)}`, schema] as const),
  );
  const properties = {
    ...sentFields(rows.filter((row) => !row.translated)),
    ...texts,
    ...Object.fromEntries(suffixed),
    ...(suffixed.length > 0 && {
      translations: byKey(codes, record(texts, { optional: "all" }), "Values by language."),
    }),
    ...others,
  };
  return {
    ...part(properties, { optional: "all" }),
    ...(required.length > 0 && { required }),
    unevaluatedProperties: false,
  };
}

const described = ({ help }: FieldRow, schema: Schema): Schema => (help ? { ...schema, description: help } : schema);

/** One value without null. */
export function valueOf({ type }: Pick<FieldRow, "type">): Schema {
  switch (type) {
    case "text":
      return { type: "string" };
    case "boolean":
      return FLAG;
    case "object":
      return ANY_OBJECT;
    case "integer":
      return COUNT;
    case "instant":
      return MOMENT;
    case "json":
      return ANYTHING;
    case "reference":
    case "account":
      return ID;
    case "references":
      return listOf(ID);
  }
}
