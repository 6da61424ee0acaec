/** Look-ups over reviews, and the hashes of what they are about as it is now. */
import type { ReviewRule } from "../../../config/review-settings.ts";
import { notFound } from "../../../errors.ts";
import { own } from "../../../model/input/json.ts";
import type { Locales } from "../../../model/language/locale.ts";
import { PARENT_FIELD } from "../../../model/page/page-model.ts";
import type { Page } from "../../../model/page/page.ts";
import { stateOf, type ReleaseItem } from "../../../model/page/release.ts";
import { hashOfDraft } from "../../../model/review/going-live.ts";
import { approvalsRequired } from "../../../model/review/required.ts";
import { approvalOf, decisionsOn, digestOf, type Review, type ReviewItem } from "../../../model/review/review.ts";
import { findPageModel } from "../../records/page-models.ts";
import { REVIEWS } from "../../records/people/reviews.ts";
import type { Reader } from "../../records/record-type.ts";
import { findPage, findPageSummary } from "./pages-by-model.ts";
import { findRelease } from "./releases.ts";
import { pagesAbove, sectionIn } from "./sections.ts";

export const findReview = (reader: Reader, name: string): Review | undefined =>
  reader.all(REVIEWS).find((review) => review.name === name);

/** @throws CmsError `not_found` */
export function getReview(reader: Reader, name: string): Review {
  const review = findReview(reader, name);
  if (!review) throw notFound(REVIEWS.name);
  return review;
}

/** The page with the parent in its drafts under the one name that rules know, where its model has another for it. */
export function withPlainDrafts(reader: Reader, page: Page): Page {
  const field = findPageModel(reader, page.model)?.parent_page_field ?? PARENT_FIELD;
  if (field === PARENT_FIELD) return page;
  const drafts = Object.entries(page.drafts).map(([lang, draft]) => {
    const parent = own(draft.payload, field);
    return [lang, parent === undefined ? draft : { ...draft, payload: { ...draft.payload, [PARENT_FIELD]: parent } }];
  });
  return { ...page, drafts: Object.fromEntries(drafts) };
}

/** The hash of what an item publishes; "" for one that publishes nothing. */
export function hashOfItem(reader: Reader, { page: id, language, action }: ReleaseItem, locales: Locales): string {
  const page = action === "publish" && language !== null ? findPage(reader, id) : undefined;
  return page ? hashOfDraft(withPlainDrafts(reader, page), language!, locales) : "";
}

/** The items of a review with the hashes of now, those of its release where it is about one. */
export function presentItems(reader: Reader, review: Review, locales: Locales): readonly ReviewItem[] {
  const items = review.release === null ? review.items : (findRelease(reader, review.release)?.items ?? []);
  return items.map(({ page, language, action }) => {
    const known = review.items.find((item) => item.page === page && item.language === language);
    const item = { page, language, action };
    return { ...item, hash: hashOfItem(reader, item, locales), authors: known?.authors ?? [] };
  });
}

/** Whether an item has anything left to publish, hide or move to the trash. */
export function isPending(reader: Reader, { page: id, language, action }: ReleaseItem): boolean {
  const page = findPageSummary(reader, id);
  if (!page || page.deleted_at !== null) return false;
  if (language === null) return true;
  const isLive = Boolean(page.translations[language]?.published_at);
  return action === "unpublish" ? isLive : !isLive || page.drafts[language] !== undefined;
}

/** How many approvals an item needs before it goes live. */
export function approvalsForItem(
  reader: Reader,
  { page: id, language, action }: ReleaseItem,
  rules: readonly ReviewRule[],
  locales: Locales,
): number {
  const page = action === "publish" && language !== null && rules.length > 0 ? findPage(reader, id) : undefined;
  if (!page) return 0;
  const place = {
    model: page.model,
    path: pagesAbove(id, (each) => findPageSummary(reader, each)),
    language: language!,
  };
  return approvalsRequired(rules, place, sectionIn(reader, locales));
}

/**
 * `done`: nothing is left to publish. `approved`: every item as it is now has the approvals that it needs, at least one.
 * `changes`: they were asked for, and the drafts are as they were then.
 */
export const REVIEW_STATES = ["open", "changes", "approved", "done"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export function stateOfReview(
  reader: Reader,
  review: Review,
  rules: readonly ReviewRule[],
  locales: Locales,
): ReviewState {
  const release = review.release === null ? undefined : findRelease(reader, review.release);
  if (review.release !== null && (!release || stateOf(release) === "published")) return "done";
  // Most reviews are done: of these no hash is computed.
  if (!(release ?? review).items.some((item) => isPending(reader, item))) return "done";
  const items = presentItems(reader, review, locales);
  const digest = digestOf(items);
  const decisions = decisionsOn(review, digest);
  if (digest !== digestOf(review.items)) return "open";
  const isApproved = (item: ReviewItem): boolean =>
    item.action !== "publish" ||
    approvalOf([review], item).length >= Math.max(1, approvalsForItem(reader, item, rules, locales));
  if (decisions.some(({ verdict }) => verdict === "approve") && items.every(isApproved)) return "approved";
  return decisions.some(({ verdict }) => verdict === "changes") ? "changes" : "open";
}
