/** Meta types and meta instances, for staff (contract.md 10). */
import {
  createMetaInstance,
  createMetaType,
  deleteMetaInstance,
  deleteMetaType,
  updateMetaInstance,
  updateMetaType,
  type WriteMode,
} from "../actions/meta.ts";
import { CmsError, invalid } from "../errors.ts";
import { parseId } from "../model/id.ts";
import type { MetaInstance, MetaType } from "../model/meta.ts";
import { META_INSTANCES } from "../store/content/records/meta-instances.ts";
import { META_TYPES } from "../store/content/records/meta-types.ts";
import { instancePayload, META_INSTANCE_LIST, META_TYPE_LIST, typePayload, typeSchema } from "../views/meta.ts";
import { json, type Reply } from "./reply.ts";
import { resource, type SaveMode } from "./resource.ts";
import type { Access, Call, Route } from "./route.ts";

const STAFF: Access = { staff: true };
const access = { read: STAFF, add: STAFF, change: STAFF, delete: STAFF };
const writeMode = (mode: SaveMode): WriteMode => (mode === "replace" ? "whole" : "part");

export const metaRoutes: readonly Route[] = [
  ...resource<MetaType>({
    path: "meta-types",
    kind: META_TYPES,
    queryable: META_TYPE_LIST,
    show: (_view, type) => typePayload(type),
    access,
    create: ({ ctx }, by, body) => createMetaType(ctx, by, body),
    update: ({ ctx }, by, id, body, mode) => updateMetaType(ctx, by, id, body, writeMode(mode)),
    remove: ({ ctx }, by, id) => deleteMetaType(ctx, by, id),
  }),
  { method: "GET", path: "meta-types/:id/schema", access: STAFF, handle: schemaOfType },
  ...resource<MetaInstance>({
    path: "meta-instances",
    kind: META_INSTANCES,
    queryable: META_INSTANCE_LIST,
    show: instancePayload,
    access,
    showsAccounts: true,
    create: ({ ctx }, by, body) => createMetaInstance(ctx, by, body),
    update: ({ ctx }, by, id, body, mode) => updateMetaInstance(ctx, by, id, body, writeMode(mode)),
    remove: ({ ctx }, by, id) => deleteMetaInstance(ctx, by, id),
  }),
  { method: "GET", path: "meta-instances/schema", access: STAFF, handle: schemaByQuery },
];

function schemaOfType(call: Call): Reply {
  return json(typeSchema(call.view("editor"), call.ctx.store.current.get(META_TYPES, call.id())));
}

/** The same schema by `?meta_type=`; its errors are worded differently (contract.md 10.5). */
function schemaByQuery(call: Call): Reply {
  const asked = call.url.searchParams.getAll("meta_type").at(-1) ?? "";
  if (asked === "") throw invalid({ meta_type: "Query parameter required." });
  const id = parseId(asked);
  const type = id === undefined ? undefined : call.ctx.store.current.find(META_TYPES, id);
  if (!type) throw new CmsError("not_found", "MetaType not found");
  return json(typeSchema(call.view("editor"), type));
}
