/**
 * Writes to pages: create, change, draft, publish, schedule, trash. Each is at most one commit. What each makes of a page,
 * and where it does nothing, is in `model/page/lifecycle.ts` and `model/page/draft.ts`.
 */
import { refuseInvalid } from "../../errors.ts";
import { applyDraft, discardDraft, saveDraft } from "../../model/page/draft.ts";
import type { Instant } from "../../model/time/instant.ts";
import { sameJson, type JsonObject } from "../../model/input/json.ts";
import { isPublic, restore, schedule, stampPublished, trash, unschedule } from "../../model/page/lifecycle.ts";
import type { Lang } from "../../model/language/locale.ts";
import { nameOf, PAGE_MODEL, type Draft, type Id, type Page } from "../../model/page/page.ts";
import { applyChange, type PageChange } from "../../model/page/page-input.ts";
import type { Saving } from "../../model/input/sent-fields.ts";
import { getPage } from "../../store/content/indexes/pages-by-model.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import {
  blankPage,
  checkPage,
  NO_CHANGE,
  putPage,
  readByline,
  readChange,
  readClientChange,
  saveLive,
} from "./page-saving.ts";

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
  const change = readClientChange(ctx, body, lang, { model });
  const byline = await readByline(ctx, change);
  return ctx.store.transact(by, (tx) => {
    const sent = { ...applyChange(blankPage(tx, model), change, "replace"), ...byline };
    const page = saveLive(ctx, tx, sent, undefined, { change });
    describeCommit(ctx, tx, page, { action: "create", verb: "Create" });
    return page;
  });
}

/** Changes live values: `merge` is PATCH, `replace` is PUT. Does not change pending drafts. */
export async function updatePage(
  ctx: Context,
  by: Author,
  id: Id,
  body: unknown,
  { lang, mode }: Saving,
): Promise<Written<Page>> {
  const known = getPage(ctx.store.current, id);
  const change = readClientChange(ctx, body, lang, known);
  const byline = await readByline(ctx, change, known.author);
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    const page = saveLive(ctx, tx, { ...applyChange(before, change, mode), ...byline }, before, { change });
    describeCommit(ctx, tx, page, { action: "update", verb: "Change" });
    return page;
  });
}

interface DraftSaving extends Saving {
  /** undefined keeps the schedule, null removes it. */
  readonly scheduledFor?: Instant | null;
}

/**
 * Saves the draft of a language; does not change the live page. The payload must be a valid PATCH of the current page.
 */
export async function savePageDraft(
  ctx: Context,
  by: Author,
  id: Id,
  payload: JsonObject,
  saving: DraftSaving,
): Promise<Written<Page>> {
  const save = await draftToSave(ctx, id, payload, saving);
  return ctx.store.transact(by, save);
}

/** What saves a draft as part of a transaction. @throws CmsError `not_found`; `invalid` for an author who does not exist */
export async function draftToSave(
  ctx: Context,
  id: Id,
  payload: JsonObject,
  { lang, mode, scheduledFor }: DraftSaving,
): Promise<(tx: Tx) => Page> {
  const known = getPage(ctx.store.current, id);
  const sent = readClientChange(ctx, payload, lang, known);
  const { author = known.author } = await readByline(ctx, sent, known.author);
  const kept = sent.author === undefined ? payload : { ...payload, author: author && { ...author } };
  return (tx) => {
    const before = getPage(tx, id);
    const saved = saveDraft(before, lang, kept, tx.now, { mode, scheduledFor });
    const draft = saved.drafts[lang];
    const was = before.drafts[lang];
    const isSame = was && draft && sameJson(was.payload, draft.payload) && was.scheduled_for === draft.scheduled_for;
    if (!draft || isSame) refuseInvalid(sent.unknown ?? {});
    if (!draft) {
      describeCommit(ctx, tx, before, { action: "discard-draft", verb: "Discard draft of", lang });
      return putPage(tx, saved);
    }
    if (isSame) return before;
    const change = readChange(ctx, tx, draft.payload, { lang, model: before.model });
    const drafted = applyChange(before, change, "merge");
    const checked = { change: { ...change, unknown: sent.unknown, isDraft: true }, isLater: true };
    refuseInvalid(checkPage(ctx, tx, drafted, before, checked).errors);
    describeCommit(ctx, tx, saved, { action: "draft", verb: "Save draft of", lang });
    return putPage(tx, saved);
  };
}

/** Discards the pending draft of a language, if there is one. */
export function discardPageDraft(ctx: Context, by: Author, id: Id, lang: Lang): Promise<Written<Page>> {
  return ctx.store.transact(by, (tx) => {
    const page = getPage(tx, id);
    describeCommit(ctx, tx, page, { action: "discard-draft", verb: "Discard draft of", lang });
    return putPage(tx, discardDraft(page, lang));
  });
}

