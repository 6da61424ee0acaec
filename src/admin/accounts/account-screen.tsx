/** An account: who it is, whether it can sign in, and what it may do. */
import { request } from "../api.ts";
import { Labelled } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import { isList, isRecord, type Values } from "../json.ts";
import { RecordFields } from "../records/record-fields.tsx";
import { RecordScreen } from "../records/record-screen.tsx";
import type { RecordPlace, RecordState } from "../records/record-state.ts";
import { may } from "../session.ts";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { PermissionTable } from "./permission-table.tsx";

const NAMES = ["username", "first_name", "last_name", "email", "is_active", "is_staff", "is_superuser"];

const placeOf = (id: number | undefined): RecordPlace => ({
  path: "users",
  id,
  blank: {
    username: "",
    first_name: "",
    last_name: "",
    email: "",
    password: "",
    is_active: true,
    is_staff: true,
    is_superuser: false,
    user_permissions: [],
    roles: [],
  },
  values: (payload) => ({
    ...Object.fromEntries(NAMES.map((name) => [name, payload[name] ?? null])),
    user_permissions: permissionIds(payload.user_permissions),
    roles: namesIn(payload.roles),
    password: "",
  }),
  sent: (values) =>
    Object.fromEntries(
      Object.entries(values)
        .filter(([name, value]) => name !== "password" || value !== "")
        .map(([name, value]) => [name, value ?? ""]),
    ),
  secret: ["password"],
});

const permissionIds = (list: Values[string] | undefined): readonly number[] =>
  isList(list) ? list.filter(isRecord).map(({ id }) => Number(id)) : [];

const namesIn = (list: Values[string] | undefined): readonly string[] => (isList(list) ? list.map(String) : []);

export const AccountScreen = ({ id }: { id: number | undefined }) => (
  <RecordScreen
    place={placeOf(id)}
    title={({ payload }) => String(payload.value.username ?? text("newAccount"))}
    list={{ path: "accounts", name: text("accounts") }}
    mayChange={may(id === undefined ? "add_user" : "change_user")}
    mayDelete={may("delete_user")}
    deletion={text("deleteAccount")}
    more={() => id !== undefined && may("add_user") && <EndSessions id={id} />}
  >
    {(account) => <AccountForm account={account} />}
  </RecordScreen>
);

function AccountForm({ account }: { account: RecordState }) {
  const values = account.values.value;
  return (
    <>
      <RecordFields
        record={account}
        definitions={[
          { name: "username", label: text("username"), required: true, isNeverNull: true },
          { name: "first_name", label: text("firstName") },
          { name: "last_name", label: text("lastName") },
          { name: "email", label: text("email") },
        ]}
      />
      <Labelled
        path="password"
        label={text(account.id === undefined ? "password" : "newPassword")}
        hint={account.id === undefined ? undefined : text("newPasswordHint")}
        isRequired={account.id === undefined}
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autocomplete="new-password"
            value={String(values.password ?? "")}
            onInput={({ currentTarget }) => account.set("password", currentTarget.value)}
          />
        )}
      </Labelled>
      <RecordFields
        record={account}
        definitions={[
          { name: "is_active", label: text("isActive"), kind: "boolean" },
          // Roles say what an account may do in place of it.
          ...(namesIn(values.roles).length > 0
            ? []
            : [{ name: "is_staff", label: text("isStaff"), kind: "boolean" as const }]),
          { name: "is_superuser", label: text("isSuperuser"), kind: "boolean" },
        ]}
      />
      {values.is_superuser !== true && (
        <RoleChoice chosen={namesIn(values.roles)} onChange={(names) => account.set("roles", names)} />
      )}
      {values.is_superuser !== true && namesIn(values.roles).length === 0 && (
        <PermissionTable
          chosen={isList(values.user_permissions) ? values.user_permissions.map(Number) : []}
          isStaff={values.is_staff === true}
          onChange={(ids) => account.set("user_permissions", ids)}
        />
      )}
    </>
  );
}

function EndSessions({ id }: { id: number }) {
  const end = (): void =>
    void request("POST", `users/${id}/kickout/`).then(() => notify(text("sessionsEnded")), notifyFailure);
  return (
    <button class="end" onClick={end}>
      {text("endSessions")}
    </button>
  );
}
