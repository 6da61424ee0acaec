/** The order of pages among each other: by `ordering`, newest id first among equal ranks (contract.md 5). */
import type { Id } from "./page.ts";

export interface Ranked {
  readonly id: Id;
  readonly ordering: number;
}

export const byOrdering = (a: Ranked, b: Ranked): number => a.ordering - b.ordering || b.id - a.id;

/**
 * The new ranks after one record moves to another's place and those between shift by one (contract.md 6.10).
 *
 * Ranks are swapped within the span that moves. Where records share a rank that alone does not make the wanted order:
 * then a record, and those after it, is raised no further than it takes, since each new rank is a changed file.
 *
 * @param ranked in their order
 * @param from index of the record that moves
 * @param to index of the record whose place it takes
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
