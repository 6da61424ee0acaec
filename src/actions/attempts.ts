/**
 * Failed sign-ins, counted by account and by address in bounded memory.
 *
 * An attempt counts from its beginning, so that many at once gain nothing, and is taken back when it succeeds. Names
 * that no account has count like any other, so the answer does not tell them apart. An account that has signed in from
 * an address has a count of its own there, the only one that applies: failures of others, for the same account or from
 * the same address, cannot lock it out, and its own failures there lock out no other (decisions.md 63).
 */
import { CmsError } from "../errors.ts";
import { normalUsername } from "../model/account.ts";
import { strike, waitOf, type LimitRule, type Strikes } from "../model/rate-limit.ts";

export interface Attempts {
  /**
   * @param now milliseconds since 1970
   * @throws CmsError `throttled` with the time to wait
   */
  begin(username: string, address: string, now: number): Attempt;
}

export interface Attempt {
  succeed(): void;
  /** It was never decided: neither for nor against anybody. */
  withdraw(): void;
}

const MINUTE = 60_000;
const BY_ACCOUNT: LimitRule = { free: 10, firstWait: 1000, longestWait: MINUTE, forgiveAfter: 60 * MINUTE };
const BY_ADDRESS: LimitRule = { free: 20, firstWait: 1000, longestWait: 15 * MINUTE, forgiveAfter: 60 * MINUTE };

/** How many accounts, addresses and proven pairs are remembered; beyond it the one longest untouched makes room. */
const REMEMBERED = 10_000;
const NAME_MAX = 150;

export function countAttempts(): Attempts {
  const accounts = ledger(BY_ACCOUNT);
  const addresses = ledger(BY_ADDRESS);
  /** Apart from the accounts, so that strikes at names that no account has do not push these out of memory. */
  const pairs = ledger(BY_ACCOUNT);
  const proven = new Map<string, true>();

  return {
    begin(username, address, now) {
      const name = normalUsername(username.slice(0, NAME_MAX)).toLowerCase();
      const network = networkOf(address);
      const pair = `${name}\n${network}`;
      const isProven = proven.has(pair);
      const counts: readonly (readonly [Ledger, string])[] = isProven ? [[pairs, pair]] : [[accounts, name], [addresses, network]];
      const wait = Math.max(...counts.map(([ledger, key]) => ledger.wait(key, now)));
      if (wait > 0) throw throttled(Math.ceil(wait / 1000));
      const withdrawals = counts.map(([ledger, key]) => ledger.strike(key, now));
      const withdraw = (): void => withdrawals.forEach((undo) => undo());
      return {
        withdraw,
        succeed() {
          withdraw(); // of the address no more than this one: an account of one's own must not buy tries at others
          if (isProven) pairs.forgive(pair);
          else accounts.forgive(name);
          touch(proven, pair, true);
        },
      };
    },
  };
}

interface Ledger {
  wait(key: string, now: number): number;
  /** @returns the way to take it back */
  strike(key: string, now: number): () => void;
  forgive(key: string): void;
}

function ledger(rule: LimitRule): Ledger {
  const strikes = new Map<string, Strikes>();
  return {
    wait: (key, now) => waitOf(rule, strikes.get(key), now),
    strike(key, now) {
      touch(strikes, key, strike(rule, strikes.get(key), now));
      return () => {
        const known = strikes.get(key);
        if (known && known.count > 1) strikes.set(key, { ...known, count: known.count - 1 });
        else strikes.delete(key);
      };
    },
    forgive: (key) => void strikes.delete(key),
  };
}

/** A map keeps the order of insertion, so what is put in anew is the last to go. */
function touch<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  if (map.size >= REMEMBERED) map.delete(map.keys().next().value!);
  map.set(key, value);
}

/** An IPv4 address as it is; of an IPv6 one the 64 bits a provider gives to one customer. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").split("%", 1)[0]!.toLowerCase();
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail === undefined ? [] : tail.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: missing }, () => "0"), ...right];
  return groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "")).join(":");
}

const throttled = (seconds: number): CmsError =>
  new CmsError("throttled", `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? "" : "s"}.`, { retryAfter: seconds });
