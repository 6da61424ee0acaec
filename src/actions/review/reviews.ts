/** Writes to reviews: a proposal, the decisions on it, and taking it back. */
import { CmsError, invalid, type ErrorNode } from "../../errors.ts";
import { sameUsername } from "../../model/account/account.ts";
import type { Person } from "../../model/account/person.ts";
import { asciiSlugify, fileSlug } from "../../model/address/slug.ts";
import type { Id } from "../../model/input/id.ts";
import { noSuchTarget } from "../../model/input/input-errors.ts";
import { nameOf } from "../../model/page/page.ts";
import type { ReleaseItem } from "../../model/page/release.ts";
import {
  digestOf,
  readDecision,
  readNewReview,
  sameAddress,
  type Review,
  type ReviewItem,
} from "../../model/review/review.ts";
import { ACTION_KEY } from "../../model/text/trailers.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { findRelease } from "../../store/content/indexes/releases.ts";
import { getReview, hashOfItem, isPending, presentItems, stateOfReview } from "../../store/content/indexes/reviews.ts";
import { REVIEWS } from "../../store/records/people/reviews.ts";
import type { Reader } from "../../store/records/record-type.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Trailers, Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { draftToSave } from "../pages/pages.ts";
import { APPROVE, authorsOfItem } from "./draft-authors.ts";

/** The account that proposes or decides, as the author of the commit and as content knows it. */
export interface Reviewer {
  readonly by: Author;
  readonly person: Person;
}

type Changed = Promise<Written<Review>>;

/** Throws for an item on which the account may not do what it does. */
type PermitItem = (content: Reader, item: ReleaseItem) => void;

interface SentTo {
  readonly name: string;
  readonly body: unknown;
  /** Throws for an item that the account may not publish. */
  readonly permit: PermitItem;
}

/**
 * Proposes drafts, or a release as a whole. A review of the same that is not done is about the drafts as they are now.
 *
 * @param permit throws for an item that the account may not propose
 * @throws CmsError `invalid` with the offending fields, those of items by position
 */
export async function proposeReview(
  ctx: Context,
  { by, person }: Reviewer,
  body: unknown,
  permit: PermitItem,
): Changed {
  const { title, asked, release, items } = readNewReview(body, ctx.locales, ctx.unknownFields);
  const proposed = itemsOf(ctx.store.current, release, items);
  const authors = await authorsOfItems(ctx, proposed);
  return ctx.store.transact(by, (tx) => {
    const now = itemsOf(tx, release, items).map(withHash(ctx, tx, authors));
    for (const item of now) permit(tx, item);
    refuseIdle(tx, now, release);
    const known = tx.all(REVIEWS).find((review) => isOf(ctx, tx, review, release, now));
    const named = title || known?.title || release || now.map(({ page }) => titleIn(ctx, tx, page)).join(", ");
    const id = known?.id ?? tx.newId();
    const blank = { id, name: reviewName(named, id), decisions: [] };
    const fresh = { by: person.username, proposer: person.name, at: tx.now, release, asked, items: now };
    const review: Review = { ...(known ?? blank), ...fresh, title: named.slice(0, 200) };
    tx.describe(`Propose "${review.title}"`, trailers("propose-review", review));
    return tx.put(REVIEWS, review);
  });
}

/**
 * Decides on the drafts that a digest names. An approval may bring edits of one draft, which it is about then.
 *
 * @throws CmsError `conflict` when a draft has changed since; `forbidden` for who wrote all of it; `invalid`, `not_found`
 */
export async function decideReview(ctx: Context, { by, person }: Reviewer, { name, body, permit }: SentTo): Changed {
  const { draft, ...sent } = readDecision(body, ctx.locales, ctx.unknownFields);
  const { current } = ctx.store;
  const authors = await authorsOfItems(ctx, presentItems(current, getReview(current, name), ctx.locales));
  const edit = draft && (await draftToSave(ctx, draft.page, draft.values, { lang: draft.language, mode: "replace" }));
  return ctx.store.transact(by, (tx) => {
    const review = getReview(tx, name);
    const seen = presentItems(tx, review, ctx.locales);
    for (const item of seen) permit(tx, item);
    if (digestOf(seen) !== sent.hash)
      throw new CmsError("conflict", "A draft has changed since you looked at it: look at it again, then decide.");
    if (edit) {
      if (!seen.some((item) => item.page === draft.page && item.language === draft.language))
        throw invalid({ draft: { page: ["The review is not about this page and language."] } });
      edit(tx);
    }
    const items = seen.map(withHash(ctx, tx, authors));
    if (sent.verdict === "approve") refuseAuthor(items, person);
    const decision = { ...sent, hash: digestOf(items), ...person, id: tx.newId(), at: tx.now };
    const isApproval = sent.verdict === "approve";
    const subject = isApproval ? `Approve "${review.title}"` : `Ask for changes of "${review.title}"`;
    tx.describe(subject, trailers(isApproval ? APPROVE : "ask-for-changes", review), sent.comment);
    return tx.put(REVIEWS, { ...review, items, decisions: [...review.decisions, decision] });
  });
}

