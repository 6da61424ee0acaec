/**
 * Pieces of the schemas of files, which editors of YAML read: JSON Schema draft 7. They accept what people may write by
 * hand; unknown keys are refused, since most of them are typing errors.
 */
import type { FieldRow } from "../model/field.ts";
import { isObject } from "../model/json.ts";
import type { Lang } from "../model/locale.ts";
import { valueOf } from "./fields.ts";
import { byKey, ID, orNull, told, type Schema, type Schemas } from "./json-schema.ts";

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

/** A number is read as a text. */
const TEXT_VALUE: Schema = { type: ["string", "number"] };

/** The values of a table's fields in a file. Null stands for the default. */
export const fileFields = (rows: readonly FieldRow[]): Schemas =>
  Object.fromEntries(rows.map((row) => [row.name, fileValue(row)]));

function fileValue(row: FieldRow): Schema {
  const limits = { ...(row.max !== undefined && { maxLength: row.max }), ...(row.blank === false && { minLength: 1 }) };
  const value = row.type === "text" ? { ...TEXT_VALUE, ...limits } : valueOf(row);
  const shown = value.type === undefined ? value : nullable(value);
  return row.help === undefined ? shown : told(row.help, shown);
}

const nullable = (schema: Schema): Schema =>
  Array.isArray(schema.type) ? { ...schema, type: [...(schema.type as string[]), "null"] } : orNull(schema);

export const FILE_ID = told(
  "A whole number, unique among the records of a kind; derived from the path if it is left out.",
  nullable(ID),
);

/** A moment with its zone. */
export const fileMoment = (help: string): Schema =>
  told(help, { type: ["string", "null"], format: "date-time", examples: ["2027-01-01T08:00:00.000Z"] });

/** `translations` with the fields of each language. */
export const fileTranslations = (codes: readonly Lang[], texts: Schema): Schema =>
  nullable(byKey(codes, nullable(texts), "The values of each language."));

/** A mapping with these keys and no others. */
export const mapping = (properties: Schemas, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** The schema of a whole file. @param definitions what `#/definitions/<name>` refers to */
export const fileSchema = (title: string, description: string, schema: Schema, definitions: Schemas = {}): Schema => ({
  $schema: DRAFT_7,
  title,
  description,
  ...(older(schema) as Schema),
  ...(Object.keys(definitions).length > 0 && { definitions: older(definitions) }),
});

/** A schema with the keywords of draft 7. */
function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key === "unevaluatedProperties" ? "additionalProperties" : key,
      key === "examples" || key === "enum" || key === "const" || key === "default" ? inner : older(inner),
    ]),
  );
}
