/** Writes to declared records. */
import { refuseInvalid } from "../../errors.ts";
import type { Lang } from "../../model/language/locale.ts";
import { noSuchTarget } from "../../model/input/input-errors.ts";
import { GLOBAL_FIELDS, type Id } from "../../model/page/page.ts";
import {
  readRecordChange,
  recordErrors,
  recordTitleOf,
  withRecordChange,
  type DeclaredRecord,
  type RecordDeclaration,
} from "../../model/records/record.ts";
import { modelOf } from "../../model/records/records.ts";
import { findTarget } from "../../store/content/indexes/references.ts";
import { loadRecords } from "../../store/content/indexes/pages-by-model.ts";
import { declaredTypeOf } from "../../store/records/declared.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Trailers, Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { clearReferences } from "../pages/references.ts";

type Changed = Promise<Written<DeclaredRecord>>;

/** @throws CmsError `invalid` with every offending field */
export function createRecord(ctx: Context, by: Author, of: RecordDeclaration, body: unknown, lang: Lang): Changed {
  const change = readRecordChange(of, body, ctx.locales, lang, ctx.unknownFields);
  return ctx.store.transact(by, (tx) => {
    const record = withRecordChange(of, { id: tx.newId(), values: {}, translations: {} }, change);
    tx.describe(`Create ${of.label} "${nameOf(ctx, of, record)}"`, trailers("create", of, record.id));
    return validateAndPut(ctx, tx, of, record);
  });
}

/** Changes the sent values; null or "" removes the value of a language. @throws CmsError as `createRecord` */
export function updateRecord(
  ctx: Context & { readonly of: RecordDeclaration },
  by: Author,
  id: Id,
  body: unknown,
  lang: Lang,
): Changed {
  const { of } = ctx;
  const change = readRecordChange(of, body, ctx.locales, lang, ctx.unknownFields);
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(declaredTypeOf(of), id);
    tx.describe(`Change ${of.label} "${nameOf(ctx, of, before)}"`, trailers("update", of, id));
    return validateAndPut(ctx, tx, of, withRecordChange(of, before, change));
  });
}

/** Deletes records, and removes them from pages and drafts; unknown ids are ignored. */
export async function deleteRecords(
  ctx: Context,
  by: Author,
  of: RecordDeclaration,
  ids: readonly Id[],
): Promise<Written<void>> {
  const kind = declaredTypeOf(of);
  const isReferenced = GLOBAL_FIELDS.some(({ target }) => target === modelOf(of));
  if (isReferenced) await loadRecords(ctx.store.current);
  return ctx.store.transact(by, (tx) => {
    const records = [...new Set(ids)].flatMap((id) => tx.find(kind, id) ?? []);
    for (const { id } of records) tx.remove(kind, id);
    if (isReferenced) clearReferences(tx, { [modelOf(of)]: new Set(records.map(({ id }) => id)) });
    const [only] = records;
    const what =
      only && records.length === 1 ? `${of.label} "${nameOf(ctx, of, only)}"` : `${records.length} ${of.path}`;
    tx.describe(`Delete ${what}`, trailers("delete", of));
  });
}

function validateAndPut(ctx: Context, tx: Tx, of: RecordDeclaration, record: DeclaredRecord): DeclaredRecord {
  const kind = declaredTypeOf(of);
  const errors: Record<string, readonly string[]> = {};
  const before = tx.find(kind, record.id);
  for (const { name, target: model } of of.fields) {
    if (model === undefined || record.values[name] === before?.values[name]) continue;
    const missing = [record.values[name]].flat().find((id) => typeof id === "number" && !findTarget(tx, { model, id }));
    if (typeof missing === "number") errors[name] = [noSuchTarget(missing)];
  }
  refuseInvalid({ ...recordErrors(of, record, tx.all(kind), ctx.locales), ...errors });
  return tx.put(kind, record);
}

const nameOf = ({ locales }: Context, of: RecordDeclaration, record: DeclaredRecord): string =>
  recordTitleOf(of, record, [locales.default, ...locales.codes]);

const trailers = (verb: string, { name, label }: RecordDeclaration, id?: Id): Trailers => ({
  "Cms-Action": `${verb}-${label.replaceAll(" ", "-")}`,
  [`Cms-${name}`]: id,
});
