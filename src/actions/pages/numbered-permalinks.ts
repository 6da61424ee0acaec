/**
 * Automatic permalinks with a number, which pages get when they go live because another page has the plain one. Nothing
 * fails then, but readers find the page elsewhere than its title says, so that it is told before.
 */
import { unnumberedPermalink } from "../../model/address/page-permalinks.ts";
import type { Id } from "../../model/input/id.ts";
import type { Instant } from "../../model/time/instant.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { nameOf, textOf } from "../../model/page/page.ts";
import { isReserved } from "../../model/address/possible-names.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import type { Reader } from "../../store/records/record-type.ts";

export interface NumberedPermalink {
  readonly page: Id;
  readonly title: string;
  readonly language: Lang;
  readonly permalink: string;
  /** What it would be without a number. */
  readonly plain: string;
  /** The page that has it; null where it is reserved. */
  readonly takenBy: Id | null;
}

/** Content at a moment. */
export interface ContentAt {
  readonly content: Reader;
  readonly now: Instant;
}

/** The given pages that are public after the change and were not before, or not at the same permalink. */
export const numberedPermalinks = (
  locales: Locales,
  before: ContentAt,
  after: ContentAt,
  pages: ReadonlySet<Id>,
): NumberedPermalink[] =>
  [...pages].flatMap((id) => locales.codes.flatMap((lang) => numbered(locales, before, after, id, lang) ?? []));

function numbered(
  locales: Locales,
  before: ContentAt,
  { content, now }: ContentAt,
  id: Id,
  language: Lang,
): NumberedPermalink | undefined {
  const page = findPage(content, id);
  if (!page || !isPublic(page, language, now)) return undefined;
  const { permalink, autopermalink } = textOf(page, language);
  const plain = unnumberedPermalink(page, language, { locales, page: (other) => findPage(content, other) });
  if (!autopermalink || permalink === null || plain === undefined || plain === permalink) return undefined;
  const former = findPage(before.content, id);
  if (former && isPublic(former, language, before.now) && textOf(former, language).permalink === permalink)
    return undefined;
  const takenBy = pageIndex(content).byPermalink(language, plain)?.id ?? null;
  if (takenBy === null && !isReserved(locales, plain)) return undefined;
  return { page: id, title: nameOf(page, locales), language, permalink, plain, takenBy };
}
