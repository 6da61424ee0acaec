/** One page takes another's place; only what must move is written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byOrdering, ranksAfterMove, type Ranked } from "../../../src/model/page/page-order.ts";

/** Ids descend, so that records of equal rank keep the given order. */
const rows = (ranks: readonly number[]): Ranked[] => ranks.map((ordering, at) => ({ id: 100 - at, ordering }));

describe("ranksAfterMove", () => {
  // oxfmt-ignore
  it.each<[string, number[], number, number, [number, number][]]>([
    // case                                    ranks               from to  changed: [index before, new rank]
    ["distinct ranks, down",                   [1, 2, 3, 4, 5],    0,   2,  [[1, 1], [2, 2], [0, 3]]],
    ["distinct ranks, up",                     [1, 2, 3, 4, 5],    4,   3,  [[4, 4], [3, 5]]],
    ["two of one rank elsewhere stay",         [1, 1, 2, 3, 9, 9], 2,   3,  [[3, 2], [2, 3]]],
    ["within one rank, to the end",            [0, 0, 0],          0,   2,  [[0, 1]]],
    ["within one rank, to the front",          [0, 0, 0],          2,   0,  [[0, 1], [1, 1]]],
    ["what follows is pushed only if need be", [0, 0, 1, 5, 5],    1,   0,  [[0, 1]]],
  ])("%s", (_case, ranks, from, to, changed) => {
    const ranked = rows(ranks);
    expect(ranksAfterMove(ranked, from, to)).toEqual(changed.map(([at, ordering]) => ({ id: ranked[at]!.id, ordering })));
  });

  it("makes the wanted order from any ranks, and changes no rank before the affected range", () => {
    const cases = fc.uniqueArray(
      fc.record({ id: fc.integer({ min: 1, max: 1000 }), ordering: fc.integer({ min: 0, max: 6 }) }),
      { selector: ({ id }) => id, minLength: 2, maxLength: 12 },
    );
    fc.assert(
      fc.property(cases, fc.nat(), fc.nat(), (records, a, b) => {
        const ranked = [...records].sort(byOrdering);
        const [from, to] = [a % ranked.length, b % ranked.length];
        const changes = new Map(ranksAfterMove(ranked, from, to).map(({ id, ordering }) => [id, ordering]));
        const wanted = ranked.map(({ id }) => id);
        wanted.splice(to, 0, ...wanted.splice(from, 1));
        expect(
          ranked
            .map(({ id, ordering }) => ({ id, ordering: changes.get(id) ?? ordering }))
            .sort(byOrdering)
            .map(({ id }) => id),
        ).toEqual(wanted);
        expect(ranked.slice(0, Math.min(from, to)).some(({ id }) => changes.has(id))).toBe(false);
      }),
    );
  });
});
