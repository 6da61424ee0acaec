/**
 * Drafts: one staged future state per page and language.
 *
 * A draft is kept as it was sent, in the shape of a partial page; it never changes the page's status. It is a page's
 * next PATCH, waiting.
 */
import { CmsError } from "../errors.ts";
import type { Instant } from "./instant.ts";
import type { JsonObject } from "./json.ts";
import type { Lang, Locales } from "./locale.ts";
import { textOf, withText, type Draft, type Page } from "./page.ts";
import { applyChange, readPageChange } from "./page-input.ts";
import { sanitizePermalink } from "./permalink.ts";

/**
 * Saves a draft: `merge` lays the new top-level keys over the stored ones (contract.md 7.2: a second `translations`
 * replaces the first as a whole), `replace` keeps nothing but the schedule.
 *
 * @param scheduledFor undefined leaves the schedule as it is, null takes it away
 */
export function saveDraft(
  page: Page,
  lang: Lang,
  payload: JsonObject,
  mode: "merge" | "replace",
  now: Instant,
  scheduledFor?: Instant | null,
): Page {
  const before = page.drafts[lang];
  const draft: Draft = {
    payload: mode === "merge" && before ? { ...before.payload, ...payload } : payload,
    scheduled_for: scheduledFor === undefined ? (before?.scheduled_for ?? null) : scheduledFor,
    created_at: before?.created_at ?? now,
    updated_at: now,
  };
  return { ...page, drafts: { ...page.drafts, [lang]: draft } };
}

/** Without that language's draft; the very same page when it has none. */
export function discardDraft(page: Page, lang: Lang): Page {
  if (!page.drafts[lang]) return page;
  const drafts = Object.fromEntries(Object.entries(page.drafts).filter(([key]) => key !== lang));
  return { ...page, drafts };
}

/** Due means scheduled for now or earlier, however much earlier. */
export const isDue = (draft: Draft | undefined, now: Instant): boolean =>
  draft?.scheduled_for != null && draft.scheduled_for <= now;

/** The languages whose draft is due, in the order given. */
export const dueLanguages = (page: Page, langs: readonly Lang[], now: Instant): Lang[] =>
  langs.filter((lang) => isDue(page.drafts[lang], now));

/**
 * The page as it would read with its draft live: for previews, never for storing.
 *
 * Where it stands does not change with it: stamps stay the live ones, and so do permalinks, which only publishing
 * settles, unless the draft sets one by hand. A draft that no longer fits shows the live page.
 */
export function overlayDraft(page: Page, lang: Lang, locales: Locales): Page {
  const draft = page.drafts[lang];
  if (!draft) return page;
  try {
    const drafted = applyChange(page, readPageChange(draft.payload, locales, lang, page.model), "merge");
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
