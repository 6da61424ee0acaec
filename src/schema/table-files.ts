/** Schemas of the files of kinds that are tables of rows. */
import type { FileRow, FileRows, FileTable } from "../store/records/file-rows.ts";
import { definitionSchema } from "./components/meta.ts";
import { FILE_ID, FILE_REFERENCE, fileFields, fileMoment, fileSchema, mapping } from "./file-schema.ts";
import * as s from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";

const FIELD = { $ref: "#/definitions/field" };
export const DECLARED_FIELDS = s.told(
  "The fields, in the order in which editors show them.",
  s.orNull(s.listOf(FIELD)),
);
export const DEFINITIONS = { field: definitionSchema(s.listOf(FIELD), false) };

/** @param name such as MetaType */
export function tableFile(site: SiteShape, { name, help, rows }: FileTable & { readonly name: string }): s.Schema {
  const hasFields = Object.values(rows).some(({ type }) => type === "definitions");
  return fileSchema(kindTitle(name), help, tableMapping(rows, site), hasFields ? DEFINITIONS : {});
}

/** In words: "Meta type". */
export const kindTitle = (name: string): string => name.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** @param others rows for which the site decides more than their table says */
export const tableMapping = (rows: FileRows, site: SiteShape, others: s.Schemas = {}): s.Schema =>
  rowsMapping(rows, site, { id: FILE_ID }, others);

function rowsMapping(rows: FileRows, site: SiteShape, first: s.Schemas = {}, others: s.Schemas = {}): s.Schema {
  const properties = Object.entries(rows).map(([name, row]) => [name, rowSchema(row, site)] as const);
  const required = Object.keys(rows).filter((name) => rows[name]!.required);
  return mapping({ ...first, ...Object.fromEntries(properties), ...others }, required);
}

function rowSchema(
  { type = "text", rows, choices = [], help = "", nullable, field }: FileRow,
  site: SiteShape,
): s.Schema {
  if (type === "moment") return fileMoment(help, site);
  if (field?.help !== undefined) return fileFields([field], site)[field.name]!;
  const value = {
    text: () => s.TEXT,
    texts: () => s.listOf(s.TEXT),
    id: () => s.ID,
    rowId: () => s.ID,
    reference: () => FILE_REFERENCE,
    language: () => s.oneOfTexts(...site.codes),
    choice: () => s.oneOfTexts(...choices),
    mapping: () => (rows ? rowsMapping(rows, site) : s.ANY_OBJECT),
    rows: () => s.listOf(rowsMapping(rows!, site)),
    definitions: () => DECLARED_FIELDS,
  }[type]();
  const shown = nullable ? s.orNull(value) : value;
  return help === "" ? shown : s.told(help, shown);
}
