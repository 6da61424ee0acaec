/** Meta types and meta instances, for staff (contract.md 10). */
import { CmsError, invalid } from "../errors.ts";
import { parseId } from "../model/id.ts";
import { META_INSTANCE_SPEC, META_TYPE_SPEC } from "../library/meta.ts";
import { META_TYPES } from "../store/content/records/meta-types.ts";
import { typeSchema } from "../views/meta.ts";
import { ID } from "../schema/json-schema.ts";
import { json, type Reply } from "./reply.ts";
import { resource } from "./resource.ts";
import type { Access, Call, Route } from "./route.ts";

const STAFF: Access = { staff: true };
const access = { read: STAFF, add: STAFF, change: STAFF, delete: STAFF };

export const metaRoutes: readonly Route[] = [
  ...resource({
    ...META_TYPE_SPEC,
    path: "meta-types",
    access,
    schemas: {
      one: "a meta type",
      many: "meta types",
      payload: "MetaType",
      input: "MetaTypeInput",
      change: "MetaTypeChange",
      replacement: "MetaTypeInput",
      kept: [409], // it has instances
    },
  }),
  {
    method: "GET",
    path: "meta-types/:id/schema",
    access: STAFF,
    handle: schemaOfType,
    operation: { summary: "Read the JSON Schema of a meta type", answer: "JsonSchema" },
  },
  ...resource({
    ...META_INSTANCE_SPEC,
    path: "meta-instances",
    access,
    schemas: {
      one: "a meta instance",
      many: "meta instances",
      payload: "MetaInstance",
      input: "MetaInstanceInput",
      change: "MetaInstanceChange",
      replacement: "MetaInstanceInput",
    },
  }),
  {
    method: "GET",
    path: "meta-instances/schema",
    access: STAFF,
    handle: schemaByQuery,
    operation: {
      summary: "Read the JSON Schema of the data of instances",
      query: [{ name: "meta_type", description: "Id of the meta type.", schema: ID, isRequired: true }],
      answer: "JsonSchema",
      refusals: [404],
    },
  },
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
