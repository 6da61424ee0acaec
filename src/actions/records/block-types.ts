/** Writes to block types. */
import { CmsError, invalid } from "../../errors.ts";
import type { Id } from "../../model/input/id.ts";
import { sameJson } from "../../model/input/json.ts";
import type { Saving } from "../../model/input/sent-fields.ts";
import { blockTypeDefaults, readBlockTypeChange, type DeclaredBlockType } from "../../model/records/block-type.ts";
import { blockUses, type BlockUse } from "../../store/content/indexes/block-uses.ts";
import { loadUses } from "../../store/content/indexes/record-uses.ts";
import { BLOCK_TYPES, blockTypeId } from "../../store/records/block-types.ts";
import type { Author, Written } from "../../store/write/store.ts";
import { pace } from "../../time-slices.ts";
import type { Context } from "../context.ts";
import { typeReading } from "./meta.ts";

/** @throws CmsError `invalid` with the errors by field, those of the schema by row */
export function createBlockType(ctx: Context, by: Author, body: unknown): Promise<Written<DeclaredBlockType>> {
  return ctx.store.transact(by, (tx) => {
    const { name = "", label, ...change } = readBlockTypeChange(body, typeReading(ctx, tx, true));
    const id = blockTypeId(name);
    if (tx.find(BLOCK_TYPES, id)) throw invalid({ name: ["block type with this name already exists."] });
    const blank = blockTypeDefaults(name);
    const type = { id, name, schema: [], ...blank, ...change, label: label || blank.label };
    tx.describe(`Create block type "${name}"`, { "Cms-Action": "create-block-type", "Cms-Block-Type": name });
    return tx.put(BLOCK_TYPES, type);
  });
}

/**
 * Changes a type. Its blocks are not rewritten; the new definitions apply from their next write on.
 *
 * @param mode `replace` requires the name
 */
export function updateBlockType(
  ctx: Context,
  by: Author,
  id: Id,
  body: unknown,
  { mode }: Pick<Saving, "mode">,
): Promise<Written<DeclaredBlockType>> {
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(BLOCK_TYPES, id);
    const { name } = before;
    const change = readBlockTypeChange(body, typeReading(ctx, tx, mode === "replace"));
    if (change.name !== undefined && change.name !== name)
      throw invalid({ name: [`Blocks have "${name}" as their type: it stays. Make another type for another name.`] });
    const type = { ...before, ...change, label: (change.label ?? before.label) || blockTypeDefaults(name).label };
    if (sameJson(before, type)) return before;
    tx.describe(`Change block type "${name}"`, { "Cms-Action": "update-block-type", "Cms-Block-Type": name });
    return tx.put(BLOCK_TYPES, type);
  });
}

/** @throws CmsError `conflict` with the places that use it: fields that name it, and stored blocks of it */
export async function deleteBlockType(ctx: Context, by: Author, id: Id): Promise<Written<void>> {
  const { current } = ctx.store;
  const mediaUrl = ctx.config.MEDIA.URL;
  await loadUses(current, mediaUrl);
  const type = current.get(BLOCK_TYPES, id);
  const found: BlockUse[] = [];
  for (const uses of blockUses(current, type, mediaUrl)) {
    await pace();
    if (found.push(...uses) > SHOWN_MAX) break;
  }
  refuseUsed(type, found);
  return ctx.store.transact(by, (tx) => {
    // What was written meanwhile may use it.
    if (tx.delta?.(BLOCK_TYPES).base !== current) {
      const later: BlockUse[] = [];
      for (const uses of blockUses(tx, tx.get(BLOCK_TYPES, id), mediaUrl)) if (later.push(...uses) > SHOWN_MAX) break;
      refuseUsed(type, later);
    }
    tx.remove(BLOCK_TYPES, id);
    tx.describe(`Delete block type "${type.name}"`, {
      "Cms-Action": "delete-block-type",
      "Cms-Block-Type": type.name,
    });
  });
}

/** How many places an answer names, and its sentence. */
const SHOWN_MAX = 20;
const TOLD_MAX = 3;

function refuseUsed({ name }: DeclaredBlockType, found: readonly BlockUse[]): void {
  if (found.length === 0) return;
  const uses = found.slice(0, SHOWN_MAX).map(({ model, name: title, id, path }) => ({ model, name: title, id, path }));
  const places = uses.slice(0, TOLD_MAX).map(({ name: title, path }) => `${title}: ${path}`);
  const others = found.length > TOLD_MAX ? ", and others" : "";
  const detail = `The block type "${name}" is used (${places.join(", ")}${others}). Remove it there first.`;
  throw new CmsError("conflict", detail, { fields: { uses } });
}
