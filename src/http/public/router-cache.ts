/**
 * Cached answers of the public router.
 *
 * A write drops no answers: the first request after it compares what an answer was made from with the new content, and
 * the answer is made again only if some of that was replaced. Answers expire no later than the next time at which a
 * page is published or changed by schedule. The router finds an answer by its key; `direct.ts` finds
 * it, faster, by the target of the request.
 */
import { keptBy } from "../../memo.ts";
import type { Config } from "../../config.ts";
import { msOf, type Instant } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import { nextMoment } from "../../store/content/indexes/page-index.ts";
import { kindOf } from "../../store/content/indexes/pages-by-model.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { areUnchanged, type ReadVersion } from "../../views/manifest/dependencies.ts";
import type { RouteResult } from "../../views/page/route.ts";

export interface CachedAnswer {
  readonly key: string;
  readonly body: string;
  readonly etag: string;
  /** In milliseconds since 1970. A reader may have an earlier clock: two moments of `at` can have one snapshot. */
  readonly madeAt: number;
  /** As `madeAt`. */
  readonly expiresAt: number;
}

/** An answer that was just made. */
interface MadeAnswer {
  readonly body: string;
  readonly etag: string;
  /** Where its path leads. */
  readonly route: RouteResult;
  /** What was read for it, from the same content. */
  readonly reads: readonly ReadVersion[];
}

interface Kept {
  readonly answer: CachedAnswer;
  readonly source: RouteSource;
  readonly reads: readonly ReadVersion[];
  /** That of the content for which the answer was made or renewed last. */
  readonly generation: number;
}

/** The entry of the page, or the redirect, that a path leads to: the same entry as long as the page does not change. */
type RouteSource = object | string;

function sourceOf(content: Snapshot, route: RouteResult): RouteSource | undefined {
  if (route.kind === "redirect") return `${route.status} ${route.to}`;
  if (route.kind !== "page") return undefined;
  const entry = content.table(kindOf(route.page)).byId.get(route.page.id);
  return entry?.record === route.page ? entry : route.page;
}

/** In characters, of all answers and keys; above it those that were made or renewed first are dropped. */
const SIZE_MAX = 64 * 1024 * 1024;

/** In characters, of all targets; above it all are dropped, since clients can send any number of them. */
const TARGETS_SIZE_MAX = 8 * 1024 * 1024;

/**
 * What an answer of the public router depends on besides the content: scheme and host, path, and the
 * parameters that change it. It has the included languages, not the text that names them, since clients can send any number of texts.
 */
export const answerKey = (origin: string, path: string, included: readonly Lang[], fields: string): string =>
  `${origin}\n${path}\n${included.join()}\n${fields}`;

/** The answers of one site. */
export class RouterCache {
  readonly #config: Config;
  /** In the order in which they were made or renewed. */
  readonly #answers = new Map<string, Kept>();
  #size = 0;
  /** Keys of answers by the target of a request. */
  readonly #targets = new Map<string, string>();
  #targetsSize = 0;
  /** The content of the last call, and how often it was another one than before. */
  #content: Snapshot | undefined;
  #generation = 0;

  constructor(config: Config) {
    this.#config = config;
  }

  get isOff(): boolean {
    return this.#config.ROUTER_CACHE === 0;
  }

  /** @param nowMs in milliseconds since 1970 @returns undefined when there is none, or it is of later or has expired */
  find(content: Snapshot, key: string, nowMs: number): CachedAnswer | undefined {
    const kept = this.#answers.get(key);
    return kept?.generation === this.#generationOf(content) && isOf(kept.answer, nowMs) ? kept.answer : undefined;
  }

  /** The cached answer that a request with this target got before, as `find`. */
  findByTarget(content: Snapshot, target: string, nowMs: number): CachedAnswer | undefined {
    const key = this.#targets.get(target);
    return key === undefined ? undefined : this.find(content, key, nowMs);
  }

