/** Look-ups over the records that refer to others by name. */
import type { Problem } from "../../../model/text/problem.ts";
import type { AnyKind, Base, Entry } from "../../records/record-type.ts";
import { PAGES } from "../../records/pages.ts";
import { SharedMap, type MapChange, type MapIndex } from "../../maps/shared-map.ts";
import { summaryOf, type NameHolder } from "../../snapshot.ts";

export const holderKey = ({ name }: AnyKind, base: Base): string => `${name}\n${base}`;

/** The holders (`holderKey`) that depend on each key. */
export const HOLDERS: MapIndex<string, NameHolder, SharedMap<string, readonly string[]>> = grouped(
  (_key, { keys }) => keys,
);

/** The holders that derived values depend on; see `NameHolder.isDerivedFrom`. */
export const DERIVED_FROM: MapIndex<string, NameHolder, SharedMap<string, true>> = {
  build: (holders) =>
    new SharedMap(new Map([...holders].flatMap(([key, { isDerivedFrom }]) => (isDerivedFrom ? [[key, true]] : [])))),
  advance: (known, changes) =>
    known.with(changes.map(({ key, after }) => [key, after?.isDerivedFrom ? true : undefined] as const)),
};

/** The records that a new file beside their folder would become the parent of, by the path of that folder. */
export const OPEN_IN_FOLDER: MapIndex<Base, Entry, SharedMap<Base, readonly Base[]>> = grouped((base, entry) => {
  const folder = base.slice(0, base.lastIndexOf("/"));
  return folder !== PAGES.dir && PAGES.nesting?.isOpen(summaryOf(entry)) ? [folder] : [];
});

/** The problems of all holders; few have any. */
export const NAME_PROBLEMS: MapIndex<string, NameHolder, SharedMap<string, readonly Problem[]>> = {
  build(holders) {
    const found = new Map<string, readonly Problem[]>();
    for (const [key, { problems }] of holders) if (problems.length > 0) found.set(key, problems);
    return new SharedMap(found);
  },
  advance: (known, changes) =>
    known.with(changes.map(({ key, after }) => [key, after?.problems.length ? after.problems : undefined] as const)),
};

/** The keys of the entries of a map that belong to each group. */
function grouped<V>(
  groupsOf: (key: string, value: V) => readonly string[],
): MapIndex<string, V, SharedMap<string, readonly string[]>> {
  const setOf = (key: string, value: V | undefined): ReadonlySet<string> =>
    new Set(value === undefined ? [] : groupsOf(key, value));
  return {
    build(map) {
      const found = new Map<string, string[]>();
      for (const [key, value] of map)
        for (const group of setOf(key, value)) {
          const keys = found.get(group);
          if (keys) keys.push(key);
          else found.set(group, [key]);
        }
      return new SharedMap<string, readonly string[]>(found);
    },
    advance(index, changes: readonly MapChange<string, V>[]) {
      const next = index.copy();
      for (const { key, before, after } of changes) {
        const [old, now] = [setOf(key, before), setOf(key, after)];
        for (const group of old) {
          if (now.has(group)) continue;
          const left = (next.get(group) ?? []).filter((each) => each !== key);
          if (left.length > 0) next.set(group, left);
          else next.delete(group);
        }
        for (const group of now) if (!old.has(group)) next.set(group, [...(next.get(group) ?? []), key]);
      }
      return next;
    },
  };
}
