/**
 * A review: pages, or a release, that somebody proposes to publish, and what others decided.
 *
 * A decision is for the exact drafts that were seen, by a digest of their hashes. It is never withdrawn by a write: once a
 * draft has another hash, the digest is another one, and the decision is about something that is no more.
 */
import { createHash } from "node:crypto";
import { refuseInvalid, type FieldErrors } from "../../errors.ts";
import { sameUsername } from "../account/account.ts";
import type { Person } from "../account/person.ts";
import type { FieldRow } from "../input/field.ts";
import type { Id } from "../input/id.ts";
import { NOT_A_LIST, NOT_A_STRING, REQUIRED, requireObject } from "../input/input-errors.ts";
import { isObject, own, type Json, type JsonObject } from "../input/json.ts";
import { listOf, mergeErrors, named, record, refusedKeys, type UnknownFields } from "../input/known-keys.ts";
import { readSent, type Errors } from "../input/sent-fields.ts";
import type { Lang, Locales } from "../language/locale.ts";
import { readReleaseItems, type ReleaseItem } from "../page/release.ts";
import type { Instant } from "../time/instant.ts";

export interface ReviewItem extends ReleaseItem {
  /** `hashOfDraft` as it was seen last; "" for what publishes nothing. */
  readonly hash: string;
  /** Addresses of those who wrote the draft, whose approval does not count. */
  readonly authors: readonly string[];
}

export const VERDICTS = ["approve", "changes"] as const;

export interface ReviewDecision extends Person {
  readonly id: Id;
  readonly at: Instant;
  /** `changes`: they are asked for. */
  readonly verdict: (typeof VERDICTS)[number];
  /** `digestOf` what was decided on. */
  readonly hash: string;
  readonly comment: string;
}

export interface Review {
  readonly id: Id;
  /** The name of its file, without the ending. */
  readonly name: string;
  readonly title: string;
  /** Who proposes it. */
  readonly by: string;
  readonly proposer: string;
  readonly at: Instant;
  /** The release that it is about as a whole; null: its items are its own. */
  readonly release: string | null;
  /** User names, and names of roles behind `role:`; empty: whoever may publish. */
  readonly asked: readonly string[];
  readonly items: readonly ReviewItem[];
  readonly decisions: readonly ReviewDecision[];
}

/** Identifies what is decided on: every item with its hash, in any order. */
export function digestOf(items: readonly Pick<ReviewItem, "page" | "language" | "action" | "hash">[]): string {
  const rows = items.map(({ page, language, action, hash }) => `${page} ${language ?? ""} ${action} ${hash}`).sort();
  return createHash("sha256").update(rows.join("\n")).digest("hex").slice(0, 32);
}

/** The last decision of each person on what a review is about now, the first first. */
export function decisionsOn({ decisions }: Review, digest: string): readonly ReviewDecision[] {
  const last = new Map<string, ReviewDecision>();
  for (const decision of decisions) {
    if (decision.hash !== digest) continue;
    const key = decision.username.toLowerCase();
    const known = last.get(key);
    if (!known || known.at <= decision.at) last.set(key, decision);
  }
  return [...last.values()];
}

/**
 * Who has approved a draft in one language of a page: everyone but its authors, once each.
 *
 * @param hash of the draft as it is now
 */
export function approvalOf(
  reviews: readonly Review[],
  { page, language, hash }: Pick<ReviewItem, "page" | "language" | "hash">,
): readonly Person[] {
  const people = new Map<string, Person>();
  for (const review of reviews) {
    const item = review.items.find((each) => each.page === page && each.language === language && each.hash === hash);
    if (!item || item.action !== "publish") continue;
    for (const { verdict, username, name, email } of decisionsOn(review, digestOf(review.items))) {
      // Without an address it cannot be told from an author's.
      if (verdict === "approve" && email !== "" && !item.authors.some((author) => sameAddress(author, email)))
        people.set(username.toLowerCase(), { username, name, email });
    }
  }
  return [...people.values()];
}

export const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Whether an account is asked for its decision. @param roles its own */
export const isAsked = ({ asked }: Review, username: string, roles: readonly string[]): boolean =>
  asked.length === 0 ||
  asked.some((name) => sameUsername(name, username) || roles.some((role) => name === `role:${role}`));

