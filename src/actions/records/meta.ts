/** Writes to meta types and their instances. */
import { blockIdFrom } from "../../model/fields/blocks.ts";
import { linkedSchema } from "../../store/records/block-types.ts";
import { CmsError, invalid, refuseInvalid, type FieldErrors } from "../../errors.ts";
import { sameJson, type Json } from "../../model/input/json.ts";
import { mergeErrors, refusedKeys } from "../../model/input/known-keys.ts";
import { readInstanceChange, readTypeChange, type MetaInstance, type MetaType } from "../../model/records/meta.ts";
import type { Id } from "../../model/page/page.ts";
import { noSuchTarget, REQUIRED } from "../../model/input/input-errors.ts";
import { possibleName } from "../../model/address/possible-names.ts";
import { linkTargetsIn } from "../../model/records/references.ts";
import type { Saving } from "../../model/input/sent-fields.ts";
import { dataKeys, prunedData, readData, type ReadData } from "../../model/records/schema.ts";
import { META_INSTANCES } from "../../store/records/meta-instances.ts";
import { META_TYPES } from "../../store/records/meta-types.ts";
import { findTypeByKey, instancesOf, typeOf } from "../../store/content/indexes/meta-index.ts";
import { findModel, hasTarget } from "../../store/content/indexes/references.ts";
import type { Reader } from "../../store/records/record-type.ts";
import type { TypeReading } from "../../model/records/type-change.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { orAlreadyLinked } from "../pages/references.ts";

/** How a write to what declares fields is read. @param requireAll whether what it needs must be sent */
export const typeReading = (
  { unknownFields, locales }: Pick<Context, "unknownFields" | "locales">,
  reader: Reader,
  requireAll: boolean,
): TypeReading => ({
  findModel: (name) => findModel(reader, name),
  requireAll,
  unknownFields,
  kinds: locales.fieldKinds,
});

/** @throws CmsError `invalid` with the errors by field, those of the schema by row */
export function createMetaType(ctx: Context, by: Author, body: unknown): Promise<Written<MetaType>> {
  return ctx.store.transact(by, (tx) => {
    const change = readTypeChange(body, typeReading(ctx, tx, true));
    const blank: MetaType = {
      id: tx.newId(),
      key: "",
      name: "",
      description: "",
      schema: [],
      created_at: tx.now,
      updated_at: tx.now,
    };
    const type = { ...blank, ...change };
    refuseTakenKey(tx, type);
    tx.describe(`Create meta type "${type.name}"`, { "Cms-Action": "create-meta-type", "Cms-Meta-Type": type.id });
    return tx.put(META_TYPES, type);
  });
}

/**
 * Changes a type. Its instances are not rewritten; the new definitions apply from their next write on.
 *
 * @param mode `replace` requires key and name
 */
export function updateMetaType(
  ctx: Context,
  by: Author,
  id: Id,
  body: unknown,
  { mode }: Pick<Saving, "mode">,
): Promise<Written<MetaType>> {
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(META_TYPES, id);
    const type = { ...before, ...readTypeChange(body, typeReading(ctx, tx, mode === "replace")) };
    refuseTakenKey(tx, type);
    if (sameJson(before, type)) return before;
    tx.describe(`Change meta type "${type.name}"`, { "Cms-Action": "update-meta-type", "Cms-Meta-Type": id });
    if (type.key !== before.key) storeTypeId(tx, before);
    return tx.put(META_TYPES, { ...type, updated_at: tx.now });
  });
}

/** @throws CmsError `conflict` with the number of instances, if there are any */
export function deleteMetaType(ctx: Context, by: Author, id: Id): Promise<Written<void>> {
  return ctx.store.transact(by, (tx) => {
    const type = tx.get(META_TYPES, id);
    const count = instancesOf(tx, type).length;
    if (count > 0) {
      const [instances, them] = count === 1 ? ["an instance", "it"] : [`${count} instances`, "them"];
      const detail = `The meta type "${type.key}" has ${instances}. Delete ${them} first.`;
      throw new CmsError("conflict", detail, { fields: { count } });
    }
    tx.remove(META_TYPES, id);
    tx.describe(`Delete meta type "${type.name}"`, { "Cms-Action": "delete-meta-type", "Cms-Meta-Type": id });
  });
}

/** @throws CmsError `invalid` with the errors by field, those of the data nested */
export async function createMetaInstance(ctx: Context, by: Author, body: unknown): Promise<Written<MetaInstance>> {
  const accountIds = await accountIdsOf(ctx);
  return ctx.store.transact(by, (tx) => {
    const blank = {
      id: tx.newId(),
      meta_type: null,
      folder: "",
      identifier: "",
      data: {},
      created_at: tx.now,
      updated_at: tx.now,
    };
    const instance = applyInstanceChange({ ...ctx, tx, accountIds }, blank, body, "replace");
    tx.describe(`Create ${instanceLabel(tx, instance)}`, {
      "Cms-Action": "create-meta-instance",
      "Cms-Meta-Instance": instance.id,
    });
    return tx.put(META_INSTANCES, instance);
  });
}

