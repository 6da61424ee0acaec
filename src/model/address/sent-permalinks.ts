/** Permalinks in a write: a manual one is taken with `autopermalink: false` alone. */
import type { FieldErrors } from "../../errors.ts";
import { NOT_NULL } from "../input/input-errors.ts";
import type { UnknownFields } from "../input/known-keys.ts";
import { langSuffix, type Lang } from "../language/locale.ts";
import { EMPTY_TEXT, textOf, type Page, type PageText } from "../page/page.ts";

/**
 * The errors of permalinks as they were sent, by suffixed key.
 *
 * A permalink sent together with `autopermalink` would be discarded silently, so it is an error, unless it is the
 * page's current or a former permalink: a payload that was read can be written back. Null is an error for a manual
 * permalink, which can only be replaced by another one.
 *
 * @param page with the change applied
 * @param before the page as stored; undefined for a new one
 * @param sent the texts as they were sent
 * @param unknownFields `ignore` drops a permalink beside `autopermalink`, as clients of the upstream system expect
 */
export function sentPermalinkErrors(
  page: Page,
  before: Page | undefined,
  sent: { readonly [lang: Lang]: Partial<PageText> },
  unknownFields: UnknownFields,
): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const [lang, { permalink }] of Object.entries(sent)) {
    if (permalink === undefined) continue;
    const { autopermalink } = textOf(page, lang);
    const stored = before ? textOf(before, lang) : EMPTY_TEXT;
    const isKept = (permalink || null) === stored.permalink;
    const key = `permalink_${langSuffix(lang)}`;
    if (!autopermalink) {
      const wasNull = before !== undefined && stored.permalink === null && !stored.autopermalink;
      if (permalink === null && !wasNull) errors[key] = [NOT_NULL];
      continue;
    }
    if (isKept || unknownFields === "ignore" || wasPermalinkOf(before, lang, permalink)) continue;
    const flag = `autopermalink_${langSuffix(lang)}`;
    errors[key] = [`This permalink is automatic. Send ${flag}: false with it, or leave it out.`];
  }
  return errors;
}

const wasPermalinkOf = (page: Page | undefined, lang: Lang, permalink: string | null): boolean =>
  page?.aliases.some(({ language, from }) => language === lang && from === permalink) ?? false;
