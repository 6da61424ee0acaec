/**
 * Writes to pages: each is one transaction with at most one commit.
 */
import { notFound, refuseInvalid } from "../errors.ts";
import { createsCycle } from "../model/addresses.ts";
import { applyDraft, discardDraft, saveDraft } from "../model/draft.ts";
import type { Instant } from "../model/instant.ts";
import { sameJson, type JsonObject } from "../model/json.ts";
import { restore, schedule, stampPublished, trash } from "../model/lifecycle.ts";
import type { Lang } from "../model/locale.ts";
import { byOrdering, ranksAfterMove } from "../model/ordering.ts";
import { globalsOf, nameOf, PAGE_MODEL, type Id, type Page, type PageGlobals } from "../model/page.ts";
import { applyChange } from "../model/page-input.ts";
import { CONTENTS, contentsOf } from "../store/content/records/contents.ts";
import { hasTarget } from "../store/content/indexes/references.ts";
import type { Kind } from "../store/content/record-type.ts";
import { findPage, getPage, kindOf } from "../store/content/indexes/page-models.ts";
import { pageIndex } from "../store/content/indexes/page-index.ts";
import type { Author, Written } from "../store/write/store.ts";
import type { Tx } from "../store/write/transaction.ts";
import type { Context } from "./context.ts";
import { blankPage, draftErrors, putPage, readByline, readChange, readSent, saveLive } from "./page-saving.ts";
import { clearReferences, readPages } from "./references.ts";

export type SaveMode = "merge" | "replace";

/**
 * Creates a page, hidden unless the body stamps a language as published.
 *
 * @param body see `readPageChange`
 * @param model the page model, which cannot be changed later
 * @throws CmsError `invalid` with the offending fields
 */
export async function createPage(
  ctx: Context,
  by: Author,
  body: unknown,
  lang: Lang,
  model: string = PAGE_MODEL,
): Promise<Written<Page>> {
  const change = readSent(ctx, body, lang, { model });
  const byline = await readByline(ctx, change);
  return ctx.store.transact(by, (tx) => {
    const page = saveLive(
      ctx,
      tx,
      { ...applyChange(blankPage(tx, model), change, "replace"), ...byline },
      undefined,
      change,
    );
    describeCommit(ctx, tx, "create", "Create", page);
    return page;
  });
}

/** Changes live values: `merge` is PATCH, `replace` is PUT. Does not change pending drafts. */
export async function updatePage(
  ctx: Context,
  by: Author,
  id: Id,
  body: unknown,
  lang: Lang,
  mode: SaveMode,
): Promise<Written<Page>> {
  const known = getPage(ctx.store.current, id);
  const change = readSent(ctx, body, lang, known);
  const byline = await readByline(ctx, change, known.author);
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    const page = saveLive(ctx, tx, { ...applyChange(before, change, mode), ...byline }, before, change);
    describeCommit(ctx, tx, "update", "Change", page);
    return page;
  });
}

/**
 * Deletes a page with its descendants; the history keeps them (decisions.md 10). Links to them are served without URL.
 */
export async function deletePage(ctx: Context, by: Author, id: Id): Promise<Written<void>> {
  await readPages(ctx.store.current);
  return ctx.store.transact(by, (tx) => {
    const page = getPage(tx, id);
    const removed = withDescendants(tx, page);
    removeWithBlocks(tx, removed);
    const rest = removed.length > 1 ? ` and ${removed.length - 1} below it` : "";
    tx.describe(`Delete page "${nameOf(page, ctx.locales)}"${rest}`, { "Cms-Action": "delete", "Cms-Page": id });
  });
}

/**
 * Saves the draft of a language; does not change the live page. The payload must be a valid PATCH of the current page.
 */
export async function savePageDraft(
  ctx: Context,
  by: Author,
  id: Id,
  lang: Lang,
  payload: JsonObject,
  mode: SaveMode,
  scheduledFor?: Instant | null,
): Promise<Written<Page>> {
  const known = getPage(ctx.store.current, id);
  const sent = readSent(ctx, payload, lang, known);
  const { author = known.author } = await readByline(ctx, sent, known.author);
  const kept = sent.author === undefined ? payload : { ...payload, author: author && { ...author } };
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    const saved = saveDraft(before, lang, kept, mode, tx.now, scheduledFor);
    const draft = saved.drafts[lang];
    const was = before.drafts[lang];
    const isSame = was && draft && sameJson(was.payload, draft.payload) && was.scheduled_for === draft.scheduled_for;
    if (!draft || isSame) refuseInvalid(sent.unknown ?? {});
    if (!draft) {
      describeCommit(ctx, tx, "discard-draft", "Discard draft of", before, lang);
      return putPage(tx, saved);
    }
    if (isSame) return before;
    const change = readChange(ctx, tx, draft.payload, lang, before.model);
    refuseInvalid(draftErrors(ctx, tx, before, change, sent.unknown));
    describeCommit(ctx, tx, "draft", "Save draft of", saved, lang);
    return putPage(tx, saved);
  });
}

/** Discards the pending draft of a language, if there is one. */
export function discardPageDraft(ctx: Context, by: Author, id: Id, lang: Lang): Promise<Written<Page>> {
  return ctx.store.transact(by, (tx) => {
    const page = getPage(tx, id);
    describeCommit(ctx, tx, "discard-draft", "Discard draft of", page, lang);
    return putPage(tx, discardDraft(page, lang));
  });
}

