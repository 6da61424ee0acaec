/** Payloads and lists of declared records. */
import { objectOf } from "../../model/input/json.ts";
import type { Queryable } from "../../model/lists/query.ts";
import {
  textFieldsOf,
  recordValueOf,
  type DeclaredRecord,
  type RecordDeclaration,
} from "../../model/records/record.ts";
import { declaredTypeOf } from "../../store/records/declared.ts";
import { globalField, ownFields, valueTypeOf } from "../lists/list-field.ts";
import { nestedMedia } from "../media/media.ts";
import type { Payload, View } from "../view.ts";

/** A record inside other payloads, in the language of the view. */
export const nestedRecord = (view: View, of: RecordDeclaration, record: DeclaredRecord): Payload => ({
  id: record.id,
  ...objectOf(
    of.fields.map((row) => {
      const value = recordValueOf(record, row, view.lang, view.locales.default);
      const isMedia = row.target === "cms.Media" && typeof value === "number";
      return [row.name, isMedia ? nestedMedia(view, value) : value] as const;
    }),
  ),
});

/** The record with an id inside other payloads; null when there is none. */
export function nestedRecordOf(view: View, of: RecordDeclaration, id: number): Payload | null {
  const record = view.content.find(declaredTypeOf(of), id);
  return record ? nestedRecord(view, of, record) : null;
}

/** The record in full: with its own values in every language, without fallback. */
export function recordPayload(view: View, of: RecordDeclaration, record: DeclaredRecord): Payload {
  const texts = textFieldsOf(of);
  const exact = (lang: string): Payload =>
    objectOf(texts.map((row) => [row.name, record.translations[lang]?.[row.name] ?? row.default] as const));
  return {
    ...nestedRecord(view, of, record),
    ...(texts.length > 0 && {
      translations: objectOf(view.locales.codes.map((lang) => [lang, exact(lang)] as const)),
    }),
  };
}

/** The fields that lists of the records can be queried by. */
export const recordList = (of: RecordDeclaration): Queryable<DeclaredRecord, View> => ({
  fields: {
    ...ownFields<DeclaredRecord>({ id: "integer" }),
    ...objectOf(
      of.fields.map((row) => {
        const field = row.translated
          ? ({
              type: valueTypeOf(row.type),
              translated: true,
              isNullable: row.default === null,
              get: ({ translations }: DeclaredRecord, _view: View, lang: string) =>
                translations[lang]?.[row.name] ?? row.default,
            } as const)
          : globalField<DeclaredRecord>(row, ({ values }) => values[row.name] ?? row.default);
        return [row.name, field] as const;
      }),
    ),
  },
  search: of.search,
  order: of.order,
});
