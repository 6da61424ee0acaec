/**
 * Programs that open the same content at the same time read each a share of it for all.
 *
 * What one has read the others get packed, as the cache has it for the next start. Whatever goes missing on the way is read
 * again by whoever needs it, so nothing but the time it takes depends on the others.
 */
import type { ContentCache } from "./content-cache.ts";

export interface Sharing {
  /** Which of so many this is. */
  readonly number: number;
  readonly of: number;
  /**
   * Gives the others what was read here, and gets what they have read. Called once, whatever there was to read.
   *
   * @param isWaiting whether the others have a share to give
   */
  exchange(mine: Uint8Array, isWaiting: boolean): Promise<readonly Uint8Array[]>;
}

/** Neighbours stay together; shares are alike all over the site. */
const STRETCH = 64;

/**
 * Reads this one's share, and leaves all of it in the cache.
 *
 * @param list the same for all
 */
export async function readTogether(list: readonly (() => Promise<unknown>)[], cache: ContentCache, { number, of, exchange }: Sharing): Promise<void> {
  for (const [at, read] of list.entries()) if (ownerOf(at, of) === number) await read();
  for (const packed of await exchange(cache.packed(), list.length > STRETCH)) cache.add(packed);
}

/** The first has begun before the others, who are only just starting: it reads three stretches where they read two. */
function ownerOf(at: number, of: number): number {
  const turn = Math.floor(at / STRETCH) % (2 * of + 1);
  return turn === 2 * of ? 0 : turn % of;
}
