/** The open part of the tree of pages as rows, and where a row goes when it is moved. */

interface Identified {
  readonly id: number;
}

/** The pages below each, as far as they were asked for; the top level under null. */
export type Levels<P extends Identified> = ReadonlyMap<number | null, readonly P[]>;

export interface TreeRow<P extends Identified> {
  readonly page: P;
  /** 0 at the top. */
  readonly depth: number;
  readonly parent: number | null;
}

/** @param open the pages whose children are shown */
export function treeRows<P extends Identified>(
  levels: Levels<P>,
  open: ReadonlySet<number>,
  parent: number | null = null,
  depth = 0,
): TreeRow<P>[] {
  return (levels.get(parent) ?? []).flatMap((page) => [
    { page, depth, parent },
    ...(open.has(page.id) ? treeRows(levels, open, page.id, depth + 1) : []),
  ]);
}

/** Where a page goes: below another one, or beside a sibling to be. */
export interface Place {
  readonly parent: number | null;
  /** Absent: where its rank puts it. */
  readonly beside?: { readonly id: number; readonly side: "before" | "after" };
}

export type Direction = "up" | "down" | "in" | "out";

/** With Alt, in every tree. */
export const MOVE_KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "out",
  ArrowRight: "in",
};

/** @returns undefined where the move is not possible */
export function placeTowards(
  rows: readonly TreeRow<Identified>[],
  at: number,
  direction: Direction,
): Place | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const siblings = rows.filter(({ parent }) => parent === row.parent);
  const rank = siblings.indexOf(row);
  const [before, after] = [siblings[rank - 1], siblings[rank + 1]];
  switch (direction) {
    case "up":
      return before && { parent: row.parent, beside: { id: before.page.id, side: "before" } };
    case "down":
      return after && { parent: row.parent, beside: { id: after.page.id, side: "after" } };
    case "in":
      return before && { parent: before.page.id };
    case "out": {
      const above = rows.find(({ page }) => page.id === row.parent);
      return above && { parent: above.parent, beside: { id: above.page.id, side: "after" } };
    }
  }
}

export type Zone = "before" | "into" | "after";

/** Where a page goes that is dropped on a row. @returns undefined on itself and on rows below it */
export function placeAt(
  rows: readonly TreeRow<Identified>[],
  dragged: number,
  target: TreeRow<Identified>,
  zone: Zone,
): Place | undefined {
  const parents = new Map(rows.map(({ page, parent }) => [page.id, parent]));
  for (let above: number | null = target.page.id; above !== null; above = parents.get(above) ?? null)
    if (above === dragged) return undefined;
  if (zone === "into") return { parent: target.page.id };
  return { parent: target.parent, beside: { id: target.page.id, side: zone } };
}

/**
 * The page whose place a page takes, so that it comes to stand beside a sibling; undefined where it already does.
 *
 * @param siblings in their order, with the page itself
 */
export function placeTaken(
  siblings: readonly number[],
  id: number,
  { id: other, side }: NonNullable<Place["beside"]>,
): number | undefined {
  const [from, to] = [siblings.indexOf(id), siblings.indexOf(other)];
  if (from < 0 || to < 0) return undefined;
  const taken = from < to ? (side === "after" ? to : to - 1) : side === "before" ? to : to + 1;
  return taken === from ? undefined : siblings[taken];
}
