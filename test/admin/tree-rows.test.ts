/** The tree of pages in the editor, and the moves in it. */
import { describe, expect, it } from "vitest";
import {
  placeAt,
  placeTaken,
  placeTowards,
  treeRows,
  type Direction,
  type Levels,
  type Zone,
} from "../../src/admin/pages/list/tree-rows.ts";

const level = (...ids: number[]) => ids.map((id) => ({ id }));
const LEVELS: Levels<{ id: number }> = new Map([
  [null, level(1, 2, 3)],
  [2, level(21, 22)],
  [22, level(221)],
]);
const ROWS = treeRows(LEVELS, new Set([2, 22]));
const at = (id: number): number => ROWS.findIndex(({ page }) => page.id === id);

describe("the rows of the tree", () => {
  it("are those of open pages, with their depth", () => {
    expect(ROWS.map(({ page, depth }) => [page.id, depth])).toEqual([
      [1, 0],
      [2, 0],
      [21, 1],
      [22, 1],
      [221, 2],
      [3, 0],
    ]);
    expect(treeRows(LEVELS, new Set([22])).map(({ page }) => page.id)).toEqual([1, 2, 3]);
  });

  it.each<[number, Direction, unknown]>([
    [1, "up", undefined],
    [1, "down", { parent: null, beside: { id: 2, side: "after" } }],
    [3, "up", { parent: null, beside: { id: 2, side: "before" } }],
    [3, "in", { parent: 2 }],
    [21, "in", undefined],
    [22, "out", { parent: null, beside: { id: 2, side: "after" } }],
    [221, "out", { parent: 2, beside: { id: 22, side: "after" } }],
    [1, "out", undefined],
  ])("%i moves %s", (id, direction, place) => expect(placeTowards(ROWS, at(id), direction)).toEqual(place));

  it.each<[number, number, Zone, unknown]>([
    [1, 22, "into", { parent: 22 }],
    [1, 22, "before", { parent: 2, beside: { id: 22, side: "before" } }],
    [2, 2, "into", undefined],
    [2, 221, "after", undefined], // below itself
    [221, 3, "after", { parent: null, beside: { id: 3, side: "after" } }],
  ])("%i dropped on %i, %s", (id, target, zone, place) =>
    expect(placeAt(ROWS, id, ROWS[at(target)]!, zone)).toEqual(place),
  );

  it.each<[number, number, "before" | "after", number[]]>([
    [1, 4, "after", [2, 3, 4, 1]],
    [1, 4, "before", [2, 3, 1, 4]],
    [4, 1, "before", [4, 1, 2, 3]],
    [4, 1, "after", [1, 4, 2, 3]],
    [1, 2, "before", [1, 2, 3, 4]],
    [2, 1, "after", [1, 2, 3, 4]],
  ])("%i comes to stand by taking the place of a sibling: %i %s", (id, other, side, order) => {
    const siblings = [1, 2, 3, 4];
    const taken = placeTaken(siblings, id, { id: other, side });
    const moved = [...siblings];
    // As the API reorders: the page leaves its place, then stands where the other one was.
    if (taken !== undefined) {
      moved.splice(siblings.indexOf(id), 1);
      moved.splice(siblings.indexOf(taken), 0, id);
    }
    expect(moved).toEqual(order);
  });
});
