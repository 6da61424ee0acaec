/**
 * Identities: who an account is at a provider of OpenID Connect.
 *
 * A person is known by issuer and subject alone. Names and addresses can be given to somebody else, and what a provider says of
 * them is no proof.
 */
import { isObject, type JsonObject } from "../input/json.ts";
import { emailErrors, nameErrors, normalUsername, usernameErrors, type Account, type Identity } from "./account.ts";

export const isSameIdentity = (one: Identity | undefined, other: Identity): boolean =>
  one?.issuer === other.issuer && one.subject === other.subject;

/** What a provider says of a person; absent where it says nothing that can be used. */
export type Profile = Partial<Pick<Account, "email" | "first_name" | "last_name" | "roles">>;

/** @param mapping the roles of groups; without any, roles are none of the provider's business */
export function profileOf(
  claims: JsonObject,
  groupsClaim: string,
  mapping: Readonly<Record<string, readonly string[]>>,
): Profile {
  const { email, email_verified: isVerified, given_name: first, family_name: last } = claims;
  const name = (value: unknown): value is string => typeof value === "string" && nameErrors(value).length === 0;
  // It becomes the author's address of commits: an unproved one would let a person write in the name of another.
  const isOwn = typeof email === "string" && isVerified === true && emailErrors(email).length === 0;
  return {
    ...(isOwn && { email }),
    ...(name(first) && { first_name: first }),
    ...(name(last) && { last_name: last }),
    ...(Object.keys(mapping).length > 0 && { roles: rolesOfGroups(claims[groupsClaim], mapping) }),
  };
}

function rolesOfGroups(claim: unknown, mapping: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const groups = (Array.isArray(claim) ? claim : [claim]).filter((each) => typeof each === "string");
  return [...new Set(groups.flatMap((group) => (Object.hasOwn(mapping, group) ? mapping[group]! : [])))];
}

/** A user name like what the provider calls a person; a number is added where it is taken. */
export function usernameOf(
  { preferred_username: preferred, email, sub }: JsonObject,
  isTaken: (name: string) => boolean,
): string {
  const wanted = [preferred, email, sub].find((each) => typeof each === "string" && each.trim() !== "");
  const plain = normalUsername(String(wanted ?? ""))
    .replace(/[^\p{L}\p{N}@.+_-]+/gu, "-")
    .slice(0, 140);
  const base = usernameErrors(plain).length === 0 ? plain : "user";
  for (let at = 1; ; at++) {
    const name = at === 1 ? base : `${base}-${at}`;
    if (!isTaken(name)) return name;
  }
}

/** From a file. */
export const identityIn = (raw: unknown): Identity | undefined =>
  isObject(raw) && typeof raw.issuer === "string" && typeof raw.subject === "string"
    ? { issuer: raw.issuer, subject: raw.subject }
    : undefined;
