/** Reading and writing the values of a file by a table of fields. */
import { createHash } from "node:crypto";
import { invalid } from "../../errors.ts";
import type { Instant } from "../../model/time/instant.ts";
import { isEmpty, isObject, own, sameJson, type Json, type JsonObject } from "../../model/input/json.ts";
import { ID_MAX, isId } from "../../model/input/id.ts";
import { readNested, readValue, type FieldRow, type ReadValue } from "../../model/input/field.ts";
import { isReferenceName } from "../../model/records/reference-name.ts";
import { findLang, type Lang, type Locales } from "../../model/language/locale.ts";
import { momentIn, type TimeZone } from "../../model/time/time-zone.ts";
import { splitSingle, type Base, type Entity, type Kind } from "./record-type.ts";

/** Collects the errors in a file by key, nested as the file is. */
export interface FileErrors {
  [key: string]: string[] | FileErrors;
}

/** A kind whose records have one file each. `split` is absent where the name of the file does not matter. */
export interface OneFileKind<T extends Entity> extends Omit<Kind<T>, "fromFiles" | "toFiles" | "split"> {
  readonly split?: Kind<T>["split"];
  /** Refused if there is an error then. */
  read(data: JsonObject, file: { readonly base: Base; readonly errors: FileErrors; readonly locales: Locales }): T;
  /** Without default values. */
  write(record: T, locales: Locales): JsonObject;
}

export const oneFileKind = <T extends Entity>({ read, write, ...kind }: OneFileKind<T>): Kind<T> => ({
  split: (path) => splitSingle(kind.dir, path),
  ...kind,
  fromFiles(base, files, locales) {
    const errors: FileErrors = {};
    const record = read([...files.values()][0]!.data, { base, errors, locales });
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return record;
  },
  toFiles: (record, main, locales) => new Map([[main, { data: write(record, locales) }]]),
});

/**
 * The values of a table's fields in a mapping; a field that is absent gets no entry.
 *
 * @param errors receives one message for each invalid value
 */
export function readFields(
  rows: readonly FieldRow[],
  data: JsonObject,
  errors: FileErrors,
  { timeZone }: Pick<Locales, "timeZone">,
): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const row of rows) {
    const value = own(data, row.name);
    if (value === undefined) continue;
    const read = value === null ? { value: row.type === "json" ? {} : null } : readInFile(row, value, timeZone);
    if ("error" in read) errors[row.name] = read.error;
    else if (read.value !== null || row.nullable) values[row.name] = read.value;
  }
  return values;
}

/**
 * As `readValue`; a name where an id is expected stays, to be resolved with the other records, and a moment without a
 * zone is in the site's.
 */
function readInFile(row: FieldRow, value: Json, zone: TimeZone | undefined): ReadValue<Json, string[] | FileErrors> {
  const at = row.type === "instant" ? momentIn(value, zone) : undefined;
  if (at) return { value: at };
  if (row.type === "reference" && isReferenceName(value)) return { value: value.trim() };
  if (row.type !== "references" || !Array.isArray(value)) return readNested(row, value);
  const items: Json[] = [];
  for (const item of value as readonly Json[]) {
    const read = isReferenceName(item) ? { value: [item.trim()] } : readValue(row, [item]);
    if ("error" in read) return { error: [read.error] };
    for (const each of read.value as readonly Json[]) if (!items.includes(each)) items.push(each);
  }
  return { value: items };
}

/** The values that differ from their defaults, in the order of the table: those that a file needs. */
export function writeFields(rows: readonly FieldRow[], record: object, defaults: object): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const { name } of rows) {
    const value = (record as Record<string, Json>)[name];
    if (value !== undefined && !sameJson(value, (defaults as Record<string, Json>)[name])) values[name] = value;
  }
  return values;
}

/** The id in a file, or the one derived from its path: the same in every clone (ARCHITECTURE.md). */
export function readId(data: JsonObject, base: Base, errors: FileErrors): number {
  const id = own(data, "id");
  if (id === undefined || id === null) return derivedId(base);
  if (isId(id)) return id;
  errors.id = [`An id is a whole number from 1 to ${ID_MAX}; leave it out to have one derived.`];
  return derivedId(base);
}

const digestOf = (base: Base): Buffer => createHash("sha256").update(base).digest();

export const derivedId = (base: Base): number => (digestOf(base).readUInt32BE(0) % ID_MAX) + 1;

/** A version 8 UUID from the digest of the path. */
export function derivedUuid(base: Base): string {
  const bytes = digestOf(base).subarray(4, 20);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A moment in a file; null when absent. Without a zone, it is an error as at the API, or in that of the site. */
export function readMoment(
  data: JsonObject,
  key: string,
  errors: FileErrors,
  { timeZone }: Pick<Locales, "timeZone">,
): Instant | null {
  const value = own(data, key);
  if (value === undefined || value === null) return null;
  const at = momentIn(value, timeZone);
  if (!at)
    errors[key] = [
      timeZone
        ? `A moment is written as 2026-03-01, as 2026-03-01 10:00, or with its zone, as 2026-03-01T09:00:00.000Z.`
        : "A moment is written with its zone, as 2026-03-01T09:00:00.000Z.",
    ];
  return at ?? null;
}

/** The mapping under a key; {} when absent. */
export function readMapping(data: JsonObject, key: string, errors: FileErrors): JsonObject {
  const value = own(data, key);
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  errors[key] = ["Expected a mapping (key: value)."];
  return {};
}

/**
 * What a file has below `translations` in the languages of the site; others stay in the file.
 *
 * @param read gets the errors of one language @returns undefined for none
 * @param expected the message for a language without a mapping; absent: it has no texts
 */
export function readTranslations<T>(
  data: JsonObject,
  errors: FileErrors,
  locales: Locales,
  read: (texts: JsonObject, errors: FileErrors) => T | undefined,
  expected?: string,
): Record<Lang, T> {
  const translations: Record<Lang, T> = {};
  const wrong: FileErrors = {};
  for (const [code, texts] of Object.entries(readMapping(data, "translations", errors))) {
    const lang = findLang(locales, code);
    if (lang === undefined) continue;
    const found: FileErrors = {};
    const value = isObject(texts) ? read(texts, found) : undefined;
    if (!isObject(texts) && expected !== undefined) wrong[code] = [expected];
    if (Object.keys(found).length > 0) wrong[code] = found;
    if (value !== undefined) translations[lang] = value;
  }
  if (Object.keys(wrong).length > 0) errors.translations = wrong;
  return translations;
}

/** The key `translations` of a file; absent where no language has texts. */
export function writeTranslations(
  { codes }: Locales,
  textsOf: (lang: Lang) => JsonObject | undefined,
): { readonly translations?: JsonObject } {
  const written = codes.flatMap((lang): [string, Json][] => {
    const texts = textsOf(lang);
    return texts && !isEmpty(texts) ? [[lang, texts]] : [];
  });
  return written.length > 0 ? { translations: Object.fromEntries(written) } : {};
}
