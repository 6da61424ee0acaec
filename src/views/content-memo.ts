/** What is made of a content, kept until the moment at which time changes it. */
import { derived } from "../memo.ts";
import type { Instant } from "../model/time/instant.ts";
import { nextMoment } from "../store/content/indexes/page-index.ts";
import type { Snapshot } from "../store/snapshot.ts";

interface Kept<T> {
  readonly from: Instant;
  /** undefined: until the content changes. */
  until: Instant | undefined;
  readonly value: Promise<T>;
}

export class ContentMemo<T> {
  readonly #keptOf = derived((_content: Snapshot) => new Map<string, Kept<T>>());
  readonly #most: number;

  /** @param most of how many keys values are kept; with more, those that were made first are dropped */
  constructor(most = Infinity) {
    this.#most = most;
  }

  /** @param untilOf when the value changes; by default when a page is published or changed by schedule */
  get(
    { content, now }: { readonly content: Snapshot; readonly now: Instant },
    key: string,
    make: () => Promise<T> | T,
    untilOf = (_value: T): Instant | undefined => nextMoment(content, now),
  ): Promise<T> {
    const all = this.#keptOf(content);
    const known = all.get(key);
    // The clock may have been set back.
    if (known && known.from <= now && (known.until === undefined || now < known.until)) return known.value;
    const value = Promise.resolve().then(make);
    const kept: Kept<T> = { from: now, until: nextMoment(content, now), value };
    if (all.size >= this.#most) all.delete(all.keys().next().value!);
    all.set(key, kept);
    value.then(
      (made) => (kept.until = untilOf(made)),
      () => all.get(key) === kept && all.delete(key),
    );
    return value;
  }
}
