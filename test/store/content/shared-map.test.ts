/** A shared map is a plain Map whose copies stay as they were, whichever way its entries came to be. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { SharedMap, type MapIndex } from "../../../src/store/maps/shared-map.ts";
import { StoredMap } from "../../../src/store/maps/stored-map.ts";
import { countBy } from "../../../src/store/content/indexes/counts.ts";

const SIZE = 40;

/** The digit of each value, counted. */
const DIGITS = countBy<number, string, string>((_key, value) => [...value]);
/** Keys by value: one that is advanced wrongly differs from one built anew. */
const KEYS: MapIndex<number, string, ReadonlyMap<number, string>> = {
  build: (map) => new Map(map),
  advance(known, changes) {
    const next = new Map(known);
    for (const { key, before, after } of changes) {
      expect(before).toBe(known.get(key));
      if (after === undefined) next.delete(key);
      else next.set(key, after);
    }
    return next;
  },
};

/** `SIZE` entries, in a plain map or in one as of the content cache, where each other place is of another map. */
function builtOf(isStored: boolean): ReadonlyMap<number, string> {
  if (!isStored) return new Map(Array.from({ length: SIZE }, (_, key) => [key, "1"]));
  const keys = Array.from({ length: 2 * SIZE }, (_, place) => (place % 2 === 0 ? place / 2 : -place));
  return new StoredMap<number, string>({
    keys: {
      length: keys.length,
      at: (place) => keys[place]!,
      placeOf: (key) => (keys.includes(key) ? keys.indexOf(key) : undefined),
    },
    valueAt: () => "1",
    part: { size: SIZE, has: (place) => place % 2 === 0 },
  });
}

const sorted = <V>(map: ReadonlyMap<number, V>): [number, V][] => [...map].sort(([a], [b]) => a - b);
const batches = fc.array(
  fc.uniqueArray(fc.tuple(fc.nat(SIZE + 10), fc.option(fc.constantFrom("1", "12", "23", "3"), { nil: undefined })), {
    selector: ([key]) => key,
    maxLength: SIZE,
  }),
  { maxLength: 30 },
);

it.each([false, true])("is the map with the same changes, in every version (of the content cache: %s)", (isStored) => {
  fc.assert(
    fc.property(batches, (changes) => {
      const built = builtOf(isStored);
      const versions = [{ shared: new SharedMap<number, string>(built), plain: new Map(built) }];
      for (const batch of changes) {
        const { shared, plain } = versions.at(-1)!;
        if (batch.length % 2 === 0) shared.index(KEYS);
        shared.index(DIGITS);
        const next = new Map(plain);
        for (const [key, value] of batch) {
          if (value === undefined) next.delete(key);
          else next.set(key, value);
        }
        versions.push({ shared: shared.with(batch), plain: next });
      }
      for (const { shared, plain } of versions) {
        expect(sorted(shared)).toEqual(sorted(plain));
        expect(shared.size).toBe(plain.size);
        expect(sorted(shared.index(KEYS))).toEqual(sorted(plain));
        expect(new Map(shared.index(DIGITS))).toEqual(new Map(DIGITS.build(new SharedMap(plain))));
        for (let key = -1; key < SIZE + 12; key++) {
          expect(shared.get(key)).toBe(plain.get(key));
          expect(shared.has(key)).toBe(plain.has(key));
          expect(shared.keyAfter(key)).toBe(sorted(plain).find(([each]) => each > key)?.[0]);
        }
        expect([...shared.keys()]).toEqual([...shared].map(([key]) => key));
        expect([...shared.values()]).toEqual([...shared].map(([, value]) => value));
      }
    }),
    { numRuns: 30 },
  );
});

it.each([false, true])("tells what differs between any two versions (of the content cache: %s)", (isStored) => {
  fc.assert(
    fc.property(batches, fc.nat(), fc.nat(), (changes, one, other) => {
      const versions = [new SharedMap<number, string>(builtOf(isStored))];
      for (const batch of changes) versions.push(versions.at(-1)!.with(batch));
      const [before, after] = [versions[one % versions.length]!, versions[other % versions.length]!];
      const made = new Map(before);
      for (const change of after.differencesFrom(before)) {
        expect(change.before).toBe(made.get(change.key));
        expect(change.after).not.toBe(change.before);
        if (change.after === undefined) made.delete(change.key);
        else made.set(change.key, change.after);
      }
      expect(sorted(made)).toEqual(sorted(after));
    }),
  );
});

it("a copy that is changed leaves the original as it was", () => {
  const original = new SharedMap(new Map([["a", 1]])).with([["b", 2]]);
  const copy = original.copy();
  copy.set("a", 3);
  copy.delete("b");
  expect([...original]).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
  expect([...copy]).toEqual([["a", 3]]);
});