/**
 * Applies the pending draft of a language, sets `published_at`, and discards the draft.
 *
 * @throws CmsError `invalid` when the draft is no longer valid; then nothing changes
 */
export function publishPage(ctx: Context, by: Author, id: Id, lang: Lang, comment = ""): Promise<Written<Page>> {
  return ctx.store.transact(by, (tx) => publishIn(ctx, tx, getPage(tx, id), lang, comment));
}

/** Publishes inside a transaction of the caller. */
export function publishIn(ctx: Context, tx: Tx, before: Page, lang: Lang, comment = "", action = "publish"): Page {
  const draft = before.drafts[lang];
  const change = draft && readChange(ctx, tx, draft.payload, lang, before.model);
  const applied = change ? discardDraft(applyDraft(before, draft, change), lang) : before;
  const page = saveLive(ctx, tx, stampPublished(applied, lang, tx.now), before, change);
  describeCommit(ctx, tx, action, draft ? "Publish draft of" : "Publish", page, lang, comment);
  return page;
}

/**
 * Schedules a language, or its draft, for a moment (interface.md, Page transitions).
 *
 * @returns the page, and a warning where there was nothing to schedule
 */
export function schedulePage(
  ctx: Context,
  by: Author,
  id: Id,
  lang: Lang,
  at: Instant,
): Promise<Written<{ page: Page; warning?: string }>> {
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    const scheduled = schedule(before, lang, at, tx.now);
    if ("warning" in scheduled) return { page: before, warning: scheduled.warning };
    describeCommit(ctx, tx, "schedule", "Schedule", before, lang, `Scheduled for ${at}.`);
    return { page: saveLive(ctx, tx, scheduled.page, before) };
  });
}

/** Moves a page to the trash, which hides every language. */
export const trashPage = (ctx: Context, by: Author, id: Id): Promise<Written<Page>> =>
  move(ctx, by, id, "trash", "Move to trash", (page, tx) => trash(page, tx.now));

/** Takes a page out of the trash. */
export const restorePage = (ctx: Context, by: Author, id: Id): Promise<Written<Page>> =>
  move(ctx, by, id, "restore", "Restore", restore);

/**
 * Restores a former version of a page, in a new commit: all languages, publication dates and trash (contract.md 7.9).
 * Drafts and aliases are kept; references to records that no longer exist are omitted.
 *
 * @param then see `pageAt`
 * @param commit id of the revision, for the commit message
 * @throws CmsError `invalid` when another page now has a manual permalink of that version
 */
export function revertPage(ctx: Context, by: Author, id: Id, then: Page, commit: string): Promise<Written<Page>> {
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    const hasParent =
      then.parent_page !== null &&
      tx.find(kindOf(before), then.parent_page) &&
      !createsCycle(id, then.parent_page, (each) => findPage(tx, each));
    const parent = hasParent ? then.parent_page : null;
    const owner = then.identifier === null ? undefined : pageIndex(tx).byIdentifier(then.model, then.identifier);
    const identifier = owner && owner.id !== id ? before.identifier : then.identifier;
    const { date_created, aliases, drafts } = before;
    const target: Page = {
      ...then,
      ...existingTargets(tx, then),
      id,
      identifier,
      parent_page: parent,
      date_created,
      aliases,
      drafts,
    };
    tx.describe(`Revert "${nameOf(before, ctx.locales)}" to ${commit.slice(0, 10)}`, {
      "Cms-Action": "revert",
      "Cms-Page": id,
      "Cms-Revision": commit,
    });
    return saveLive(ctx, tx, target, before);
  });
}

/** The values of the fields with references, without those to records that do not exist. */
function existingTargets(tx: Tx, page: Page): Partial<PageGlobals> {
  const exists = hasTarget(tx);
  return Object.fromEntries(
    globalsOf(page).flatMap(([{ name, target: model }, value]): (readonly [string, unknown])[] => {
      if (model === undefined) return [];
      const found = [value].flat().filter((id) => typeof id === "number" && exists({ model, id }));
      return [[name, Array.isArray(value) ? found : (found[0] ?? null)]];
    }),
  );
}

function move(
  ctx: Context,
  by: Author,
  id: Id,
  action: string,
  verb: string,
  to: (page: Page, tx: Tx) => Page,
): Promise<Written<Page>> {
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    describeCommit(ctx, tx, action, verb, before);
    return saveLive(ctx, tx, to(before, tx), before);
  });
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
  clearReferences(tx, { "cms.Page": new Set(pages.map(({ id }) => id)) });
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
  await readPages(ctx.store.current);
  return ctx.store.transact(by, (tx) => {
    const included = ids.flatMap((id) => findPage(tx, id) ?? []).filter(isIncluded);
    const removed = new Map(included.flatMap((page) => withDescendants(tx, page)).map((page) => [page.id, page]));
    removeWithBlocks(tx, [...removed.values()]);
    tx.describe(`Delete ${removed.size} pages`, { "Cms-Action": "delete" });
  });
}

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

function describeCommit(ctx: Context, tx: Tx, action: string, verb: string, page: Page, lang?: Lang, body = ""): void {
  const inLang = lang === undefined ? "" : ` (${lang})`;
  tx.describe(
    `${verb} "${nameOf(page, ctx.locales)}"${inLang}`,
    { "Cms-Action": action, "Cms-Page": page.id, "Cms-Language": lang },
    body,
  );
}
