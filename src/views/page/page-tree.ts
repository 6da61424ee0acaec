/** One level of the tree of pages, as an editor shows it: from summaries, so that its cost is that of the level. */
import { showInstant } from "../../model/time/instant.ts";
import { statusOf } from "../../model/page/lifecycle.ts";
import { byOrdering } from "../../model/page/page-order.ts";
import { permalinkIn, titleOf, type Id, type PageSummary } from "../../model/page/page.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { findPage, kindOf } from "../../store/content/indexes/pages-by-model.ts";
import { PAGES } from "../../store/records/pages.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { pace } from "../../time-slices.ts";
import type { Payload, View } from "../view.ts";

/**
 * The pages below one, in their order; those in the trash and articles are left out. Works in slices, since a level can have every
 * page of the site.
 *
 * @param parent null for the top level, which also has pages whose parent is in the trash or missing
 */
export async function pageTree(view: View & { readonly content: Snapshot }, parent: Id | null): Promise<Payload[]> {
  const { content } = view;
  const index = pageIndex(content);
  const isAlive = (page: PageSummary | undefined): boolean => page !== undefined && page.deleted_at === null;
  const below = (id: Id): PageSummary[] =>
    index.childSummaries(id).filter((page) => isAlive(page) && kindOf(page) === PAGES);
  const isTop = ({ deleted_at, parent_page: above }: PageSummary): boolean =>
    deleted_at === null && (above === null || !isAlive(content.findSummary(PAGES, above) as PageSummary | undefined));
  const found =
    parent === null
      ? [...(content.summaries(PAGES) as readonly PageSummary[])].filter(isTop).sort(byOrdering)
      : below(parent);
  const rows: Payload[] = [];
  for (const page of found) {
    await pace();
    rows.push(row(view, page, below(page.id).length));
  }
  return rows;
}

function row(view: View, page: PageSummary, children: number): Payload {
  const { lang, now, locales } = view;
  const draft = page.drafts[lang];
  const whole = findPage(view.content, page.id);
  return {
    id: page.id,
    title: (whole && titleOf(whole, lang, locales.default)) || null,
    permalink: permalinkIn(page, lang),
    status: statusOf(page, lang, now),
    has_draft: draft !== undefined,
    has_scheduled_draft: draft?.scheduled_for != null,
    date_updated_at: showInstant(page.date_updated_at),
    children,
  };
}
