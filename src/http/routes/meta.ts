/** Block types, meta types and meta instances, for staff. */
import { typeReading } from "../../actions/records/meta.ts";
import { CmsError, invalid } from "../../errors.ts";
import { parseId } from "../../model/input/id.ts";
import { BLOCK_TYPE_SPEC, META_INSTANCE_SPEC, META_TYPE_SPEC } from "../../library/meta.ts";
import { readTypeChange } from "../../model/records/meta.ts";
import { BLOCK_TYPES, blockTypeId } from "../../store/records/block-types.ts";
import { META_TYPES } from "../../store/records/meta-types.ts";
import { typeEffects } from "../../views/meta/meta-effects.ts";
import { blockTypeSchema, typeSchema } from "../../views/meta/meta.ts";
import { ID } from "../../schema/json-schema.ts";
import { json, type Reply } from "../request/reply.ts";
import { resource } from "../app/resource.ts";
import { get, post, type Access, type Call, type Route } from "../app/route.ts";

const STAFF: Access = { staff: true };
const access = { read: STAFF, add: STAFF, change: STAFF, delete: STAFF };

const blockTypeIdOf = (call: Call): number => blockTypeId(call.params.name ?? "");

export const metaRoutes: readonly Route[] = [
  ...resource({
    ...BLOCK_TYPE_SPEC,
    path: "block-types",
    param: ":name",
    idOf: blockTypeIdOf,
    access,
    schemas: {
      one: "a block type",
      many: "block types",
      payload: "BlockType",
      input: "BlockTypeInput",
      change: "BlockTypeChange",
      replacement: "BlockTypeInput",
      kept: [409], // it is used
    },
  }),
  get("block-types/:name/schema", STAFF, schemaOfBlocks, {
    summary: "Read the JSON Schema of the blocks of a type",
    answer: "JsonSchema",
  }),
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
  get("meta-types/:id/schema", STAFF, schemaOfType, {
    summary: "Read the JSON Schema of a meta type",
    answer: "JsonSchema",
  }),
  post("meta-types/:id/effects", STAFF, effectsOfChange, {
    summary: "Say what a change of a meta type would do to its instances",
    description:
      "Stores nothing. Instances are never rewritten: one that is not valid any more is served as it is, and its next " +
      "write must correct it.",
    body: "MetaTypeChange",
    answer: "MetaTypeEffects",
  }),
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
  get("meta-instances/schema", STAFF, schemaByQuery, {
    summary: "Read the JSON Schema of the data of instances",
    query: [{ name: "meta_type", description: "Id of the meta type.", schema: ID, isRequired: true }],
    answer: "JsonSchema",
    refusals: [404],
  }),
];

function schemaOfType(call: Call): Reply {
  return json(typeSchema(call.view("editor"), call.ctx.store.current.get(META_TYPES, call.id())));
}

function schemaOfBlocks(call: Call): Reply {
  const type = call.ctx.store.current.get(BLOCK_TYPES, blockTypeIdOf(call));
  return json(blockTypeSchema(call.view("editor"), type));
}

/** The body is that of the change. */
async function effectsOfChange(call: Call): Promise<Reply> {
  const body = await call.body();
  const view = call.view("editor");
  const type = view.content.get(META_TYPES, call.id());
  const { schema = type.schema } = readTypeChange(body, typeReading(call.ctx, view.content, false));
  return json(await typeEffects(view, type, schema));
}

/** The same schema by `?meta_type=`; its errors are worded differently. */
function schemaByQuery(call: Call): Reply {
  const asked = call.url.searchParams.getAll("meta_type").at(-1) ?? "";
  if (asked === "") throw invalid({ meta_type: "Query parameter required." });
  const id = parseId(asked);
  const type = id === undefined ? undefined : call.ctx.store.current.find(META_TYPES, id);
  if (!type) throw new CmsError("not_found", "MetaType not found");
  return json(typeSchema(call.view("editor"), type));
}
