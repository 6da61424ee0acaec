/** Reviews: drafts and releases that are proposed, and what others decide on them. */
import { decideReview, proposeReview, withdrawReview, type Reviewer } from "../../../actions/review/reviews.ts";
import { CmsError, invalid, notFound } from "../../../errors.ts";
import { may, type Verdict } from "../../../model/access/role-rights.ts";
import type { Action } from "../../../model/access/rule.ts";
import { sameUsername } from "../../../model/account/account.ts";
import { personOf } from "../../../model/account/person.ts";
import { numericId } from "../../../model/input/id.ts";
import { isOrWillBePublic } from "../../../model/page/lifecycle.ts";
import { GLOBAL_FIELDS, TEXT_FIELDS } from "../../../model/page/page.ts";
import { approvalOf, decisionsOn, digestOf, isAsked, type Review } from "../../../model/review/review.ts";
import type { ReleaseItem } from "../../../model/page/release.ts";
import { FLAG, ID, listOf, ref } from "../../../schema/json-schema.ts";
import { accessContentOf, accessTargetsOf } from "../../../store/access/targets.ts";
import { getPage, kindOf } from "../../../store/content/indexes/pages-by-model.ts";
import { approvalsForItem, hashOfItem, presentItems } from "../../../store/content/indexes/reviews.ts";
import { REVIEWS } from "../../../store/records/people/reviews.ts";
import type { Reader } from "../../../store/records/record-type.ts";
import { reviewPayload, shownState, visibleReviews } from "../../../views/review/review.ts";
import type { View } from "../../../views/view.ts";
import { actionBody, authorOf, readReply, writtenReply } from "../../app/resource.ts";
import { del, get, post, requireUser, type Access, type Call, type Route } from "../../app/route.ts";
import { json, noContent, type Reply } from "../../request/reply.ts";

const STAFF: Access = { staff: true };
const RESOURCE = { kind: REVIEWS, show: reviewPayload };
const ONE = { answer: "Review", isVersioned: true } as const;

export const reviewRoutes: readonly Route[] = [
  get("reviews", STAFF, list, {
    summary: "List the reviews",
    query: [
      { name: "of", description: "Id of a page that they are about.", schema: ID },
      { name: "open", description: "Whether those are left out of which nothing is left to publish.", schema: FLAG },
      {
        name: "asked",
        description: "Whether only those are listed that wait for a decision of the caller.",
        schema: FLAG,
      },
      { name: "own", description: "Whether only those are listed that the caller proposed.", schema: FLAG },
    ],
    answer: listOf(ref("Review")),
    refusals: [400],
  }),
  get("reviews/of/:id", STAFF, ofPage, {
    summary: "Read what stands between a draft and its publication",
    description: "In the active language: the approvals it needs and has, its open review, and what the caller may do.",
    answer: "PageReview",
    isLocalized: true,
  }),
  post("reviews", STAFF, propose, {
    ...ONE,
    summary: "Propose drafts, or a release as a whole",
    description: "Proposed again, a review that is not done is about the drafts as they are now.",
    body: "NewReview",
    status: 201,
    refusals: [403],
  }),
  get("reviews/:name", STAFF, (call) => readReply(call, RESOURCE, visible(call).id), {
    ...ONE,
    summary: "Read a review",
  }),
  post("reviews/:name/decide", STAFF, decide, {
    ...ONE,
    summary: "Approve a review, or ask for changes",
    description:
      "`hash` is that of the review as it was seen: where a draft has changed since, the answer is 409. An approval may bring " +
      "edits of one draft; it is for those who may publish, and does not count of who wrote the draft.",
    body: "ReviewDecision",
    refusals: [403, 409],
  }),
  del("reviews/:name", STAFF, withdraw, {
    summary: "Take a proposal back",
    description: "By the account that made it, or one that may publish all of it.",
    refusals: [403],
  }),
];

function list(call: Call): Reply {
  const { searchParams } = call.url;
  const user = requireUser(call);
  const view = call.view("editor");
  const of = searchParams.get("of");
  const page = of === null ? undefined : numericId(of);
  if (of !== null && typeof page !== "number") throw invalid({ of: ["The id of a page is expected."] });
  const waits = (review: Review): boolean =>
    shownState(view, review) === "open" &&
    isAsked(review, user.username, user.roles) &&
    !sameUsername(review.by, user.username) &&
    review.items.every((item) => verdictOn(call, view.content, "publish", item).isAllowed);
  const reviews = visibleReviews(view).filter(
    (review) =>
      (page === undefined || review.items.some((item) => item.page === page)) &&
      (!searchParams.has("own") || sameUsername(review.by, user.username)) &&
      (!searchParams.has("open") || shownState(view, review) !== "done") &&
      (!searchParams.has("asked") || (waits(review) && !hasDecided(view, review, user.username))),
  );
  return json(reviews.map((review) => reviewPayload(view, review)));
}

