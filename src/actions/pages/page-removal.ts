/** Deletes pages for good, with their descendants, their content blocks, and references to them. */
import { nameOf, type Id, type Page } from "../../model/page/page.ts";
import { CONTENTS, contentsOf } from "../../store/records/contents.ts";
import { findPage, getPage, kindOf, loadRecords } from "../../store/content/indexes/pages-by-model.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { clearReferences } from "./references.ts";
import { clearFromReleases } from "../releases/releases.ts";
import { clearFromReviews } from "../review/reviews.ts";
import { removeThreadsOf } from "../review/threads.ts";

/**
 * Deletes a page with its descendants; the history keeps them. Links to them are served without URL.
 */
export async function deletePage(ctx: Context, by: Author, id: Id): Promise<Written<void>> {
  return remove(ctx, by, (tx) => {
    const page = getPage(tx, id);
    const removed = withDescendants(tx, page);
    removeWithBlocks(tx, removed);
    const rest = removed.length > 1 ? ` and ${removed.length - 1} below it` : "";
    tx.describe(`Delete page "${nameOf(page, ctx.locales)}"${rest}`, { "Cms-Action": "delete", "Cms-Page": id });
    return removed;
  });
}

/**
 * Deletes several pages with their descendants, in one commit; unknown ids are ignored.
 *
 * @param isIncluded ids of other pages are ignored like unknown ones
 */
export async function deletePages(
  ctx: Context,
  by: Author,
  ids: readonly Id[],
  isIncluded: (page: Page) => boolean,
): Promise<Written<void>> {
  return remove(ctx, by, (tx) => {
    const included = ids.flatMap((id) => findPage(tx, id) ?? []).filter(isIncluded);
    const removed = new Map(included.flatMap((page) => withDescendants(tx, page)).map((page) => [page.id, page]));
    removeWithBlocks(tx, [...removed.values()]);
    tx.describe(`Delete ${removed.size} pages`, { "Cms-Action": "delete" });
    return [...removed.values()];
  });
}

/** Commits a removal, then forgets what accounts typed into the pages. @param work returns the pages that it removed */
async function remove(ctx: Context, by: Author, work: (tx: Tx) => readonly Page[]): Promise<Written<void>> {
  await loadRecords(ctx.store.current);
  const { value, snapshot } = await ctx.store.transact(by, work);
  await ctx.autosaves.removeOfPages(new Set(value.map(({ id }) => id)));
  return { value: undefined, snapshot };
}

/** The page, then its descendants at any depth. */
function withDescendants(tx: Tx, page: Page): Page[] {
  const found = new Map([[page.id, page]]);
  for (const each of found.values()) for (const child of pageIndex(tx).children(each.id)) found.set(child.id, child);
  return [...found.values()];
}

/** Deletes pages and their content blocks, and references to them in drafts of other pages. */
function removeWithBlocks(tx: Tx, pages: readonly Page[]): void {
  // All are looked up before the first removal, since each removal discards the index of blocks by page.
  const blocks = pages.flatMap((page) => contentsOf(tx, page.id));
  for (const block of blocks) tx.remove(CONTENTS, block.id);
  for (const page of pages) tx.remove(kindOf(page), page.id);
  const ids = new Set(pages.map(({ id }) => id));
  clearReferences(tx, { "cms.Page": ids });
  clearFromReleases(tx, ids);
  clearFromReviews(tx, ids);
  removeThreadsOf(tx, ids);
}
