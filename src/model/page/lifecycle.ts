/**
 * The status of a page, and the transitions that change it.
 *
 * Status is never stored: it follows from two timestamps and the clock, so a planned page becomes public without a
 * write. Every transition is a pure function from a page to the next page; `actions/pages/pages.ts` commits it.
 */
import type { Instant } from "../time/instant.ts";
import { sameJson, type Json } from "../input/json.ts";
import type { Lang, Locales } from "../language/locale.ts";
import {
  fallbackText,
  fieldsOf,
  TEXT_FIELDS,
  textOf,
  withText,
  type Page,
  type PageSummary,
  type PageText,
} from "./page.ts";

/** DRF: never published. PLA: published at a future time. PUB: public. TRS: in the trash. */
export type Status = "PUB" | "DRF" | "PLA" | "TRS";

/** `deleted_at` applies to every language, `published_at` to its own. */
export function statusOf(page: PageSummary, lang: Lang, now: Instant): Status {
  if (page.deleted_at) return "TRS";
  const publishedAt = page.translations[lang]?.published_at;
  if (!publishedAt) return "DRF";
  return publishedAt <= now ? "PUB" : "PLA";
}

/** Whether a language is public, or will be without another write. */
export const isOrWillBePublic = (page: PageSummary, lang: Lang): boolean =>
  !page.deleted_at && Boolean(page.translations[lang]?.published_at);

export const isPublic = (page: PageSummary, lang: Lang, now: Instant): boolean => statusOf(page, lang, now) === "PUB";

/**
 * Whether a change of the texts in the default language is seen in another language that is public: one without a value of
 * its own shows that of the default language, whether that is public itself or not.
 */
export function isSeenElsewhere(before: Page, after: Page, { codes, default: defaultLang }: Locales): boolean {
  const shown = (page: Page, lang: Lang, name: string): Json =>
    fallbackText(page, lang, defaultLang, name as keyof PageText) as Json;
  const own = (page: Page, lang: Lang, name: string): Json => textOf(page, lang)[name as keyof PageText] as Json;
  const isOther = (a: Json, b: Json): boolean => !sameJson(a, b);
  return codes.some(
    (lang) =>
      lang !== defaultLang &&
      isOrWillBePublic(after, lang) &&
      fieldsOf(TEXT_FIELDS, after.model).some(
        ({ name }) =>
          isOther(shown(before, lang, name), shown(after, lang, name)) &&
          !isOther(own(before, lang, name), own(after, lang, name)),
      ),
  );
}

/** The status with `is_public`, as payloads have them. */
export function statusFields(
  page: PageSummary,
  lang: Lang,
  now: Instant,
): { readonly status: Status; readonly is_public: boolean } {
  return { status: statusOf(page, lang, now), is_public: isPublic(page, lang, now) };
}

/**
 * Sets `published_at` of a language to now. A public language keeps its first publication date.
 */
export function stampPublished(page: Page, lang: Lang, now: Instant): Page {
  const publishedAt = textOf(page, lang).published_at;
  return publishedAt && publishedAt <= now ? page : withText(page, lang, { published_at: now });
}

/** Hides a language: its status is DRF again. A pending draft stays. */
export const unpublish = (page: Page, lang: Lang): Page =>
  textOf(page, lang).published_at === null ? page : withText(page, lang, { published_at: null });

/** The result of scheduling: the next page, or the reason why nothing changes. */
export type Scheduled = { readonly page: Page } | { readonly warning: string };

/**
 * Schedules a language for a moment.
 *
 * Never public: the page is published at that moment, a draft stays pending unless it is wanted with it. Planned: the
 * moment changes, and a pending draft is scheduled with it. Public: the pending draft goes live at that moment; without
 * one there is nothing to do.
 *
 * @param at a moment in the past is due at once
 * @param isWithDraft whether the draft of a language that was never public is applied at that moment, too
 */
export function schedule(page: Page, lang: Lang, at: Instant, now: Instant, isWithDraft = false): Scheduled {
  const publishedAt = textOf(page, lang).published_at;
  const draft = page.drafts[lang];
  const drafted = (): Page =>
    draft ? { ...page, drafts: { ...page.drafts, [lang]: { ...draft, scheduled_for: at, updated_at: now } } } : page;
  if (!publishedAt) return { page: withText(isWithDraft ? drafted() : page, lang, { published_at: at }) };
  if (publishedAt > now) return { page: withText(drafted(), lang, { published_at: at }) };
  if (!draft)
    return { warning: `Page ${page.id} is public in ${lang} and has no draft: there is nothing to schedule.` };
  return { page: drafted() };
}

/** Cancels what is scheduled for a language: its first publication, and the moment of its draft, which stays pending. */
export function unschedule(page: Page, lang: Lang, now: Instant): Page {
  const publishedAt = textOf(page, lang).published_at;
  const draft = page.drafts[lang];
  const waiting = draft?.scheduled_for
    ? { ...page, drafts: { ...page.drafts, [lang]: { ...draft, scheduled_for: null, updated_at: now } } }
    : page;
  return publishedAt && publishedAt > now ? unpublish(waiting, lang) : waiting;
}

/** Moves a page to the trash, in every language. A page in the trash keeps its `deleted_at`. */
export const trash = (page: Page, now: Instant): Page => (page.deleted_at ? page : { ...page, deleted_at: now });

/** Takes a page out of the trash; its status follows from `published_at` again. */
export const restore = (page: Page): Page => (page.deleted_at ? { ...page, deleted_at: null } : page);
