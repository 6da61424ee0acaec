/**
 * Processes that open the same content at the same time each parse a share of its records and send the result to the
 * others, in the format of the content cache, keyed by the blob ids of the files that were parsed.
 *
 * Each process scans the files itself, so content never depends on the others: what a share lacks, or what it has of
 * other versions of a file, is parsed again by the process that needs it.
 */
import type { AnyKind, Base } from "../records/record-type.ts";
import type { Loader, Look } from "./load-group.ts";
import { placeOf, readAhead } from "./load.ts";
import type { Path } from "../repo.ts";

export interface Sharing {
  /** The number of this process, from 0. */
  readonly number: number;
  /** How many processes there are. */
  readonly of: number;
  /**
   * Sends the share of this process and resolves to those of the others. Called exactly once, also with an empty share.
   *
   * @param isWaiting whether the others have shares; false where there are too few records to divide
   */
  exchange(mine: Uint8Array, isWaiting: boolean): Promise<readonly Uint8Array[]>;
}

/** Consecutive records that go to one process: small, so that each share has records from all over the site. */
const STRETCH = 8;

/** Parses this process's share of the scanned records, and adds the shares of all processes to the cache. */
export async function readTogether(loader: Loader, look: Look, { number, of, exchange }: Sharing): Promise<void> {
  const { kinds, cache } = loader;
  const records = inOrder(kinds, [...look.files.keys()]);
  const own = records.filter((_, at) => ownerOf(at, of) === number).flat();
  await readAhead(loader, { ...look, files: new Map(own.map((path) => [path, look.files.get(path)!])) });
  for (const share of await exchange(cache.share(), records.length > STRETCH)) cache.add(share);
}

/** The files of each record, in the same order in every process. Media come first: each takes longest to examine. */
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

/** Process 0 started before the others, so it takes three stretches where they take two. */
function ownerOf(at: number, of: number): number {
  const turn = Math.floor(at / STRETCH) % (2 * of + 1);
  return turn === 2 * of ? 0 : turn % of;
}
