/** Payloads of accounts. Password hashes and tokens are neither in payloads nor in the fields of lists. */
import type { Account } from "../model/account.ts";
import { showInstant, type Instant } from "../model/instant.ts";
import { findPermission, permissionsOf, type Permission } from "../model/permission.ts";
import type { Queryable, ValueField } from "../model/query.ts";
import type { Payload, View } from "./view.ts";

/** contract.md 11.6. */
export const userPayload = (account: Account): Payload => ({
  id: account.id,
  username: account.username,
  first_name: account.first_name,
  last_name: account.last_name,
  email: account.email,
  user_permissions: explicitPermissions(account),
  has_token: account.has_token,
  is_superuser: account.is_superuser,
  is_staff: account.is_staff,
  is_active: account.is_active,
  date_joined: showInstant(account.date_joined),
  last_login: moment(account.last_login),
});

/** The profile for the owner of the account, with all its permissions; there are no groups. */
export function profilePayload(account: Account): Payload {
  const { has_token: _, ...columns } = userPayload(account);
  return { ...columns, groups: [], group_permissions: [], all_permissions: permissionsOf(account) };
}

/** The permissions on its list, without those of staff or superusers. */
const explicitPermissions = (account: Account): readonly Permission[] =>
  (account.user_permissions ?? []).flatMap((key) => findPermission(key) ?? []);

const moment = (at: Instant | null): string | null => at && showInstant(at);

const field = (
  type: ValueField<Account, View>["type"],
  get: (account: Account) => unknown,
): ValueField<Account, View> => ({ type, get });

export const USER_LIST: Queryable<Account, View> = {
  fields: {
    id: field("integer", ({ id }) => id),
    username: field("text", ({ username }) => username),
    first_name: field("text", ({ first_name }) => first_name),
    last_name: field("text", ({ last_name }) => last_name),
    email: field("text", ({ email }) => email),
    has_token: field("boolean", ({ has_token }) => has_token),
    is_superuser: field("boolean", ({ is_superuser }) => is_superuser),
    is_staff: field("boolean", ({ is_staff }) => is_staff),
    is_active: field("boolean", ({ is_active }) => is_active),
    date_joined: field("instant", ({ date_joined }) => date_joined),
    last_login: field("instant", ({ last_login }) => last_login),
  },
  search: ["username", "first_name", "last_name", "email"],
  order: ["-id"],
  created: "date_joined",
};

const permissionField = (
  type: ValueField<Permission, View>["type"],
  get: (permission: Permission) => unknown,
): ValueField<Permission, View> => ({ type, get });

export const PERMISSION_LIST: Queryable<Permission, View> = {
  fields: {
    id: permissionField("integer", ({ id }) => id),
    name: permissionField("text", ({ name }) => name),
    codename: permissionField("text", ({ codename }) => codename),
    content_type: {
      type: "reference",
      target: () => CONTENT_TYPE_LIST,
      get: ({ content_type }) => [content_type],
    },
  },
  search: ["name", "codename"],
  order: ["id"],
};

const CONTENT_TYPE_LIST: Queryable<Permission["content_type"], View> = {
  fields: {
    id: { type: "integer", get: ({ id }) => id },
    app_label: { type: "text", get: ({ app_label }) => app_label },
    model: { type: "text", get: ({ model }) => model },
  },
  search: [],
  order: ["id"],
};
