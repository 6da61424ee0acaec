/**
 * Rules: what a role, or a narrowed token, may do, and where.
 *
 * Each condition that a rule has narrows it; rules only ever add to each other. `role-rights.ts` has the decision.
 */
import { isObject, own, type Json, type JsonObject } from "../input/json.ts";
import { findLang, type Lang, type Locales } from "../language/locale.ts";
import type { Id } from "../input/id.ts";

/**
 * What can be done to a record. `publish` is all that changes what is public, at once or at a time: publish, schedule,
 * unpublish, and to change the values of a public language. `trash` includes to restore.
 */
export const ACTIONS = ["view", "create", "edit", "publish", "trash", "delete", "propose", "comment"] as const;
export type Action = (typeof ACTIONS)[number];

/** The state of a language, before the change, in which a rule holds. */
export const STATES = ["public", "unpublished"] as const;

export interface Rule {
  readonly may: readonly Action[];
  /** Models as permissions name them, pages by their page model; absent: all but those of the site's structure. */
  readonly models?: readonly string[];
  /** A page by its permalink in the default language, or by its id: this page and those below it. Only pages are below one. */
  readonly below?: string | Id;
  /** What concerns these languages alone. To view is always of whole records. */
  readonly languages?: readonly Lang[];
  /** Top-level fields, with their names in files. They narrow `edit` alone. */
  readonly fields?: readonly string[];
  readonly when?: (typeof STATES)[number];
}

/** Collects messages by key and position, nested as the rules are. */
export interface RuleErrors {
  [key: string]: string[] | RuleErrors;
}

const KEYS = ["may", "models", "below", "languages", "fields", "when"];
const LIST_MAX = 200;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/;

/** A list of rules from a file or a client. @param errors gets a message for each wrong value */
export function readRules(value: Json | undefined, errors: RuleErrors, locales: Locales): Rule[] {
  if (!Array.isArray(value) || value.length > LIST_MAX) {
    errors.rules = [`A list of at most ${LIST_MAX} rules is expected.`];
    return [];
  }
  const wrong: RuleErrors = {};
  const rules = value.map((item: Json, at) => {
    const own: RuleErrors = {};
    const rule = readRule(item, own, locales);
    if (Object.keys(own).length > 0) wrong[at] = own;
    return rule;
  });
  if (Object.keys(wrong).length > 0) errors.rules = wrong;
  return rules;
}

function readRule(value: Json, errors: RuleErrors, locales: Locales): Rule {
  if (!isObject(value)) {
    errors.may = ["A rule is a mapping with `may`, a list of actions."];
    return { may: [] };
  }
  for (const key of Object.keys(value))
    if (!KEYS.includes(key)) errors[key] = [`There is no such key; a rule has ${KEYS.join(", ")}.`];
  const may = readList(value, "may", errors, (text) => ACTIONS.find((action) => action === text), ACTIONS);
  if (may === undefined && !errors.may) errors.may = [`A list of actions is expected: ${ACTIONS.join(", ")}.`];
  const models = readList(value, "models", errors, (text) => (NAME.test(text) ? text : undefined));
  const languages = readList(value, "languages", errors, (code) => findLang(locales, code), locales.codes);
  const fields = readList(value, "fields", errors, (text) => (NAME.test(text) ? text : undefined));
  if (fields && may?.some((action) => action !== "edit" && action !== "view"))
    errors.fields = ["Fields narrow `edit` alone: give the other actions a rule of their own."];
  const below = readBelow(own(value, "below"), errors);
  const state = own(value, "when");
  const when = STATES.find((each) => each === state);
  if (state !== undefined && when === undefined) errors.when = [`One of ${STATES.join(", ")} is expected.`];
  return {
    may: may ?? [],
    ...(models && { models }),
    ...(below !== undefined && { below }),
    ...(languages && { languages }),
    ...(fields && { fields }),
    ...(when && { when }),
  };
}

/** An empty list is refused: it would narrow a rule to nothing, and reads as if it left it wide. */
function readList<T extends string>(
  from: JsonObject,
  key: string,
  errors: RuleErrors,
  read: (text: string) => T | undefined,
  choices?: readonly string[],
): T[] | undefined {
  const value = own(from, key);
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0 || value.length > LIST_MAX) {
    errors[key] = [`A list of 1 to ${LIST_MAX} names is expected.`];
    return undefined;
  }
  const names: T[] = [];
  const wrong: RuleErrors = {};
  for (const [at, item] of (value as readonly Json[]).entries()) {
    const name = typeof item === "string" ? read(item) : undefined;
    if (name === undefined) wrong[at] = [choices ? `One of ${choices.join(", ")} is expected.` : "Not a valid name."];
    else if (!names.includes(name)) names.push(name);
  }
  if (Object.keys(wrong).length > 0) errors[key] = wrong;
  return names;
}

function readBelow(value: Json | undefined, errors: RuleErrors): Rule["below"] {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  if (typeof value === "string" && value.length <= 500 && /^\/[^/]/.test(value)) return value.replace(/\/$/, "");
  errors.below = ["The permalink of a page, as /journal, or its id is expected."];
  return undefined;
}