/** Takes a proposal back, with its decisions. @param permit throws where another account than the proposer may not */
export function withdrawReview(
  ctx: Context,
  { by, person }: Reviewer,
  name: string,
  permit: PermitItem,
): Promise<Written<void>> {
  return ctx.store.transact(by, (tx) => {
    const review = getReview(tx, name);
    if (!sameUsername(review.by, person.username)) for (const item of review.items) permit(tx, item);
    tx.describe(`Take back the proposal "${review.title}"`, trailers("withdraw-review", review));
    tx.remove(REVIEWS, review.id);
  });
}

/** Removes deleted pages from reviews, in the commit that deletes them; reviews of nothing else go. */
export function clearFromReviews(tx: Tx, pages: ReadonlySet<Id>): void {
  for (const review of tx.all(REVIEWS)) {
    const items = review.items.filter(({ page }) => !pages.has(page));
    if (items.length === review.items.length) continue;
    if (items.length === 0) tx.remove(REVIEWS, review.id);
    else tx.put(REVIEWS, { ...review, items });
  }
}

const trailers = (action: string, { id }: Review): Trailers => ({ [ACTION_KEY]: action, "Cms-Review": id });

/** Names of servers that sync never meet, since they end with the id. */
const reviewName = (title: string, id: Id): string =>
  `${fileSlug(asciiSlugify(title), 60) || "review"}-${id.toString(36)}`;

const titleIn = (ctx: Context, reader: Reader, id: Id): string => {
  const page = findPage(reader, id);
  return page ? nameOf(page, ctx.locales) : String(id);
};

/** @throws CmsError `invalid` for a release or a page that does not exist */
function itemsOf(reader: Reader, release: string | null, items: readonly ReleaseItem[]): readonly ReleaseItem[] {
  const found = release === null ? undefined : findRelease(reader, release);
  if (release !== null && !found) throw invalid({ release: [`There is no release "${release}".`] });
  const missing = items.map(({ page }): ErrorNode => (findPage(reader, page) ? {} : { page: [noSuchTarget(page)] }));
  if (items.some(({ page }) => !findPage(reader, page))) throw invalid({ items: missing });
  return found ? found.items : items;
}

function refuseIdle(reader: Reader, items: readonly ReviewItem[], release: string | null): void {
  const idle = items.map((item) => !isPending(reader, item));
  if (release !== null && idle.includes(false)) return;
  if (release !== null) throw invalid({ release: ["The release changes nothing."] });
  const message = "There is nothing to propose: the language is public and has no draft, or the page is in the trash.";
  if (idle.includes(true)) throw invalid({ items: idle.map((is): ErrorNode => (is ? { page: [message] } : {})) });
}

/** Whether a review is about exactly this, and not done. */
function isOf(
  ctx: Context,
  reader: Reader,
  review: Review,
  release: string | null,
  items: readonly ReviewItem[],
): boolean {
  const keys = (of: readonly ReleaseItem[]): string => of.map(keyOf).sort().join();
  const isSame =
    release === null ? review.release === null && keys(review.items) === keys(items) : review.release === release;
  return isSame && stateOfReview(reader, review, ctx.config.REVIEW.REQUIRED, ctx.locales) !== "done";
}

const keyOf = ({ page, language }: ReleaseItem): string => `${page} ${language}`;

/** The authors of each item, by `keyOf`. */
async function authorsOfItems(
  ctx: Context,
  items: readonly ReleaseItem[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const item of items) if (item.action === "publish") found.set(keyOf(item), await authorsOfItem(ctx, item));
  return found;
}

const withHash =
  (ctx: Context, reader: Reader, authors: ReadonlyMap<string, readonly string[]>) =>
  ({ page, language, action }: ReleaseItem): ReviewItem => {
    const item = { page, language, action };
    return { ...item, hash: hashOfItem(reader, item, ctx.locales), authors: authors.get(keyOf(item)) ?? [] };
  };

function refuseAuthor(items: readonly ReviewItem[], { email }: Person): void {
  const published = items.filter(({ action }) => action === "publish");
  if (published.length > 0 && published.every(({ authors }) => authors.some((author) => sameAddress(author, email))))
    throw new CmsError("forbidden", "You wrote this draft: somebody else has to approve it.");
}
