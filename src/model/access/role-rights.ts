/**
 * The one decision: whether an account may do something to a record.
 *
 * An account with roles may what a rule of one of them says, and nothing else. An account without roles may what its
 * permissions say (`account/permission.ts`), as superusers may everything. A narrowed token may what its account may and one
 * of its own rules says. A role that does not exist allows nothing. What an account without roles may call stands in
 * the rows of `http/routes`, and is decided at the door (`http/app/authorize.ts`).
 */
import type { Account } from "../account/account.ts";
import { hasPermission, keyOf, PERMISSIONS, type Permission } from "../account/permission.ts";
import type { Id } from "../input/id.ts";
import type { Lang } from "../language/locale.ts";
import { ROLE_MODEL, STRUCTURE, type Role, type Roles } from "./role.ts";
import type { Action, Rule } from "./rule.ts";

/** Who asks: an account, by a token that may be narrowed. */
export interface Principal extends Account {
  readonly narrowedBy?: readonly Rule[];
}

/** What something is done to. */
export interface Target {
  /** As permissions name it; a page by its page model. */
  readonly model: string;
  /** Names the record in reasons. */
  readonly id?: Id;
  /** The ids of a page and of those above it; absent for other records. */
  readonly path?: readonly Id[];
  /** Absent: it concerns all languages. */
  readonly language?: Lang;
  /** A top-level field; absent: the record as a whole. */
  readonly field?: string;
  /** Whether the language is public, or any where none is named. */
  readonly isPublic?: boolean;
}

/** What a decision reads of the content. */
export interface AccessContent {
  readonly roles: Roles;
  /** The id of the page that `below` names; undefined for none: then the rule holds nowhere. */
  section(below: string | Id): Id | undefined;
}

/** Allowed, or why not, in words. */
export type Verdict = { readonly isAllowed: true } | { readonly isAllowed: false; readonly reason: string };

const ALLOWED: Verdict = { isAllowed: true };

export function may(principal: Principal, action: Action, target: Target, content: AccessContent): Verdict {
  if (!principal.is_active) return refused("This account is disabled.");
  const { narrowedBy } = principal;
  if (narrowedBy && !narrowedBy.some((rule) => allows(rule, action, target, content)))
    return refused(reasonOf("This token", narrowedBy, action, target));
  if (principal.is_superuser) return ALLOWED;
  if (target.model === ROLE_MODEL) return action === "view" ? ALLOWED : refused("Only superusers may change roles.");
  if (principal.roles.length === 0) return byPermissions(principal, action, target);
  if (action === "view" && STRUCTURE.includes(target.model)) return ALLOWED;
  const roles = rolesOf(principal, content.roles);
  const rules = roles.flatMap((role) => role.rules);
  if (rules.some((rule) => allows(rule, action, target, content))) return ALLOWED;
  return refused(reasonOf(subjectOf(principal, roles), rules, action, target));
}

const refused = (reason: string): Verdict => ({ isAllowed: false, reason });

/** The roles of an account that exist. */
export const rolesOf = (account: Pick<Account, "roles">, roles: Roles): readonly Role[] =>
  account.roles.flatMap((name) => roles.get(name) ?? []);

/**
 * Whether what an account may view is narrowed: it does not see every record. A cheap answer for the many accounts that do.
 */
export function isViewNarrowed(principal: Principal, roles: Roles): boolean {
  const isWide = (rules: readonly Rule[]): boolean =>
    rules.some((rule) => rule.may.includes("view") && !rule.models && rule.below === undefined && !rule.when);
  if (principal.narrowedBy && !isWide(principal.narrowedBy)) return true;
  if (principal.is_superuser || principal.roles.length === 0) return false;
  return !isWide(rolesOf(principal, roles).flatMap((role) => role.rules));
}

/**
 * The account with the rights of its roles as routes check them, before it is known which record a request is about: the
 * permissions that some rule could need, and whether it may do more than view. Those of a narrowed token are fewer, and
 * never those of a superuser.
 */
export function withRights<P extends Principal>(principal: P, roles: Roles): P {
  const { narrowedBy } = principal;
  if (principal.roles.length === 0 && !narrowedBy) return principal;
  const own = rolesOf(principal, roles).flatMap((role) => role.rules);
  const could = (rules: readonly Rule[], wanted: Permission): boolean => rules.some((rule) => couldNeed(rule, wanted));
  const has = (wanted: Permission): boolean =>
    principal.is_superuser || principal.roles.length === 0 || wanted.content_type.app_label !== "cms"
      ? hasPermission(principal, keyOf(wanted))
      : could(own, wanted);
  const keys = PERMISSIONS.filter((each) => has(each) && (!narrowedBy || could(narrowedBy, each))).map(keyOf);
  const writes = (rules: readonly Rule[]): boolean =>
    rules.some(({ may: actions }) => actions.some((a) => a !== "view"));
  const isStaff = principal.is_superuser || (principal.roles.length === 0 ? principal.is_staff : writes(own));
  return {
    ...principal,
    is_superuser: principal.is_superuser && !narrowedBy,
    is_staff: isStaff,
    user_permissions: principal.is_superuser && !narrowedBy ? principal.user_permissions : keys,
  };
}

