/**
 * Processes that open the same content at the same time each read a share of its records for all.
 *
 * What one has read the others get packed, as the content cache has it for the next start, under the ids of the files it was
 * read from. Each process looks at the files itself, so whatever goes missing on the way is read again by the one that needs
 * it, and nothing but the time it takes depends on the others.
 */
import type { AnyKind, Base } from "../content/record-type.ts";
import { placeOf, readAhead, type Loader, type Look } from "../content/load.ts";
import type { Path } from "../repo.ts";

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

/** Records dealt out at a time: shares are alike all over the site. */
const STRETCH = 8;

/** Reads this process's share of what was found, and leaves in the cache what all have read. */
export async function readTogether(loader: Loader, look: Look, { number, of, exchange }: Sharing): Promise<void> {
  const { kinds, cache } = loader;
  const records = inOrder(kinds, [...look.files.keys()]);
  const own = records.filter((_, at) => ownerOf(at, of) === number).flat();
  await readAhead(loader, { ...look, files: new Map(own.map((path) => [path, look.files.get(path)!])) });
  for (const share of await exchange(cache.packed(), records.length > STRETCH)) cache.add(share);
}

/** The files of each record, in an order that is the same for all. Whatever takes the longest for each comes first. */
function inOrder(kinds: readonly AnyKind[], paths: readonly Path[]): readonly (readonly Path[])[] {
  const records = new Map<AnyKind, Map<Base, Path[]>>(
    [...kinds].sort((a, b) => Number(b.opaque ?? false) - Number(a.opaque ?? false)).map((kind) => [kind, new Map()]),
  );
  for (const path of paths) {
    const place = placeOf(kinds, path);
    if (!place) continue;
    const ofKind = records.get(place.kind)!;
    const files = ofKind.get(place.base);
    if (files) files.push(path);
    else ofKind.set(place.base, [path]);
  }
  return [...records.values()].flatMap((ofKind) =>
    [...ofKind].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, files]) => files),
  );
}

/** The first has begun before the others, who are only just starting: it reads three stretches where they read two. */
function ownerOf(at: number, of: number): number {
  const turn = Math.floor(at / STRETCH) % (2 * of + 1);
  return turn === 2 * of ? 0 : turn % of;
}
