/**
 * Signing in and out by cookie.
 *
 * The id in the cookie is random and stored only as a hash. A session is bound to the account's token version, so
 * whatever makes the token worthless ends every session too, in every process and at once.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Account } from "../model/account.ts";
import { instantOf, msOf } from "../model/instant.ts";
import type { Accounts } from "./accounts.ts";

/** In seconds. */
export const SESSION_SECONDS = 14 * 24 * 3600;

/** What the browser is given: the id, and the value its scripts must send along with every write. */
export interface NewSession {
  readonly id: string;
  readonly csrf: string;
}

/** @param former the id in the cookie so far, which must not live on beside the new one */
export async function openSession(accounts: Accounts, account: Account, former?: string): Promise<NewSession> {
  const { sessions, env } = accounts;
  const now = env.now();
  const id = randomBytes(32).toString("base64url");
  if (former !== undefined) await closeSession(accounts, former);
  await sessions.add(
    { hash: hashOf(id), account: account.id, token_version: account.token_version, expires_at: instantOf(msOf(now) + SESSION_SECONDS * 1000) },
    now,
  );
  return { id, csrf: await csrfOf(accounts, id) };
}

/** The active account a session id stands for; undefined when it is forged, over, or older than what ended it. */
export async function accountBySession(accounts: Accounts, id: string): Promise<Account | undefined> {
  if (!isSessionId(id)) return undefined;
  const session = await accounts.sessions.find(hashOf(id));
  if (!session || msOf(session.expires_at) <= msOf(accounts.env.now())) return undefined;
  const account = await accounts.store.find(session.account);
  return account?.is_active && account.token_version === session.token_version ? account : undefined;
}

/** Nothing when there is no such session. */
export async function closeSession(accounts: Accounts, id: string): Promise<void> {
  if (isSessionId(id) && (await accounts.sessions.find(hashOf(id)))) await accounts.sessions.remove(hashOf(id));
}

/** Whether a value is the one given out with the session; one planted in the browser by somebody else is not. */
export async function isCsrfOf(accounts: Accounts, id: string, value: string): Promise<boolean> {
  const [expected, given] = [Buffer.from(await csrfOf(accounts, id)), Buffer.from(value)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

const csrfOf = async ({ store }: Accounts, id: string): Promise<string> =>
  createHmac("sha256", await store.secret()).update(`csrf:${hashOf(id)}`).digest("base64url");

const isSessionId = (text: string): boolean => /^[\w-]{43}$/.test(text);

const hashOf = (id: string): string => createHash("sha256").update(id).digest("base64url");
