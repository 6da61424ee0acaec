/** Meta types and meta instances, for staff (contract.md 10). */
import {
  createMetaInstance, createMetaType, deleteMetaInstance, deleteMetaType, updateMetaInstance, updateMetaType, type WriteMode,
} from "../actions/meta.ts";
import { CmsError, invalid } from "../errors.ts";
import { META_INSTANCES } from "../store/kinds/meta-instances.ts";
import { META_TYPES } from "../store/kinds/meta-types.ts";
import { instancePayload, META_INSTANCE_LIST, META_TYPE_LIST, typePayload, typeSchema } from "../views/meta.ts";
import type { View } from "../views/view.ts";
import { json, noContent, type Reply } from "./reply.ts";
import { authorOf, listReply, single } from "./resource.ts";
import type { Access, Call, Route } from "./route.ts";

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

function listTypes(call: Call): Reply {
  return listReply(call, call.ctx.store.current.all(META_TYPES), META_TYPE_LIST, typePayload);
}

async function createType(call: Call): Promise<Reply> {
  const { id } = await createMetaType(call.ctx, call.author(), await call.body());
  return answerType(call, id, 201);
}

function retrieveType(call: Call): Reply {
  return answerType(call, call.id());
}

function updateType(mode: WriteMode) {
  return async (call: Call): Promise<Reply> => {
    const id = call.id();
    await updateMetaType(call.ctx, authorOf(call, META_TYPES, id), id, await call.body(), mode);
    return answerType(call, id);
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
  const type = /^\d{1,10}$/.test(asked) ? call.ctx.store.current.find(META_TYPES, Number(asked)) : undefined;
  if (!type) throw new CmsError("not_found", "MetaType not found");
  return json(typeSchema(call.view("editor"), type));
}

async function listInstances(call: Call): Promise<Reply> {
  const view = await staffView(call);
  return listReply(call, view.content.all(META_INSTANCES), META_INSTANCE_LIST, (instance) => instancePayload(view, instance));
}

async function createInstance(call: Call): Promise<Reply> {
  const { id } = await createMetaInstance(call.ctx, call.author(), await call.body());
  return answerInstance(call, id, 201);
}

async function retrieveInstance(call: Call): Promise<Reply> {
  return answerInstance(call, call.id());
}

function updateInstance(mode: WriteMode) {
  return async (call: Call): Promise<Reply> => {
    const id = call.id();
    await updateMetaInstance(call.ctx, authorOf(call, META_INSTANCES, id), id, await call.body(), mode);
    return answerInstance(call, id);
  };
}

async function removeInstance(call: Call): Promise<Reply> {
  const id = call.id();
  await deleteMetaInstance(call.ctx, authorOf(call, META_INSTANCES, id), id);
  return noContent();
}

const answerType = (call: Call, id: number, status = 200): Reply => single(call, META_TYPES, id, typePayload, META_TYPE_LIST, status);

async function answerInstance(call: Call, id: number, status = 200): Promise<Reply> {
  const view = await staffView(call);
  return single(call, META_INSTANCES, id, (instance) => instancePayload(view, instance), META_INSTANCE_LIST, status);
}

/** With the accounts that references may name. */
const staffView = async (call: Call): Promise<View> => {
  const accounts = await call.ctx.accounts.store.list();
  return { ...call.view("editor"), accounts };
};
