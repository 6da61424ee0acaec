/**
 * Which accounts have which pages open in an editor, so that two do not work on one page unaware of each other.
 *
 * It is kept in memory alone, and excludes no one: after a restart each editor tells it again.
 */
import { instantOf, type Instant } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Id } from "../../model/page/page.ts";

/** A page that an account has open. */
export interface Present {
  readonly account: Id;
  readonly lang: Lang;
  readonly since: Instant;
}

export interface Presence {
  /** Has the account present at a page for the next `EXPIRY_MS`. @returns the other accounts, first come first */
  enter(page: Id, account: Id, lang: Lang): readonly Present[];
  leave(page: Id, account: Id): void;
}

/** Editors repeat what they have open every 20 s. */
export const EXPIRY_MS = 45_000;

/** Of one account; those it opened first are dropped. A script that opens every page must not fill the memory. */
const PAGES_MAX = 20;

interface Entry extends Present {
  readonly until: Instant;
}

export function openPresence(now: () => Instant): Presence {
  /** By account, then by page. */
  const accounts = new Map<Id, Map<Id, Entry>>();

  return {
    enter(page, account, lang) {
      const at = now();
      const own = accounts.get(account) ?? new Map<Id, Entry>();
      const before = own.get(page);
      const since = before && before.until > at ? before.since : at;
      own.delete(page);
      own.set(page, { account, lang, since, until: instantOf(Date.parse(at) + EXPIRY_MS) });
      for (const oldest of own.keys()) if (own.size > PAGES_MAX) own.delete(oldest);
      accounts.set(account, own);
      return [...accounts]
        .flatMap(([id, pages]) => (id === account ? [] : (pages.get(page) ?? [])))
        .filter(({ until }) => until > at)
        .toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
    },
    leave(page, account) {
      accounts.get(account)?.delete(page);
    },
  };
}
