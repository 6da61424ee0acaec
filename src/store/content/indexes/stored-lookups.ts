/** The look-ups over pages that the content cache has, so that a start does not build them. */
import type { Id } from "../../../model/page/page.ts";
import type { CachedLookup, LookupKey, StoredImage } from "../../cache/cache-image.ts";
import type { AnyKind, Entry, Table } from "../../records/record-type.ts";
import { SharedMap, type MapIndex } from "../../maps/shared-map.ts";
import { KeyIndex, PAGE_KEYS } from "../../records/key-index.ts";
import { MOMENTS, NEGATED_ORDERINGS, SCHEDULE, SCHEDULED } from "./page-index.ts";

type Counts = MapIndex<Id, Entry, SharedMap<LookupKey, number>>;

// The keys of MOMENTS and SCHEDULE are instants, the others are numbers. The cache returns keys as they were stored.
const COUNTS = Object.entries({ MOMENTS, SCHEDULE, SCHEDULED, NEGATED_ORDERINGS }) as unknown as [string, Counts][];

const keysName = ({ name }: AnyKind): string => `${name} keys `;
const countsName = ({ name }: AnyKind, counts: string): string => `${name} ${counts}`;

/** @param byId the pages of a kind */
export function* lookupsOf(kind: AnyKind, byId: Table["byId"]): Generator<CachedLookup> {
  for (const [name, entries] of byId.index(PAGE_KEYS).maps)
    yield { name: keysName(kind) + name, entries, isSorted: false };
  for (const [name, index] of COUNTS)
    yield { name: countsName(kind, name), entries: ascending(byId.index(index)), isSorted: true };
}

/** Has the pages of a kind use the look-ups of the cache. */
export function useLookups(kind: AnyKind, byId: Table["byId"], { lookups }: StoredImage): void {
  const keys = [...lookups].filter(([name]) => name.startsWith(keysName(kind)));
  const maps = keys.map(([name, map]) => [name.slice(keysName(kind).length), new SharedMap(map)] as const);
  byId.setIndex(PAGE_KEYS, new KeyIndex(new Map(maps)));
  for (const [name, index] of COUNTS) {
    const counts = lookups.get(countsName(kind, name));
    if (counts) byId.setIndex(index, new SharedMap(counts as ReadonlyMap<LookupKey, number>));
  }
}

function* ascending(counts: SharedMap<LookupKey, number>): Generator<readonly [LookupKey, number]> {
  const [first] = counts.keys();
  const least = typeof first === "number" ? -Infinity : "";
  for (let key = counts.keyAfter(least); key !== undefined; key = counts.keyAfter(key)) yield [key, counts.get(key)!];
}
