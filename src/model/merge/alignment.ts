/**
 * What one version of a sequence changed.
 *
 * Items that occur once in both versions are matched first, so that the comparison of node-diff3, whose time grows with the
 * number of equal pairs times the length, sees only the short parts between them.
 */
import { diffIndices } from "node-diff3";
import { firstWhere } from "../text/bisect.ts";

/** Half-open. */
export type Range = readonly [start: number, end: number];

/** Items of the base in a range are replaced by those of the side in another. */
export interface Hunk {
  readonly base: Range;
  readonly side: Range;
}

/** In items of both versions between their equal ends; more are one change. */
const ITEMS_MAX = 50_000;
/** In equal pairs times items: some 10 ms. What is left when it is used up is one change. */
const WORK_MAX = 4_000_000;

/** The changes in order; between two there is an unchanged item. */
export function hunksOf(base: readonly string[], side: readonly string[]): Hunk[] {
  const { head, tail } = agreedEnds(base, side);
  const whole: Hunk = { base: [head, base.length - tail], side: [head, side.length - tail] };
  const [from, to] = [base.slice(...whole.base), side.slice(...whole.side)];
  if (from.length + to.length > ITEMS_MAX) return [whole];
  const budget = { left: WORK_MAX };
  const hunks: Hunk[] = [];
  let [start, sideStart] = [0, 0];
  for (const [end, sideEnd] of [...anchorsOf(from, to), [from.length, to.length] as const]) {
    const part = hunksBetween(from.slice(start, end), to.slice(sideStart, sideEnd), budget);
    hunks.push(...part.map((hunk) => shifted(hunk, head + start, head + sideStart)));
    [start, sideStart] = [end + 1, sideEnd + 1];
  }
  return hunks;
}

const shifted = ({ base, side }: Hunk, from: number, to: number): Hunk => ({
  base: [base[0] + from, base[1] + from],
  side: [side[0] + to, side[1] + to],
});

/** The positions in both of items that occur once in each: the longest run of them in one order. */
function anchorsOf(base: readonly string[], side: readonly string[]): (readonly [number, number])[] {
  const [counts, sideCounts] = [countsOf(base), countsOf(side)];
  const sidePositions = new Map(side.map((item, at) => [item, at]));
  // The last item of the best run of each length, and what precedes each item in its run.
  const tails: Anchor[] = [];
  for (const [at, item] of base.entries()) {
    const other = sidePositions.get(item);
    if (other === undefined || counts.get(item) !== 1 || sideCounts.get(item) !== 1) continue;
    const length = firstWhere(tails.length, (place) => (tails[place]?.position[1] ?? 0) > other);
    tails[length] = { position: [at, other], before: tails[length - 1] };
  }
  const run: (readonly [number, number])[] = [];
  for (let anchor = tails.at(-1); anchor; anchor = anchor.before) run.push(anchor.position);
  return run.reverse();
}

interface Anchor {
  readonly position: readonly [number, number];
  readonly before: Anchor | undefined;
}

function hunksBetween(base: string[], side: string[], budget: { left: number }): readonly Hunk[] {
  if (base.length === 0 && side.length === 0) return [];
  budget.left -= equalPairs(base, side) * Math.min(base.length, side.length);
  if (base.length === 0 || side.length === 0 || budget.left < 0)
    return [{ base: [0, base.length], side: [0, side.length] }];
  return diffIndices(base, side).map(({ buffer1: [start, length], buffer2: [sideStart, sideLength] }) => ({
    base: [start, start + length],
    side: [sideStart, sideStart + sideLength],
  }));
}

function equalPairs(base: readonly string[], side: readonly string[]): number {
  const counts = countsOf(side);
  return base.reduce((sum, item) => sum + (counts.get(item) ?? 0), 0);
}

function countsOf(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** The number of equal items at the beginning of two sequences and, of the rest, at the end. */
export function agreedEnds<T>(
  a: readonly T[],
  b: readonly T[],
  isSame: (a: T | undefined, b: T | undefined) => boolean = (one, other) => one === other,
): { head: number; tail: number } {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && isSame(a[head], b[head])) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail++;
  return { head, tail };
}
