/**
 * Accounts, and the rules for their fields and passwords. What an account is permitted to do is in `permission.ts`.
 *
 * Accounts are private state, never part of a commit: `store/private/accounts.ts` stores them, `actions/accounts/accounts.ts`
 * has their tokens, `actions/accounts/password-hashes.ts` the hashes. The error messages are those of the upstream system.
 */
import { NOT_BLANK } from "../input/input-errors.ts";
import { createHash } from "node:crypto";
import { instantOf, type Instant } from "../time/instant.ts";
import { canonicalJson } from "../input/json.ts";
import type { Id } from "../page/page.ts";

/** Who somebody is at a provider of OpenID Connect; see `identity.ts`. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

export interface Account {
  readonly id: Id;
  readonly username: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly is_staff: boolean;
  readonly is_superuser: boolean;
  readonly is_active: boolean;
  /** `app.verb_model`, as in `cms.change_page`; null: not restricted to a list. */
  readonly user_permissions: readonly string[] | null;
  /** The names of its roles, which decide in place of permissions on content (model/access); empty: it has none. */
  readonly roles: readonly string[];
  /** The hash with its parameters; null: the account has no password and cannot sign in with one. */
  readonly password: string | null;
  /** Incremented to invalidate all tokens and sessions issued so far. */
  readonly token_version: number;
  /** Whether the token of the current version has been issued. */
  readonly has_token: boolean;
  readonly date_joined: Instant;
  readonly last_login: Instant | null;
  /** Who it is at a provider; absent: it is connected with none. */
  readonly identity?: Identity;
}

/** An active account without any permission: the base for a new account. */
export const NO_RIGHTS: Account = {
  id: 0,
  username: "",
  email: "",
  first_name: "",
  last_name: "",
  is_staff: false,
  is_superuser: false,
  is_active: true,
  user_permissions: null,
  roles: [],
  password: null,
  token_version: 1,
  has_token: false,
  date_joined: instantOf(0),
  last_login: null,
};

const USERNAME = /^[\p{L}\p{N}@.+_-]+$/u;
const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>".]+(\.[^\s@<>".]+)*$/u;

/** The most common passwords that pass the other rules. */
// oxfmt-ignore
const COMMON_PASSWORDS = new Set([
  "password", "password1", "password12", "password123", "passw0rd", "p@ssw0rd", "iloveyou", "qwertyuiop", "qwerty123",
  "qwerty12", "1q2w3e4r", "1q2w3e4r5t", "1qaz2wsx", "q1w2e3r4", "abcd1234", "abc12345", "a1b2c3d4", "aa123456",
  "letmein1", "changeme", "admin123", "administrator", "welcome1", "sunshine", "princess", "football", "baseball",
  "superman", "trustno1", "starwars", "whatever", "computer", "michelle", "jennifer", "asdfghjkl", "zxcvbnm1",
]);

/** The canonical form of a user name (NFKC, trimmed), so that names that look the same compare equal. */
export const normalUsername = (name: string): string => name.slice(0, NORMALIZED_MAX).normalize("NFKC").trim();

/**
 * In UTF-16 units, well above the longest valid name. NFKC sorts runs of combining marks in quadratic time, and names
 * come from unauthenticated requests.
 */
const NORMALIZED_MAX = 1000;

/** Names that differ only in case belong to one account. */
export const sameUsername = (a: string, b: string): boolean =>
  normalUsername(a).toLowerCase() === normalUsername(b).toLowerCase();

/** @param name as `normalUsername` returns it */
export function usernameErrors(name: string): string[] {
  if (name === "") return [NOT_BLANK];
  if (name.length > 150) return nameErrors(name);
  if (USERNAME.test(name)) return [];
  return ["Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters."];
}

/** The errors of a first or last name. */
export const nameErrors = (name: string): string[] =>
  name.length > 150 ? ["Ensure this field has no more than 150 characters."] : [];

/** The errors of an e-mail address; "" is valid. */
export const emailErrors = (email: string): string[] =>
  email === "" || (email.length <= 254 && EMAIL.test(email)) ? [] : ["Enter a valid email address."];

/** All rules that a password breaks, for the account with that user name. */
export function passwordErrors(password: string, username: string): string[] {
  if (isTooLong(password)) return ["This password is too long. It must not exceed 1024 bytes."];
  const errors: string[] = [];
  if ([...password].length < 8) {
    errors.push("This password is too short. It must contain at least 8 characters.");
  }
  if (sameUsername(password, username)) errors.push("The password is too similar to the username.");
  if (COMMON_PASSWORDS.has(password.toLowerCase())) errors.push("This password is too common.");
  if (/^\p{N}+$/u.test(password)) errors.push("This password is entirely numeric.");
  return errors;
}

/** Whether a password has more than 1,024 bytes. It must not be hashed: that would be a way to exhaust the CPU. */
export const isTooLong = (password: string): boolean => new TextEncoder().encode(password).length > 1024;

/**
 * Identifies one state of an account: a digest that changes with the password and does not reveal it.
 */
export const accountVersion = ({ password: _hash, ...shown }: Account): string =>
  createHash("sha1").update(canonicalJson(shown)).digest("hex");

/** What an account is called: its full name, or the name it signs in with. */
export const displayName = ({ first_name, last_name, username }: Account): string =>
  `${first_name} ${last_name}`.trim() || username;
