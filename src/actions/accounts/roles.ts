/** Writes to the roles of a site, by superusers alone: every other way to write roles is refused in the store. */
import { CmsError, refuseInvalid } from "../../errors.ts";
import { BUILT_IN, readRoles, type Roles } from "../../model/access/role.ts";
import type { RuleErrors } from "../../model/access/rule.ts";
import { requireObject } from "../../model/input/input-errors.ts";
import { own } from "../../model/input/json.ts";
import { named, record, refusedKeys } from "../../model/input/known-keys.ts";
import { ROLES, ROLES_ID } from "../../store/records/people/roles.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Context } from "../context.ts";

const KEYS = record(named("roles"));

/**
 * Replaces the roles of `content/roles.yaml`; without any, the file is removed.
 *
 * @throws CmsError `invalid`; `conflict` when an account has a role that would not exist any more
 */
export async function replaceRoles(ctx: Context, by: Author, body: unknown): Promise<Written<Roles>> {
  requireObject(body);
  const errors: RuleErrors = {};
  const roles = readRoles(own(body, "roles"), errors, ctx.locales);
  refuseInvalid({ ...refusedKeys(ctx.unknownFields, KEYS, body), ...errors });
  const accounts = await ctx.accounts.store.list();
  return ctx.store.transact(by, (tx) => {
    const before = tx.find(ROLES, ROLES_ID)?.roles ?? {};
    const gone = Object.keys(before).filter((name) => !roles.has(name) && !BUILT_IN.has(name));
    for (const { username, roles: held } of accounts) {
      const lost = held.find((name) => gone.includes(name));
      if (lost) throw new CmsError("conflict", `${username} has the role ${lost}: give the account another one first.`);
    }
    if (roles.size > 0) tx.put(ROLES, { id: ROLES_ID, roles: Object.fromEntries(roles) });
    else if (tx.find(ROLES, ROLES_ID)) tx.remove(ROLES, ROLES_ID);
    tx.describe("Change the roles", { "Cms-Action": "change-roles" });
    return roles;
  });
}
