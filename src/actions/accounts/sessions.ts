/**
 * Cookie sessions.
 *
 * The id in the cookie is random, and only its hash is stored. A session is bound to the account's token version, so
 * revoking the token ends all sessions at once, in every process.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { CmsError, notFound } from "../../errors.ts";
import type { Account } from "../../model/account/account.ts";
import { instantOf, msOf, type Instant } from "../../model/time/instant.ts";
import type { Session } from "../../store/private/sessions.ts";
import type { Accounts } from "./accounts.ts";
import { audit } from "./auditing.ts";

/** In seconds. */
export const SESSION_SECONDS = 14 * 24 * 3600;

/** The session id for the cookie, and the CSRF token that must be sent with every write. */
interface NewSession {
  readonly id: string;
  readonly csrf: string;
}

/** In seconds: how long after a proof of who it is an account may do what is sensitive. */
export const CONFIRMED_SECONDS = 15 * 60;

/** What a session is told of the browser that it is for. */
interface SessionOrigin {
  /** The session id that the browser has, which is closed. */
  readonly former?: string;
  /** What the browser calls itself. */
  readonly agent?: string;
  /** When the account proved who it is, if that was before now. */
  readonly confirmedAt?: Instant;
  /** `SESSION_SECONDS` by default. */
  readonly seconds?: number;
}

export async function openSession(
  accounts: Accounts,
  account: Account,
  { former, agent = "", confirmedAt, seconds = SESSION_SECONDS }: SessionOrigin = {},
): Promise<NewSession> {
  const { sessions, actor, env } = accounts;
  const now = env.now();
  const id = randomBytes(32).toString("base64url");
  if (former !== undefined) await closeSession(accounts, former);
  await sessions.add(
    {
      hash: hashOf(id),
      account: account.id,
      token_version: account.token_version,
      created_at: now,
      expires_at: instantOf(msOf(now) + seconds * 1000),
      confirmed_at: confirmedAt ?? now,
      address: actor.address ?? "",
      agent: agent.replace(/[^\x20-\x7e]/g, "").slice(0, AGENT_MAX),
    },
    now,
  );
  return { id, csrf: await csrfOf(accounts, id) };
}

/** The active account of a session id; undefined when it is unknown, expired or revoked. */
export async function accountBySession(accounts: Accounts, id: string): Promise<Account | undefined> {
  if (!isSessionId(id)) return undefined;
  const session = await accounts.sessions.find(hashOf(id));
  const account = session && (await accounts.store.find(session.account));
  return account && holds(session, account, accounts.env.now()) ? account : undefined;
}

const holds = (session: Session, account: Account, now: Instant): boolean =>
  session.expires_at > now && account.is_active && account.token_version === session.token_version;

/** Does nothing when there is no such session. */
export async function closeSession(accounts: Accounts, id: string): Promise<void> {
  if (isSessionId(id) && (await accounts.sessions.find(hashOf(id))))
    await accounts.sessions.removeAll(({ hash }) => hash === hashOf(id));
}

/** A session as its owner sees it. */
export interface OwnSession extends Pick<Session, "created_at" | "expires_at" | "address" | "agent"> {
  /** Part of the hash: enough to name the session, and nothing that opens it. */
  readonly id: string;
  readonly is_current: boolean;
}

/** The sessions of an account that hold, newest first. @param current the id in the cookie of the request */
export async function listSessions(accounts: Accounts, account: Account, current?: string): Promise<OwnSession[]> {
  const now = accounts.env.now();
  const own = (await accounts.sessions.of(account.id)).filter((session) => holds(session, account, now));
  const currentHash = current === undefined ? undefined : hashOf(current);
  return own
    .map(({ hash, created_at, expires_at, address, agent }) => ({
      ...{ id: nameOfSession(hash), created_at, expires_at, address, agent },
      is_current: hash === currentHash,
    }))
    .reverse();
}

/** @param which the `id` of a listed session, or all but the one of the request @throws CmsError `not_found` */
export async function endSessions(
  accounts: Accounts,
  account: Account,
  which: { readonly id: string } | { readonly except: string | undefined },
): Promise<void> {
  const kept = "except" in which && which.except !== undefined ? hashOf(which.except) : undefined;
  const ended = await accounts.sessions.removeAll(
    ({ account: owner, hash }) =>
      owner === account.id && ("id" in which ? nameOfSession(hash) === which.id : hash !== kept),
  );
  if (ended === 0 && "id" in which) throw notFound("Session");
  if (ended > 0) audit(accounts, { event: "sessions-ended", about: account, detail: `${ended}` });
}

const nameOfSession = (hash: string): string => hash.slice(0, 16);

/** @throws CmsError `unconfirmed` where the account has not proved lately who it is */
export async function requireConfirmed({ sessions, env }: Accounts, id: string): Promise<void> {
  const session = await sessions.find(hashOf(id));
  const since = session ? msOf(env.now()) - msOf(session.confirmed_at) : Infinity;
  if (since > CONFIRMED_SECONDS * 1000)
    throw new CmsError("unconfirmed", "Confirm first that it is you: POST auth/confirm/.");
}

/** The account of the session has just proved who it is. */
export const confirmSession = ({ sessions, env }: Accounts, id: string): Promise<void> =>
  sessions.confirm(hashOf(id), env.now());

/** Whether a value is the CSRF token of the session, compared in constant time. */
export async function isCsrfOf(accounts: Accounts, id: string, value: string): Promise<boolean> {
  const [expected, given] = [Buffer.from(await csrfOf(accounts, id)), Buffer.from(value)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

const csrfOf = async ({ store }: Accounts, id: string): Promise<string> =>
  createHmac("sha256", await store.secret())
    .update(`csrf:${hashOf(id)}`)
    .digest("base64url");

/** In characters. */
const AGENT_MAX = 200;

const isSessionId = (text: string): boolean => /^[\w-]{43}$/.test(text);

const hashOf = (id: string): string => createHash("sha256").update(id).digest("base64url");
