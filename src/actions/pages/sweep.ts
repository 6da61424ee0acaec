/**
 * Publishes due drafts and releases, each exactly once.
 *
 * The transaction checks again that they are due, so a read of the page, the sweep and the command may race: the
 * first publishes it, the others do nothing.
 */
import { CmsError, invalid, reasonOf } from "../../errors.ts";
import { dueLanguages, isDue } from "../../model/page/draft.ts";
import type { Instant } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import { nameOf, type Id, type Page } from "../../model/page/page.ts";
import type { Release, ReleaseItem } from "../../model/page/release.ts";
import { ACTION_KEY } from "../../model/text/trailers.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { scheduledPages } from "../../store/content/indexes/page-index.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { applyItems, type FailedItem } from "../releases/release-items.ts";
import { publishInTransaction } from "./pages.ts";
import { publishDueReleases, type FailedRelease } from "../releases/release-publication.ts";

export interface DueDraft {
  readonly page: Page;
  readonly lang: Lang;
}

/** All drafts that are due at a moment, by default now, in any language and with any status of the page. */
export function dueDrafts(ctx: Context, moment: Instant = ctx.env.now()): DueDraft[] {
  return scheduledPages(ctx.store.current).flatMap((page) =>
    dueLanguages(page, ctx.locales.codes, moment).map((lang) => ({ page, lang })),
  );
}

interface FailedDraft extends DueDraft {
  readonly reason: string;
}

export interface Sweep {
  readonly published: readonly DueDraft[];
  /** Drafts that are no longer valid; they stay pending. */
  readonly failed: readonly FailedDraft[];
  readonly releases: { readonly published: readonly Release[]; readonly failed: readonly FailedRelease[] };
}

/**
 * Publishes all due drafts and releases, one commit each, or one for drafts that exchange permalinks. What fails is
 * logged and stays scheduled.
 *
 * Drafts of an earlier moment go live before a release: after a downtime the site is as it would be without one.
 *
 * @throws CmsError `unavailable` when nothing can be written at all
 */
export async function sweepDue(ctx: Context, by: Author, comment: string): Promise<Sweep> {
  const published: DueDraft[] = [];
  const failed: FailedDraft[] = [];
  const publishUpTo = async (moment: Instant): Promise<void> => {
    const isNew = ({ page, lang }: DueDraft): boolean =>
      !failed.some((each) => each.page.id === page.id && each.lang === lang);
    const refused: FailedDraft[] = [];
    await Promise.all(
      dueDrafts(ctx, moment)
        .filter(isNew)
        .map(async (due) => {
          try {
            if ((await publishDue(ctx, by, due.page.id, due.lang, comment)).value) published.push(due);
          } catch (error) {
            refused.push({ ...due, reason: refusalOf(error) });
          }
        }),
    );
    const together = await publishTogether(ctx, by, refused, comment);
    published.push(...together);
    for (const due of refused.filter((each) => !together.includes(each))) {
      const page = `page ${due.page.id} "${nameOf(due.page, ctx.locales)}"`;
      ctx.env.log.error(`The draft of ${page} in ${due.lang} is due but cannot be published: ${due.reason}`);
      failed.push(due);
    }
  };
  const releases = await publishDueReleases(ctx, by, comment, publishUpTo);
  await publishUpTo(ctx.env.now());
  return { published, failed, releases };
}

/** @throws what is no refusal of a draft, such as a full disk */
function refusalOf(error: unknown): string {
  if (!(error instanceof CmsError) || error.code === "unavailable") throw error;
  return reasonOf(error);
}

/**
 * Publishes together, in one commit, due drafts of which each alone was refused: they may have waited for each other's
 * permalinks. Those that are refused again are left out, and the rest is tried once more.
 *
 * @returns those that are live now
 */
async function publishTogether(
  ctx: Context,
  by: Author,
  refused: readonly FailedDraft[],
  comment: string,
): Promise<readonly FailedDraft[]> {
  for (let rest = refused; rest.length > 0;) {
    let failed: readonly FailedItem[] = [];
    const items = rest.map(({ page, lang }): ReleaseItem => ({ page: page.id, language: lang, action: "publish" }));
    const publish = (tx: Tx): void => {
      if (!rest.every(({ page, lang }) => isDue(findPage(tx, page.id)?.drafts[lang], tx.now))) throw invalid({});
      applyItems(ctx, tx, { items }, (found) => {
        failed = found;
        if (failed.length > 0) throw invalid({});
        const names = rest.map(({ page }) => `"${nameOf(page, ctx.locales)}"`).join(", ");
        const pages = rest.map(({ page }) => String(page.id));
        tx.describe(`Publish due drafts of ${names}`, { [ACTION_KEY]: "publish-due", "Cms-Page": pages }, comment);
      });
    };
    try {
      await ctx.store.transact(by, publish);
      return rest;
    } catch (error) {
      refusalOf(error);
    }
    if (failed.length === 0) return [];
    const without = new Set(failed.map(({ item }) => items.indexOf(item)));
    rest = rest.filter((_, at) => !without.has(at));
  }
  return [];
}

/**
 * Publishes one draft if it is still due.
 *
 * @returns whether this call published it
 */
export function publishDue(ctx: Context, by: Author, id: Id, lang: Lang, comment: string): Promise<Written<boolean>> {
  return ctx.store.transact(by, (tx) => {
    const page = findPage(tx, id);
    if (!page || !isDue(page.drafts[lang], tx.now)) return false;
    publishInTransaction(ctx, tx, page, lang, { comment, action: "publish-due" });
    return true;
  });
}
