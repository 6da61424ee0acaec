/**
 * Cached answers of the public router.
 *
 * The cache belongs to a snapshot, so a write invalidates all of it. Answers expire no later than the next time at
 * which a page is published or changed by schedule (decisions.md 18). The router finds an answer by its key;
 * `direct.ts` finds it, faster, by the target of the request.
 */
import type { Config } from "../config.ts";
import { msOf, type Instant } from "../model/instant.ts";
import type { Lang } from "../model/locale.ts";
import { nextMoment } from "../store/content/indexes/page-index.ts";
import type { Snapshot } from "../store/content/snapshot.ts";

export interface CachedAnswer {
  readonly key: string;
  readonly body: string;
  readonly etag: string;
  /** In milliseconds since 1970. A reader may have an earlier clock: two moments of `at` can have one snapshot. */
  readonly madeAt: number;
  /** As `madeAt`. */
  readonly expiresAt: number;
}

/** In characters, of all answers and keys of a snapshot; above it the oldest answers are dropped. */
const SIZE_MAX = 64 * 1024 * 1024;

/** In characters, of all targets of a snapshot; above it all are dropped, since clients can send any number of them. */
const TARGETS_SIZE_MAX = 8 * 1024 * 1024;

interface Cache {
  readonly answers: Map<string, CachedAnswer>;
  size: number;
  /** Keys of answers by the target of a request. */
  readonly targets: Map<string, string>;
  targetsSize: number;
}

const CACHES = new WeakMap<Snapshot, Cache>();

/**
 * What an answer of the public router depends on besides the content (decisions.md 18): scheme and host, path, and the
 * parameters that change it. It has the included languages, not the text that names them, since clients can send any number of texts.
 */
export const answerKey = (origin: string, path: string, included: readonly Lang[], fields: string): string =>
  `${origin}\n${path}\n${included.join()}\n${fields}`;

/** @param nowMs in milliseconds since 1970 @returns undefined when there is none, or it is of later or has expired */
export function cachedAnswer(snapshot: Snapshot, key: string, nowMs: number): CachedAnswer | undefined {
  const answer = CACHES.get(snapshot)?.answers.get(key);
  return answer && answer.madeAt <= nowMs && nowMs < answer.expiresAt ? answer : undefined;
}

/** The cached answer that a request with this target got before, as `cachedAnswer`. */
export function answerAt(snapshot: Snapshot, target: string, nowMs: number): CachedAnswer | undefined {
  const key = CACHES.get(snapshot)?.targets.get(target);
  return key === undefined ? undefined : cachedAnswer(snapshot, key, nowMs);
}

/** Lets `answerAt` find the answer while it is cached. @returns false when it is not cached */
export function rememberTarget(snapshot: Snapshot, target: string, answer: CachedAnswer): boolean {
  const cache = CACHES.get(snapshot);
  if (cache?.answers.get(answer.key) !== answer) return false;
  if (cache.targets.has(target)) return true;
  cache.targetsSize += target.length + ENTRY_SIZE;
  if (cache.targetsSize > TARGETS_SIZE_MAX) {
    cache.targets.clear();
    cache.targetsSize = 0;
  }
  cache.targets.set(target, answer.key);
  return true;
}

/** Caches an answer until it expires. */
export function remember(
  config: Config,
  snapshot: Snapshot,
  key: string,
  now: Instant,
  body: string,
  etag: string,
): CachedAnswer {
  const answer = { key, body, etag, madeAt: msOf(now), expiresAt: expiryOf(config, snapshot, now) };
  if (answer.expiresAt <= msOf(now)) return answer;
  const cache = CACHES.get(snapshot) ?? emptyCache();
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

const emptyCache = (): Cache => ({ answers: new Map(), size: 0, targets: new Map(), targetsSize: 0 });

/** An allowance for the memory of an entry itself. */
const ENTRY_SIZE = 300;

const sizeOf = (key: string, { body }: CachedAnswer): number => key.length + body.length + ENTRY_SIZE;

/** In milliseconds since 1970: after `ROUTER_CACHE` seconds, or at the next scheduled change of a page. */
function expiryOf(config: Config, snapshot: Snapshot, now: Instant): number {
  const longest = msOf(now) + config.ROUTER_CACHE * 1000;
  if (config.ROUTER_CACHE === 0) return longest;
  const next = nextMoment(snapshot, now);
  return next === undefined ? longest : Math.min(longest, msOf(next));
}

/** In seconds, rounded down so that no client keeps an answer too long. */
export const maxAge = (answer: CachedAnswer, nowMs: number): number =>
  Math.max(0, Math.floor((answer.expiresAt - nowMs) / 1000));

/** @param age in seconds */
export const cacheControl = (age: number): string => `public, max-age=${age}`;
