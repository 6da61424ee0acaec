/** When the next sync comes. */

export interface SyncTiming {
  /** Milliseconds between two syncs. */
  readonly every: number;
  /** So far, one after the other. */
  readonly failures: number;
  /** From 0 up to 1. */
  readonly random: number;
}

/** The longest wait after failures, unless syncs are rarer anyway. */
const LONGEST_MS = 5 * 60 * 1000;
/** The share by which a wait is shorter or longer at random, so that many servers do not come at one moment. */
const JITTER = 0.2;

/** Milliseconds until the next sync: the wait doubles with each failure. */
export function nextSyncIn({ every, failures, random }: SyncTiming): number {
  const longest = Math.max(every, LONGEST_MS);
  const wait = Math.min(longest, every * 2 ** Math.min(failures, 20));
  return Math.round(wait * (1 + JITTER * (2 * random - 1)));
}
