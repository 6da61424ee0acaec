/**
 * Cookie sessions.
 *
 * The id in the cookie is random, and only its hash is stored. A session is bound to the account's token version, so
 * revoking the token ends all sessions at once, in every process.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Account } from "../../model/account/account.ts";
import { instantOf, msOf } from "../../model/time/instant.ts";
import type { Accounts } from "./accounts.ts";

/** In seconds. */
export const SESSION_SECONDS = 14 * 24 * 3600;

/** The session id for the cookie, and the CSRF token that must be sent with every write. */
interface NewSession {
  readonly id: string;
  readonly csrf: string;
}

/** @param former the session id that the browser has, which is closed */
export async function openSession(accounts: Accounts, account: Account, former?: string): Promise<NewSession> {
  const { sessions, env } = accounts;
  const now = env.now();
  const id = randomBytes(32).toString("base64url");
  if (former !== undefined) await closeSession(accounts, former);
  await sessions.add(
    {
      hash: hashOf(id),
      account: account.id,
      token_version: account.token_version,
      expires_at: instantOf(msOf(now) + SESSION_SECONDS * 1000),
    },
    now,
  );
  return { id, csrf: await csrfOf(accounts, id) };
}

/** The active account of a session id; undefined when it is unknown, expired or revoked. */
export async function accountBySession(accounts: Accounts, id: string): Promise<Account | undefined> {
  if (!isSessionId(id)) return undefined;
  const session = await accounts.sessions.find(hashOf(id));
  if (!session || msOf(session.expires_at) <= msOf(accounts.env.now())) return undefined;
  const account = await accounts.store.find(session.account);
  return account?.is_active && account.token_version === session.token_version ? account : undefined;
}

/** Does nothing when there is no such session. */
export async function closeSession(accounts: Accounts, id: string): Promise<void> {
  if (isSessionId(id) && (await accounts.sessions.find(hashOf(id)))) await accounts.sessions.remove(hashOf(id));
}

/** Whether a value is the CSRF token of the session, compared in constant time. */
export async function isCsrfOf(accounts: Accounts, id: string, value: string): Promise<boolean> {
  const [expected, given] = [Buffer.from(await csrfOf(accounts, id)), Buffer.from(value)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

const csrfOf = async ({ store }: Accounts, id: string): Promise<string> =>
  createHmac("sha256", await store.secret())
    .update(`csrf:${hashOf(id)}`)
    .digest("base64url");

const isSessionId = (text: string): boolean => /^[\w-]{43}$/.test(text);

const hashOf = (id: string): string => createHash("sha256").update(id).digest("base64url");
