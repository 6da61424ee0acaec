/** Pages for tests of the rules, with defaults for all values a test does not set. */
import { parseInstant, type Instant } from "../../../src/model/time/instant.ts";
import type { Locales } from "../../../src/model/language/locale.ts";
import { EMPTY_GLOBALS, EMPTY_TEXT, type Draft, type Page, type PageText } from "../../../src/model/page/page.ts";

export const LOCALES: Locales = { codes: ["en", "it"], default: "en" };

/** @param text a moment with its zone, or a date for its first instant */
export function at(text: string): Instant {
  const moment = parseInstant(text) ?? parseInstant(`${text}T00:00:00Z`);
  if (!moment) throw new Error(`${text} is no moment`);
  return moment;
}

export interface PageParts extends Partial<Omit<Page, "translations" | "drafts">> {
  readonly translations?: { readonly [lang: string]: Partial<PageText> };
  readonly drafts?: { readonly [lang: string]: Partial<Draft> };
}

export function blankPage({ translations = {}, drafts = {}, ...rest }: PageParts = {}): Page {
  const created = at("2026-01-01");
  const each = <A, B>(parts: { readonly [lang: string]: A }, make: (part: A) => B): Record<string, B> =>
    Object.fromEntries(Object.entries(parts).map(([lang, part]) => [lang, make(part)]));
  return {
    ...EMPTY_GLOBALS,
    id: 1,
    model: "page",
    identifier: "one",
    ordering: 1,
    deleted_at: null,
    date_created: created,
    date_updated_at: created,
    aliases: [],
    ...rest,
    translations: each(translations, (text) => ({ ...EMPTY_TEXT, ...text })),
    drafts: each(drafts, (draft) => ({
      payload: {},
      scheduled_for: null,
      created_at: created,
      updated_at: created,
      ...draft,
    })),
  };
}
