/**
 * Where a page stands, and the moves that change it.
 *
 * Status is never stored. It is read off two timestamps, so a planned page goes public with no write at all: time
 * alone does it. Every move is a function from a page to the next page; committing it is somebody else's job.
 */
import type { Instant } from "./instant.ts";
import type { Lang } from "./locale.ts";
import { textOf, withText, type Page, type PageOutline } from "./page.ts";

export type Status = "PUB" | "DRF" | "PLA" | "TRS";

/** `deleted_at` covers every language; `published_at` only its own (interface.md, States and transitions). */
export function statusOf(page: PageOutline, lang: Lang, now: Instant): Status {
  if (page.deleted_at) return "TRS";
  const publishedAt = page.translations[lang]?.published_at;
  if (!publishedAt) return "DRF";
  return publishedAt <= now ? "PUB" : "PLA";
}

export const isPublic = (page: PageOutline, lang: Lang, now: Instant): boolean => statusOf(page, lang, now) === "PUB";

/**
 * Stamps a language as published now. One that is live keeps its first moment, so that publishing a change does not
 * make an old page look new (contract.md 7.4).
 */
export function stampPublished(page: Page, lang: Lang, now: Instant): Page {
  const publishedAt = textOf(page, lang).published_at;
  return publishedAt && publishedAt <= now ? page : withText(page, lang, { published_at: now });
}

/** What scheduling comes down to: the next page, or nothing to do and why. */
export type Scheduled = { readonly page: Page } | { readonly warning: string };

/**
 * Plans a language for a moment (interface.md, Page transitions; decisions.md 9 and 22).
 *
 * Never public: the live row appears at that moment, a draft stays pending. Planned: the moment moves, and a pending
 * draft is scheduled with it. Already public: the pending draft goes live then; without one there is nothing to plan.
 *
 * @param at may lie in the past: then it is due at once
 */
export function schedule(page: Page, lang: Lang, at: Instant, now: Instant): Scheduled {
  const publishedAt = textOf(page, lang).published_at;
  const draft = page.drafts[lang];
  const drafted = (): Page =>
    draft ? { ...page, drafts: { ...page.drafts, [lang]: { ...draft, scheduled_for: at, updated_at: now } } } : page;
  if (!publishedAt) return { page: withText(page, lang, { published_at: at }) };
  if (publishedAt > now) return { page: withText(drafted(), lang, { published_at: at }) };
  if (!draft) return { warning: `Page ${page.id} is public in ${lang} and has no draft: there is nothing to schedule.` };
  return { page: drafted() };
}

/** Hides every language. A page in the trash keeps the moment it came there. */
export const trash = (page: Page, now: Instant): Page => (page.deleted_at ? page : { ...page, deleted_at: now });

/** Takes a page out of the trash; the timestamps say where it stands then. */
export const restore = (page: Page): Page => (page.deleted_at ? { ...page, deleted_at: null } : page);
