/**
 * The permissions, four verbs on every kind of record and on accounts and tokens, and which accounts have them.
 *
 * Ids are positions in `MODELS`, and clients store them: new models come last, declared ones in the order of
 * `records.ts`.
 */
import { permissionOf } from "../records/record.ts";
import { RECORDS } from "../records/records.ts";
import type { Account } from "./account.ts";

export interface Permission {
  readonly id: number;
  /** For display: "Can add page". */
  readonly name: string;
  /** Unique within its app: `add_page`. */
  readonly codename: string;
  readonly content_type: { readonly id: number; readonly app_label: string; readonly model: string };
}

const VERBS = ["add", "change", "delete", "view"] as const;

/** App, model and display name. The positions of `page` and `article` are their content type ids (`contentTypeOf`). */
const FIRST: readonly (readonly [app: string, model: string, name: string])[] = [
  ["cms", "page", "page"],
  ["cms", "article", "article"],
  ["cms", "tag", "tag"],
  ["cms", "content", "content"],
  ["cms", "menu", "menu"],
  ["cms", "media", "media"],
  ["cms", "mediafolder", "media folder"],
  ["cms", "metatype", "meta type"],
  ["cms", "metainstance", "meta instance"],
  ["auth", "user", "user"],
  ["authtoken", "token", "token"],
];

const MODELS: typeof FIRST = [
  ...FIRST,
  ...RECORDS.map((of) => ["cms", permissionOf(of), of.label] as const).filter(
    ([app, model]) => !FIRST.some((known) => known[0] === app && known[1] === model),
  ),
];

export const PERMISSIONS: readonly Permission[] = MODELS.flatMap(([app_label, model, name], at) =>
  VERBS.map((verb, nth) => ({
    id: at * VERBS.length + nth + 1,
    name: `Can ${verb} ${name}`,
    codename: `${verb}_${model}`,
    content_type: { id: at + 1, app_label, model },
  })),
);

/** The key of a permission in accounts and routes: `cms.change_page`. */
export const keyOf = ({ codename, content_type }: Permission): string => `${content_type.app_label}.${codename}`;

/** By id or by key. */
export const findPermission = (wanted: number | string): Permission | undefined =>
  PERMISSIONS.find((permission) => permission.id === wanted || keyOf(permission) === wanted);

/** Permissions on these apps come with staff; `auth` is not among them, or staff could make itself superuser. */
const CONTENT_APPS = ["cms", "pages"];

/**
 * Superusers have every permission; staff those on content, unless the account has a list of its own; other accounts
 * those on their list.
 *
 * @param permission `app.verb_model`
 */
export function hasPermission(account: Account, permission: string): boolean {
  if (!account.is_active) return false;
  if (account.is_superuser) return true;
  if (account.user_permissions) return account.user_permissions.includes(permission);
  return account.is_staff && CONTENT_APPS.some((app) => permission.startsWith(`${app}.`));
}

/** All permissions an account has, from its list or its role. */
export const permissionsOf = (account: Account): readonly Permission[] =>
  PERMISSIONS.filter((permission) => hasPermission(account, keyOf(permission)));

/**
 * Whether an account has every permission that another would have if it were active.
 *
 * Changing an account can mean taking it over (its password), so an account may only administer accounts with no more
 * permissions than its own; otherwise the permission to change users would be the permission to do everything.
 */
export function canAdminister(by: Account, other: Account): boolean {
  if (!by.is_active) return false;
  if (by.is_superuser) return true;
  if (other.is_superuser) return false;
  // Roles decide in place of permissions on content, also over what is seen, so they are compared by their names.
  if (by.roles.length > 0 || other.roles.length > 0) return coversByRoles(by, other);
  if (other.is_staff && !by.is_staff) return false;
  // Staff without a list also has permissions on custom page models, which are on no list.
  if (other.is_staff && other.user_permissions === null && by.user_permissions !== null) return false;
  const active = { ...other, is_active: true };
  const keys = new Set([...PERMISSIONS.map(keyOf), ...(other.user_permissions ?? [])]);
  return [...keys].every((key) => !hasPermission(active, key) || hasPermission(by, key));
}

function coversByRoles(by: Account, other: Account): boolean {
  const further = (other.user_permissions ?? []).filter(
    (key) => !CONTENT_APPS.some((app) => key.startsWith(`${app}.`)),
  );
  return (
    other.roles.length > 0 &&
    other.roles.every((role) => by.roles.includes(role)) &&
    further.every((key) => hasPermission(by, key))
  );
}