/** A person as a trailer of a commit has it. */
export const signatureOf = ({ name, email }: Person): string => `${name} <${email}>`;

const TITLE_MAX = 200;
const COMMENT_MAX = 5000;
const ASKED_MAX = 50;

export const REVIEW_FIELDS: readonly FieldRow[] = [{ name: "title", type: "text", max: TITLE_MAX }];
export const DECISION_FIELDS: readonly FieldRow[] = [
  { name: "comment", type: "text", max: COMMENT_MAX },
  { name: "hash", type: "text", max: 64 },
];

export interface NewReview extends Pick<Review, "title" | "release" | "asked"> {
  readonly items: readonly ReleaseItem[];
}

const NEW_KEYS = record({ ...named("title", "release", "asked"), items: listOf(record(named("page", "language"))) });

/** @throws CmsError `invalid` with every offending field; errors of items are by position */
export function readNewReview(body: unknown, locales: Locales, unknownFields: UnknownFields): NewReview {
  requireObject(body);
  const errors: Errors = {};
  const { title = "" } = readSent(body, REVIEW_FIELDS, errors);
  const asked = readAsked(own(body, "asked") ?? [], errors);
  const release = own(body, "release") ?? null;
  if (release !== null && typeof release !== "string") errors.release = [NOT_A_STRING];
  const sent = own(body, "items") ?? [];
  const read = readReleaseItems(sent, locales);
  if ("errors" in read) errors.items = read.errors;
  else if (release === null && read.items.length === 0) errors.items = [REQUIRED];
  else if (release !== null && read.items.length > 0) errors.items = ["A review of a release has its items."];
  refuseInvalid(mergeErrors(errors, refusedKeys(unknownFields, NEW_KEYS, body)) as FieldErrors);
  return { title: String(title), asked, release: release as string | null, items: "items" in read ? read.items : [] };
}

/** @param errors gets those under `asked` */
export function readAsked(value: Json, errors: Errors): readonly string[] {
  if (Array.isArray(value) && value.length <= ASKED_MAX && value.every((each) => typeof each === "string"))
    return [...new Set(value as string[])];
  errors.asked = [
    Array.isArray(value) ? `At most ${ASKED_MAX} user names, or roles as role:editor.` : NOT_A_LIST(value),
  ];
  return [];
}

export interface SentDecision extends Pick<ReviewDecision, "verdict" | "hash" | "comment"> {
  /** Edits with which an item is approved: a draft that replaces the pending one. */
  readonly draft: { readonly page: Id; readonly language: Lang; readonly values: JsonObject } | null;
}

const DECISION_KEYS = record({
  ...named("verdict", "hash", "comment"),
  draft: record(named("page", "language", "values")),
});

/** @throws CmsError `invalid` with every offending field */
export function readDecision(body: unknown, locales: Locales, unknownFields: UnknownFields): SentDecision {
  requireObject(body);
  const errors: Errors = {};
  const { comment = "", hash } = readSent(body, DECISION_FIELDS, errors);
  const verdict = VERDICTS.find((each) => each === own(body, "verdict"));
  if (!verdict) errors.verdict = [`Expected one of ${VERDICTS.join(", ")}.`];
  if (hash === undefined) errors.hash ??= [REQUIRED];
  if (verdict === "changes" && comment === "") errors.comment ??= ["Say which changes you ask for."];
  const sent = own(body, "draft") ?? null;
  const draft = sent === null ? null : readEdits(sent, locales, errors);
  if (draft && verdict === "changes") errors.draft ??= ["Edits come with an approval."];
  refuseInvalid(mergeErrors(errors, refusedKeys(unknownFields, DECISION_KEYS, body)) as FieldErrors);
  return { verdict, hash, comment, draft } as SentDecision;
}

function readEdits(sent: Json, locales: Locales, errors: Errors): SentDecision["draft"] {
  const data = isObject(sent) ? sent : {};
  const { page = null, language = locales.default, values = null } = data;
  const read = readReleaseItems([{ page, language }], locales);
  if ("errors" in read) errors.draft = (read.errors as readonly FieldErrors[])[0]!;
  else if (!isObject(values)) errors.draft = { values: ["The values of a draft are expected."] };
  else return { page: read.items[0]!.page, language: read.items[0]!.language!, values };
  return null;
}