/**
 * Applies the pending draft of a language, sets `published_at`, and discards the draft.
 *
 * @throws CmsError `invalid` when the draft is no longer valid; then nothing changes
 */
export function publishPage(ctx: Context, by: Author, id: Id, lang: Lang, comment = ""): Promise<Written<Page>> {
  return ctx.store.transact(by, (tx) => publishInTransaction(ctx, tx, getPage(tx, id), lang, { comment }));
}

/** Publishes a page as part of a transaction. @param action the trailer `Cms-Action` */
export function publishInTransaction(
  ctx: Context,
  tx: Tx,
  before: Page,
  lang: Lang,
  { comment, action = "publish" }: { readonly comment?: string; readonly action?: string } = {},
): Page {
  const draft = before.drafts[lang];
  const next = publication(ctx, tx, before, lang, draft);
  const page = saveLive(ctx, tx, next.page, before, { change: next.change });
  describeCommit(ctx, tx, page, { action, verb: draft ? "Publish draft of" : "Publish", lang, body: comment });
  return page;
}

/** The page with a language public, and what has to be valid for that. @param draft the one that is applied */
function publication(
  ctx: Context,
  tx: Tx,
  before: Page,
  lang: Lang,
  draft: Draft | undefined,
): { readonly page: Page; readonly change: PageChange } {
  const change = draft && readChange(ctx, tx, draft.payload, { lang, model: before.model });
  const applied = change ? discardDraft(applyDraft(before, draft!, change), lang) : before;
  const isFirst = !isPublic({ ...before, deleted_at: null }, lang, tx.now);
  return {
    page: stampPublished(applied, lang, tx.now),
    change: { ...(change ?? NO_CHANGE), published: { lang, isFirst } },
  };
}

/**
 * Schedules a language, or its draft, for a moment. With null, cancels what is scheduled.
 *
 * @throws CmsError `invalid` where what would go live is not complete
 * @returns the page, and a warning where there was nothing to schedule
 */
export function schedulePage(
  ctx: Context,
  by: Author,
  id: Id,
  lang: Lang,
  { at, isWithDraft = false }: { readonly at: Instant | null; readonly isWithDraft?: boolean | undefined },
): Promise<Written<{ page: Page; warning?: string }>> {
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    if (at === null) {
      describeCommit(ctx, tx, before, { action: "unschedule", verb: "Cancel the schedule of", lang });
      return { page: saveLive(ctx, tx, unschedule(before, lang, tx.now), before) };
    }
    const scheduled = schedule(before, lang, at, tx.now, isWithDraft);
    if ("warning" in scheduled) return { page: before, warning: scheduled.warning };
    const draft = scheduled.page.drafts[lang];
    const next = publication(ctx, tx, before, lang, draft?.scheduled_for === at ? draft : undefined);
    refuseInvalid(checkPage(ctx, tx, next.page, before, { change: next.change, isLater: true }).errors);
    describeCommit(ctx, tx, before, { action: "schedule", verb: "Schedule", lang, body: `Scheduled for ${at}.` });
    return { page: saveLive(ctx, tx, scheduled.page, before) };
  });
}

/** Moves a page to the trash, which hides every language. */
export const trashPage = (ctx: Context, by: Author, id: Id): Promise<Written<Page>> =>
  transition(ctx, by, id, { action: "trash", verb: "Move to trash" }, (page, tx) => trash(page, tx.now));

/** Takes a page out of the trash. */
export const restorePage = (ctx: Context, by: Author, id: Id): Promise<Written<Page>> =>
  transition(ctx, by, id, { action: "restore", verb: "Restore" }, restore);

function transition(
  ctx: Context,
  by: Author,
  id: Id,
  description: Description,
  to: (page: Page, tx: Tx) => Page,
): Promise<Written<Page>> {
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    describeCommit(ctx, tx, before, description);
    return saveLive(ctx, tx, to(before, tx), before);
  });
}

interface Description {
  /** The trailer `Cms-Action`. */
  readonly action: string;
  /** The beginning of the subject, before the name of the page. */
  readonly verb: string;
  readonly lang?: Lang;
  readonly body?: string;
}

function describeCommit(ctx: Context, tx: Tx, page: Page, { action, verb, lang, body = "" }: Description): void {
  const inLang = lang === undefined ? "" : ` (${lang})`;
  tx.describe(
    `${verb} "${nameOf(page, ctx.locales)}"${inLang}`,
    { "Cms-Action": action, "Cms-Page": page.id, "Cms-Language": lang },
    body,
  );
}
