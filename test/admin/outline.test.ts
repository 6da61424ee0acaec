/** Moves of the entries of a menu in the editor. */
import { describe, expect, it } from "vitest";
import { dropped, moved, nodesOf, placesOf, rowsOf, type Row } from "../../src/admin/menus/outline.ts";
import type { Direction } from "../../src/admin/pages/list/tree-rows.ts";

const node = (title: string, ...nodes: readonly object[]) => ({ title, ...(nodes.length > 0 && { nodes }) });
const NODES = [node("a", node("b"), node("c", node("d"))), node("e")] as never;
const ROWS = rowsOf(NODES);

/** `a .b .c ..d e`: a dot for each level. */
const shown = (rows: readonly Row[]): string =>
  rows.map(({ depth, node: { title } }) => ".".repeat(depth) + String(title)).join(" ");

describe("the outline of a menu", () => {
  it("is its tree, row by row, and back", () => {
    expect(shown(ROWS)).toBe("a .b .c ..d e");
    expect(new Set(ROWS.map(({ key }) => key)).size).toBe(5);
    expect(nodesOf(ROWS)).toEqual(NODES);
  });

  it.each<[title: string, Direction, after: string]>([
    ["a", "up", "a .b .c ..d e"],
    ["a", "down", "e a .b .c ..d"],
    ["e", "up", "e a .b .c ..d"],
    ["e", "in", "a .b .c ..d .e"],
    ["c", "up", "a .c ..d .b e"],
    ["b", "down", "a .c ..d .b e"],
    ["b", "out", "a .c ..d b e"],
    ["d", "out", "a .b .c .d e"],
    ["c", "in", "a .b ..c ...d e"],
    ["b", "in", "a .b .c ..d e"],
    ["d", "down", "a .b .c ..d e"],
  ])("%s %s: %s", (title, move, after) => {
    const at = ROWS.findIndex((row) => row.node.title === title);
    expect(shown(moved(ROWS, at, move))).toBe(after);
  });

  it("has places in the nodes", () => {
    expect(placesOf(ROWS)).toEqual(["0", "0.nodes.0", "0.nodes.1", "0.nodes.1.nodes.0", "1"]);
  });

  it.each([
    ["e", "b", "a .e .b .c ..d"],
    ["b", "e", "a .c ..d e b"],
    ["d", "a", "d a .b .c e"],
    ["b", "c", "a .c ..d .b e"],
    ["a", "d", "a .b .c ..d e"],
  ])("%s dropped on %s: %s", (from, to, after) => {
    const at = (title: string) => ROWS.findIndex((row) => row.node.title === title);
    expect(shown(dropped(ROWS, at(from), at(to)))).toBe(after);
  });
});
