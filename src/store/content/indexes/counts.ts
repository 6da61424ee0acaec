/** How often each value occurs in the entries of a map. */
import { SharedMap, type MapChange, type MapIndex } from "../../maps/shared-map.ts";

/** @param valuesOf what an entry counts for, possibly several values or none */
export const countBy = <K extends string | number, V, C extends string | number>(
  valuesOf: (key: K, value: V) => readonly C[],
): MapIndex<K, V, SharedMap<C, number>> => ({
  build(map) {
    const counts = new Map<C, number>();
    for (const [key, value] of map.entries())
      for (const each of valuesOf(key, value)) counts.set(each, (counts.get(each) ?? 0) + 1);
    return new SharedMap(counts);
  },
  advance(counts, changes) {
    const moved = new Map<C, number>();
    const move = (each: C, by: number): void => void moved.set(each, (moved.get(each) ?? 0) + by);
    for (const { key, before, after } of changes as readonly MapChange<K, V>[]) {
      if (before !== undefined) for (const each of valuesOf(key, before)) move(each, -1);
      if (after !== undefined) for (const each of valuesOf(key, after)) move(each, 1);
    }
    return counts.with(
      [...moved].filter(([, by]) => by !== 0).map(([each, by]) => [each, (counts.get(each) ?? 0) + by || undefined]),
    );
  },
});
