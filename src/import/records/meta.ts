/**
 * Meta types and instances of an import, in two rounds as pages are: instances may refer to each other, so all have ids before
 * their data is checked.
 */
import { CmsError, sentencesOf } from "../../errors.ts";
import { readInstanceChange, readTypeChange, type MetaInstance, type MetaType } from "../../model/records/meta.ts";
import { possibleName } from "../../model/address/possible-names.ts";
import { withLinkedSchema } from "../../store/records/block-types.ts";
import { prunedData, readData, unknownIn } from "../../model/records/schema.ts";
import { findTypeByKey } from "../../store/content/indexes/meta-index.ts";
import { findModel, hasTarget } from "../../store/content/indexes/references.ts";
import { META_INSTANCES } from "../../store/records/meta-instances.ts";
import { META_TYPES } from "../../store/records/meta-types.ts";
import type { ImportedMetaInstance, ImportedMetaType } from "../imported-site.ts";
import { compare, keepBeside, noteWritten, resolved, type ImportRun } from "../import-run.ts";

export function writeMetaType(run: ImportRun, type: ImportedMetaType): void {
  const { tx, ctx } = run.library;
  const { source, place, key, name, description = "", schema } = type;
  const report = { source, kind: META_TYPES.name, title: name };
  const { outcome, row, from, isKept } = compare(run, report, { ...type, place: undefined });
  if (isKept) return;
  const refuse = (reason: string): void => {
    keepBeside(run, place, { source, what: "meta type", value: { key, name, description, schema } }, reason);
    run.report.add({ ...report, id: null, outcome: "failed" });
  };
  const twin = findTypeByKey(tx, key);
  const known = outcome === "updated" && row ? row.id : undefined;
  if (twin && twin.id !== known && (!run.force || run.importedIds.has(twin.id)))
    return refuse(`The site has a meta type "${key}" already. With --force it is replaced.`);
  const before = tx.find(META_TYPES, known ?? twin?.id ?? 0);
  try {
    const body = { key, name, description, schema };
    const change = readTypeChange(body, {
      findModel: (model) => findModel(tx, model),
      requireAll: true,
      unknownFields: "refuse",
      kinds: ctx.locales.fieldKinds,
    });
    const record: MetaType = {
      id: before?.id ?? tx.newId(),
      key,
      name,
      description,
      schema: [],
      created_at: type.created ?? before?.created_at ?? tx.now,
      updated_at: type.updated ?? tx.now,
      ...change,
    };
    tx.put(META_TYPES, record);
    noteWritten(run, source, META_TYPES.name, record.id, from);
    run.report.add({ ...report, id: record.id, outcome: before ? "updated" : "created" });
  } catch (error) {
    if (!(error instanceof CmsError) || error.code !== "invalid") throw error;
    refuse(`The meta type "${key}" is not imported: ${sentencesOf(error.fields)}`);
  }
}

/** An instance that is to be written. */
export interface OpenInstance {
  readonly instance: ImportedMetaInstance;
  readonly record: MetaInstance;
  /** Before the import; undefined for a new one. */
  readonly before: MetaInstance | undefined;
}

/** The first round. @returns undefined for an instance that stays as it is, or has no type */
export function placeMetaInstance(run: ImportRun, instance: ImportedMetaInstance): OpenInstance | undefined {
  const { tx } = run.library;
  const { source, place, identifier, data } = instance;
  const report = { source, kind: META_INSTANCES.name, title: identifier || source };
  const { outcome, row, from, isKept } = compare(run, report, { ...instance, place: undefined });
  if (isKept) return undefined;
  const type = tx.find(META_TYPES, run.ids.get(instance.type) ?? 0);
  if (!type) {
    const reason = `The type ${instance.type} of the instance "${identifier}" is not imported.`;
    keepBeside(run, place, { source, what: "meta instance", value: data }, reason);
    run.report.add({ ...report, id: null, outcome: "failed" });
    return undefined;
  }
  const before = outcome === "updated" && row ? tx.find(META_INSTANCES, row.id) : undefined;
  const record: MetaInstance = {
    id: before?.id ?? tx.newId(),
    meta_type: type.id,
    folder: before?.folder || possibleName(type.key),
    identifier,
    data: before?.data ?? {},
    created_at: instance.created ?? before?.created_at ?? tx.now,
    updated_at: instance.updated ?? tx.now,
  };
  tx.put(META_INSTANCES, record);
  noteWritten(run, source, META_INSTANCES.name, record.id, from);
  return { instance, record, before };
}

/** The second round. An instance whose data is not valid is kept beside. */
export function writeMetaInstance(run: ImportRun, { instance, record, before }: OpenInstance): void {
  const { tx, ctx } = run.library;
  const { source, place, identifier } = instance;
  const { schema } = withLinkedSchema(tx, tx.get(META_TYPES, record.meta_type!));
  const data = resolved(run, ctx.locales.default, instance.data);
  const read = readData(schema, data, { locales: ctx.locales, exists: hasTarget(tx, run.accountIds) });
  const named = readInstanceChange({ identifier, meta_type: record.meta_type, data }, true, "refuse").errors;
  const report = { source, kind: META_INSTANCES.name, title: identifier || source };
  if ("errors" in read || Object.keys(named).length > 0) {
    if (before) tx.put(META_INSTANCES, before);
    else tx.remove(META_INSTANCES, record.id);
    run.ids.delete(source);
    run.rows.delete(source);
    const errors = { ...named, ...("errors" in read && { data: read.errors }) };
    const reason = `The instance "${identifier}" is not imported: ${sentencesOf(errors)}`;
    keepBeside(run, place, { source, what: "meta instance", value: data }, reason);
    return run.report.add({ ...report, id: null, outcome: "failed" });
  }
  const unknown = [...unknownIn(schema, data, ctx.locales)].map(({ path }) => path.join("."));
  if (unknown.length > 0) {
    const reason = `Its type does not declare ${unknown.join(", ")} of the instance "${identifier}".`;
    keepBeside(run, place, { source, what: "values without a declaration", value: data }, reason);
  }
  tx.put(META_INSTANCES, { ...record, data: prunedData(schema, read.data) });
  run.report.add({ ...report, id: record.id, outcome: before ? "updated" : "created" });
}
