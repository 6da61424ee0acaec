/**
 * What a release does to its pages: applied when it goes live, and in transactions that are never committed, to preview
 * and to check it.
 */
import { CmsError, invalid, messageOf, type FieldErrors } from "../../errors.ts";
import { noSuchTarget, noSuchTemplate } from "../../model/input/input-errors.ts";
import { TAKEN } from "../../model/address/page-permalinks.ts";
import { own, sameJson } from "../../model/input/json.ts";
import { overlayDraft } from "../../model/page/draft.ts";
import { isPublic, trash, unpublish } from "../../model/page/lifecycle.ts";
import { langSuffix, type Lang } from "../../model/language/locale.ts";
import { textOf, withText, type Page } from "../../model/page/page.ts";
import { REPEATED, repeatedItems, type Release, type ReleaseItem } from "../../model/page/release.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { putPage, saveLive } from "../pages/page-saving.ts";
import { publishInTransaction } from "../pages/pages.ts";

export interface FailedItem {
  readonly item: ReleaseItem;
  /** As those of publishing the page; `page` has those of the item itself. */
  readonly errors: FieldErrors;
}

/**
 * Applies every item, each as a further part of the transaction. An item that fails is tried again after the others, since
 * they may free its permalink: the order of the items does not matter. Pages may exchange their permalinks.
 *
 * @param finish called after the last item with those that failed; it throws to refuse the transaction
 */
export function applyItems(
  ctx: Context,
  tx: Tx,
  { items }: Pick<Release, "items">,
  finish: (failed: readonly FailedItem[]) => void,
): void {
  // Files may have items that the API refuses: two sides of a merge may each have added one about a page.
  const repeated = repeatedItems(items);
  const wrong = items
    .filter((_, at) => repeated.has(at))
    .map((item): FailedItem => ({ item, errors: { page: [REPEATED] } }));
  const round = (waiting: readonly ReleaseItem[]): void => {
    const failed: FailedItem[] = [];
    for (const item of waiting) {
      tx.defer(() => {
        const errors = attempt(ctx, tx, item);
        if (errors) failed.push({ item, errors });
      });
    }
    tx.defer(() => {
      const hasProgress = failed.length < waiting.length || vacateExchanged(ctx, tx, failed);
      if (failed.length > 0 && hasProgress) round(failed.map(({ item }) => item));
      else finish([...wrong, ...failed]);
    });
  };
  round(items.filter((_, at) => !repeated.has(at)));
}

/** @returns its errors; then the transaction is as before */
function attempt(ctx: Context, tx: Tx, item: ReleaseItem): FieldErrors | undefined {
  try {
    applyItem(ctx, tx, item);
    return undefined;
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    return Object.keys(error.fields).length > 0 ? error.fields : { page: [messageOf(error)] };
  }
}

function applyItem(ctx: Context, tx: Tx, { page: id, language, action }: ReleaseItem): void {
  const page = findPage(tx, id);
  if (!page) throw invalid({ page: [noSuchTarget(id)] });
  if (language === null) saveLive(ctx, tx, trash(page, tx.now), page);
  else if (action === "unpublish") saveLive(ctx, tx, unpublish(page, language), page);
  else {
    if (page.deleted_at) throw invalid({ page: ["The page is in the trash."] });
    refuseMissingTemplate(ctx, tx, page, language);
    publishInTransaction(ctx, tx, page, language);
  }
}

/**
 * Takes the permalinks away from pages that wait for those of each other, as if each had moved elsewhere before.
 *
 * @returns whether there are such pages
 */
function vacateExchanged(ctx: Context, tx: Tx, failed: readonly FailedItem[]): boolean {
  let waiting = failed.flatMap(({ item: { page: id, language }, errors }) => {
    const page = findPage(tx, id);
    const drafted = page && language !== null ? overlayDraft(page, language, ctx.locales) : undefined;
    if (!drafted) return [];
    const taken = ctx.locales.codes.filter((lang) =>
      sameJson(errors[`permalink_${langSuffix(lang)}`] ?? null, [TAKEN]),
    );
    // Where anything else is wrong, too, the page stays where it is.
    const isAll = taken.length === Object.keys(errors).length;
    return isAll ? [{ id, wanted: taken.map((lang) => [lang, textOf(drafted, lang).permalink] as const) }] : [];
  });
  for (let before = 0; before !== waiting.length;) {
    before = waiting.length;
    const leaving = new Set(waiting.flatMap(({ id, wanted }) => wanted.map(([lang]) => `${lang} ${id}`)));
    waiting = waiting.filter(({ wanted }) =>
      wanted.every(
        ([lang, to]) => to !== null && leaving.has(`${lang} ${pageIndex(tx).summaryByPermalink(lang, to)?.id}`),
      ),
    );
  }
  for (const { id, wanted } of waiting) for (const [lang] of wanted) vacate(tx, findPage(tx, id)!, lang);
  return waiting.length > 0;
}

/** With the pages below, which follow when the page is published. */
function vacate(tx: Tx, page: Page, lang: Lang): void {
  const { permalink: from } = textOf(page, lang);
  if (from === null) return;
  const aliases = isPublic(page, lang, tx.now) ? [...page.aliases, { language: lang, from }] : page.aliases;
  putPage(tx, { ...withText(page, lang, { permalink: null }), aliases });
  for (const { id } of pageIndex(tx).childSummaries(page.id)) {
    const child = findPage(tx, id);
    if (child && textOf(child, lang).autopermalink) vacate(tx, child, lang);
  }
}

/** A template that the draft names is checked with the draft. */
function refuseMissingTemplate(ctx: Context, tx: Tx, page: Page, lang: Lang): void {
  if (own(page.drafts[lang]?.payload ?? {}, "template") !== undefined) return;
  const named = page.template ?? findPageModel(tx, page.model)?.default_template;
  if (named && !ctx.hasTemplate(named)) throw invalid({ template: [noSuchTemplate(named)] });
}