  /** Lets `findByTarget` find the answer while it is cached. @returns false when it is not cached */
  rememberTarget(target: string, answer: CachedAnswer): boolean {
    if (this.#answers.get(answer.key)?.answer !== answer) return false;
    if (this.#targets.has(target)) return true;
    this.#targetsSize += target.length + ENTRY_SIZE;
    if (this.#targetsSize > TARGETS_SIZE_MAX) {
      this.#targets.clear();
      this.#targetsSize = 0;
    }
    this.#targets.set(target, answer.key);
    return true;
  }

  /**
   * The answer of an earlier content, if it is that of this one, too: its path leads to the same, and nothing that was
   * read for it has changed.
   *
   * @param route where the path leads in this content
   */
  renew(content: Snapshot, key: string, route: RouteResult, now: Instant): CachedAnswer | undefined {
    const kept = this.#answers.get(key);
    if (!kept || kept.source !== sourceOf(content, route) || !isOf(kept.answer, msOf(now))) return undefined;
    if (!areUnchanged(kept.reads, content)) return undefined;
    // The new content may have a change planned before those of the earlier one.
    const expiresAt = Math.min(kept.answer.expiresAt, this.#expiryOf(content, now));
    const answer = expiresAt === kept.answer.expiresAt ? kept.answer : { ...kept.answer, expiresAt };
    this.#put({ ...kept, answer, generation: this.#generationOf(content) });
    return answer;
  }

  /** Caches an answer until it expires. @param content that it was made from */
  remember(content: Snapshot, key: string, now: Instant, { route, reads, body, etag }: MadeAnswer): CachedAnswer {
    const answer = { key, body, etag, madeAt: msOf(now), expiresAt: this.#expiryOf(content, now) };
    const source = sourceOf(content, route);
    if (source === undefined || answer.expiresAt <= msOf(now)) return answer;
    this.#dropExpired(msOf(now));
    this.#put({ answer, source, reads, generation: this.#generationOf(content) });
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= SIZE_MAX) break;
      this.#drop(oldest);
    }
    return answer;
  }

  #generationOf(content: Snapshot): number {
    if (content === this.#content) return this.#generation;
    this.#content = content;
    return ++this.#generation;
  }

  #put(kept: Kept): void {
    const { key } = kept.answer;
    this.#drop(key);
    this.#answers.set(key, kept);
    this.#size += sizeOf(kept);
  }

  #drop(key: string): void {
    const kept = this.#answers.get(key);
    if (kept && this.#answers.delete(key)) this.#size -= sizeOf(kept);
  }

  /** Called for each new answer: it removes up to two, so expired answers become fewer. */
  #dropExpired(nowMs: number): void {
    let left = DROPPED_MAX;
    for (const [key, { answer }] of this.#answers) {
      if (answer.expiresAt > nowMs || left-- === 0) break;
      this.#drop(key);
    }
  }

  /** In milliseconds since 1970: after `ROUTER_CACHE` seconds, or at the next scheduled change of a page. */
  #expiryOf(content: Snapshot, now: Instant): number {
    const longest = msOf(now) + this.#config.ROUTER_CACHE * 1000;
    if (this.isOff) return longest;
    const next = nextMoment(content, now);
    return next === undefined ? longest : Math.min(longest, msOf(next));
  }
}

const CACHES = new WeakMap<object, RouterCache>();

/** The cache of a site, which is made when it is first asked for. */
export const routerCacheOf = ({ store, config }: { readonly store: object; readonly config: Config }): RouterCache =>
  keptBy(CACHES, store, () => new RouterCache(config));

const isOf = ({ madeAt, expiresAt }: CachedAnswer, nowMs: number): boolean => madeAt <= nowMs && nowMs < expiresAt;

const DROPPED_MAX = 2;

/** An allowance for the memory of an entry itself. */
const ENTRY_SIZE = 300;

/** The same for each read. A record that was replaced since may be kept by it until the answer expires. */
const READ_SIZE = 40;

const sizeOf = ({ answer: { key, body }, reads }: Kept): number =>
  key.length + body.length + ENTRY_SIZE + reads.length * READ_SIZE;

/** In seconds, rounded down so that no client keeps an answer too long. */
export const maxAge = (answer: CachedAnswer, nowMs: number): number =>
  Math.max(0, Math.floor((answer.expiresAt - nowMs) / 1000));

/** @param age in seconds */
export const cacheControl = (age: number): string => `public, max-age=${age}`;
