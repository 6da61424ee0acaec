/** Meta types, which declare fields, and meta instances, which fill them. */
import {
  createMetaInstance,
  createMetaType,
  deleteMetaInstance,
  deleteMetaType,
  updateMetaInstance,
  updateMetaType,
} from "../actions/records/meta.ts";
import type { MetaInstance, MetaType } from "../model/records/meta.ts";
import type { Id } from "../model/page/page.ts";
import type { JsonSchema } from "../model/records/schema.ts";
import { META_INSTANCES } from "../store/records/meta-instances.ts";
import { META_TYPES } from "../store/records/meta-types.ts";
import { instancePayload, META_INSTANCE_LIST, META_TYPE_LIST, typePayload, typeSchema } from "../views/meta/meta.ts";
import type { SiteContext } from "./context.ts";
import type { MetaInstanceInput, MetaTypeInput } from "./inputs.ts";
import { viewOf } from "./options.ts";
import type { MetaInstancePayload, MetaTypePayload } from "./payloads.ts";
import { openRecords, type Records, type WritableSpec } from "./records.ts";

/** Deleting a type that has instances is a `conflict`. */
export interface MetaTypes extends Records<MetaTypeInput, MetaTypePayload> {
  /** The JSON Schema (2020-12) of the data of a type. @throws CmsError `not_found` */
  schema(id: Id): JsonSchema;
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

export const openMetaInstances = (ctx: SiteContext): MetaInstances => openRecords(ctx, META_INSTANCE_SPEC);
