/**
 * Named tokens: an account has several for its programs, each with an end and with rules that narrow what it may.
 *
 * A token is shown once. It ends with the account's token version, as all that signs the account in does.
 */
import { refuseInvalid, type ErrorNode, type FieldErrors } from "../../errors.ts";
import { readRules, type Rule } from "../access/rule.ts";
import { readValue } from "../input/field.ts";
import type { Id } from "../input/id.ts";
import { requireObject, REQUIRED } from "../input/input-errors.ts";
import { own } from "../input/json.ts";
import { mergeErrors, named, record, refusedKeys, type UnknownFields } from "../input/known-keys.ts";
import type { Locales } from "../language/locale.ts";
import { instantOf, msOf, type Instant } from "../time/instant.ts";
import type { Account } from "./account.ts";

export interface NamedToken {
  /** Names it in lists and addresses. */
  readonly id: string;
  /** SHA-256, base64url. */
  readonly hash: string;
  readonly account: Id;
  readonly token_version: number;
  readonly name: string;
  readonly created_at: Instant;
  /** null: it has no end of its own. */
  readonly expires_at: Instant | null;
  /** To the hour. */
  readonly last_used_at: Instant | null;
  /** null: it may what its account may, but for what is sensitive. */
  readonly rules: readonly Rule[] | null;
}

export type NewNamedToken = Pick<NamedToken, "name" | "expires_at" | "rules">;

/** What narrows a token to reading. */
export const READING: readonly Rule[] = [{ may: ["view"] }];

/** In years: a later end is a mistake. */
const LIFE_MAX = 10;
const NAME_MAX = 100;

const KEYS = record(named("name", "expires_at", "rules"));

/** @throws CmsError `invalid` with every offending field */
export function readNamedToken(
  body: unknown,
  { now, locales, unknownFields }: { now: Instant; locales: Locales; unknownFields: UnknownFields },
): NewNamedToken {
  requireObject(body);
  const errors: Record<string, ErrorNode> = {};
  const name = own(body, "name");
  const read = readValue({ name: "name", type: "text", max: NAME_MAX, blank: false }, name ?? null);
  if (name === undefined) errors.name = [REQUIRED];
  else if ("error" in read) errors.name = [read.error];
  const expires = readValue({ name: "expires_at", type: "instant", nullable: true }, own(body, "expires_at") ?? null);
  const latest = instantOf(msOf(now) + LIFE_MAX * 366 * 86_400_000);
  if ("error" in expires) errors.expires_at = [expires.error];
  else if (expires.value !== null && (String(expires.value) <= now || String(expires.value) > latest))
    errors.expires_at = [`Expected a moment within the next ${LIFE_MAX} years.`];
  const sent = own(body, "rules") ?? null;
  const wrong = {};
  const rules = sent === null ? null : readRules(sent, wrong, locales);
  Object.assign(errors, wrong);
  if (rules?.length === 0 && !errors.rules) errors.rules = ["A token without a rule may nothing: null leaves it wide."];
  refuseInvalid(mergeErrors(errors, refusedKeys(unknownFields, KEYS, body)) as FieldErrors);
  return {
    name: String((read as { value: unknown }).value),
    expires_at: (expires as { value: Instant | null }).value,
    rules,
  };
}

/** Whether a token holds for its account as that is now. */
export const isLive = (
  { account: id, token_version, expires_at }: NamedToken,
  account: Account | undefined,
  now: Instant,
): boolean =>
  account?.id === id &&
  account.is_active &&
  account.token_version === token_version &&
  (expires_at === null || expires_at > now);
