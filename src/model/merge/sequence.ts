/** Three-way comparison of sequences: the lines of a text, the items of a list. */
import { hunksOf, type Hunk, type Range } from "./alignment.ts";

/** A part of the three sequences, as half-open ranges. */
export interface Region {
  readonly base: Range;
  readonly ours: Range;
  readonly theirs: Range;
  /** Which sides differ from the base here. */
  readonly changedBy: "neither" | "ours" | "theirs" | "both";
}

/**
 * The regions of three sequences, in order and without gaps.
 *
 * @param joinsNeighbours whether changes of two sides that touch are one region: then each region of one side has an
 *   unchanged item, or an end, on both of its sides
 */
export function regionsOf(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  joinsNeighbours: boolean,
): Region[] {
  // The next hunk is the last of each list.
  const left = { ours: hunksOf(base, ours).reverse(), theirs: hunksOf(base, theirs).reverse() };
  const regions: Region[] = [];
  let at = { base: 0, ours: 0, theirs: 0 };
  const add = (end: { base: number; ours: number; theirs: number }, changedBy: Region["changedBy"]): void => {
    if (end.base > at.base || end.ours > at.ours || end.theirs > at.theirs)
      regions.push({
        base: [at.base, end.base],
        ours: [at.ours, end.ours],
        theirs: [at.theirs, end.theirs],
        changedBy,
      });
    at = end;
  };
  const advance = (to: number): void => {
    const step = to - at.base;
    add({ base: to, ours: at.ours + step, theirs: at.theirs + step }, "neither");
  };
  while (left.ours.length > 0 || left.theirs.length > 0) {
    const group = nextGroup(left.ours, left.theirs, joinsNeighbours);
    advance(group.base[0]);
    const end = group.base[1];
    const endOf = (hunks: readonly Hunk[], from: number): number => from + (end - at.base) + growth(hunks);
    add(
      { base: end, ours: endOf(group.ours, at.ours), theirs: endOf(group.theirs, at.theirs) },
      group.theirs.length === 0 ? "ours" : group.ours.length === 0 ? "theirs" : "both",
    );
  }
  advance(base.length);
  return regions;
}

const growth = (hunks: readonly Hunk[]): number =>
  hunks.reduce((sum, { base, side }) => sum + (side[1] - side[0]) - (base[1] - base[0]), 0);

/** Takes the hunks of the next region off the ends of both lists. */
function nextGroup(
  ours: Hunk[],
  theirs: Hunk[],
  joinsNeighbours: boolean,
): { base: Range; ours: Hunk[]; theirs: Hunk[] } {
  const taken: { ours: Hunk[]; theirs: Hunk[] } = { ours: [], theirs: [] };
  let range: Range | undefined;
  for (;;) {
    const [a, b] = [ours.at(-1), theirs.at(-1)];
    const isOurs = a !== undefined && (b === undefined || comesFirst(a, b));
    const next = isOurs ? a : b;
    if (!next || (range && !belongsTo(range, next.base, joinsNeighbours))) break;
    (isOurs ? taken.ours : taken.theirs).push(next);
    (isOurs ? ours : theirs).pop();
    range = range ? [range[0], Math.max(range[1], next.base[1])] : next.base;
  }
  return { base: range ?? [0, 0], ...taken };
}

/** An insertion comes before a change of the item behind it. */
const comesFirst = (a: Hunk, b: Hunk): boolean =>
  a.base[0] < b.base[0] || (a.base[0] === b.base[0] && a.base[1] <= b.base[1]);

function belongsTo([start, end]: Range, next: Range, joinsNeighbours: boolean): boolean {
  if (joinsNeighbours) return next[0] <= end;
  const isSameInsertion = start === end && next[0] === end && next[1] === end;
  return next[0] < end || isSameInsertion;
}
