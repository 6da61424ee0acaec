/** Who is signed in by cookie: one private file, `sessions.json`. Ids are kept as hashes, so the file opens no door. */
import { msOf, parseInstant, type Instant } from "../../model/instant.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import type { Id } from "../../model/page.ts";
import { privateFile } from "./private-state.ts";

export interface Session {
  /** SHA-256 of the id in the cookie, base64url. */
  readonly hash: string;
  readonly account: Id;
  /** Of the account at that moment: with a newer one the session is over. */
  readonly token_version: number;
  readonly expires_at: Instant;
}

export interface SessionStore {
  /** Also one that is over: whether it still counts is not known here. */
  find(hash: string): Promise<Session | undefined>;
  /** Forgets at the same time those that ran out, and an account's oldest when it has very many. */
  add(session: Session, now: Instant): Promise<void>;
  /** Nothing when there is none. */
  remove(hash: string): Promise<void>;
}

const NAME = "sessions.json";
/** A person has a few devices; a script that signs in again and again must not make the file grow. */
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

/** What cannot be read is no session: whoever had it signs in again. */
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
