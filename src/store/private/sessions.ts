/** `sessions.json`: the sessions of signed-in accounts. Ids are stored as hashes, so the file cannot be used to sign in. */
import { msOf, parseInstant, UNDATED, type Instant } from "../../model/time/instant.ts";
import { isObject, type JsonObject } from "../../model/input/json.ts";
import type { Id } from "../../model/page/page.ts";
import { privateFile } from "./private-file.ts";

export interface Session {
  /** SHA-256 of the id in the cookie, base64url. */
  readonly hash: string;
  readonly account: Id;
  /** The account's at sign-in: with another one the session is invalid. */
  readonly token_version: number;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  /** When the account last proved who it is: signing in, or again before what is sensitive. */
  readonly confirmed_at: Instant;
  /** The client that signed in; "" if unknown. */
  readonly address: string;
  /** What its browser called itself. */
  readonly agent: string;
}

export interface SessionStore {
  /** May be expired or revoked: the caller checks. */
  find(hash: string): Promise<Session | undefined>;
  /** Those of an account, oldest first; may be expired or revoked as well. */
  of(account: Id): Promise<readonly Session[]>;
  /** Also removes expired sessions, and the account's oldest above `PER_ACCOUNT`. */
  add(session: Session, now: Instant): Promise<void>;
  /** Does nothing if there is none. */
  confirm(hash: string, at: Instant): Promise<void>;
  /** @returns how many were removed */
  removeAll(which: (session: Session) => boolean): Promise<number>;
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

    of: async (id) => (await file.read()).filter(({ account }) => account === id),

    confirm: (hash, confirmed_at) =>
      file.update((sessions) => [
        sessions.map((session) => (session.hash === hash ? { ...session, confirmed_at } : session)),
        undefined,
      ]),

    removeAll: (which) =>
      file.update((sessions) => {
        const rest = sessions.filter((session) => !which(session));
        return [rest.length === sessions.length ? sessions : rest, sessions.length - rest.length];
      }),
  };
}

/** Invalid entries are dropped: their users sign in again. */
const sessionsOf = (raw: unknown): readonly Session[] => (Array.isArray(raw) ? raw.flatMap(sessionOf) : []);

function sessionOf(raw: unknown): Session[] {
  const entry: JsonObject = isObject(raw) ? raw : {};
  const { hash, account, token_version, expires_at } = entry;
  const isSound =
    typeof hash === "string" &&
    Number.isInteger(account) &&
    Number.isInteger(token_version) &&
    parseInstant(expires_at) === expires_at;
  if (!isSound) return [];
  // Sessions of older versions have no more: when they began is not known, so they are confirmed again where it matters.
  const created = parseInstant(entry.created_at) ?? UNDATED;
  return [
    {
      ...{ hash, account: account as number, token_version: token_version as number },
      ...{ created_at: created, expires_at: expires_at as Instant },
      confirmed_at: parseInstant(entry.confirmed_at) ?? created,
      address: typeof entry.address === "string" ? entry.address : "",
      agent: typeof entry.agent === "string" ? entry.agent : "",
    },
  ];
}
