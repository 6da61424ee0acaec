/** The roles of a site: any account may see them, superusers change them. */
import { audit } from "../../../actions/accounts/auditing.ts";
import { replaceRoles } from "../../../actions/accounts/roles.ts";
import type { Roles } from "../../../model/access/role.ts";
import { listOf, record, recordOf, byName, ref, TEXT, told, type Schema } from "../../../schema/json-schema.ts";
import { ROLES, ROLES_ID, rolesIn } from "../../../store/records/people/roles.ts";
import type { Snapshot } from "../../../store/snapshot.ts";
import { authorOf } from "../../app/resource.ts";
import { accountsBy, get, put, sensitive, type Call, type Route } from "../../app/route.ts";
import { etag, json, PRIVATE, type Reply } from "../../request/reply.ts";

const ROLE: Schema = record({ label: TEXT, rules: listOf(ref("Rule")) }, { optional: ["label"] });
const SHOWN = listOf(
  recordOf("A role.", {
    name: TEXT,
    label: TEXT,
    rules: listOf(ref("Rule")),
    is_built_in: told("Not in the file.", { type: "boolean" }),
  }),
);

export const roleRoutes: readonly Route[] = sensitive([
  get("roles", "user", (call) => answer(call.ctx.store.current), {
    summary: "List the roles",
    description: "Those of `content/roles.yaml`, and the built-in ones that it does not replace.",
    answer: SHOWN,
    isVersioned: true,
  }),
  put("roles", "superuser", replace, {
    summary: "Replace the roles",
    description: "Writes `content/roles.yaml`. The built-in roles stay, unless one of the same name replaces them.",
    body: record({ roles: byName(ROLE, "By name.") }),
    answer: SHOWN,
    isVersioned: true,
    refusals: [409],
  }),
]);

async function replace(call: Call): Promise<Reply> {
  const { snapshot } = await replaceRoles(call.ctx, authorOf(call, ROLES, ROLES_ID), await call.body());
  audit(accountsBy(call), { event: "roles-changed", detail: `commit ${snapshot.commit}` });
  return answer(snapshot);
}

function answer(content: Snapshot): Reply {
  const own = content.find(ROLES, ROLES_ID)?.roles ?? {};
  const shown = (roles: Roles) =>
    [...roles].map(([name, role]) => ({ name, ...role, is_built_in: !Object.hasOwn(own, name) }));
  return json(shown(rolesIn(content)), 200, { etag: etag(content.version(ROLES, ROLES_ID)), ...PRIVATE });
}
