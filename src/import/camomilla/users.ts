/** Users of camomilla as accounts. Their hashes are Django's, which the first sign-in replaces. */
import { isImportedHash } from "../../actions/accounts/password-hashes.ts";
import { isList, isObject, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { findPermission, keyOf } from "../../model/account/permission.ts";
import type { ImportedAccount, Remark } from "../imported-site.ts";
import { instantIn } from "./publication.ts";
import { sourceOf, textIn, type Row } from "./rows.ts";

export function accountsIn(rows: readonly Row[], remarks: Remark[]): readonly ImportedAccount[] {
  const unknown = new Set<string>();
  const withoutPassword: Row[] = [];
  const accounts = rows.map((row): ImportedAccount => {
    const { fields } = row;
    const password = textIn(fields, "password");
    const isSuperuser = own(fields, "is_superuser") === true;
    if (!isImportedHash(password)) withoutPassword.push(row);
    return {
      source: sourceOf("user", row.id),
      place: row.place,
      username: textIn(fields, "username"),
      email: textIn(fields, "email"),
      first_name: textIn(fields, "first_name"),
      last_name: textIn(fields, "last_name"),
      is_staff: own(fields, "is_staff") === true,
      is_superuser: isSuperuser,
      is_active: own(fields, "is_active") !== false,
      // camomilla grants nothing by the flag of staff alone: an account without permissions has none here, either.
      user_permissions: isSuperuser ? null : permissionsIn(own(fields, "user_permissions"), unknown),
      password: isImportedHash(password) ? password : null,
      joined: instantIn(fields, "date_joined"),
      lastLogin: instantIn(fields, "last_login"),
    };
  });
  if (withoutPassword.length > 0) {
    const names = withoutPassword.map(({ fields }) => textIn(fields, "username"));
    const message = `No password that can be verified here, so that they need a new one (cms user): ${listed(names)}.`;
    remarks.push({ ...withoutPassword[0]!.place, message });
  }
  if (unknown.size > 0 && rows[0]) {
    const message = `Permissions that are not known here are not imported: ${listed([...unknown].sort())}.`;
    remarks.push({ ...rows[0].place, message });
  }
  return accounts;
}

/** @param unknown gets those that this service has not */
function permissionsIn(value: Json | undefined, unknown: Set<string>): string[] {
  const keys = (isList(value) ? value : []).flatMap((each): string[] => {
    const name = typeof each === "string" ? each : isObject(each) ? nameOf(each) : "";
    const [app = "", codename = ""] = name.split(".");
    const known = findPermission(`${APPS.has(app) ? "cms" : app}.${codename}`);
    if (!known) unknown.add(name || "one that the source names by an id only");
    return known ? [keyOf(known)] : [];
  });
  return [...new Set(keys)].sort();
}

const APPS: ReadonlySet<string> = new Set(["camomilla", "structured_metaobjects"]);

/** As the interface has it. */
function nameOf(permission: JsonObject): string {
  const type = own(permission, "content_type");
  return isObject(type) ? `${textIn(type, "app_label")}.${textIn(permission, "codename")}` : "";
}

const NAMES_TOLD = 30;

const listed = (names: readonly string[]): string =>
  names.slice(0, NAMES_TOLD).join(", ") + (names.length > NAMES_TOLD ? `, and ${names.length - NAMES_TOLD} more` : "");
