/** When something that failed is tried again. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds to wait after each failed attempt; after as many failures and one more it is given up, within a day. */
export const DELIVERY_WAITS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
];

/** The share by which a wait is longer or shorter at random, so that many servers do not come back at one moment. */
const JITTER = 0.2;

/**
 * Whether the next attempt is due. One that is further away than any wait was planned by a clock that has been set back.
 *
 * @param next milliseconds since 1970, like `now`
 */
export const isAttemptDue = (next: number, now: number): boolean =>
  next <= now || next - now > DELIVERY_WAITS.at(-1)! * (1 + JITTER);

/**
 * The milliseconds until the next attempt.
 *
 * @param failures so far, from 1 on
 * @param random from 0 up to 1
 * @returns undefined when there is no further attempt
 */
export function waitAfter(failures: number, random: number, waits = DELIVERY_WAITS): number | undefined {
  const wait = waits[failures - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * (2 * random - 1)));
}
