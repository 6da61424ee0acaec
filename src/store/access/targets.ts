/** What decisions of `model/access` read of the content: its roles, and where records are. */
import { derived } from "../../memo.ts";
import type { AccessContent, Target } from "../../model/access/role-rights.ts";
import { isOrWillBePublic } from "../../model/page/lifecycle.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { PageSummary } from "../../model/page/page.ts";
import type { Review } from "../../model/review/review.ts";
import type { CommentThread } from "../../model/review/thread.ts";
import { findPageSummary, PAGE_KINDS } from "../content/indexes/pages-by-model.ts";
import { pagesAbove, sectionIn } from "../content/indexes/sections.ts";
import { REVIEWS } from "../records/people/reviews.ts";
import { THREADS } from "../records/people/threads.ts";
import { rolesIn } from "../records/people/roles.ts";
import type { AnyKind, Entity, Reader } from "../records/record-type.ts";
import type { Snapshot } from "../snapshot.ts";

/** The roles of the content, and its sections. */
export const accessContentOf = (content: Snapshot, locales: Locales): AccessContent => contentIn(locales)(content);

const contentIn = derived((locales: Locales) =>
  derived((content: Snapshot): AccessContent => ({
    roles: rolesIn(content),
    section: sectionIn(content, locales),
  })),
);

export const isPageKind = (kind: AnyKind): boolean => PAGE_KINDS.includes(kind);

/**
 * Where a record is. A thread is where its page is, a review where each of its pages is.
 *
 * @param record or its summary
 * @returns one at least
 */
export function accessTargetsOf(content: Reader, kind: AnyKind, record: Entity): readonly Target[] {
  if (isPageKind(kind)) return [pageTarget(content, record as PageSummary)];
  const own: Target = { model: kind.opaque ? "media" : kind.name.toLowerCase(), id: record.id };
  const about =
    kind === THREADS
      ? [(record as CommentThread).page]
      : kind === REVIEWS
        ? (record as Review).items.map(({ page }) => page)
        : [];
  const pages = [...new Set(about)].flatMap((id) => findPageSummary(content, id) ?? []);
  return pages.length > 0 ? pages.map((page) => pageTarget(content, page)) : [own];
}

function pageTarget(content: Reader, page: PageSummary): Target {
  const langs = Object.keys(page.translations);
  const isPublic = langs.some((lang) => isOrWillBePublic(page, lang));
  return { model: page.model, id: page.id, path: pagesAbove(page.id, (id) => findPageSummary(content, id)), isPublic };
}
