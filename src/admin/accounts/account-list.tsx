/** The accounts, with what each may do. */
import { showDay, text } from "../i18n.ts";
import { isList, type Values } from "../json.ts";
import { RecordList } from "../records/record-list.tsx";
import { may } from "../session.ts";
import { roleLabel } from "./role-choice.tsx";

export const AccountList = () => (
  <RecordList
    title={text("accounts")}
    add={may("add_user") && ["accounts/new", text("newAccount")]}
    path="users"
    searchLabel={text("searchAccounts")}
    screenOf={({ id }) => `accounts/${String(id)}`}
    columns={[
      { name: text("username"), show: ({ username }) => String(username) },
      { name: text("name"), show: ({ first_name: first, last_name: last }) => `${String(first)} ${String(last)}` },
      { name: text("role"), show: (account) => roleOf(account) },
      {
        name: text("lastSignIn"),
        show: ({ last_login: at }) => (typeof at === "string" ? showDay(at) : text("never")),
      },
    ]}
  />
);

/** A role as its name says, since the list does not know those of the site. */
const labelOf = (name: string): string => roleLabel({ name, label: name, is_built_in: true });

function roleOf({
  is_active: isActive,
  is_superuser: isSuper,
  is_staff: isStaff,
  user_permissions: list,
  roles,
}: Values): string {
  if (isActive !== true) return text("disabled");
  if (isSuper === true) return text("superuser");
  if (isList(roles) && roles.length > 0) return roles.map((name) => labelOf(String(name))).join(", ");
  const role = text(isStaff === true ? "staff" : "reader");
  return isList(list) && list.length > 0 ? text("withPermissions", { role, count: list.length }) : role;
}
