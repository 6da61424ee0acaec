/** Payloads of accounts. Password hashes and tokens are neither in payloads nor in the fields of lists. */
import type { Account } from "../../model/account/account.ts";
import { showInstant } from "../../model/time/instant.ts";
import { findPermission, permissionsOf, type Permission } from "../../model/account/permission.ts";
import type { Queryable } from "../../model/lists/query.ts";
import { ownFields } from "../lists/list-field.ts";
import type { Payload, View } from "../view.ts";

/** The payload of an account: no password, token or session. */
export const userPayload = (account: Account): Payload => ({
  id: account.id,
  username: account.username,
  first_name: account.first_name,
  last_name: account.last_name,
  email: account.email,
  user_permissions: explicitPermissions(account),
  roles: account.roles,
  has_token: account.has_token,
  is_superuser: account.is_superuser,
  is_staff: account.is_staff,
  is_active: account.is_active,
  date_joined: showInstant(account.date_joined),
  last_login: showInstant(account.last_login),
});

/**
 * The profile for the owner of the account, with all its permissions; there are no groups.
 *
 * @param account with the rights of its roles
 * @param stored as it is stored
 */
export function profilePayload(account: Account, stored: Account): Payload {
  const { has_token: _, ...columns } = userPayload(stored);
  return {
    ...columns,
    is_staff: account.is_staff,
    groups: [],
    group_permissions: [],
    all_permissions: permissionsOf(account),
  };
}

/** The permissions on its list, without those of staff or superusers. */
const explicitPermissions = (account: Account): readonly Permission[] =>
  (account.user_permissions ?? []).flatMap((key) => findPermission(key) ?? []);

export const USER_LIST: Queryable<Account, View> = {
  fields: ownFields<Account>({
    id: "integer",
    username: "text",
    first_name: "text",
    last_name: "text",
    email: "text",
    has_token: "boolean",
    is_superuser: "boolean",
    is_staff: "boolean",
    is_active: "boolean",
    date_joined: "instant",
    last_login: "instant",
  }),
  search: ["username", "first_name", "last_name", "email"],
  order: ["-id"],
  created: "date_joined",
};

export const PERMISSION_LIST: Queryable<Permission, View> = {
  fields: {
    ...ownFields<Permission>({ id: "integer", name: "text", codename: "text" }),
    content_type: { type: "reference", target: () => CONTENT_TYPE_LIST, get: ({ content_type }) => [content_type] },
  },
  search: ["name", "codename"],
  order: ["id"],
};

const CONTENT_TYPE_LIST: Queryable<Permission["content_type"], View> = {
  fields: ownFields<Permission["content_type"]>({ id: "integer", app_label: "text", model: "text" }),
  search: [],
  order: ["id"],
};
