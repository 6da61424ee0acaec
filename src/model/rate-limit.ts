/**
 * How long to wait after failures: some are free, then each doubles the wait, up to a limit; time forgives them.
 *
 * A rule from strikes to strikes. Whose strikes they are, and where they are kept, is somebody else's job.
 */

export interface LimitRule {
  /** Failures that cost nothing. */
  readonly free: number;
  /** The wait after the first that does, in milliseconds. */
  readonly firstWait: number;
  readonly longestWait: number;
  /** Without a failure for that long, all is forgiven. */
  readonly forgiveAfter: number;
}

export interface Strikes {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

/** @param now milliseconds since 1970, as everywhere here */
export function strike(rule: LimitRule, before: Strikes | undefined, now: number): Strikes {
  return { count: (isForgiven(rule, before, now) ? 0 : before!.count) + 1, lastAt: now };
}

/** Milliseconds until the next attempt is let through; 0 when it is now. */
export function waitOf(rule: LimitRule, strikes: Strikes | undefined, now: number): number {
  if (isForgiven(rule, strikes, now) || strikes!.count < rule.free) return 0;
  const wait = Math.min(rule.longestWait, rule.firstWait * 2 ** Math.min(30, strikes!.count - rule.free));
  return Math.max(0, strikes!.lastAt + wait - now);
}

const isForgiven = (rule: LimitRule, strikes: Strikes | undefined, now: number): boolean =>
  strikes === undefined || now - strikes.lastAt >= rule.forgiveAfter;
