/**
 * Answers of the public router, kept until anything can change them.
 *
 * They hang on the snapshot they were made from, so a write drops them all at once, and none outlives the next moment
 * at which a page changes by time alone (decisions.md 18).
 */
import type { Config } from "../config.ts";
import { msOf, type Instant } from "../model/instant.ts";
import { pageIndex } from "../store/content/indexes/page-index.ts";
import type { Snapshot } from "../store/content/snapshot.ts";

export interface CachedAnswer {
  readonly body: string;
  readonly etag: string;
  readonly expiresAt: number;
}

/** Characters of all answers and their keys: enough for a large site in a few languages; beyond it the oldest makes room. */
const SIZE_MAX = 64 * 1024 * 1024;

interface Cache {
  readonly answers: Map<string, CachedAnswer>;
  size: number;
}

const CACHES = new WeakMap<Snapshot, Cache>();

/** @param nowMs milliseconds since 1970. @returns undefined when there is none that still holds */
export function cachedAnswer(snapshot: Snapshot, key: string, nowMs: number): CachedAnswer | undefined {
  const answer = CACHES.get(snapshot)?.answers.get(key);
  return answer && answer.expiresAt > nowMs ? answer : undefined;
}

/** Remembers an answer for as long as it can hold, and says until when. */
export function remember(
  config: Config,
  snapshot: Snapshot,
  key: string,
  now: Instant,
  body: string,
  etag: string,
): CachedAnswer {
  const answer = { body, etag, expiresAt: expiryOf(config, snapshot, now) };
  if (answer.expiresAt <= msOf(now)) return answer;
  const cache = CACHES.get(snapshot) ?? { answers: new Map<string, CachedAnswer>(), size: 0 };
  CACHES.set(snapshot, cache);
  drop(cache, key);
  cache.answers.set(key, answer);
  cache.size += sizeOf(key, answer);
  for (const oldest of cache.answers.keys()) {
    if (cache.size <= SIZE_MAX) break;
    drop(cache, oldest);
  }
  return answer;
}

function drop(cache: Cache, key: string): void {
  const answer = cache.answers.get(key);
  if (answer && cache.answers.delete(key)) cache.size -= sizeOf(key, answer);
}

/** A few hundred characters more for what the entry itself takes. */
const sizeOf = (key: string, { body }: CachedAnswer): number => key.length + body.length + 300;

/** Milliseconds since 1970: the setting's span from now, or the next moment of any page when that comes first. */
function expiryOf(config: Config, snapshot: Snapshot, now: Instant): number {
  const next = pageIndex(snapshot).nextMoment(now);
  const longest = msOf(now) + config.ROUTER_CACHE * 1000;
  return next === undefined ? longest : Math.min(longest, msOf(next));
}

/** `max-age` in whole seconds, rounded down so that no client keeps an answer too long. */
export const maxAge = (answer: CachedAnswer, nowMs: number): string =>
  `public, max-age=${Math.max(0, Math.floor((answer.expiresAt - nowMs) / 1000))}`;
