/**
 * Pieces of the schemas of files, which editors of YAML read: JSON Schema draft 7. They accept what people may write by
 * hand; unknown keys are refused, since most of them are typing errors.
 */
import type { FieldRow } from "../model/input/field.ts";
import { isObject } from "../model/input/json.ts";
import type { Lang } from "../model/language/locale.ts";
import { LOCAL_MOMENT } from "../model/time/time-zone.ts";
import { valueOf } from "./fields.ts";
import { byKey, ID, MOMENT, orNull, told, type Schema, type Schemas } from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

/** A number is read as a text. */
const TEXT_VALUE: Schema = { type: ["string", "number"] };

/** A reference in a file: an id or a name, such as a permalink. */
export const FILE_REFERENCE: Schema = { ...ID, type: ["integer", "string"], minLength: 1, examples: [12, "/about"] };

/** What decides how files are read. */
type Reading = Pick<SiteShape, "hasTimeZone">;

/** The values of a table's fields in a file. Null stands for the default. */
export const fileFields = (rows: readonly FieldRow[], site: Reading): Schemas =>
  Object.fromEntries(rows.map((row) => [row.name, fileValue(row, site)]));

function fileValue(row: FieldRow, site: Reading): Schema {
  const limits = { ...(row.max !== undefined && { maxLength: row.max }), ...(row.blank === false && { minLength: 1 }) };
  const value = row.type === "text" ? { ...TEXT_VALUE, ...limits } : inFile(row, site);
  const shown = value.type === undefined ? value : nullable(value);
  return row.help === undefined ? shown : told(row.help, shown);
}

function inFile(row: FieldRow, site: Reading): Schema {
  const value = valueOf(row);
  if (row.type === "instant") return momentOf(site);
  if (row.type === "reference") return { ...value, ...FILE_REFERENCE };
  return row.type === "references" ? { ...value, items: FILE_REFERENCE } : value;
}

const nullable = (schema: Schema): Schema =>
  Array.isArray(schema.type) ? { ...schema, type: [...(schema.type as string[]), "null"] } : orNull(schema);

export const FILE_ID = told(
  "A whole number, unique among the records of a kind; derived from the path if it is left out.",
  nullable(ID),
);

/** A moment with its zone; without one, too, where the site has a time zone. */
export const fileMoment = (help: string, site: Reading): Schema => told(help, nullable(momentOf(site)));

function momentOf({ hasTimeZone }: Reading): Schema {
  const { type, format, examples } = MOMENT;
  if (!hasTimeZone) return MOMENT;
  return {
    type,
    anyOf: [{ format }, { pattern: LOCAL_MOMENT.source }],
    examples: [...(examples as readonly string[]), "2027-01-01 09:00", "2027-01-01"],
  };
}

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
