/**
 * Kinds whose files are a table of rows, some of them lists of mappings: how a file is read and written, the order of its
 * keys and its schema (`schema/structure-files.ts`) follow from the table.
 */
import { readValue, type FieldRow } from "../../model/input/field.ts";
import { isId } from "../../model/input/id.ts";
import { isObject, own, sameJson, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Locales } from "../../model/language/locale.ts";
import { readLanguage } from "../../model/page/release.ts";
import { canonicalModelName } from "../../model/records/model-names.ts";
import { isReferenceName, unresolved } from "../../model/records/reference-name.ts";
import { readDefinitions, storedDefinitions, type Definitions } from "../../model/records/schema.ts";
import { oneFileKind, readFields, readId, readMoment, type FileErrors, type OneFileKind } from "./fields.ts";
import type { Entity, Kind } from "./record-type.ts";

type FileType =
  | ("text" | "texts" | "id" | "rowId" | "reference" | "moment" | "language" | "choice")
  | ("mapping" | "rows" | "definitions");

export interface FileRow {
  /** Default: `text`. `rowId`: by which a merge joins two versions of a list. `rows`: a list of mappings. */
  readonly type?: FileType;
  /** The rows of a mapping, or of each mapping in a list. */
  readonly rows?: FileRows;
  readonly choices?: readonly string[];
  /** The key in the record, where it is another one. */
  readonly as?: string;
  /** The value of a record without it, which is not written. A language with null as its default is null for `trash`. */
  readonly default?: Json;
  /** The value of a record whose file lacks it, where that is written. */
  readonly absent?: Json;
  /** The key in the record of the row above it whose value is taken where the file lacks it. */
  readonly absentAs?: string;
  /** The same, of one that is not written where both are equal. */
  readonly defaultAs?: string;
  /** The message for another value, and for none where no value is taken in its place. */
  readonly expected?: string;
  /** The row of the API by which it is read. */
  readonly field?: FieldRow | undefined;
  /** Reads it in place of its type. */
  read?(value: Json, errors: FileErrors): unknown;
  readonly help?: string;
  /** Whether editors of files report that it is missing, and whether they take null. */
  readonly required?: true;
  readonly nullable?: true;
}

/** By their keys in the file, in the order in which they are written. */
export type FileRows = Readonly<Record<string, FileRow>>;

/** One of some texts. */
export const choiceOf = (choices: readonly string[], rest: FileRow = {}): FileRow => ({
  ...{ type: "choice", choices, expected: `Expected one of ${choices.join(", ")}.` },
  ...rest,
});

export interface FileTable {
  /** What the records are, for editors of files. */
  readonly help: string;
  /** Those beside the id. */
  readonly rows: FileRows;
}

interface TableKind<T extends Entity> extends FileTable, Omit<OneFileKind<T>, "read" | "write" | "order"> {
  /** The record with what its rows do not say. */
  complete?(record: T, errors: FileErrors, base: string): T;
}

export function tableKind<T extends Entity>(table: TableKind<T>): Kind<T> & FileTable {
  const { rows, help, complete = (record) => record, ...kind } = table;
  const inLists = Object.values(rows).flatMap((row) => (row.type === "rows" ? Object.keys(row.rows!) : []));
  const made = oneFileKind<T>({
    ...kind,
    order: () => [["id", ...Object.keys(rows)], ...(inLists.length > 0 ? [[], [...new Set(inLists)]] : [])],
    read(data, { base, errors, locales }) {
      const record = { id: readId(data, base, errors), ...readRows(rows, data, errors, locales) };
      return complete(record as unknown as T, errors, base);
    },
    write: (record) => ({ id: record.id, ...writeRows(rows, record as unknown as JsonObject) }),
  });
  return { ...made, help, rows };
}

function writeRows(rows: FileRows, record: JsonObject): JsonObject {
  const written = Object.entries(rows).flatMap(([name, row]): [string, Json][] => {
    const value = record[row.as ?? name]!;
    const left = row.defaultAs === undefined ? row.default : record[row.defaultAs];
    if (left !== undefined && sameJson(value, left)) return [];
    if (row.type === "definitions") return [[name, storedDefinitions(value as unknown as Definitions)]];
    if (row.type !== "rows") return [[name, value]];
    return [[name, (value as readonly JsonObject[]).map((each) => writeRows(row.rows!, each))]];
  });
  return Object.fromEntries(written);
}

function readRows(rows: FileRows, data: JsonObject, errors: FileErrors, locales: Locales): JsonObject {
  const values: Record<string, Json> = {};
  for (const [name, row] of Object.entries(rows)) {
    const { absent = null, defaultAs, absentAs = defaultAs, default: fallback = absent } = row;
    const read = readRow(name, row, data, errors, locales);
    values[row.as ?? name] = read ?? (absentAs === undefined ? fallback : values[absentAs]!);
  }
  return values;
}

/** @returns undefined, or null, for none */
function readRow(name: string, row: FileRow, data: JsonObject, errors: FileErrors, locales: Locales): Json | undefined {
  const { type = "text", expected = "A list is expected." } = row;
  if (type === "moment") return readMoment(data, name, errors, locales);
  if (type === "language")
    return row.default === null && own(data, "action") === "trash" ? null : readLanguage(data, locales, errors);
  const value = own(row.field ? readFields([row.field], data, errors, locales) : data, name) ?? null;
  const isLacking = row.expected !== undefined && row.default === undefined && row.absent === undefined;
  if (value === null && !isLacking) return undefined;
  if (row.read) return row.read(value, errors) as Json;
  if (type === "definitions") {
    const read = readDefinitions(value, canonicalModelName, locales.fieldKinds);
    if ("definitions" in read) return read.definitions as unknown as Json;
    errors[name] = read.errors as FileErrors;
    return undefined;
  }
  const read = type === "rows" ? readList(name, row, value, errors, locales) : READERS[type](value, row);
  if (read === undefined) errors[name] ??= [expected];
  return read;
}

/** The value; undefined for a wrong one. */
const READERS = {
  text(value: Json, row: FileRow) {
    if (row.expected === undefined) return String(value);
    return typeof value === "string" && (value !== "" || row.default !== undefined) ? value : undefined;
  },
  texts: (value: Json) => (Array.isArray(value) ? value.map(String) : undefined),
  id: (value: Json) => (typeof value === "number" ? value : undefined),
  rowId: (value: Json) => (isId(value) ? value : undefined),
  reference(value: Json) {
    if (isReferenceName(value)) return unresolved(value.trim());
    const read = readValue({ name: "", type: "reference" }, value);
    return "value" in read ? (read.value ?? undefined) : undefined;
  },
  choice: (value: Json, { choices = [] }: FileRow) => choices.find((each) => each === value),
  mapping: (value: Json) => (isObject(value) ? value : undefined),
};

function readList(
  name: string,
  { rows = {} }: FileRow,
  value: Json,
  errors: FileErrors,
  locales: Locales,
): Json | undefined {
  if (!Array.isArray(value)) return undefined;
  const wrong: FileErrors = {};
  const read = value.map((each: Json, at) => {
    const found: FileErrors = {};
    const mapping = readRows(rows, isObject(each) ? each : {}, found, locales);
    if (Object.keys(found).length > 0) wrong[at] = found;
    return mapping;
  });
  if (Object.keys(wrong).length > 0) errors[name] = wrong;
  return read;
}