function ofPage(call: Call): Reply {
  const view = call.view("editor");
  const { content, locales, config } = view;
  const { id: page } = getPage(content, call.id());
  const item = { page, language: call.lang, action: "publish" } as const;
  const review = visibleReviews(view).find(
    (each) =>
      each.items.some(({ page: of, language }) => of === page && language === call.lang) &&
      shownState(view, each) !== "done",
  );
  const verdict = verdictOn(call, content, "publish", item);
  const hash = hashOfItem(content, item, locales);
  const fields = EDITED.filter(
    ({ name, translated }) =>
      verdictOn(call, content, "edit", translated ? item : { ...item, language: null }, name).isAllowed,
  ).map(({ name }) => name);
  return json({
    required: approvalsForItem(content, item, config.REVIEW.REQUIRED, locales),
    approved_by: approvalOf(content.all(REVIEWS), { ...item, hash }).map(({ name }) => name),
    may_publish: verdict.isAllowed,
    may_propose: verdictOn(call, content, "propose", item).isAllowed,
    reason: reasonOf(verdict),
    may_not_edit: fields.length > 0 ? null : reasonOf(verdictOn(call, content, "edit", item)),
    may_not_trash: reasonOf(verdictOn(call, content, "trash", { ...item, language: null })),
    fields: fields.length === EDITED.length ? null : fields,
    review: review ? reviewPayload(view, review) : null,
  });
}

/** Where two approvals are needed, one who has given the first is not asked again. */
function hasDecided({ content, locales }: View, review: Review, username: string): boolean {
  const present = digestOf(presentItems(content, review, locales));
  return decisionsOn(review, present).some((decision) => sameUsername(decision.username, username));
}

async function propose(call: Call): Promise<Reply> {
  const body = await call.body();
  const made = await proposeReview(call.ctx, reviewerOf(call), body, permitTo(call, "propose"));
  return writtenReply(call, RESOURCE, made, { status: 201 });
}

async function decide(call: Call): Promise<Reply> {
  const { name } = visible(call);
  const body = await call.body();
  const decided = await decideReview(call.ctx, reviewerOf(call), { name, body, permit: permitTo(call, "publish") });
  return writtenReply(call, RESOURCE, decided);
}

async function withdraw(call: Call): Promise<Reply> {
  await actionBody(call);
  await withdrawReview(call.ctx, reviewerOf(call), visible(call).name, permitTo(call, "publish"));
  return noContent();
}

/** The review in the path. @throws CmsError `not_found`, also where the reader does not see all of its pages */
function visible(call: Call): Review {
  const review = visibleReviews(call.view("editor")).find(({ name }) => name === call.params.name);
  if (!review) throw notFound(REVIEWS.name);
  return review;
}

function reviewerOf(call: Call): Reviewer {
  const by = call.params.name === undefined ? call.author() : authorOf(call, REVIEWS, visible(call).id);
  return { by, person: personOf(requireUser(call)) };
}

/** The fields of pages and articles that an editor can change. */
const EDITED = [...TEXT_FIELDS, ...GLOBAL_FIELDS];

const reasonOf = (verdict: Verdict): string | null => (verdict.isAllowed ? null : verdict.reason);

/** @param field of the page; absent: the page as a whole */
function verdictOn(
  call: Call,
  content: Reader,
  action: Action,
  { page: id, language }: Pick<ReleaseItem, "page" | "language">,
  field?: string,
): Verdict {
  const { store, locales } = call.ctx;
  const page = getPage(content, id);
  const [target] = accessTargetsOf(content, kindOf(page), page);
  const access = accessContentOf((store.narrowing?.whole ?? store).current, locales);
  // The page needs no number in the reason: whoever asks has named it.
  const { id: _id, ...about } = target!;
  const inLanguage = language !== null && { language, isPublic: isOrWillBePublic(page, language) };
  return may(requireUser(call), action, { ...about, ...inLanguage, ...(field !== undefined && { field }) }, access);
}

/** @throws CmsError `forbidden` for an item on which the caller may not do this */
const permitTo =
  (call: Call, action: Action) =>
  (content: Reader, item: ReleaseItem): void => {
    const verdict = verdictOn(call, content, action, item);
    if (!verdict.isAllowed) throw new CmsError("forbidden", verdict.reason);
  };
