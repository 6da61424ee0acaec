/**
 * Programs that open the same content at the same time look at a share of its files each, and read it, for all.
 *
 * What one has read the others get packed, as the cache has it for the next start, and with it what was seen of the files.
 * Whatever goes missing on the way is looked at and read again by whoever needs it, so nothing but the time it takes depends
 * on the others.
 */
import type { AnyKind, Base } from "./kind.ts";
import { lookAt, placeOf, readAhead, type Loader } from "./load.ts";
import type { Path } from "./repo.ts";
import { lineOf, linesIn } from "./seen.ts";

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

/** Sees and reads this one's share, and leaves in the cache what all have read, and with the repository what they saw. */
export async function readTogether(loader: Loader, { number, of, exchange }: Sharing): Promise<void> {
  const { repo, kinds, cache } = loader;
  let isWaiting = false;
  const look = await lookAt(loader, (paths) => {
    const records = inOrder(kinds, paths);
    isWaiting = records.length > STRETCH;
    return records.filter((_, at) => ownerOf(at, of) === number).flat();
  });
  await readAhead(loader, look);
  let seen = "";
  for (const [path, { oid }] of look.files) {
    const known = repo.seen?.(path, oid);
    if (known !== undefined) seen += lineOf(path, oid + BETWEEN + known);
  }
  const given = await exchange(cache.packed(Buffer.from(seen)), isWaiting);
  for (const text of [seen, ...given.map((each) => cache.add(each)?.toString() ?? "")]) {
    for (const [path, what] of linesIn(text)) {
      const end = what.indexOf(BETWEEN);
      repo.trust?.(path, { oid: what.slice(0, end), seen: what.slice(end + 1) }, true);
    }
  }
}

const BETWEEN = " ";

/** The files of each record, in an order that is the same for all. Whatever takes the longest for each comes first. */
function inOrder(kinds: readonly AnyKind[], paths: readonly Path[]): readonly (readonly Path[])[] {
  const records = new Map<AnyKind, Map<Base, Path[]>>([...kinds].sort((a, b) => Number(b.opaque ?? false) - Number(a.opaque ?? false)).map((kind) => [kind, new Map()]));
  for (const path of paths) {
    const place = placeOf(kinds, path);
    if (!place) continue;
    const ofKind = records.get(place.kind)!;
    const files = ofKind.get(place.base);
    if (files) files.push(path);
    else ofKind.set(place.base, [path]);
  }
  return [...records.values()].flatMap((ofKind) => [...ofKind].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, files]) => files));
}

/** The first has begun before the others, who are only just starting: it reads three stretches where they read two. */
function ownerOf(at: number, of: number): number {
  const turn = Math.floor(at / STRETCH) % (2 * of + 1);
  return turn === 2 * of ? 0 : turn % of;
}
