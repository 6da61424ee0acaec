/**
 * Declared records on disk: `content/<path>/<title>.yaml`, translated fields under `translations.<lang>`.
 *
 * `values` and `translations` hold what differs from the defaults.
 */
import { invalid } from "../../errors.ts";
import { isEmpty, type Json } from "../../model/input/json.ts";
import { fileSlug } from "../../model/address/slug.ts";
import {
  plainFieldsOf,
  storedValues,
  textFieldsOf,
  type DeclaredRecord,
  type RecordDeclaration,
} from "../../model/records/record.ts";
import { RECORDS } from "../../model/records/records.ts";
import { visitValue } from "../../model/records/reference-name.ts";
import { CONTENT, freeBase, splitSingle, type Kind } from "./record-type.ts";
import { readFields, readId, readTranslations, writeTranslations, type FileErrors } from "./fields.ts";

const NAME_MAX = 80;

function declaredType(declaration: RecordDeclaration): Kind<DeclaredRecord> {
  const { name, label, path, title } = declaration;
  const dir = `${CONTENT}/${path}`;
  const plain = plainFieldsOf(declaration);
  const texts = textFieldsOf(declaration);
  const references = plain.filter(({ type }) => type === "reference" || type === "references");
  // In a file, a required text that is present and blank is an error.
  const fileTexts = texts.map((row) => ({ ...row, ...(row.required && { blank: false }) }));
  return {
    name,
    dir,
    order: () => [
      ["id", ...plain.map((row) => row.name), ...(texts.length > 0 ? ["translations"] : [])],
      [],
      texts.map((row) => row.name),
    ],
    split: (file) => splitSingle(dir, file),
    fromFiles(base, files, locales) {
      const data = [...files.values()][0]?.data ?? {};
      const errors: FileErrors = {};
      const translations = readTranslations(texts.length > 0 ? data : {}, errors, locales, (value, found) => {
        const stored = storedValues(texts, readFields(fileTexts, value, found, locales));
        return isEmpty(stored) ? undefined : stored;
      });
      const values = storedValues(plain, readFields(plain, data, errors, locales));
      const record = { id: readId(data, base, errors), values, translations };
      if (Object.keys(errors).length > 0) throw invalid(errors);
      return record;
    },
    toFiles({ id, values, translations }, main, locales) {
      const data = { id, ...values, ...writeTranslations(locales, (lang) => translations[lang]) };
      return new Map([[main, { data }]]);
    },
    visitReferences(record, visit) {
      const changes = references.flatMap((row): [string, Json][] => {
        const value = record.values[row.name];
        const to = value === undefined ? undefined : visitValue(value, row.target ?? "", row.name, visit);
        return to === undefined || to === value ? [] : [[row.name, to]];
      });
      if (changes.length === 0) return record;
      return { ...record, values: storedValues(plain, { ...record.values, ...Object.fromEntries(changes) }) };
    },
    namesOf: ({ values, translations }, { codes, default: first }) =>
      [values, ...[first, ...codes].map((lang) => translations[lang])].flatMap((texts) => {
        const name = texts?.[title];
        return typeof name === "string" && name !== "" ? [name] : [];
      }),
    newBase(record, used, locales) {
      const texts = [record.values, ...[locales.default, ...locales.codes].map((lang) => record.translations[lang])];
      const slug = texts.map((text) => fileSlug(String(text?.[title] ?? ""), NAME_MAX)).find((each) => each !== "");
      return freeBase(dir, slug ?? `${label.replaceAll(" ", "-")}-${record.id}`, used);
    },
  };
}

const TYPES = new Map(RECORDS.map((declaration) => [declaration.name, declaredType(declaration)] as const));

/** How the declared kinds are stored. */
export const DECLARED_TYPES: readonly Kind<DeclaredRecord>[] = [...TYPES.values()];

/** How one declared kind is stored. */
export function declaredTypeOf({ name }: RecordDeclaration): Kind<DeclaredRecord> {
  const type = TYPES.get(name);
  if (!type) throw new Error(`${name} is not in model/records/records.ts`);
  return type;
}
