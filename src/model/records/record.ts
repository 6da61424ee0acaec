/**
 * Simple kinds of record, each declared once: files, validation, payloads, list filters, permissions, routes and
 * OpenAPI follow from the declaration. `records.ts` lists them.
 */
import { refuseInvalid, type FieldErrors } from "../../errors.ts";
import { withFallback } from "../language/fallback.ts";
import type { FieldRow } from "../input/field.ts";
import type { Id } from "../input/id.ts";
import { REQUIRED, requireObject } from "../input/input-errors.ts";
import { own, sameJson, type Json, type JsonObject } from "../input/json.ts";
import { named, refusedKeys, translated, type UnknownFields } from "../input/known-keys.ts";
import { langSuffix, type Lang, type Locales } from "../language/locale.ts";
import { readersOf, readSent, readSentTexts, type Errors } from "../input/sent-fields.ts";

interface RecordField extends FieldRow {
  /** The value of a record without the field, which is not stored. For translated fields, "" is not stored either. */
  readonly default: Json;
  /** The record must have another value than the default; of a translated field, in one language at least. */
  readonly required?: true;
  /** No two records have the same value; of a translated field, in one language. */
  readonly unique?: true;
}

export interface RecordDeclaration {
  /** As API errors and OpenAPI name it: "Tag". References name it `cms.Tag`, permissions `cms.add_tag`. */
  readonly name: string;
  /** In messages: "tag". */
  readonly label: string;
  /** First segment of its paths below the API root, and its folder below `content/`. */
  readonly path: string;
  readonly fields: readonly RecordField[];
  /** The text field that names a record in file names and commit messages. */
  readonly title: string;
  /** The text fields that `search` looks in. */
  readonly search: readonly string[];
  /** The default order of lists, as `Queryable.order`. */
  readonly order: readonly string[];
}

export interface DeclaredRecord {
  readonly id: Id;
  /** By field; defaults are absent. */
  readonly values: JsonObject;
  /** By language, then field; null and "" are absent. */
  readonly translations: { readonly [lang: Lang]: JsonObject };
}

export const textFieldsOf = ({ fields }: RecordDeclaration): readonly RecordField[] =>
  fields.filter((row) => row.translated);

export const plainFieldsOf = ({ fields }: RecordDeclaration): readonly RecordField[] =>
  fields.filter((row) => !row.translated);

/** The model as permissions name it: `tag`. */
export const permissionOf = ({ name }: RecordDeclaration): string => name.toLowerCase();

/** The shown value of a field; a translated one falls back to the default language. */
export function recordValueOf(
  { values, translations }: DeclaredRecord,
  row: RecordField,
  lang: Lang,
  defaultLang: Lang,
): Json {
  if (!row.translated) return own(values, row.name) ?? row.default;
  const valueIn = (each: Lang): Json | undefined => own(translations[each] ?? {}, row.name);
  return withFallback(valueIn, lang, defaultLang, row.default === null) ?? row.default;
}

/** The name of a record for messages: its title in the first language that has one, else its id. */
export function recordTitleOf(declaration: RecordDeclaration, record: DeclaredRecord, langs: readonly Lang[]): string {
  const texts = [record.values, ...langs.map((lang) => record.translations[lang] ?? {})];
  const title = texts.map((text) => own(text, declaration.title)).find((text) => typeof text === "string" && text);
  return String(title ?? record.id);
}

/** The sent values: plain ones under "", translated ones under their language. */
export type RecordChange = ReadonlyMap<Lang | "", JsonObject>;

/** @throws CmsError `invalid` with every offending field */
export function readRecordChange(
  declaration: RecordDeclaration,
  body: unknown,
  locales: Locales,
  lang: Lang,
  unknownFields: UnknownFields,
): RecordChange {
  requireObject(body);
  const texts = textFieldsOf(declaration);
  const names = texts.map(({ name }) => name);
  const plain = plainFieldsOf(declaration);
  const keys = translated(locales, named(...names), named(...plain.map(({ name }) => name)), ["id"]);
  const errors: Errors = { ...refusedKeys(unknownFields, keys, body) };
  const readers = readersOf(texts);
  const change = new Map<Lang | "", JsonObject>([["", readSent(body, plain, errors)]]);
  for (const [code, sent] of Object.entries(readSentTexts(body, locales, lang, readers, errors)))
    change.set(code, sent);
  refuseInvalid(errors);
  return change;
}

/** The record with the sent values replaced. */
export function withRecordChange(
  declaration: RecordDeclaration,
  before: DeclaredRecord,
  change: RecordChange,
): DeclaredRecord {
  const translations: Record<Lang, JsonObject> = { ...before.translations };
  for (const [lang, sent] of change) {
    if (lang === "") continue;
    const texts = storedValues(textFieldsOf(declaration), { ...translations[lang], ...sent });
    if (Object.keys(texts).length > 0) translations[lang] = texts;
    else delete translations[lang];
  }
  const values = storedValues(plainFieldsOf(declaration), { ...before.values, ...change.get("") });
  return { ...before, values, translations };
}

/** The values worth storing, in the order of the table. */
export const storedValues = (rows: readonly RecordField[], values: JsonObject): JsonObject =>
  Object.fromEntries(
    rows.flatMap((row): [string, Json][] => {
      const value = own(values, row.name);
      const isAbsent = value === undefined || sameJson(value, row.default) || (row.translated && value === "");
      return isAbsent ? [] : [[row.name, value]];
    }),
  );

/** The errors of a record among the others of its kind: missing and repeated values. */
export function recordErrors(
  { fields, label }: RecordDeclaration,
  record: DeclaredRecord,
  all: readonly DeclaredRecord[],
  locales: Locales,
): FieldErrors {
  const errors: Record<string, readonly string[]> = {};
  const others = all.filter(({ id }) => id !== record.id);
  for (const { name, unique, required, translated } of fields) {
    const own = translated
      ? Object.entries(record.translations).flatMap(([lang, texts]) => (name in texts ? [lang] : []))
      : name in record.values
        ? [""]
        : [];
    for (const lang of unique ? own : []) {
      const valueIn = (each: DeclaredRecord): Json | undefined =>
        (lang === "" ? each.values : each.translations[lang])?.[name];
      if (!others.some((other) => sameJson(valueIn(other), valueIn(record)))) continue;
      const suffix = lang === "" ? "" : `_${langSuffix(lang)}`;
      errors[name + suffix] = [`${label} with this ${name}${lang && ` [${lang}]`} already exists.`];
    }
    if (required && own.length === 0) errors[translated ? `${name}_${langSuffix(locales.default)}` : name] = [REQUIRED];
  }
  return errors;
}
