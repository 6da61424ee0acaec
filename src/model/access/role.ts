/**
 * Roles: a name, a label and rules. Accounts name their roles; `content/roles.yaml` has those of a site, beside the built-in
 * ones, which it may replace.
 */
import { isObject, own, type Json } from "../input/json.ts";
import type { Locales } from "../language/locale.ts";
import { ACTIONS, readRules, type Action, type Rule, type RuleErrors } from "./rule.ts";

export interface Role {
  /** What people call it: "Web team". */
  readonly label: string;
  readonly rules: readonly Rule[];
}

/** By name. */
export type Roles = ReadonlyMap<string, Role>;

/** The models that give a site its structure. Every account with a role sees them; a rule covers them only by name. */
export const STRUCTURE: readonly string[] = ["metatype", "blocktype", "pagemodel"];

/** The model of roles themselves: every account sees them, superusers alone change them. */
export const ROLE_MODEL = "role";

const AUTHOR: readonly Action[] = ["view", "create", "edit", "propose", "comment"];

/** The roles that every site has. */
export const BUILT_IN: Roles = new Map<string, Role>([
  ["reader", { label: "Reader", rules: [{ may: ["view"] }] }],
  ["author", { label: "Author", rules: [{ may: AUTHOR }] }],
  ["editor", { label: "Editor", rules: [{ may: ACTIONS }] }],
  ["administrator", { label: "Administrator", rules: [{ may: ACTIONS }, { may: ACTIONS, models: STRUCTURE }] }],
]);

const ROLES_MAX = 200;
const ROLE_NAME = /^[a-z][a-z0-9_-]{0,49}$/;

/** Roles from a file or a client, by name. @param errors gets a message for each wrong value, nested as the roles are */
export function readRoles(value: Json | undefined, errors: RuleErrors, locales: Locales): Roles {
  const roles = new Map<string, Role>();
  if (!isObject(value) || Object.keys(value).length > ROLES_MAX) {
    errors.roles = [`A mapping of at most ${ROLES_MAX} roles by their names is expected.`];
    return roles;
  }
  const wrong: RuleErrors = {};
  for (const [name, given] of Object.entries(value)) {
    const own: RuleErrors = {};
    if (ROLE_NAME.test(name)) roles.set(name, readRole(name, given, own, locales));
    else own.label = ["A role is named in lower case: letters, digits, - and _."];
    if (Object.keys(own).length > 0) wrong[name] = own;
  }
  if (Object.keys(wrong).length > 0) errors.roles = wrong;
  return roles;
}

function readRole(name: string, value: Json, errors: RuleErrors, locales: Locales): Role {
  if (!isObject(value)) {
    errors.rules = ["A role is a mapping with label and rules."];
    return { label: name, rules: [] };
  }
  for (const key of Object.keys(value))
    if (key !== "label" && key !== "rules") errors[key] = ["There is no such key; a role has label and rules."];
  const label = own(value, "label") ?? name;
  const isLabel = typeof label === "string" && label.trim() !== "" && label.length <= 100;
  if (!isLabel) errors.label = ["A text of at most 100 characters is expected."];
  return { label: isLabel ? label.trim() : name, rules: readRules(own(value, "rules"), errors, locales) };
}
