/** Meta types, which declare fields, and meta instances, which fill them; block types, which declare those of sections. */
import { createBlockType, deleteBlockType, updateBlockType } from "../actions/records/block-types.ts";
import {
  createMetaInstance,
  createMetaType,
  deleteMetaInstance,
  deleteMetaType,
  updateMetaInstance,
  updateMetaType,
} from "../actions/records/meta.ts";
import type { DeclaredBlockType } from "../model/records/block-type.ts";
import type { MetaInstance, MetaType } from "../model/records/meta.ts";
import type { Id } from "../model/page/page.ts";
import type { JsonSchema } from "../model/records/schema.ts";
import { BLOCK_TYPES, blockTypeId } from "../store/records/block-types.ts";
import { META_INSTANCES } from "../store/records/meta-instances.ts";
import { META_TYPES } from "../store/records/meta-types.ts";
import {
  BLOCK_TYPE_LIST,
  blockTypePayload,
  blockTypeSchema,
  instancePayload,
  META_INSTANCE_LIST,
  META_TYPE_LIST,
  typePayload,
  typeSchema,
} from "../views/meta/meta.ts";
import type { SiteContext } from "./context.ts";
import type { BlockTypeInput, MetaInstanceInput, MetaTypeInput } from "./inputs.ts";
import { viewOf } from "./options.ts";
import type { BlockTypePayload, MetaInstancePayload, MetaTypePayload } from "./payloads.ts";
import { openRecords, type Records, type WritableSpec } from "./records.ts";

/** Deleting a type that has instances is a `conflict`. */
export interface MetaTypes extends Records<MetaTypeInput, MetaTypePayload> {
  /** The JSON Schema (2020-12) of the data of a type. @throws CmsError `not_found` */
  schema(id: Id): JsonSchema;
}

/** Kinds of sections, by name. Deleting one that is used is a `conflict` with the places. */
export interface BlockTypes extends Records<BlockTypeInput, BlockTypePayload, string> {
  /** The JSON Schema (2020-12) of a block. @throws CmsError `not_found` */
  schema(name: string): JsonSchema;
}

export type MetaInstances = Records<MetaInstanceInput, MetaInstancePayload>;

export const META_TYPE_SPEC: WritableSpec<MetaType> = {
  kind: META_TYPES,
  queryable: META_TYPE_LIST,
  show: (_view, type) => typePayload(type),
  create: createMetaType,
  update: updateMetaType,
  remove: deleteMetaType,
};

export const BLOCK_TYPE_SPEC: WritableSpec<DeclaredBlockType> = {
  kind: BLOCK_TYPES,
  queryable: BLOCK_TYPE_LIST,
  show: blockTypePayload,
  create: createBlockType,
  update: updateBlockType,
  remove: deleteBlockType,
};

export const META_INSTANCE_SPEC: WritableSpec<MetaInstance> = {
  kind: META_INSTANCES,
  queryable: META_INSTANCE_LIST,
  show: instancePayload,
  showsAccounts: true,
  create: createMetaInstance,
  update: updateMetaInstance,
  remove: deleteMetaInstance,
};

export const openMetaTypes = (ctx: SiteContext): MetaTypes => ({
  ...openRecords<MetaTypeInput, MetaTypePayload, MetaType>(ctx, META_TYPE_SPEC),
  schema: (id) => typeSchema(viewOf(ctx, "editor"), ctx.store.current.get(META_TYPES, id)),
});

export function openBlockTypes(ctx: SiteContext): BlockTypes {
  const byId = openRecords<BlockTypeInput, BlockTypePayload, DeclaredBlockType>(ctx, BLOCK_TYPE_SPEC);
  return {
    ...byId,
    get: (name, options) => byId.get(blockTypeId(name), options),
    find: (name, options) => byId.find(blockTypeId(name), options),
    version: (name) => byId.version(blockTypeId(name)),
    update: (name, values, options) => byId.update(blockTypeId(name), values, options),
    delete: (name, options) => byId.delete(blockTypeId(name), options),
    schema: (name) => blockTypeSchema(viewOf(ctx, "editor"), ctx.store.current.get(BLOCK_TYPES, blockTypeId(name))),
  };
}

export const openMetaInstances = (ctx: SiteContext): MetaInstances => openRecords(ctx, META_INSTANCE_SPEC);
