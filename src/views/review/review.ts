/** Reviews as editors get them: with the drafts as they are now. */
import { nameOf, titleOf } from "../../model/page/page.ts";
import { approvalOf, digestOf, type Review, type ReviewDecision, type ReviewItem } from "../../model/review/review.ts";
import { showInstant } from "../../model/time/instant.ts";
import { findPage, findPageSummary } from "../../store/content/indexes/pages-by-model.ts";
import { approvalsForItem, presentItems, stateOfReview } from "../../store/content/indexes/reviews.ts";
import { REVIEWS } from "../../store/records/people/reviews.ts";
import type { Payload, View } from "../view.ts";

export function reviewPayload(view: View, review: Review): Payload {
  const { content, locales } = view;
  const items = presentItems(content, review, locales);
  const digest = digestOf(items);
  return {
    id: review.id,
    name: review.name,
    title: review.title,
    by: review.by,
    proposer: review.proposer,
    at: showInstant(review.at),
    release: review.release,
    asked: review.asked,
    state: shownState(view, review),
    hash: digest,
    items: items.map((item) => itemOf(view, review, item)),
    decisions: review.decisions.map((decision) => decisionOf(decision, digest)),
  };
}

export const shownState = ({ content, config, locales }: View, review: Review) =>
  stateOfReview(content, review, config.REVIEW.REQUIRED, locales);

function itemOf({ content, config, locales }: View, review: Review, item: ReviewItem): Payload {
  const page = findPage(content, item.page);
  return {
    page: item.page,
    title: page ? titleOf(page, item.language ?? locales.default, locales.default) || nameOf(page, locales) : null,
    model: page?.model ?? null,
    language: item.language,
    action: item.action,
    required: approvalsForItem(content, item, config.REVIEW.REQUIRED, locales),
    approved_by: approvalOf([review], item).map(({ name }) => name),
  };
}

const decisionOf = ({ id, username, name, at, verdict, hash, comment }: ReviewDecision, digest: string): Payload => ({
  id,
  by: username,
  name,
  at: showInstant(at),
  verdict,
  comment,
  holds: hash === digest,
});

/** Those of which the reader sees every page, the newest first. */
export const visibleReviews = ({ content }: View): readonly Review[] =>
  content
    .all(REVIEWS)
    .filter(({ items }) => items.every(({ page }) => findPageSummary(content, page) !== undefined))
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.id - b.id));
