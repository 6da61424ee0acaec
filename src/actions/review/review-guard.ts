/**
 * The setting `REVIEW.REQUIRED`, for every transaction whatever its way: what goes live, or is scheduled to, has the
 * approvals that it needs. The people who approved it are named in the commit.
 */
import type { Config } from "../../config.ts";
import { CmsError } from "../../errors.ts";
import type { Person } from "../../model/account/person.ts";
import type { Id } from "../../model/input/id.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { discardDraft } from "../../model/page/draft.ts";
import { nameOf, permalinkIn, textOf, type Page } from "../../model/page/page.ts";
import type { Release } from "../../model/page/release.ts";
import { withoutReferences, type DeletedRecords } from "../../model/records/references.ts";
import { goingLive, hashOfDraft, hashOfPlannedDraft, type GoingLive } from "../../model/review/going-live.ts";
import { approvalsRequired } from "../../model/review/required.ts";
import { approvalOf, signatureOf, type Review } from "../../model/review/review.ts";
import { hashOfItem, withPlainDrafts } from "../../store/content/indexes/reviews.ts";
import { pagesAbove, sectionIn } from "../../store/content/indexes/sections.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { findPage, PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import { RELEASES } from "../../store/records/releases.ts";
import { REVIEWS } from "../../store/records/people/reviews.ts";
import type { Judge, Transition } from "../../store/write/store.ts";

/** The trailer that names who approved what a commit publishes. */
const REVIEWED_BY = "Reviewed-by";

/** @param isByHand whether the changes were made by other programs than this one */
export const openReviewGuard =
  ({ REVIEW: { REQUIRED } }: Pick<Config, "REVIEW">, locales: Locales, isByHand = false): Judge =>
  (transition) => {
    const { before, now } = transition;
    const reviews = before.all(REVIEWS);
    if (REQUIRED.length === 0 && reviews.length === 0) return {};
    const pageAfter = (id: Id): Page | undefined => changedPage(transition, id) ?? findPage(before, id);
    const pageBefore = (id: Id): Page | undefined => findPage(before, id);
    const section = sectionIn(before, locales);
    const requiredAt = (page: Page, language: Lang, find: typeof pageAfter): number =>
      approvalsRequired(REQUIRED, { model: page.model, path: pagesAbove(page.id, find), language }, section);
    // A page that leaves a section needs what it needed there.
    const required = (page: Page, language: Lang): number =>
      Math.max(requiredAt(page, language, pageAfter), requiredAt(page, language, pageBefore));
    const people = new Map<string, Person>();
    const permit = (page: Page, { language, hashes }: GoingLive): void => {
      const approvals = hashes.map((each) => approvalOf(reviews, { page: page.id, ...each }));
      const most = approvals.toSorted((a, b) => b.length - a.length)[0] ?? [];
      const needed = required(page, language);
      if (most.length < needed) throw lacking(nameOf(page, locales), language, { needed, has: most.length, hashes });
      for (const person of most) people.set(person.username, person);
    };
    // Else a rule would hold for another section than the one that it was written for.
    const refuseOtherSection = (page: Page): void => {
      const taken = REQUIRED.map(({ BELOW }) => BELOW).find(
        (below) =>
          below !== null && below === permalinkIn(page, locales.default) && (section(below) ?? page.id) !== page.id,
      );
      if (taken !== undefined)
        throw new CmsError(
          "forbidden",
          `REVIEW.REQUIRED names page ${section(taken!)} by its former address ${taken}: name it by its id before another page has this address.`,
        );
    };
    for (const [page, was] of changedPages(transition)) {
      const [after, known] = [withPlainDrafts(before, page), was && withPlainDrafts(before, was)];
      for (const each of goingLive(known, after, { now, locales, isByHand })) permit(after, each);
    }
    for (const page of movedAlong(transition)) {
      for (const language of locales.codes) {
        const isEntering = requiredAt(page, language, pageAfter) > requiredAt(page, language, pageBefore);
        if (!isEntering || textOf(page, language).published_at === null) continue;
        const plain = withPlainDrafts(before, page);
        const planned = hashOfPlannedDraft(plain, language, { now, locales });
        const hash = planned ?? hashOfDraft(discardDraft(plain, language), language, locales);
        permit(page, { language, hashes: [{ language, hash }] });
      }
    }
    for (const { items } of scheduledReleases(transition)) {
      for (const item of items) {
        const page = findPage(before, item.page);
        const language = item.action === "publish" ? item.language : null;
        if (page && language !== null)
          permit(page, { language, hashes: [{ language, hash: hashOfItem(before, item, locales) }] });
      }
    }
    for (const [page] of changedPages(transition)) refuseOtherSection(page);
    for (const [page, language] of reviewedNoMore(transition)) {
      const hash = hashOfPlannedDraft(withPlainDrafts(before, page), language, { now, locales });
      const has = (all: readonly Review[]): number =>
        hash === undefined ? 0 : approvalOf(all, { page: page.id, language, hash }).length;
      const left = has(reviewsAfter(transition));
      if (left < has(reviews) && left < required(page, language))
        throw new CmsError(
          "forbidden",
          `"${nameOf(page, locales)}" (${language}) is planned with an approval that would be lost: cancel its schedule first.`,
        );
    }
    return people.size === 0 ? {} : { [REVIEWED_BY]: [...people.values()].map(signatureOf) };
  };

