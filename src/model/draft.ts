/**
 * Drafts: one staged future state per page and language.
 *
 * A draft is kept as it was sent, in the shape of a partial page; it never changes the page's status. It is a page's
 * next PATCH, waiting. Only an author is kept as a byline at once: accounts are private, and by the time the draft goes
 * live the account may be gone.
 */
import { CmsError } from "../errors.ts";
import type { Instant } from "./instant.ts";
import { isObject, own, type JsonObject } from "./json.ts";
import type { Lang, Locales } from "./locale.ts";
import { textOf, withText, type Byline, type Draft, type Page } from "./page.ts";
import { applyChange, readPageChange, type PageChange } from "./page-input.ts";
import { sanitizePermalink } from "./permalink.ts";

/**
 * Saves a draft: `merge` lays the new top-level keys over the stored ones (contract.md 7.2: a second `translations`
 * replaces the first as a whole), `replace` keeps nothing but the schedule.
 *
 * A draft that would change nothing, `{}`, is none: the one there was is gone then (decisions.md 66).
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
 * The page with a draft laid over it.
 *
 * @param change what the draft asks for, as `readPageChange` has it
 */
export function applyDraft(page: Page, draft: Draft, change: PageChange): Page {
  const applied = applyChange(page, change, "merge");
  const author = change.author === null ? null : bylineIn(own(draft.payload, "author"));
  return change.author === undefined || author === undefined ? applied : { ...applied, author };
}

/** undefined for an id alone, which a hand may have written: nothing here knows whose it is. */
function bylineIn(value: unknown): Byline | undefined {
  if (!isObject(value) || typeof value.id !== "number" || typeof value.username !== "string") return undefined;
  const { id, username, first_name = "", last_name = "" } = value;
  return { id, username, first_name: String(first_name), last_name: String(last_name) };
}

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
