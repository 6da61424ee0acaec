/**
 * What can be permitted: four verbs on every kind of record, and on accounts and tokens.
 *
 * Ids are positions in a fixed table, so that clients may keep them. New models go at the end.
 */
import { hasPermission, type Account } from "./account.ts";

export interface Permission {
  readonly id: number;
  /** For people: "Can add page". */
  readonly name: string;
  /** Unique within its app: `add_page`. */
  readonly codename: string;
  readonly content_type: { readonly id: number; readonly app_label: string; readonly model: string };
}

const VERBS = ["add", "change", "delete", "view"] as const;

/** App, model, and how people call it. A page model's position is its content type's id elsewhere too. */
const MODELS: readonly (readonly [app: string, model: string, name: string])[] = [
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

export const PERMISSIONS: readonly Permission[] = MODELS.flatMap(([app_label, model, name], at) =>
  VERBS.map((verb, nth) => ({
    id: at * VERBS.length + nth + 1,
    name: `Can ${verb} ${name}`,
    codename: `${verb}_${model}`,
    content_type: { id: at + 1, app_label, model },
  })),
);

/** As accounts and routes name a permission: `cms.change_page`. */
export const keyOf = ({ codename, content_type }: Permission): string => `${content_type.app_label}.${codename}`;

/** By id or by key. */
export const findPermission = (wanted: number | string): Permission | undefined =>
  PERMISSIONS.find((permission) => permission.id === wanted || keyOf(permission) === wanted);

/** Those an account has, however it came by them. */
export const permissionsOf = (account: Account): readonly Permission[] =>
  PERMISSIONS.filter((permission) => hasPermission(account, keyOf(permission)));

/**
 * Whether one account may do all that another could if it were active.
 *
 * Who may change accounts may take them over, so nobody may touch one that can do more than himself, nor make one so.
 */
export function covers(by: Account, other: Account): boolean {
  if (!by.is_active) return false;
  if (by.is_superuser) return true;
  if (other.is_superuser || (other.is_staff && !by.is_staff)) return false;
  // Staff without a list has rights on models that no list names, which only its like covers.
  if (other.is_staff && other.user_permissions === null && by.user_permissions !== null) return false;
  const active = { ...other, is_active: true };
  const keys = new Set([...PERMISSIONS.map(keyOf), ...(other.user_permissions ?? [])]);
  return [...keys].every((key) => !hasPermission(active, key) || hasPermission(by, key));
}
