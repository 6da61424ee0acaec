/**
 * What of a page goes live with a change, and the hash of what is approved for it.
 *
 * The hash is of all values that the language would show, so an approval of it is void by arithmetic as soon as one of
 * them changes: in the draft, or in the page below it. When it goes live is no part of it.
 */
import { createHash } from "node:crypto";
import { canonicalJson, isObject, sameJson, type Json } from "../input/json.ts";
import type { Lang, Locales } from "../language/locale.ts";
import { discardDraft, overlayDraft } from "../page/draft.ts";
import { fallbackText, fieldsOf, globalsOf, TEXT_FIELDS, textOf, type Page, type PageText } from "../page/page.ts";
import type { Instant } from "../time/instant.ts";

/** The hash of what a language shows once its draft, if there is one, is live. */
export function hashOfDraft(page: Page, lang: Lang, locales: Locales): string {
  const payload = page.drafts[lang]?.payload ?? null;
  const shown = shownValues(overlayDraft(page, lang, locales), lang, lenderOf(page, locales));
  return createHash("sha256")
    .update(canonicalJson({ shown, payload } as unknown as Json))
    .digest("hex")
    .slice(0, 32);
}

/**
 * The default language while it is not public: nobody approves its texts there, so they are approved where another language
 * shows them for want of its own. undefined where it is public.
 */
const lenderOf = (page: Page, locales: Locales): Lang | undefined =>
  textOf(page, locales.default).published_at === null ? locales.default : undefined;

/** Where a page stands in lists, and what follows from its title, is nothing that is approved. */
function shownValues(page: Page, lang: Lang, lender: Lang | undefined): Json {
  const globals = globalsOf(page).filter(([{ name }]) => name !== "ordering");
  const text = lender === undefined ? textOf(page, lang) : { ...textOf(page, lang), ...borrowed(page, lang, lender) };
  return [globals.map(([, value]) => value), shownText(text)] as unknown as Json;
}

const borrowed = (page: Page, lang: Lang, lender: Lang): Partial<PageText> =>
  Object.fromEntries(
    fieldsOf(TEXT_FIELDS, page.model).map(({ name }) => [
      name,
      fallbackText(page, lang, lender, name as keyof PageText),
    ]),
  );

const shownText = (text: PageText): object => ({
  ...text,
  published_at: null,
  permalink: text.autopermalink ? null : text.permalink,
});

/** Something that goes live, or is to go live at a moment. */
export interface GoingLive {
  readonly language: Lang;
  /** Hashes of which one must be approved; none: it was changed otherwise than by a draft. */
  readonly hashes: readonly { readonly language: Lang; readonly hash: string }[];
}

export interface GoingLiveOptions {
  readonly now: Instant;
  readonly locales: Locales;
  /** Whether the change was made by hand: then a draft that is gone was applied only if the page shows just its values. */
  readonly isByHand?: boolean;
}

/**
 * What goes live in each language with a change of a page. One in the trash counts as where it was before.
 *
 * The draft that is applied is that of the language, or one of another language that changes this one, too.
 *
 * @param before undefined for a new page
 */
export function goingLive(before: Page | undefined, after: Page, options: GoingLiveOptions): readonly GoingLive[] {
  const { now, locales } = options;
  const hashed = (page: Page, language: Lang) => ({ language, hash: hashOfDraft(page, language, locales) });
  const lender = lenderOf(after, locales);
  const shows = (a: Page, b: Page, lang: Lang): boolean =>
    sameJson(shownValues(a, lang, lender), shownValues(b, lang, lender));
  return locales.codes.flatMap((language): GoingLive[] => {
    const [was, at] = [before && textOf(before, language).published_at, textOf(after, language).published_at];
    if (at !== null && at > now) {
      const will = hashed(coming(after, language), language);
      const isSame = was === at && hashed(coming(before!, language), language).hash === will.hash;
      return isSame ? [] : [{ language, hashes: [will] }];
    }
    const found: GoingLive[] = [];
    const isShown = before !== undefined && shows(before, after, language);
    if (at !== null && !(isShown && was === at)) {
      const applied = before ? locales.codes.filter((code) => isApplied(before, after, code, options)) : [];
      const hashes = applied.map((code) => hashed(before!, code));
      found.push({
        language,
        hashes: isShown ? [...hashes, hashed(discardDraft(before, language), language)] : hashes,
      });
    }
    const scheduled = after.drafts[language]?.scheduled_for ?? null;
    if (scheduled !== null && scheduled !== before?.drafts[language]?.scheduled_for)
      found.push({ language, hashes: [hashed(after, language)] });
    return found;
  });
}

/** The hash of what a planned language will show with its draft; undefined where nothing or no draft is planned. */
export function hashOfPlannedDraft(
  page: Page,
  lang: Lang,
  { now, locales }: Pick<GoingLiveOptions, "now" | "locales">,
): string | undefined {
  const at = textOf(page, lang).published_at;
  const isPlanned = at !== null && at > now && page.drafts[lang] !== undefined && coming(page, lang) === page;
  return isPlanned ? hashOfDraft(page, lang, locales) : undefined;
}

/** A planned page as it will be at its moment: with its draft, where that is scheduled for then. */
function coming(page: Page, lang: Lang): Page {
  const { published_at } = textOf(page, lang);
  const scheduled = page.drafts[lang]?.scheduled_for ?? null;
  return scheduled !== null && published_at !== null && scheduled <= published_at ? page : discardDraft(page, lang);
}

function isApplied(before: Page, after: Page, lang: Lang, { locales, isByHand }: GoingLiveOptions): boolean {
  if (!before.drafts[lang] || after.drafts[lang]) return false;
  if (!isByHand) return true;
  const applied = overlayDraft(before, lang, locales);
  return locales.codes.every((code) =>
    sameJson(withoutIds(shownValues(applied, code, undefined)), withoutIds(shownValues(after, code, undefined))),
  );
}

/** Without what publishing adds by itself: the ids of new blocks. */
export function withoutIds(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === "id" ? [] : [[key, withoutIds(inner)]])),
  );
}