/**
 * Changes an instance. Sent `data` replaces the stored data; without it the data is validated only if the type changes.
 *
 * @param mode `replace` requires type and data
 */
export async function updateMetaInstance(
  ctx: Context,
  by: Author,
  id: Id,
  body: unknown,
  { mode }: Pick<Saving, "mode">,
): Promise<Written<MetaInstance>> {
  const accountIds = await accountIdsOf(ctx);
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(META_INSTANCES, id);
    const instance = applyInstanceChange({ ...ctx, tx, accountIds }, before, body, mode);
    if (sameJson(before, instance)) return before;
    tx.describe(`Change ${instanceLabel(tx, instance)}`, {
      "Cms-Action": "update-meta-instance",
      "Cms-Meta-Instance": id,
    });
    return tx.put(META_INSTANCES, { ...instance, updated_at: tx.now });
  });
}

export function deleteMetaInstance(ctx: Context, by: Author, id: Id): Promise<Written<void>> {
  return ctx.store.transact(by, (tx) => {
    const instance = tx.get(META_INSTANCES, id);
    tx.describe(`Delete ${instanceLabel(tx, instance)}`, {
      "Cms-Action": "delete-meta-instance",
      "Cms-Meta-Instance": id,
    });
    tx.remove(META_INSTANCES, id);
  });
}

/** @property accountIds those that references to accounts may have */
interface InstanceContext extends Context {
  readonly tx: Tx;
  readonly accountIds: ReadonlySet<Id>;
}

/**
 * The instance with a change applied. Its data is validated if it was sent or the type changes.
 *
 * @throws CmsError `invalid`
 */
function applyInstanceChange(
  ctx: InstanceContext,
  before: MetaInstance,
  body: unknown,
  mode: Saving["mode"],
): MetaInstance {
  const { tx } = ctx;
  const {
    errors: found,
    meta_type,
    data: sent,
    ...rest
  } = readInstanceChange(body, mode === "replace", ctx.unknownFields);
  const errors: Record<string, FieldErrors[string]> = { ...found };
  const was = typeOf(tx, before);
  const type = meta_type === undefined ? was : tx.find(META_TYPES, meta_type);
  if (meta_type !== undefined && !type) errors.meta_type = [noSuchTarget(meta_type)];
  let data = before.data;
  if (sent !== undefined || type?.id !== was?.id) {
    const read = type && readInstanceData(ctx, type, before, sent);
    if (!read) errors.meta_type ??= [REQUIRED]; // without a type the data cannot be validated
    else if ("errors" in read) errors.data = read.errors;
    else data = read.data;
  }
  refuseInvalid(errors);
  return {
    ...before,
    ...rest,
    ...(meta_type !== undefined && { meta_type }),
    folder: before.folder || possibleName(type?.key ?? ""),
    data,
  };
}

/** The data to store. @param sent undefined: the stored data is validated, against another type */
function readInstanceData(
  { locales, unknownFields, tx, accountIds }: InstanceContext,
  type: MetaType,
  before: MetaInstance,
  sent: Json | undefined,
): ReadData {
  const schema = linkedSchema(tx, type.schema);
  const keys = dataKeys(schema, locales, [before.data]);
  const unknown = sent === undefined ? {} : refusedKeys(unknownFields, keys, sent);
  const exists = orAlreadyLinked(hasTarget(tx, accountIds), () => linkTargetsIn(before.data));
  const read = readData(schema, sent === undefined ? before.data : sent, {
    locales,
    exists,
    newId: () => blockIdFrom(tx.uuid()),
  });
  if ("errors" in read) return { errors: mergeErrors(read.errors, unknown) };
  return Object.keys(unknown).length > 0 ? { errors: unknown } : { data: prunedData(schema, read.data) };
}

function refuseTakenKey(tx: Tx, { id, key }: MetaType): void {
  const owner = findTypeByKey(tx, key);
  if (owner && owner.id !== id) throw invalid({ key: ["meta type with this key already exists."] });
}

/** Stores the type id in instances that only their folder assigns to the type, before its key changes. */
function storeTypeId(tx: Tx, type: MetaType): void {
  for (const instance of instancesOf(tx, type)) {
    if (instance.meta_type === null) tx.put(META_INSTANCES, { ...instance, meta_type: type.id });
  }
}

const accountIdsOf = async (ctx: Context): Promise<ReadonlySet<Id>> =>
  new Set((await ctx.accounts.store.list()).map(({ id }) => id));

function instanceLabel(tx: Tx, instance: MetaInstance): string {
  const name = instance.identifier === "" ? instance.id : `"${instance.identifier}"`;
  return `${typeOf(tx, instance)?.name ?? instance.folder} ${name}`;
}
