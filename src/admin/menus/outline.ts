/** The tree of a menu as rows with a depth, and the moves of a row together with the rows below it. */
import { isList, isRecord, type Json, type Values } from "../json.ts";
import type { Direction } from "../pages/list/tree-rows.ts";

export interface Row {
  /** Stays with the row while it moves. */
  readonly key: number;
  /** 0 at the top. */
  readonly depth: number;
  /** The node without the nodes below it. */
  readonly node: Values;
}

/** @param nodes as the API has them @param first key of the first row */
export function rowsOf(nodes: Json | undefined, depth = 0, first = 0): Row[] {
  const rows: Row[] = [];
  for (const each of isList(nodes) ? nodes : []) {
    if (!isRecord(each)) continue;
    const { nodes: below, ...node } = each;
    rows.push({ key: first + rows.length, depth, node });
    rows.push(...rowsOf(below, depth + 1, first + rows.length));
  }
  return rows;
}

/** The inverse of `rowsOf`; a node without nodes below it has no list of them. */
export function nodesOf(rows: readonly Row[], depth = 0): Values[] {
  const nodes: Values[] = [];
  for (let at = 0; at < rows.length; at = endOf(rows, at)) {
    const below = nodesOf(rows.slice(at + 1, endOf(rows, at)), depth + 1);
    nodes.push({ ...rows[at]!.node, ...(below.length > 0 && { nodes: below }) });
  }
  return nodes;
}

/** Where the rows are in the nodes, such as `0.nodes.1`. */
export function placesOf(rows: readonly Row[]): string[] {
  const counts: number[] = [];
  return rows.map(({ depth }) => {
    counts.length = depth + 1;
    counts[depth] = (counts[depth] ?? -1) + 1;
    return counts.join(".nodes.");
  });
}

/** The index after a row and all rows below it. */
export function endOf(rows: readonly Row[], at: number): number {
  let end = at + 1;
  while (end < rows.length && rows[end]!.depth > rows[at]!.depth) end++;
  return end;
}

/** The index of the sibling before a row; undefined for the first. */
function siblingBefore(rows: readonly Row[], at: number): number | undefined {
  for (let before = at - 1; before >= 0 && rows[before]!.depth >= rows[at]!.depth; before--)
    if (rows[before]!.depth === rows[at]!.depth) return before;
  return undefined;
}

/** @returns the same rows where the move is not possible */
export function moved(rows: readonly Row[], at: number, move: Direction): readonly Row[] {
  const row = rows[at]!;
  const end = endOf(rows, at);
  const block = rows.slice(at, end);
  const before = siblingBefore(rows, at);
  switch (move) {
    case "up":
      return before === undefined ? rows : inserted(without(rows, at, end), before, block);
    case "down":
      if (rows[end]?.depth !== row.depth) return rows;
      return inserted(without(rows, at, end), endOf(rows, end) - block.length, block);
    case "in":
      return before === undefined ? rows : inserted(without(rows, at, end), at, deeper(block, 1));
    case "out": {
      if (row.depth === 0) return rows;
      let parent = at;
      while (rows[parent]!.depth >= row.depth) parent--;
      return inserted(without(rows, at, end), endOf(rows, parent) - block.length, deeper(block, -1));
    }
  }
}

/** Puts a row where another one is, as its sibling. @returns the same rows where the other one is below it */
export function dropped(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const end = endOf(rows, from);
  if (to >= from && to < end) return rows;
  const block = deeper(rows.slice(from, end), rows[to]!.depth - rows[from]!.depth);
  const at = to < from ? to : endOf(rows, to) - block.length;
  return inserted(without(rows, from, end), at, block);
}

export const without = (rows: readonly Row[], at: number, end: number): Row[] => [
  ...rows.slice(0, at),
  ...rows.slice(end),
];
export const inserted = (rows: readonly Row[], at: number, block: readonly Row[]): Row[] => [
  ...rows.slice(0, at),
  ...block,
  ...rows.slice(at),
];
const deeper = (block: readonly Row[], by: number): Row[] => block.map((row) => ({ ...row, depth: row.depth + by }));
