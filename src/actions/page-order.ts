/** Reorders pages. */
import { notFound, refuseInvalid } from "../errors.ts";
import { byOrdering, ranksAfterMove } from "../model/page-order.ts";
import { nameOf, type Id, type Page } from "../model/page.ts";
import type { Kind } from "../store/content/record-type.ts";
import { getPage } from "../store/content/indexes/page-models.ts";
import type { Author, Written } from "../store/write/store.ts";
import type { Context } from "./context.ts";
import { putPage } from "./page-saving.ts";

/**
 * Moves a page to the position of another (contract.md 6.10). Only pages whose rank has to change are written.
 *
 * @param isIncluded the pages that are ordered together
 * @returns the new ranks, that of the moved page last, and whether the two pages shared a rank
 */
export function reorderPages(
  ctx: Context,
  by: Author,
  kind: Kind<Page>,
  start: Id,
  end: Id,
  isIncluded: (page: Page) => boolean,
): Promise<Written<{ moved: { pk: Id; order: number }[]; reordered: boolean }>> {
  return ctx.store.transact(by, (tx) => {
    const ranked = tx.all(kind).filter(isIncluded).sort(byOrdering);
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
