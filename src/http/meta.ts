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
import type { Account } from "../model/account.ts";
import { parseId } from "../model/id.ts";
import type { MetaInstance, MetaType } from "../model/meta.ts";
import { META_INSTANCES } from "../store/content/records/meta-instances.ts";
import { META_TYPES } from "../store/content/records/meta-types.ts";
import { instancePayload, META_INSTANCE_LIST, META_TYPE_LIST, typePayload, typeSchema } from "../views/meta.ts";
import { json, noContent, type Reply } from "./reply.ts";
import { authorOf, listReply, readReply, writtenReply, type Resource } from "./resource.ts";
import type { Access, Call, Route } from "./route.ts";

const TYPE: Resource<MetaType> = {
  kind: META_TYPES,
  queryable: META_TYPE_LIST,
  show: (_view, type) => typePayload(type),
};
const INSTANCE: Resource<MetaInstance> = { kind: META_INSTANCES, queryable: META_INSTANCE_LIST, show: instancePayload };

const STAFF: Access = { staff: true };

export const metaRoutes: readonly Route[] = [
  { method: "GET", path: "meta-types", access: STAFF, handle: listTypes },
  { method: "POST", path: "meta-types", access: STAFF, handle: createType },
  { method: "GET", path: "meta-types/:id", access: STAFF, handle: retrieveType },
  { method: "PUT", path: "meta-types/:id", access: STAFF, handle: updateType("whole") },
  { method: "PATCH", path: "meta-types/:id", access: STAFF, handle: updateType("part") },
  { method: "DELETE", path: "meta-types/:id", access: STAFF, handle: removeType },
  { method: "GET", path: "meta-types/:id/schema", access: STAFF, handle: schemaOfType },
  { method: "GET", path: "meta-instances", access: STAFF, handle: listInstances },
  { method: "POST", path: "meta-instances", access: STAFF, handle: createInstance },
  { method: "GET", path: "meta-instances/schema", access: STAFF, handle: schemaByQuery },
  { method: "GET", path: "meta-instances/:id", access: STAFF, handle: retrieveInstance },
  { method: "PUT", path: "meta-instances/:id", access: STAFF, handle: updateInstance("whole") },
  { method: "PATCH", path: "meta-instances/:id", access: STAFF, handle: updateInstance("part") },
  { method: "DELETE", path: "meta-instances/:id", access: STAFF, handle: removeInstance },
];

function listTypes(call: Call): Promise<Reply> {
  return listReply(call, call.ctx.store.current.all(META_TYPES), META_TYPE_LIST, typePayload);
}

async function createType(call: Call): Promise<Reply> {
  return writtenReply(call, TYPE, await createMetaType(call.ctx, call.author(), await call.body()), { status: 201 });
}

function retrieveType(call: Call): Reply {
  return readReply(call, TYPE, call.id());
}

function updateType(mode: WriteMode) {
  return async (call: Call): Promise<Reply> => {
    const id = call.id();
    return writtenReply(
      call,
      TYPE,
      await updateMetaType(call.ctx, authorOf(call, META_TYPES, id), id, await call.body(), mode),
    );
  };
}

async function removeType(call: Call): Promise<Reply> {
  const id = call.id();
  await deleteMetaType(call.ctx, authorOf(call, META_TYPES, id), id);
  return noContent();
}

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

async function listInstances(call: Call): Promise<Reply> {
  const accounts = await accountsOf(call);
  // After the wait, so that the list and what it is asked by are of one content.
  const view = { ...call.view("editor"), accounts };
  return listReply(call, view.content.all(META_INSTANCES), META_INSTANCE_LIST, (instance) =>
    instancePayload(view, instance),
  );
}

async function createInstance(call: Call): Promise<Reply> {
  const accounts = await accountsOf(call);
  const made = await createMetaInstance(call.ctx, call.author(), await call.body());
  return writtenReply(call, INSTANCE, made, { status: 201, accounts });
}

async function retrieveInstance(call: Call): Promise<Reply> {
  return readReply(call, INSTANCE, call.id(), { accounts: await accountsOf(call) });
}

function updateInstance(mode: WriteMode) {
  return async (call: Call): Promise<Reply> => {
    const id = call.id();
    const accounts = await accountsOf(call);
    const changed = await updateMetaInstance(call.ctx, authorOf(call, META_INSTANCES, id), id, await call.body(), mode);
    return writtenReply(call, INSTANCE, changed, { accounts });
  };
}

async function removeInstance(call: Call): Promise<Reply> {
  const id = call.id();
  await deleteMetaInstance(call.ctx, authorOf(call, META_INSTANCES, id), id);
  return noContent();
}

/** Whom references may name. */
const accountsOf = (call: Call): Promise<readonly Account[]> => call.ctx.accounts.store.list();
