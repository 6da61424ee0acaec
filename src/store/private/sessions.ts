/** `sessions.json`: the sessions of signed-in accounts. Ids are stored as hashes, so the file cannot be used to sign in. */
import { msOf, parseInstant, type Instant } from "../../model/time/instant.ts";
import { isObject, type JsonObject } from "../../model/input/json.ts";
import type { Id } from "../../model/page/page.ts";
import { privateFile } from "./private-file.ts";

export interface Session {
  /** SHA-256 of the id in the cookie, base64url. */
  readonly hash: string;
  readonly account: Id;
  /** The account's at sign-in: with another one the session is invalid. */
  readonly token_version: number;
  readonly expires_at: Instant;
}

export interface SessionStore {
  /** May be expired or revoked: the caller checks. */
  find(hash: string): Promise<Session | undefined>;
  /** Also removes expired sessions, and the account's oldest above `PER_ACCOUNT`. */
  add(session: Session, now: Instant): Promise<void>;
  /** Does nothing if there is none. */
  remove(hash: string): Promise<void>;
}

const NAME = "sessions.json";
/** A script that signs in repeatedly must not make the file grow. */
const PER_ACCOUNT = 20;

export function sessionStore(stateDir: string): SessionStore {
  const file = privateFile<readonly Session[]>({ dir: stateDir, name: NAME, empty: [], parse: sessionsOf });

  return {
    find: async (hash) => (await file.read()).find((session) => session.hash === hash),

    add: (session, now) =>
      file.update((sessions) => {
        const live = sessions.filter(({ expires_at }) => msOf(expires_at) > msOf(now));
        const own = live.filter(({ account }) => account === session.account);
        const dropped = new Set(own.slice(0, Math.max(0, own.length - PER_ACCOUNT + 1)));
        return [[...live.filter((each) => !dropped.has(each)), session], undefined];
      }),

    remove: (hash) =>
      file.update((sessions) => {
        const rest = sessions.filter((session) => session.hash !== hash);
        return [rest.length === sessions.length ? sessions : rest, undefined];
      }),
  };
}

/** Invalid entries are dropped: their users sign in again. */
const sessionsOf = (raw: unknown): readonly Session[] => (Array.isArray(raw) ? raw.flatMap(sessionOf) : []);

function sessionOf(raw: unknown): Session[] {
  const { hash, account, token_version, expires_at }: JsonObject = isObject(raw) ? raw : {};
  const isSound =
    typeof hash === "string" &&
    Number.isInteger(account) &&
    Number.isInteger(token_version) &&
    parseInstant(expires_at) === expires_at;
  return isSound
    ? [{ hash, account: account as number, token_version: token_version as number, expires_at: expires_at as Instant }]
    : [];
}
