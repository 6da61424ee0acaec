/** Reads and validates writes to accounts. Read-only keys are ignored, so that a payload can be written back. */
import { readSent, type Errors } from "../input/sent-fields.ts";
import { refuseInvalid, type FieldErrors } from "../../errors.ts";
import { emailErrors, normalUsername, usernameErrors, type Account } from "./account.ts";
import { numericId } from "../input/id.ts";
import { isObject, own, type Json } from "../input/json.ts";
import { named, record, refusedKeys, type Keys, type UnknownFields } from "../input/known-keys.ts";
import { NOT_A_LIST, requireObject, typeName, REQUIRED, NOT_NULL, NOT_A_STRING } from "../input/input-errors.ts";
import type { FieldRow } from "../input/field.ts";
import { findPermission, keyOf } from "./permission.ts";

type Named = "username" | "email" | "first_name" | "last_name" | "is_staff" | "is_superuser" | "is_active";

export type UserChange = Partial<Pick<Account, Named>> & {
  readonly user_permissions?: readonly string[] | null;
  readonly roles?: readonly string[];
  /** In plain text. */
  readonly password?: string;
};

const EMAIL_MAX = 254;
const emailError = (text: string): string | undefined => (text.length > EMAIL_MAX ? undefined : emailErrors(text)[0]);
/** The fields of an account that its owner can change. */
export const PROFILE: readonly FieldRow[] = [
  { name: "username", type: "text", max: 150, blank: false, check: (text) => usernameErrors(normalUsername(text))[0] },
  { name: "first_name", type: "text", max: 150 },
  { name: "last_name", type: "text", max: 150 },
  { name: "email", type: "text", max: EMAIL_MAX, check: emailError },
];
/** The flags of an account that only those who administer accounts can change. */
export const RIGHTS = ["is_staff", "is_superuser", "is_active"].map((name): FieldRow => ({ name, type: "boolean" }));

const READ_ONLY = ["id", "has_token", "date_joined", "last_login", "groups", "group_permissions", "all_permissions"];
const profileFields = [...PROFILE.map(({ name }) => name), "password"];
const rightsFields = [...RIGHTS.map(({ name }) => name), "user_permissions", "roles"];
const USER_KEYS: Keys = record(named(...profileFields, ...rightsFields), READ_ONLY);
/** A profile shows permissions, but its owner cannot change them. */
const PROFILE_KEYS: Keys = record(named(...profileFields, "repassword"), [...READ_ONLY, ...rightsFields]);

interface UserReading {
  readonly unknownFields: UnknownFields;
  /** The current list of permissions in the payload; sending the same list changes nothing. */
  readonly shown?: readonly string[];
  /** The names of the roles of the site, and of those that the account has. */
  readonly roles: readonly string[];
}

/** @throws CmsError `invalid` with every offending field */
export function readUserChange(body: unknown, { unknownFields, shown = [], roles }: UserReading): UserChange {
  const { change, errors } = read(body, [...PROFILE, ...RIGHTS], refusedKeys(unknownFields, USER_KEYS, body));
  const listed = isObject(body) ? own(body, "user_permissions") : undefined;
  if (listed !== undefined) {
    const given = readPermissions(listed);
    if ("error" in given) errors.user_permissions = [given.error];
    // An empty list is no restriction.
    else if (given.keys.join() !== [...shown].sort().join())
      change.user_permissions = given.keys.length === 0 ? null : given.keys;
  }
  const named = isObject(body) ? own(body, "roles") : undefined;
  if (named !== undefined) {
    const unknown = roleErrors(named, roles);
    if (unknown) errors.roles = [unknown];
    else change.roles = [...new Set(named as readonly string[])];
  }
  return finished(change, errors);
}

/** Why a value is no list of roles of the site; undefined when it is one. */
export function roleErrors(value: unknown, roles: readonly string[]): string | undefined {
  if (!Array.isArray(value)) return NOT_A_LIST(value);
  const unknown = value.find((name) => typeof name !== "string" || !roles.includes(name));
  if (unknown === undefined) return undefined;
  return `There is no role ${JSON.stringify(unknown).slice(0, 100)}. There are: ${roles.join(", ")}.`;
}

/** A write to the own profile: no permissions; `repassword`, if sent, must equal `password`. */
export function readProfileChange(body: unknown, unknownFields: UnknownFields): UserChange {
  const { change, errors } = read(body, PROFILE, refusedKeys(unknownFields, PROFILE_KEYS, body));
  const again = isObject(body) ? own(body, "repassword") : undefined;
  if (again !== undefined && change.password !== undefined && again !== change.password) {
    errors.repassword = [again === null || again === "" ? REQUIRED : "Passwords do not match."];
  }
  return finished(change, errors);
}

interface Reading {
  readonly change: Record<string, unknown>;
  readonly errors: Record<string, FieldErrors[string]>;
}

/** @param unknown errors of unknown keys */
function read(body: unknown, rows: readonly FieldRow[], unknown: FieldErrors): Reading {
  requireObject(body);
  const errors: Errors = { ...unknown };
  const change: Record<string, unknown> = readSent(body, rows, errors);
  if (change.username !== undefined) change.username = normalUsername(String(change.username));
  const password = own(body, "password");
  if (password === null) errors.password = [NOT_NULL];
  // Not trimmed: white space may be part of it.
  else if (typeof password === "string") change.password = password;
  else if (password !== undefined) errors.password = [NOT_A_STRING];
  return { change, errors };
}

function finished(change: Record<string, unknown>, errors: FieldErrors): UserChange {
  refuseInvalid(errors);
  return change as UserChange;
}

/** Reads ids, objects with an id, or keys; returns sorted keys without duplicates. */
function readPermissions(value: Json): { readonly keys: readonly string[] } | { readonly error: string } {
  if (value === null) return { keys: [] };
  if (!Array.isArray(value)) return { error: `Expected a list of items but got type "${typeName(value)}".` };
  const keys = new Set<string>();
  for (const item of value as readonly Json[]) {
    const id = isObject(item) ? own(item, "id") : item;
    const wanted = numericId(id);
    if (typeof wanted !== "number" && typeof wanted !== "string")
      return { error: `Incorrect type. Expected pk value, received ${typeName(id)}.` };
    const permission = findPermission(wanted);
    if (!permission) return { error: `Invalid pk "${wanted}" - object does not exist.` };
    keys.add(keyOf(permission));
  }
  return { keys: [...keys].sort() };
}
