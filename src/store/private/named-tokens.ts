/** `named-tokens.json`: the named tokens of accounts, as hashes, so that the file cannot be used to sign in. */
import { derived } from "../../memo.ts";
import type { NamedToken } from "../../model/account/named-token.ts";
import { isObject, type JsonObject } from "../../model/input/json.ts";
import { msOf, parseInstant, type Instant } from "../../model/time/instant.ts";
import { privateFile } from "./private-file.ts";

export interface NamedTokenStore {
  /** May be expired or revoked: the caller checks. */
  find(hash: string): Promise<NamedToken | undefined>;
  /** In order of creation. */
  list(): Promise<readonly NamedToken[]>;
  /** @param change gets the newest list @throws what `change` throws */
  update<R>(change: (tokens: readonly NamedToken[]) => readonly [next: readonly NamedToken[], result: R]): Promise<R>;
  /** Notes the use of a token, by a write at most once an hour for each, which nobody waits for. */
  touch(token: NamedToken, now: Instant): void;
  /** Waits for what is being written. */
  settled(): Promise<void>;
}

const HOUR_MS = 3600_000;

/** @param failed is told why a use could not be noted */
export function namedTokenStore(stateDir: string, failed: (error: unknown) => void): NamedTokenStore {
  const file = privateFile<readonly NamedToken[]>({
    dir: stateDir,
    name: "named-tokens.json",
    empty: [],
    parse: (raw) => (Array.isArray(raw) ? raw.flatMap(tokenIn) : []),
  });
  const noted = new Map<string, Instant>();
  let last: Promise<void> = Promise.resolve();
  return {
    find: async (hash) => byHash(await file.read()).get(hash),
    list: () => file.read(),
    update: (change) => file.update(change),
    touch({ id, last_used_at }, now) {
      const before = noted.get(id) ?? last_used_at;
      if (before !== null && msOf(now) - msOf(before) < HOUR_MS) return;
      noted.set(id, now);
      const use = (tokens: readonly NamedToken[]): readonly NamedToken[] =>
        tokens.map((token) => (token.id === id ? { ...token, last_used_at: now } : token));
      last = file.update((tokens) => [use(tokens), undefined]).catch(failed);
    },
    settled: () => last,
  };
}

const byHash = derived(
  (tokens: readonly NamedToken[]): ReadonlyMap<string, NamedToken> =>
    new Map(tokens.map((token) => [token.hash, token])),
);

/** Invalid entries are dropped: damage must not open anything, and not widen a token. */
function tokenIn(raw: unknown): NamedToken[] {
  const token: JsonObject = isObject(raw) ? raw : {};
  const isMoment = (value: unknown): boolean => value === null || parseInstant(value) === value;
  const { rules } = token;
  const isSound =
    [token.id, token.hash, token.name].every((text) => typeof text === "string" && text !== "") &&
    [token.account, token.token_version].every(Number.isInteger) &&
    [token.created_at, token.expires_at, token.last_used_at].every(isMoment) &&
    (rules === null || (Array.isArray(rules) && rules.every((rule) => isObject(rule) && Array.isArray(rule.may))));
  return isSound ? [token as unknown as NamedToken] : [];
}
