/** Named tokens: made, listed, found by what a request sends, revoked. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { CmsError, invalid, notFound } from "../../errors.ts";
import type { Principal } from "../../model/access/role-rights.ts";
import type { Account } from "../../model/account/account.ts";
import { isLive, type NamedToken, type NewNamedToken } from "../../model/account/named-token.ts";
import type { Accounts } from "./accounts.ts";
import { audit } from "./auditing.ts";

/** What they begin with, so that they are known from tokens of `token-auth/`, and found where they should not be. */
const PREFIX = "cms_";
const TOKEN = /^cms_[\w-]{43}$/;

/** Of one account: a program that makes them repeatedly must not make the file grow. */
const PER_ACCOUNT = 50;

export const isNamedToken = (text: string): boolean => text.startsWith(PREFIX);

/** @returns the token, which is not known again later @throws CmsError `invalid` for a name that is taken, `conflict` */
export async function addNamedToken(
  accounts: Accounts,
  account: Account,
  made: NewNamedToken,
): Promise<NamedToken & { readonly token: string }> {
  const { namedTokens, store, env } = accounts;
  const text = PREFIX + randomBytes(32).toString("base64url");
  const token: NamedToken = {
    ...{ id: randomBytes(9).toString("base64url"), hash: hashOf(text) },
    ...{ account: account.id, token_version: account.token_version },
    ...{ name: made.name, created_at: env.now(), expires_at: made.expires_at, last_used_at: null, rules: made.rules },
  };
  const owners = new Map((await store.list()).map((each) => [each.id, each]));
  await namedTokens.update((tokens) => {
    const live = tokens.filter((each) => isLive(each, owners.get(each.account), env.now()));
    const own = live.filter((each) => each.account === account.id);
    if (own.some(({ name }) => name === made.name)) throw invalid({ name: ["A token with this name already exists."] });
    if (own.length >= PER_ACCOUNT) throw new CmsError("conflict", `An account has at most ${PER_ACCOUNT} tokens.`);
    return [[...live, token], undefined];
  });
  audit(accounts, { event: "token-added", about: account, detail: made.name });
  return { ...token, token: text };
}

/** Those of an account that hold, oldest first. */
export const listNamedTokens = async (
  { namedTokens, env }: Accounts,
  account: Account,
): Promise<readonly NamedToken[]> => (await namedTokens.list()).filter((token) => isLive(token, account, env.now()));

/** @throws CmsError `not_found` */
export async function removeNamedToken(accounts: Accounts, account: Account, id: string): Promise<void> {
  const removed = await accounts.namedTokens.update((tokens) => {
    const found = tokens.find((token) => token.account === account.id && token.id === id);
    return found ? [tokens.filter((token) => token !== found), found] : [tokens, undefined];
  });
  if (!removed) throw notFound("Token");
  audit(accounts, { event: "token-removed", about: account, detail: removed.name });
}

/** The account of a named token, as narrow as the token is; undefined for one that does not hold. */
export async function ownerOfNamedToken(
  { namedTokens, store, env }: Accounts,
  text: string,
): Promise<Principal | undefined> {
  if (!TOKEN.test(text)) return undefined;
  const hash = hashOf(text);
  const token = await namedTokens.find(hash);
  if (!token || !timingSafeEqual(Buffer.from(token.hash), Buffer.from(hash))) return undefined;
  const account = await store.find(token.account);
  if (!account || !isLive(token, account, env.now())) return undefined;
  namedTokens.touch(token, env.now());
  return token.rules ? { ...account, narrowedBy: token.rules } : account;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
