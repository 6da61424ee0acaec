/**
 * The tokens of accounts, derived from the account and a secret whenever they are needed, and never stored.
 *
 * An account is looked up by a digest of the token under the secret, so a wrong token costs the same with any number of
 * accounts, and the time of the look-up tells a client nothing about other tokens.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { derived } from "../../memo.ts";
import type { Account } from "../../model/account/account.ts";
import type { AccountStore } from "../../store/private/accounts.ts";
import { pace } from "../../time-slices.ts";

interface Known {
  readonly token: string;
  readonly account: Account;
}

interface TokenIndex {
  readonly secret: Buffer;
  /** By digest of the token. */
  readonly byDigest: ReadonlyMap<string, Known>;
  /** Tokens and their digests by account and version: a change of one account leaves those of the others. */
  readonly derived: ReadonlyMap<string, readonly [token: string, digest: string]>;
}

const indexOf = derived((_store: AccountStore): { last?: LastIndex } => ({}));

interface LastIndex {
  /** As they were listed. */
  readonly accounts: readonly Account[];
  readonly index: Promise<TokenIndex>;
}

/**
 * The account that has a token now, or had it when it was disabled: disabling increments the token version, so that
 * enabling the account does not restore the token.
 */
export async function ownerOfToken(store: AccountStore, token: string): Promise<Account | undefined> {
  if (!/^[0-9a-f]{40}$/.test(token)) return undefined;
  const [secret, accounts] = [await store.secret(), await store.list()];
  const kept = indexOf(store);
  if (kept.last?.accounts !== accounts) {
    const made: LastIndex = { accounts, index: build(accounts, secret, kept.last?.index) };
    kept.last = made;
    // The next request builds it again.
    made.index.catch(() => kept.last === made && delete kept.last);
  }
  const { byDigest } = await kept.last.index;
  const known = byDigest.get(digestOf(secret, token));
  return known && timingSafeEqual(Buffer.from(known.token), Buffer.from(token)) ? known.account : undefined;
}

/** The token of an account at a version: 40 hexadecimal digits. */
export const deriveToken = (secret: Buffer, { id, token_version }: Pick<Account, "id" | "token_version">): string =>
  hmac(secret, `${id}:${token_version}`).slice(0, 40);

async function build(accounts: readonly Account[], secret: Buffer, last?: Promise<TokenIndex>): Promise<TokenIndex> {
  const before = await last?.catch(() => undefined);
  const byDigest = new Map<string, Known>();
  const derived = new Map<string, readonly [string, string]>();
  const kept = before?.secret.equals(secret) ? before.derived : derived;
  for (const account of accounts) {
    const { id, token_version: newest, is_active: isActive } = account;
    for (const token_version of isActive ? [newest] : [newest, newest - 1]) {
      const key = `${id}:${token_version}`;
      const known = kept.get(key) ?? derive(secret, { id, token_version });
      derived.set(key, known);
      byDigest.set(known[1], { token: known[0], account });
    }
    const rest = pace();
    if (rest) await rest;
  }
  return { secret, byDigest, derived };
}

function derive(secret: Buffer, at: Pick<Account, "id" | "token_version">): readonly [string, string] {
  const token = deriveToken(secret, at);
  return [token, digestOf(secret, token)];
}

/** Of another form than what tokens are derived from, so that no digest is a token. */
const digestOf = (secret: Buffer, token: string): string => hmac(secret, `token ${token}`);

const hmac = (secret: Buffer, text: string): string => createHmac("sha256", secret).update(text).digest("hex");
