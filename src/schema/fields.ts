/** Values of records as schemas, from their tables of fields: as they are served, and as they are sent. */
import type { FieldRow } from "../model/input/field.ts";
import { langSuffix, type Lang } from "../model/language/locale.ts";
import * as s from "./json-schema.ts";
import { LIST_SCHEMA } from "./list-schema.ts";

/** The schema of a reference to a record of a model, in place of its id. */
export type ShownTargets = (target: string) => s.Schema | undefined;

/** The fields with their values as they are served. @param shown the records that are shown in place of their ids */
export const servedFields = (rows: readonly FieldRow[], shown: ShownTargets = () => undefined): s.Schemas =>
  Object.fromEntries(rows.map((row) => [row.name, servedValue(row, shown)]));

function servedValue(row: FieldRow, shown: ShownTargets): s.Schema {
  const target = row.target === undefined ? undefined : shown(row.target);
  if (target && row.type === "references") return described(row, s.listOf(target));
  // A record that does not exist is null.
  if (target) return described(row, s.orNull(target));
  const value = valueOf(row);
  return described(row, row.nullable && row.type !== "json" ? s.orNull(value) : value);
}

/** The fields with their values as clients send them. */
export const sentFields = (rows: readonly FieldRow[]): s.Schemas =>
  Object.fromEntries(rows.map((row) => [row.name, sentValue(row)]));

function sentValue(row: FieldRow): s.Schema {
  const value = {
    ...valueOf(row),
    ...(targetOf(row) && { "x-model": targetOf(row), "x-multiple": row.type === "references" }),
    ...(row.blank === false && { minLength: 1 }),
    ...(row.max !== undefined && { maxLength: row.max }),
  };
  return described(row, row.nullable ? s.orNull(value) : value);
}

/** The model of the records that a field refers to, so that forms can offer them. */
const targetOf = ({ type, target }: FieldRow): string | undefined => (type === "account" ? "auth.User" : target);

interface BodyOptions {
  /** Translated fields beyond those of the table, or in their place. */
  readonly texts?: s.Schemas;
  /** Other fields beyond those of the table. */
  readonly others?: s.Schemas;
  /** Nothing is, unless it stands here. */
  readonly required?: readonly string[];
}

/**
 * The body of a write: translated fields are for the active language, for one that is named by a suffix (`title_it`), or
 * under `translations`.
 */
export function sentRecord(rows: readonly FieldRow[], codes: readonly Lang[], options: BodyOptions = {}): s.Schema {
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
      translations: s.byKey(codes, s.record(texts, { optional: "all" }), "Values by language."),
    }),
    ...others,
  };
  return {
    ...s.part(properties, { optional: "all" }),
    ...(required.length > 0 && { required }),
    unevaluatedProperties: false,
  };
}

const described = ({ help }: FieldRow, schema: s.Schema): s.Schema =>
  help ? { ...schema, description: help } : schema;

/** One value without null. */
export function valueOf({ type }: Pick<FieldRow, "type">): s.Schema {
  switch (type) {
    case "text":
      return { type: "string" };
    case "boolean":
      return s.FLAG;
    case "object":
      return s.ANY_OBJECT;
    case "integer":
      return s.COUNT;
    case "instant":
      return s.MOMENT;
    case "json":
      return s.ANYTHING;
    case "reference":
    case "account":
      return s.ID;
    case "references":
      return s.listOf(s.ID);
    case "pagination":
      return LIST_SCHEMA;
  }
}