/** Whether a rule holds for an action on a target. */
function allows(rule: Rule, action: Action, target: Target, content: AccessContent): boolean {
  if (!rule.may.includes(action) || !coversModel(rule, target.model)) return false;
  if (rule.below !== undefined) {
    const section = content.section(rule.below);
    if (section === undefined || !target.path?.includes(section)) return false;
  }
  if (rule.when !== undefined && (rule.when === "public") !== (target.isPublic ?? false)) return false;
  if (action === "view") return true;
  if (rule.languages && !(target.language !== undefined && rule.languages.includes(target.language))) return false;
  return !rule.fields || (target.field !== undefined && rule.fields.includes(target.field));
}

const coversModel = (rule: Rule, model: string): boolean =>
  rule.models ? rule.models.includes(model) : !STRUCTURE.includes(model) && model !== ROLE_MODEL;

/** The actions that need a permission of a verb. */
const ACTIONS_OF: Readonly<Record<string, readonly Action[]>> = {
  view: ["view"],
  add: ["create"],
  change: ["edit", "publish", "trash", "propose", "comment"],
  delete: ["delete", "trash"],
};

/** The permission on pages is that on pages of custom models, too. */
function couldNeed(rule: Rule, { codename, content_type: { app_label, model } }: Permission): boolean {
  const actions = ACTIONS_OF[codename.slice(0, codename.indexOf("_"))] ?? [];
  if (app_label !== "cms" || !actions.some((action) => rule.may.includes(action))) return false;
  return coversModel(rule, model) || (model === "page" && rule.models!.some((name) => !isKnown(name)));
}

const isKnown = (model: string): boolean => PERMISSIONS.some(({ content_type }) => content_type.model === model);

function byPermissions(account: Account, action: Action, { model }: Target): Verdict {
  if (action === "view") return ALLOWED;
  const verbs = Object.keys(ACTIONS_OF).filter((verb) => ACTIONS_OF[verb]!.includes(action));
  const permitted = isKnown(model) ? model : "page";
  // Who may add pages could always save and publish drafts of them, too.
  if (action !== "delete") verbs.push("add");
  const isAllowed = verbs.some((verb) => hasPermission(account, `cms.${verb}_${permitted}`));
  return isAllowed ? ALLOWED : refused("You do not have permission to perform this action.");
}

const subjectOf = ({ roles: names }: Account, roles: readonly Role[]): string => {
  if (roles.length === 0) return `Your role (${names.join(", ")}) does not exist on this site, and`;
  return roles.length === 1
    ? `Your role (${roles[0]!.label})`
    : `None of your roles (${roles.map(({ label }) => label).join(", ")})`;
};

/** Why none of the rules allows an action: the conditions under which they would, or that they never do. */
function reasonOf(subject: string, rules: readonly Rule[], action: Action, target: Target): string {
  const near = rules.filter((rule) => rule.may.includes(action) && coversModel(rule, target.model));
  const verb = subject.startsWith("None ") ? "may" : "may not";
  const limits = [...new Set(near.map(limitsOf))];
  const end = limits.length === 0 ? "" : `: only ${limits.join(", or ")}`;
  return `${subject} ${verb} ${action} ${placeOf(target)}${end}.`;
}

function placeOf({ model, id, language, field }: Target): string {
  const kind = isKnown(model) ? model : "page";
  const record = id === undefined ? `this ${kind}` : `${kind} ${id}`;
  return `${field === undefined ? "" : `${field} of `}${record}${language === undefined ? "" : ` (${language})`}`;
}

function limitsOf({ below, languages, fields, when }: Rule): string {
  return [
    below === undefined ? "" : `below ${typeof below === "number" ? `page ${below}` : below}`,
    languages ? `in the ${languages.length === 1 ? "language" : "languages"} ${languages.join(", ")}` : "",
    fields ? `the fields ${fields.join(", ")}` : "",
    when === "public" ? "what is public" : when ? "what is not public yet" : "",
  ]
    .filter((part) => part !== "")
    .join(" and ");
}
