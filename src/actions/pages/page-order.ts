/** Reorders pages. */
import { notFound, refuseInvalid } from "../../errors.ts";
import { byOrdering, ranksAfterMove } from "../../model/page/page-order.ts";
import { nameOf, type Id, type Page } from "../../model/page/page.ts";
import type { Kind } from "../../store/records/record-type.ts";
import { getPage, loadRecords } from "../../store/content/indexes/pages-by-model.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Context } from "../context.ts";
import { putPage } from "./page-saving.ts";

export interface Reorder {
  readonly kind: Kind<Page>;
  /** The page that moves. */
  readonly start: Id;
  /** The page whose position it takes. */
  readonly end: Id;
  /** Whether only pages below the same parent are ordered; otherwise all are, and those between shift too. */
  readonly siblings: boolean;
  /** The pages that are ordered together. */
  isIncluded(page: Page): boolean;
}

/**
 * Moves a page to the position of another. Only pages whose rank has to change are written.
 *
 * @returns the new ranks, that of the moved page last, and whether the two pages shared a rank
 * @throws CmsError `not_found` also for pages that are no siblings, where only these are ordered
 */
export async function reorderPages(
  ctx: Context,
  by: Author,
  { kind, start, end, siblings, isIncluded }: Reorder,
): Promise<Written<{ moved: { pk: Id; order: number }[]; reordered: boolean }>> {
  await loadRecords(ctx.store.current, [kind]);
  return ctx.store.transact(by, (tx) => {
    const parent = tx.find(kind, start)?.parent_page ?? null;
    const isRanked = (page: Page): boolean => isIncluded(page) && (!siblings || page.parent_page === parent);
    const ranked = tx.all(kind).filter(isRanked).sort(byOrdering);
    const [from, to] = [start, end].map((id) => ranked.findIndex((page) => page.id === id)) as [number, number];
    const [page, other] = [ranked[from], ranked[to]];
    if (!page || !other) throw notFound(kind.name);
    refuseInvalid(from === to ? { endId: ["A page cannot change places with itself."] } : {});
    const changes = ranksAfterMove(ranked, from, to);
    for (const { id, ordering } of changes) putPage(tx, { ...getPage(tx, id), ordering, date_updated_at: tx.now });
    tx.describe(`Move page "${nameOf(page, ctx.locales)}"`, { "Cms-Action": "reorder", "Cms-Page": start });
    const rank = changes.find(({ id }) => id === start)?.ordering ?? page.ordering;
    const shifted = changes.filter(({ id }) => id !== start).map(({ id, ordering }) => ({ pk: id, order: ordering }));
    return { moved: [...shifted, { pk: start, order: rank }], reordered: page.ordering === other.ordering };
  });
}
