/** What goes live in a span of time, and what will fail then. */
import type { Instant } from "../../model/time/instant.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { nameOf, type Id, type PageSummary } from "../../model/page/page.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { allSummaries, pageOf } from "../../store/content/indexes/pages-by-model.ts";
import { scheduledPages } from "../../store/content/indexes/page-index.ts";
import { pace } from "../../time-slices.ts";

export interface ScheduledChange {
  readonly at: Instant;
  readonly page: Id;
  readonly model: string;
  readonly title: string;
  readonly language: Lang;
  /** `publish`: a planned page becomes public; `draft`: a draft is applied to a page, which is then public. */
  readonly change: "publish" | "draft";
}

/**
 * The changes after one moment, up to another one, in their order. Pages in the trash have none.
 *
 * Works in slices.
 */
export async function scheduledChanges(
  content: Snapshot,
  locales: Locales,
  from: Instant,
  to: Instant,
): Promise<ScheduledChange[]> {
  const found: ScheduledChange[] = [];
  const isIn = (moment: string | null | undefined): moment is Instant =>
    moment != null && moment > from && moment <= to;
  const add = (page: PageSummary, language: Lang, at: Instant, change: ScheduledChange["change"]): void => {
    const { id: ofPage, model } = page;
    found.push({ at, page: ofPage, model, title: nameOf(pageOf(page), locales), language, change });
  };
  for (const page of scheduledPages(content)) {
    await pace();
    for (const language of locales.codes) {
      const at = page.drafts[language]?.scheduled_for;
      if (isIn(at)) add(page, language, at, "draft");
    }
  }
  for (const page of allSummaries(content)) {
    await pace();
    if (page.deleted_at) continue;
    for (const language of locales.codes) {
      const at = page.translations[language]?.published_at;
      if (isIn(at)) add(page, language, at as Instant, "publish");
    }
  }
  return found.sort((a, b) => (a.at === b.at ? a.page - b.page : a.at < b.at ? -1 : 1));
}
