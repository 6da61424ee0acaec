/** Reads the fields of a write by their rows. Errors are collected by key, to be reported all at once. */
import type { ErrorNode } from "../../errors.ts";
import { readNested, readValue, type FieldRow, type ReadValue } from "./field.ts";
import { NOT_AN_OBJECT } from "./input-errors.ts";
import { own, type Json, type JsonObject } from "./json.ts";
import { langSuffix, type Lang, type Locales } from "../language/locale.ts";
import { sentTexts } from "./translated-input.ts";

/** `merge`: PATCH. `replace`: PUT. What is not sent keeps its value in both. */
export type SaveMode = "merge" | "replace";

/** How sent values become those of a record. */
export interface Saving {
  /** The language of texts that name none. */
  readonly lang: Lang;
  readonly mode: SaveMode;
}

/** Receives the errors of values that are not valid. */
export type Errors = Record<string, ErrorNode>;

/** The sent values of fields that are not translated. */
export function readSent(body: JsonObject, rows: readonly FieldRow[], errors: Errors): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const row of rows) {
    const value = own(body, row.name);
    if (value === undefined) continue;
    const read = readNested(row, value);
    if ("error" in read) errors[row.name] = read.error;
    else values[row.name] = read.value;
  }
  return values;
}

export type Texts<T> = Record<Lang, Record<string, T>>;

/** By field name, what reads a translated value. */
export type TextReaders<T> = ReadonlyMap<string, (value: Json) => ReadValue<T>>;

/** Reads values by their rows. */
export const readersOf = (rows: readonly FieldRow[]): TextReaders<Json> =>
  new Map(rows.map((row) => [row.name, (value) => readValue(row, value)] as const));

/**
 * The sent values of translated fields, in any of their three forms (`sentTexts`). Errors are under the suffixed names.
 *
 * @param lang the active language, of flat keys
 */
export function readSentTexts<T>(
  body: JsonObject,
  locales: Locales,
  lang: Lang,
  readers: TextReaders<T>,
  errors: Errors,
): Texts<T> {
  const texts: Texts<T> = {};
  const { byLang, malformed } = sentTexts(body, locales, lang, readers);
  for (const [key, value] of malformed) errors[key] = [NOT_AN_OBJECT(value)];
  for (const [code, sent] of byLang) {
    for (const [name, reader] of readers) {
      const value = sent.get(name);
      if (value === undefined) continue;
      const read = reader(value);
      if ("error" in read)
        errors[`${name}_${langSuffix(code)}`] = typeof read.error === "string" ? [read.error] : read.error;
      else (texts[code] ??= {})[name] = read.value;
    }
  }
  return texts;
}
