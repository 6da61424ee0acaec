/** The dependencies of a state: those with a number, and the list for the next state. */
import type { Dependency, DependencyColumns, Argument } from "./state.ts";

/** The dependencies of a state, by number. */
export interface StoredDependencies {
  readonly count: number;
  dependency(number: number): Dependency;
  digest(number: number): string | undefined;
  /** The position of its group. */
  groupOf(number: number): number;
}

/** The number of dependencies. */
export const countOf = (groups: readonly DependencyColumns[]): number =>
  groups.reduce((sum, { digests }) => sum + digests.length, 0);

export function storedDependencies(groups: readonly DependencyColumns[]): StoredDependencies {
  const count = countOf(groups);
  const groupAt = new Uint32Array(count);
  const firsts: number[] = [];
  let first = 0;
  for (const [at, { digests }] of groups.entries()) {
    firsts.push(first);
    groupAt.fill(at, first, (first += digests.length));
  }
  const within = (number: number): number => number - firsts[groupAt[number]!]!;
  return {
    count,
    dependency(number) {
      const { name, lang, args } = groups[groupAt[number]!]!;
      return [name, lang, ...args.map((column) => column[within(number)]!)];
    },
    digest: (number) => groups[groupAt[number]!]?.digests[within(number)],
    groupOf: (number) => groupAt[number]!,
  };
}

/** The dependencies of the next state, and their numbers there by their numbers in this build. */
export interface NextDependencies {
  readonly groups: readonly DependencyColumns[];
  readonly numbers: Uint32Array;
}

/**
 * The dependencies of the next state: the stored ones that pages still have, then those first noted in this build.
 *
 * @param used flags by number, stored dependencies first; stored ones that were noted again are flagged here
 * @param fresh those first noted in this build, used or not
 */
export function nextDependencies(
  stored: readonly DependencyColumns[],
  used: Uint8Array,
  fresh: readonly Dependency[],
  digest: (dependency: Dependency) => string,
): NextDependencies {
  const count = countOf(stored);
  const numbers = new Uint32Array(used.length);
  /** Those noted in this build that are stored already: pages that are kept have the stored number. */
  const same: [number: number, old: number][] = [];
  const changed = new Map<number, string>();
  const more: [number: number, dependency: Dependency][] = [];
  const numberOf = numbersIn(stored);
  for (const [at, dependency] of fresh.entries()) {
    const number = count + at;
    if (!used[number]) continue;
    const old = numberOf(dependency);
    if (old === undefined) more.push([number, dependency]);
    else {
      same.push([number, old]);
      // The digests of the dependencies of kept pages are unchanged.
      if (!used[old]) changed.set(old, digest(dependency));
      used[old] = 1;
    }
  }
  const groups: Group[] = [];
  let first = 0;
  for (const { name, lang, args, digests: before } of stored) {
    const digests = before.map((digest, at) => changed.get(first + at) ?? digest);
    const kept = Array.from(digests.keys()).filter((at) => used[first + at]);
    const of = <T>(column: readonly T[]): T[] => kept.map((at) => column[at]!);
    groups.push({ name, lang, args: args.map(of), digests: of(digests), first, kept, more: [] });
    first += before.length;
  }
  for (const [number, dependency] of more) {
    const [name, lang, ...args] = dependency;
    let group = groups.find((each) => isOf(each, dependency));
    if (!group)
      groups.push((group = { name, lang, args: args.map(() => []), digests: [], first: 0, kept: [], more: [] }));
    group.more.push({ number, args, digest: digest(dependency) });
  }
  let next = 0;
  for (const { digests, first: start, kept, more: others } of groups) {
    for (let at = 0; at < digests.length; at++) numbers[start + kept[at]!] = next++;
    for (const { number } of others) numbers[number] = next++;
  }
  for (const [number, old] of same) numbers[number] = numbers[old]!;
  return { groups: groups.map(columnsOf).filter(({ digests }) => digests.length > 0), numbers };
}

/** Stored dependencies that remain, and added ones. */
interface Group extends DependencyColumns {
  /** The stored number of its first dependency. */
  readonly first: number;
  /** The stored positions of the dependencies that are still used. */
  readonly kept: readonly number[];
  /** Not stored before; no two are the same. */
  readonly more: { readonly number: number; readonly args: readonly Argument[]; readonly digest: string }[];
}

const columnsOf = ({ name, lang, args, digests, more }: Group): DependencyColumns => ({
  name,
  lang,
  args: args.map((column, each) => [...column, ...more.map((added) => added.args[each]!)]),
  digests: [...digests, ...more.map(({ digest }) => digest)],
});

const isOf = ({ name, lang, args }: DependencyColumns, dependency: Dependency): boolean =>
  name === dependency[0] && lang === dependency[1] && args.length === dependency.length - 2;

/** Finds the number of a stored dependency. */
function numbersIn(stored: readonly DependencyColumns[]): (dependency: Dependency) => number | undefined {
  let end = 0;
  const groups = stored.map((group) => ({
    group,
    first: (end += group.digests.length) - group.digests.length,
    positionOf: positionsIn(group),
  }));
  return (dependency) => {
    for (const { group, first, positionOf } of groups) {
      const at = isOf(group, dependency) ? positionOf(dependency.slice(2)) : -1;
      if (at >= 0) return first + at;
    }
    return undefined;
  };
}

/** How many linear searches of a column are done before an index is built. */
const SEARCHES_MAX = 16;

/** Finds the position in a group by the arguments; -1 when it is not there. */
function positionsIn({ args: columns, digests }: DependencyColumns): (args: readonly Argument[]) => number {
  let searches = 0;
  let positions: ReadonlyMap<string, number> | undefined;
  return (args) => {
    // A dependency without arguments is the only one of its group.
    if (columns.length === 0) return digests.length - 1;
    if (searches++ < SEARCHES_MAX) return searched(columns, args);
    positions ??= new Map(
      Array.from(digests.keys(), (at) => [JSON.stringify(columns.map((column) => column[at])), at]),
    );
    return positions.get(JSON.stringify(args)) ?? -1;
  };
}

function searched(columns: readonly (readonly Argument[])[], args: readonly Argument[]): number {
  // By the id, which few dependencies share.
  const by = Math.max(
    0,
    args.findIndex((arg) => typeof arg === "number"),
  );
  const column = columns[by]!;
  for (let at = column.indexOf(args[by]!); at >= 0; at = column.indexOf(args[by]!, at + 1)) {
    if (columns.every((each, of) => each[at] === args[of])) return at;
  }
  return -1;
}
