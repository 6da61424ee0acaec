/** The dependencies of a state: finding them by number, and making the list for the next state. */
import type { Dependency, DependencyColumns, Word } from "./state.ts";

/** The question with a number. */
export interface StoredDependencies {
  readonly count: number;
  asked(number: number): Dependency;
  /** The place of its group, and its own in that. */
  groupOf(number: number): number;
  within(number: number): number;
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
    asked(number) {
      const { name, lang, args } = groups[groupAt[number]!]!;
      return [name, lang, ...args.map((column) => column[within(number)]!)];
    },
    groupOf: (number) => groupAt[number]!,
    within,
  };
}

/** The next state's dependencies, and their new numbers by their former ones. */
export interface NextDependencies {
  readonly groups: readonly DependencyColumns[];
  readonly numbers: Uint32Array;
}

/**
 * The dependencies of the next state: the stored ones that pages still have, then new ones.
 *
 * @param used by number; new ones are numbered after those there were; flagged further for those that were asked again
 * @param fresh all new ones, used or not
 */
export function nextDependencies(
  stored: readonly DependencyColumns[],
  used: Uint8Array,
  fresh: readonly Dependency[],
  digest: (asked: Dependency) => string,
): NextDependencies {
  const count = countOf(stored);
  const numbers = new Uint32Array(used.length);
  /** New questions that there were: a page that is kept may have the old number. */
  const same: [number: number, old: number][] = [];
  const answered = new Map<number, string>();
  const more: [number: number, asked: Dependency][] = [];
  const numberOf = numbering(stored);
  for (const [at, asked] of fresh.entries()) {
    const number = count + at;
    if (!used[number]) continue;
    const old = numberOf(asked);
    if (old === undefined) more.push([number, asked]);
    else {
      same.push([number, old]);
      // Those that kept pages have are answered as they were.
      if (!used[old]) answered.set(old, digest(asked));
      used[old] = 1;
    }
  }
  const groups: Group[] = [];
  let first = 0;
  for (const { name, lang, args, digests: before } of stored) {
    const digests = before.map((digest, at) => answered.get(first + at) ?? digest);
    const kept = Array.from(digests.keys()).filter((at) => used[first + at]);
    const of = <T>(column: readonly T[]): T[] => kept.map((at) => column[at]!);
    groups.push({ name, lang, args: args.map(of), digests: of(digests), first, kept, more: [] });
    first += before.length;
  }
  for (const [number, asked] of more) {
    const [name, lang, ...args] = asked;
    let group = groups.find((each) => isOf(each, asked));
    if (!group)
      groups.push((group = { name, lang, args: args.map(() => []), digests: [], first: 0, kept: [], more: [] }));
    group.more.push({ number, args, digest: digest(asked) });
  }
  let next = 0;
  for (const { digests, first: start, kept, more: others } of groups) {
    for (let at = 0; at < digests.length; at++) numbers[start + kept[at]!] = next++;
    for (const { number } of others) numbers[number] = next++;
  }
  for (const [number, old] of same) numbers[number] = numbers[old]!;
  return { groups: groups.map(columnsOf).filter(({ digests }) => digests.length > 0), numbers };
}

/** Stored dependencies that remain, and new ones. */
interface Group extends DependencyColumns {
  /** The number its first question had. */
  readonly first: number;
  /** The former positions of the dependencies that are still used. */
  readonly kept: readonly number[];
  /** No two the same and none of them one there was. */
  readonly more: { readonly number: number; readonly args: readonly Word[]; readonly digest: string }[];
}

const columnsOf = ({ name, lang, args, digests, more }: Group): DependencyColumns => ({
  name,
  lang,
  args: args.map((column, each) => [...column, ...more.map((question) => question.args[each]!)]),
  digests: [...digests, ...more.map(({ digest }) => digest)],
});

const isOf = ({ name, lang, args }: DependencyColumns, asked: Dependency): boolean =>
  name === asked[0] && lang === asked[1] && args.length === asked.length - 2;

/** Tells the number of a question; undefined when it was not asked. */
function numbering(stored: readonly DependencyColumns[]): (asked: Dependency) => number | undefined {
  let end = 0;
  const groups = stored.map((group) => ({
    group,
    first: (end += group.digests.length) - group.digests.length,
    placeOf: placing(group),
  }));
  return (asked) => {
    for (const { group, first, placeOf } of groups) {
      const at = isOf(group, asked) ? placeOf(asked.slice(2)) : -1;
      if (at >= 0) return first + at;
    }
    return undefined;
  };
}

/** How many linear searches of a column are done before an index is built. */
const SEARCHES_MAX = 16;

/** Tells where the question with some arguments stands in a group; -1 when none has these. */
function placing({ args: columns, digests }: DependencyColumns): (args: readonly Word[]) => number {
  let searches = 0;
  let places: ReadonlyMap<string, number> | undefined;
  return (args) => {
    // One without arguments is the only one of its group.
    if (columns.length === 0) return digests.length - 1;
    if (searches++ < SEARCHES_MAX) return searched(columns, args);
    places ??= new Map(Array.from(digests.keys(), (at) => [JSON.stringify(columns.map((column) => column[at])), at]));
    return places.get(JSON.stringify(args)) ?? -1;
  };
}

function searched(columns: readonly (readonly Word[])[], args: readonly Word[]): number {
  // Few have the same id.
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
