/** Meta types, which declare fields, and meta instances, which fill them. */
import {
  createMetaInstance,
  createMetaType,
  deleteMetaInstance,
  deleteMetaType,
  updateMetaInstance,
  updateMetaType,
} from "../actions/meta.ts";
import type { MetaInstance, MetaType } from "../model/meta.ts";
import type { Id } from "../model/page.ts";
import type { JsonSchema } from "../model/schema.ts";
import { META_INSTANCES } from "../store/content/records/meta-instances.ts";
import { META_TYPES } from "../store/content/records/meta-types.ts";
import { instancePayload, META_INSTANCE_LIST, META_TYPE_LIST, typePayload, typeSchema } from "../views/meta.ts";
import type { SiteContext } from "./context.ts";
import type { MetaInstanceInput, MetaTypeInput } from "./inputs.ts";
import { authorOf, viewOf, type WriteOptions } from "./options.ts";
import type { MetaInstancePayload, MetaTypePayload } from "./payloads.ts";
import { readers, writtenPayload, type RecordSpec } from "./records.ts";
import type { Records } from "./structure.ts";

/** Deleting a type that has instances is a `conflict`. */
export interface MetaTypes extends Records<MetaTypeInput, MetaTypePayload> {
  /** The JSON Schema (2020-12) of the data of a type. @throws CmsError `not_found` */
  schema(id: Id): JsonSchema;
}

export type MetaInstances = Records<MetaInstanceInput, MetaInstancePayload>;

export function openMetaTypes(ctx: SiteContext): MetaTypes {
  const spec: RecordSpec<MetaType> = {
    kind: META_TYPES,
    queryable: META_TYPE_LIST,
    show: (_view, type) => typePayload(type),
  };
  return {
    ...readers(ctx, spec),
    create: async (values, options) =>
      writtenPayload(ctx, spec, await createMetaType(ctx, options.by, values), options),
    async update(id, values, options: WriteOptions) {
      const by = authorOf(options, META_TYPES, id);
      return writtenPayload(ctx, spec, await updateMetaType(ctx, by, id, values, "part"), options);
    },
    async delete(id, options) {
      await deleteMetaType(ctx, authorOf(options, META_TYPES, id), id);
    },
    schema: (id) => typeSchema(viewOf(ctx, "editor"), ctx.store.current.get(META_TYPES, id)),
  };
}

export function openMetaInstances(ctx: SiteContext): MetaInstances {
  const spec: RecordSpec<MetaInstance> = {
    kind: META_INSTANCES,
    queryable: META_INSTANCE_LIST,
    show: instancePayload,
    withAccounts: true,
  };
  return {
    ...readers(ctx, spec),
    create: async (values, options) =>
      writtenPayload(ctx, spec, await createMetaInstance(ctx, options.by, values), options),
    async update(id, values, options) {
      const by = authorOf(options, META_INSTANCES, id);
      return writtenPayload(ctx, spec, await updateMetaInstance(ctx, by, id, values, "part"), options);
    },
    async delete(id, options) {
      await deleteMetaInstance(ctx, authorOf(options, META_INSTANCES, id), id);
    },
  };
}