interface Lack {
  readonly needed: number;
  readonly has: number;
  readonly hashes: GoingLive["hashes"];
}

function lacking(name: string, language: Lang, { needed, has, hashes }: Lack): CmsError {
  const approvals = needed === 1 ? "an approval by somebody" : `${needed} approvals by people`;
  const state =
    hashes.length === 0 ? "It was changed otherwise than by a draft: save a draft, and propose it." : `It has ${has}.`;
  return new CmsError(
    "forbidden",
    `"${name}" (${language}) goes live only with ${approvals} who did not write it. ${state}`,
  );
}

/** The pages and languages of reviews that are changed or removed, of pages that stay. */
function* reviewedNoMore({ before, changes }: Transition): Generator<readonly [Page, Lang]> {
  const isRemoved = (id: Id): boolean => PAGE_KINDS.some((kind) => changes.get(kind)?.get(id) === null);
  for (const id of changes.get(REVIEWS)?.keys() ?? []) {
    for (const { page: pageId, language } of before.find(REVIEWS, id)?.items ?? []) {
      const page = isRemoved(pageId) ? undefined : findPage(before, pageId);
      if (page && language !== null) yield [page, language];
    }
  }
}

function reviewsAfter({ before, changes }: Transition): readonly Review[] {
  const changed = changes.get(REVIEWS);
  const kept = before.all(REVIEWS).filter(({ id }) => !changed?.has(id));
  return [...kept, ...([...(changed?.values() ?? [])].filter((review) => review !== null) as Review[])];
}

/** Changed pages as they are after and before, without what only follows from the deletion of other records. */
function* changedPages({ before, changes }: Transition): Generator<readonly [after: Page, before: Page | undefined]> {
  const deleted = deletedIn(changes);
  for (const kind of PAGE_KINDS) {
    for (const [id, after] of changes.get(kind) ?? []) {
      const was = before.find(kind, id);
      const field = was && findPageModel(before, was.model)?.parent_page_field;
      if (after) yield [after as Page, was && withoutReferences(was, deleted, field)];
    }
  }
}

/** The pages below those that get another one above them, as they are afterwards: they enter sections with them. */
function* movedAlong(transition: Transition): Generator<Page> {
  const { before } = transition;
  const moved = [...changedPages(transition)].filter(([page, was]) => was && was.parent_page !== page.parent_page);
  const seen = new Set(moved.map(([{ id }]) => id));
  for (const id of seen) {
    for (const { id: below } of pageIndex(before).childSummaries(id)) {
      const page = seen.has(below) ? undefined : (changedPage(transition, below) ?? findPage(before, below));
      seen.add(below);
      if (page) yield page;
    }
  }
}

function changedPage({ changes }: Transition, id: Id): Page | undefined {
  const found = PAGE_KINDS.map((kind) => changes.get(kind)?.get(id)).find((page) => page != null);
  return found as Page | undefined;
}

function deletedIn(changes: Transition["changes"]): DeletedRecords {
  const deleted: Record<string, Set<Id>> = {};
  for (const [kind, records] of changes) {
    const model = PAGE_KINDS.includes(kind) ? "cms.Page" : `cms.${kind.name}`;
    for (const [id, record] of records) if (record === null) (deleted[model] ??= new Set()).add(id);
  }
  return deleted;
}

/** Releases that get a moment, or other items while they have one. */
function scheduledReleases({ before, changes }: Transition): readonly Release[] {
  return [...(changes.get(RELEASES)?.values() ?? [])].flatMap((record) => {
    const after = record as Release | null;
    const was = after && before.find(RELEASES, after.id);
    if (!after || after.publish_at === null) return [];
    return was && was.publish_at === after.publish_at && was.items === after.items ? [] : [after];
  });
}
