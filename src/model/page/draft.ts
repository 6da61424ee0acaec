/**
 * Drafts: one staged future state per page and language.
 *
 * A draft is stored as it was sent, in the form of a partial page: it is the page's next PATCH, and does not change the
 * page's status. Only an author is converted to a byline at once: accounts are private, and the account may be deleted
 * before the draft goes live.
 */
import { CmsError } from "../../errors.ts";
import type { Instant } from "../time/instant.ts";
import { isObject, own, type JsonObject } from "../input/json.ts";
import type { Lang, Locales } from "../language/locale.ts";
import { textOf, withText, type Byline, type Draft, type Page } from "./page.ts";
import { applyChange, readPageChange, type PageChange } from "./page-input.ts";
import { sanitizePermalink } from "../address/permalink.ts";
import type { SaveMode } from "../input/sent-fields.ts";

/**
 * Saves a draft: `merge` overwrites top-level keys (a second `translations` replaces the first as a
 * whole), `replace` keeps only the schedule.
 *
 * An empty draft, `{}`, discards the pending one.
 *
 * @param scheduledFor undefined keeps the schedule, null removes it
 */
export function saveDraft(
  page: Page,
  lang: Lang,
  payload: JsonObject,
  now: Instant,
  { mode, scheduledFor }: { readonly mode: SaveMode; readonly scheduledFor?: Instant | null | undefined },
): Page {
  const before = page.drafts[lang];
  const staged = mode === "merge" && before ? { ...before.payload, ...payload } : payload;
  if (Object.keys(staged).length === 0) return discardDraft(page, lang);
  const draft: Draft = {
    payload: staged,
    scheduled_for: scheduledFor === undefined ? (before?.scheduled_for ?? null) : scheduledFor,
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
  return { ...page, drafts: { ...page.drafts, [lang]: draft } };
}

/** The page without the draft of a language; the same object when it has none. */
export function discardDraft(page: Page, lang: Lang): Page {
  if (!page.drafts[lang]) return page;
  const drafts = Object.fromEntries(Object.entries(page.drafts).filter(([key]) => key !== lang));
  return { ...page, drafts };
}

/** Whether a draft is scheduled for now or any earlier moment. */
export const isDue = (draft: Draft | undefined, now: Instant): boolean =>
  draft?.scheduled_for != null && draft.scheduled_for <= now;

/** The languages whose draft is due, in the order given. */
export const dueLanguages = (page: Page, langs: readonly Lang[], now: Instant): Lang[] =>
  langs.filter((lang) => isDue(page.drafts[lang], now));

/**
 * The page with a draft applied.
 *
 * @param change the payload of the draft as `readPageChange` reads it
 */
export function applyDraft(page: Page, draft: Draft, change: PageChange): Page {
  const applied = applyChange(page, change, "merge");
  const author = change.author === null ? null : bylineIn(own(draft.payload, "author"));
  return change.author === undefined || author === undefined ? applied : { ...applied, author };
}

/** undefined for a bare id, as in a hand-written file: the account cannot be looked up here. */
function bylineIn(value: unknown): Byline | undefined {
  if (!isObject(value) || typeof value.id !== "number" || typeof value.username !== "string") return undefined;
  const { id, username, first_name = "", last_name = "" } = value;
  return { id, username, first_name: String(first_name), last_name: String(last_name) };
}

/**
 * The page as it would read with its draft published: for previews, never stored.
 *
 * `published_at` stays the live one. So does an automatic permalink, which is only computed on publishing. A draft that
 * is no longer valid leaves the live page.
 */
export function overlayDraft(page: Page, lang: Lang, locales: Locales): Page {
  const draft = page.drafts[lang];
  if (!draft) return page;
  try {
    const drafted = applyDraft(page, draft, readPageChange(draft.payload, locales, lang, page.model));
    return locales.codes.reduce((shown, code) => {
      const live = textOf(page, code);
      const { autopermalink, permalink: wanted } = textOf(shown, code);
      const permalink = autopermalink || wanted === null ? live.permalink : sanitizePermalink(wanted);
      return withText(shown, code, { published_at: live.published_at, permalink });
    }, drafted);
  } catch (error) {
    if (error instanceof CmsError) return page;
    throw error;
  }
}
