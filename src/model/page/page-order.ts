/** The order of pages: by `ordering`, then by descending id. */
import type { Id } from "./page.ts";

export interface Ranked {
  readonly id: Id;
  readonly ordering: number;
}

export const byOrdering = (a: Ranked, b: Ranked): number => a.ordering - b.ordering || b.id - a.id;

/**
 * The new ranks after one record moves to the position of another and those between shift by one.
 *
 * The existing ranks are reassigned within the range that moves. Where records share a rank, that does not always give
 * the wanted order: then a rank is raised by as little as possible, since each changed rank is a changed file.
 *
 * @param ranked in order
 * @param from index of the record that moves
 * @param to index of the record whose position it takes
 * @returns the records whose rank changes, in their new order
 */
export function ranksAfterMove(ranked: readonly Ranked[], from: number, to: number): Ranked[] {
  const order = [...ranked];
  order.splice(to, 0, ...order.splice(from, 1));
  const settled: Ranked[] = [];
  for (const [at, { id }] of order.entries()) {
    const before = settled.at(-1);
    const same = { id, ordering: ranked[at]?.ordering ?? 0 };
    const sharesRank = before && { id, ordering: before.ordering };
    if (!before || !sharesRank || byOrdering(before, same) < 0) settled.push(same);
    else settled.push(byOrdering(before, sharesRank) < 0 ? sharesRank : { id, ordering: before.ordering + 1 });
  }
  const was = new Map(ranked.map(({ id, ordering }) => [id, ordering]));
  return settled.filter(({ id, ordering }) => was.get(id) !== ordering);
}
