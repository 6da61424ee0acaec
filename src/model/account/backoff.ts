/**
 * Exponential backoff after failures: some are free, then each doubles the wait, up to a limit.
 *
 * Pure functions; `actions/accounts/attempts.ts` keeps the counts by account and address.
 */

export interface LimitRule {
  /** The number of failures without a wait. */
  readonly free: number;
  /** The wait after the first failure beyond, in milliseconds. */
  readonly firstWait: number;
  readonly longestWait: number;
  /** Milliseconds without a failure after which the count is reset. */
  readonly resetAfter: number;
}

export interface FailureCount {
  readonly count: number;
  readonly lastAt: number;
}

/** The count with one failure added. @param now milliseconds of a clock that cannot be set, as everywhere here */
export function recordFailure(rule: LimitRule, before: FailureCount | undefined, now: number): FailureCount {
  return { count: (current(rule, before, now)?.count ?? 0) + 1, lastAt: now };
}

/** Milliseconds until the next attempt is allowed; 0 for now. */
export function waitOf(rule: LimitRule, failures: FailureCount | undefined, now: number): number {
  const counted = current(rule, failures, now);
  if (!counted || counted.count < rule.free) return 0;
  const wait = Math.min(rule.longestWait, rule.firstWait * 2 ** Math.min(30, counted.count - rule.free));
  return Math.max(0, counted.lastAt + wait - now);
}

/** The count; undefined when it has expired. */
const current = (rule: LimitRule, failures: FailureCount | undefined, now: number): FailureCount | undefined =>
  failures && now - failures.lastAt < rule.resetAfter ? failures : undefined;
