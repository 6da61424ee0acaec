/**
 * Which events of hooks a change of records is.
 *
 * Derived from the records before and after alone, so that a commit made by hand, or pulled, has the same events as a write
 * through the API.
 */
import type { HookEvent } from "../../config/hook-settings.ts";
import type { Instant } from "../time/instant.ts";
import { own, sameJson } from "../input/json.ts";
import { isPublic } from "../page/lifecycle.ts";
import type { Lang } from "../language/locale.ts";
import type { Page } from "../page/page.ts";

/** Languages by event. `change` has those whose text, draft or shared values differ. */
export type EventLanguages = ReadonlyMap<HookEvent, readonly Lang[]>;

/**
 * The events of a page that came, went or changed.
 *
 * `publish`: the language has become public, has a new publication date, or its draft went live.
 * `schedule`: its draft, or the page itself, is planned for another moment than before.
 *
 * @param langs all languages, in the order of the result
 */
export function eventsOfPage(
  before: Page | undefined,
  after: Page | undefined,
  langs: readonly Lang[],
  now: Instant,
): EventLanguages {
  const found: [HookEvent, readonly Lang[]][] = [
    ["change", languagesOfChange(before, after, langs)],
    ["publish", langs.filter((lang) => isPublished(before, after, lang, now))],
    ["schedule", langs.filter((lang) => isScheduled(before, after, lang, now))],
  ];
  return new Map(found.filter(([, languages]) => languages.length > 0));
}

function isPublished(before: Page | undefined, after: Page | undefined, lang: Lang, now: Instant): boolean {
  if (!after || !isPublic(after, lang, now)) return false;
  if (!before || before.deleted_at !== null) return true;
  const [old, text] = [before.translations[lang], after.translations[lang]];
  if (old?.published_at !== text?.published_at) return true;
  const isDraftGone = before.drafts[lang] !== undefined && after.drafts[lang] === undefined;
  return isDraftGone && !sameJson(withoutDrafts(before), withoutDrafts(after));
}

function isScheduled(before: Page | undefined, after: Page | undefined, lang: Lang, now: Instant): boolean {
  const [old, page] = [before, after].map((each) => ({
    draft: each?.drafts[lang]?.scheduled_for ?? null,
    itself: each?.translations[lang]?.published_at ?? null,
  })) as [Planned, Planned];
  const isDraftPlanned = page.draft !== null && page.draft !== old.draft;
  return isDraftPlanned || (page.itself !== null && page.itself > now && page.itself !== old.itself);
}

interface Planned {
  readonly draft: Instant | null;
  readonly itself: Instant | null;
}

const withoutDrafts = (page: Page): object => ({ ...page, drafts: {}, date_updated_at: null });

/**
 * The languages whose texts or drafts differ between two versions of a record; all where other values do. Those of a
 * record that came or went.
 */
export function languagesOfChange(
  before: object | undefined,
  after: object | undefined,
  langs: readonly Lang[],
): Lang[] {
  const [old, next] = [partsOf(before), partsOf(after)];
  if (!before || !after) {
    const { translations } = before ? old : next;
    return langs.filter((lang) => Object.keys(translations).length === 0 || own(translations, lang) !== undefined);
  }
  if (!sameJson(old.shared, next.shared)) return [...langs];
  return langs.filter(
    (lang) =>
      !sameJson(own(old.translations, lang), own(next.translations, lang)) ||
      !sameJson(own(old.drafts, lang), own(next.drafts, lang)),
  );
}

type ByLanguage = { readonly [lang: Lang]: unknown };

function partsOf(record: object | undefined): { translations: ByLanguage; drafts: ByLanguage; shared: object } {
  const { translations = {}, drafts = {}, date_updated_at: _, ...shared } = (record ?? {}) as Partial<Page>;
  return { translations, drafts, shared };
}
