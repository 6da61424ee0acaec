/** The list of permissions. They are part of the program and cannot be changed. */
import { CmsError } from "../../../errors.ts";
import { PERMISSIONS } from "../../../model/account/permission.ts";
import { PERMISSION_LIST } from "../../../views/records/account.ts";
import { listReply, refuseUnknown } from "../../app/resource.ts";
import { ANY_OBJECT, told } from "../../../schema/json-schema.ts";
import { json, type Reply } from "../../request/reply.ts";
import { get, put, type Call, type Route } from "../../app/route.ts";

export const permissionRoutes: readonly Route[] = [
  get("permissions", "user", list, { summary: "List permissions", answer: "Permission", isList: true }),
  get("permissions/:id", "user", retrieve, { summary: "Read a permission", answer: "Permission" }),
  put("permissions/:id", "superuser", update, {
    summary: "Write a permission back",
    description: "Changes nothing: permissions are part of the program.",
    body: told("Its keys are ignored, since none can be written.", ANY_OBJECT),
    isBodyOptional: true,
    answer: "Permission",
  }),
];

function list(call: Call): Promise<Reply> {
  return listReply(call, PERMISSIONS, PERMISSION_LIST, (permission) => ({ ...permission }));
}

/** Every field is read-only, and read-only fields are ignored. */
async function update(call: Call): Promise<Reply> {
  refuseUnknown(call, await call.body(), "id", "name", "codename", "content_type");
  return retrieve(call);
}

function retrieve(call: Call): Reply {
  const id = call.id();
  const permission = PERMISSIONS.find((each) => each.id === id);
  if (!permission) throw new CmsError("not_found", "No Permission matches the given query.");
  return json(permission);
}
