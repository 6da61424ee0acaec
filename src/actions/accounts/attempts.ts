/**
 * Counts failed sign-ins by account and by address, in bounded memory.
 *
 * An attempt is counted when it begins, so that parallel attempts gain nothing, and withdrawn when it succeeds. Unknown
 * names are counted like any other, so the answer does not reveal which exist. A pair of account and address that has
 * signed in before has a count of its own, and no other applies to it: failures of others for the same account or from
 * the same address cannot lock it out, and its failures lock out no other.
 */
import { CmsError } from "../../errors.ts";
import { normalUsername } from "../../model/account/account.ts";
import { recordFailure, waitOf, type LimitRule, type FailureCount } from "../../model/account/backoff.ts";

export interface Attempts {
  /**
   * @param now milliseconds of a clock that cannot be set
   * @throws CmsError `throttled` with the time to wait
   */
  begin(username: string, address: string, now: number): Attempt;
}

export interface Attempt {
  succeed(): void;
  /** Removes the attempt from the counts, as when it failed for another reason than the credentials. */
  withdraw(): void;
}

const MINUTE = 60_000;
const BY_ACCOUNT: LimitRule = { free: 10, firstWait: 1000, longestWait: MINUTE, resetAfter: 60 * MINUTE };
const BY_ADDRESS: LimitRule = { free: 20, firstWait: 1000, longestWait: 15 * MINUTE, resetAfter: 60 * MINUTE };

/** The maximum number of accounts, of addresses and of proven pairs; the least recently used is evicted. */
const REMEMBERED = 10_000;
const NAME_MAX = 150;

export function countAttempts(): Attempts {
  const accounts = failureLog(BY_ACCOUNT);
  const addresses = failureLog(BY_ADDRESS);
  // Separate from `accounts`, so that failures with unknown names cannot evict these.
  const pairs = failureLog(BY_ACCOUNT);
  const proven = new Map<string, true>();

  return {
    begin(username, address, now) {
      // Cut after it is trimmed, as accounts are found: else spaces before a name would give it a count of its own.
      const name = normalUsername(username).slice(0, NAME_MAX).toLowerCase();
      const network = networkOf(address);
      const pair = `${name}\n${network}`;
      const isProven = proven.has(pair);
      const counts: readonly (readonly [FailureLog, string])[] = isProven
        ? [[pairs, pair]]
        : [
            [accounts, name],
            [addresses, network],
          ];
      const wait = Math.max(...counts.map(([failureLog, key]) => failureLog.wait(key, now)));
      if (wait > 0) throw throttled(Math.ceil(wait / 1000));
      const withdrawals = counts.map(([failureLog, key]) => failureLog.recordFailure(key, now));
      const withdraw = (): void => withdrawals.forEach((undo) => undo());
      return {
        withdraw,
        succeed() {
          // The address keeps its other failures: signing in to one's own account must not reset tries at others.
          withdraw();
          if (isProven) pairs.clear(pair);
          else accounts.clear(name);
          touch(proven, pair, true);
        },
      };
    },
  };
}

/** Counts by a key, in bounded memory. */
export interface FailureLog {
  /** In milliseconds; 0 for none. @param now of a clock that cannot be set, as everywhere here */
  wait(key: string, now: number): number;
  /** @returns a function that withdraws the failure */
  recordFailure(key: string, now: number): () => void;
  clear(key: string): void;
}

export function failureLog(rule: LimitRule): FailureLog {
  const failures = new Map<string, FailureCount>();
  return {
    wait: (key, now) => waitOf(rule, failures.get(key), now),
    recordFailure(key, now) {
      touch(failures, key, recordFailure(rule, failures.get(key), now));
      return () => {
        const known = failures.get(key);
        if (known && known.count > 1) failures.set(key, { ...known, count: known.count - 1 });
        else failures.delete(key);
      };
    },
    clear: (key) => void failures.delete(key),
  };
}

/** Sets an entry as most recently used: a map is in insertion order, and the first entry is evicted. */
function touch<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= REMEMBERED) map.delete(oldest);
  map.set(key, value);
}

/** An IPv4 address unchanged; the /64 prefix of an IPv6 address, which a provider assigns to one customer. */
export function networkOf(address: string): string {
  const plain = address
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*/s, "")
    .toLowerCase();
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail === undefined ? [] : tail.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: missing }, () => "0"), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/** @param seconds to wait */
export const throttled = (seconds: number): CmsError =>
  new CmsError(
    "throttled",
    `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? "" : "s"}.`,
    { retryAfter: seconds },
  );
