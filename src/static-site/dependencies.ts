/**
 * The dependencies of a page: the records and tables that its payload was made from, and the queries of its templates.
 *
 * The next build keeps a page when each of its dependencies has the same digest. Each dependency is stored once; pages
 * have their numbers.
 */
import type { Lang } from "../model/language/locale.ts";
import type { ReadListener } from "../views/manifest/dependencies.ts";
import type { Dependency, Argument } from "./state/state.ts";

export interface Dependencies {
  /** The number of a dependency; equal for equal ones. */
  number(dependency: Dependency): number;
  /** Adds a dependency to those being gathered, if any are. @returns its number */
  note(name: string, lang: Lang, ...args: Argument[]): number;
  /** Runs the work and gathers the dependencies noted meanwhile. Calls must not overlap. */
  gather<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly noted: readonly number[] }>;
  /** Runs work whose dependencies are not gathered, since a dependency noted before covers them. */
  aside<T>(work: () => T): T;
  /** Those noted in this build; the number of the first is the count given to `adopt`. */
  readonly all: readonly Dependency[];
  /**
   * Reserves the first numbers for the dependencies of the last build. Must be called before any is noted.
   *
   * Those are not looked up, so a rendered page may have a new number for a stored dependency.
   */
  adopt(count: number): void;
}

/** One record. */
export const RECORD = "record";
/** Every record of a kind. */
export const TABLE = "table";

/** A tree of dependencies by name and arguments, so that a known one is found without joining these to a key. */
interface DependencyNode {
  /** -1 where no dependency ends. */
  number: number;
  next?: Map<Argument, DependencyNode>;
}

export function openDependencies(): Dependencies {
  const all: Dependency[] = [];
  const first: DependencyNode = { number: -1 };
  let noted: Set<number> | undefined;
  let before = 0;
  const number = (dependency: Dependency): number => {
    let at = first;
    for (const part of dependency) at = follow(at, part);
    if (at.number < 0) at.number = before + all.push(dependency) - 1;
    return at.number;
  };
  return {
    all,
    number,
    adopt: (count) => void (before = count),
    note(...dependency) {
      const at = number(dependency);
      noted?.add(at);
      return at;
    },
    async gather(work) {
      const mine = (noted = new Set());
      try {
        return { value: await work(), noted: [...mine] };
      } finally {
        noted = undefined;
      }
    },
    aside(work) {
      const outer = noted;
      noted = undefined;
      try {
        return work();
      } finally {
        noted = outer;
      }
    },
  };
}

function follow(from: DependencyNode, part: Argument): DependencyNode {
  from.next ??= new Map();
  let to = from.next.get(part);
  if (!to) from.next.set(part, (to = { number: -1 }));
  return to;
}

/** Notes the records and tables that are read. */
export const readsInto = (dependencies: Dependencies): ReadListener => ({
  record: ({ name }, id) => void dependencies.note(RECORD, "", name, id),
  table: ({ name }) => void dependencies.note(TABLE, "", name),
});

/** Adds the names of the kinds that are read to a set. */
export const kindsInto = (kinds: Set<string>): ReadListener => ({
  record: ({ name }) => void kinds.add(name),
  table: ({ name }) => void kinds.add(name),
});
