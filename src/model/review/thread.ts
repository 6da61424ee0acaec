/**
 * A thread: comments at a field of a page in one language, or at a passage of it.
 *
 * Who wrote a comment is what the service knows of the caller, never what a body says.
 */
import { CmsError, invalid, refuseInvalid } from "../../errors.ts";
import { sameUsername } from "../account/account.ts";
import { isMentioned, type Person } from "../account/person.ts";
import type { FieldRow } from "../input/field.ts";
import type { Id } from "../input/id.ts";
import { NOT_AN_OBJECT, REQUIRED, requireObject } from "../input/input-errors.ts";
import { isObject, own, type Json } from "../input/json.ts";
import { mergeErrors, named, record, refusedKeys, type UnknownFields } from "../input/known-keys.ts";
import { readSent, type Errors } from "../input/sent-fields.ts";
import type { FieldErrors } from "../../errors.ts";
import type { Lang } from "../language/locale.ts";
import type { Instant } from "../time/instant.ts";
import { PASSAGE_MAX, type TextPassage } from "./passage.ts";

export interface Comment {
  readonly id: Id;
  /** User name. */
  readonly by: string;
  readonly name: string;
  readonly at: Instant;
  readonly edited_at: Instant | null;
  /** Plain text. */
  readonly text: string;
}

export interface CommentThread {
  readonly id: Id;
  readonly page: Id;
  readonly language: Lang;
  /** Names and indexes joined by dots, as the editor has them; "" for the page itself. */
  readonly field: string;
  /** null: the thread is about the whole field. */
  readonly passage: TextPassage | null;
  readonly resolved_at: Instant | null;
  /** Never empty: a thread goes with its last comment. */
  readonly comments: readonly Comment[];
}

export const COMMENT_MAX = 5000;
/** Of one thread: it is one file. */
export const COMMENTS_MAX = 500;
const FIELD_MAX = 500;

export const COMMENT_FIELDS: readonly FieldRow[] = [{ name: "text", type: "text", max: COMMENT_MAX, blank: false }];

export const THREAD_FIELDS: readonly FieldRow[] = [
  { name: "page", type: "reference", target: "cms.Page" },
  { name: "field", type: "text", max: FIELD_MAX },
];

export const PASSAGE_FIELDS: readonly FieldRow[] = [
  { name: "text", type: "text", max: PASSAGE_MAX, raw: true },
  { name: "before", type: "text", max: PASSAGE_MAX, raw: true },
  { name: "after", type: "text", max: PASSAGE_MAX, raw: true },
];

const THREAD_KEYS = record({ ...named("page", "field", "text"), passage: record(named("text", "before", "after")) });

export interface NewThread extends Pick<CommentThread, "page" | "field" | "passage"> {
  readonly text: string;
}

/** @throws CmsError `invalid` with every offending field */
export function readNewThread(body: unknown, unknownFields: UnknownFields): NewThread {
  requireObject(body);
  const errors: Errors = {};
  const { page, field = "", text } = readSent(body, [...THREAD_FIELDS, ...COMMENT_FIELDS], errors);
  const passage = readPassage(own(body, "passage") ?? null, errors);
  if (typeof page !== "number") errors.page ??= [REQUIRED];
  if (text === undefined) errors.text ??= [REQUIRED];
  refuseInvalid(mergeErrors(errors, refusedKeys(unknownFields, THREAD_KEYS, body)) as FieldErrors);
  return { page, field, text, passage } as NewThread;
}

/** @param errors gets those of a passage, under `passage` */
export function readPassage(sent: Json, errors: Errors): TextPassage | null {
  if (sent === null) return null;
  if (!isObject(sent)) {
    errors.passage = [NOT_AN_OBJECT(sent)];
    return null;
  }
  const wrong: Errors = {};
  const { text = "", before = "", after = "" } = readSent(sent, PASSAGE_FIELDS, wrong);
  if (text === "") wrong.text ??= [REQUIRED];
  if (Object.keys(wrong).length > 0) errors.passage = wrong as FieldErrors;
  return { text, before, after } as TextPassage;
}

/** The text of a comment. @throws CmsError `invalid` */
export function readCommentText(body: unknown, unknownFields: UnknownFields): string {
  requireObject(body);
  const errors: Errors = {};
  const { text } = readSent(body, COMMENT_FIELDS, errors);
  if (text === undefined) errors.text ??= [REQUIRED];
  refuseInvalid(mergeErrors(errors, refusedKeys(unknownFields, record(named("text")), body)) as FieldErrors);
  return String(text);
}

/** A comment opens a resolved thread again. @throws CmsError `invalid` for one more than `COMMENTS_MAX` */
export function withAnswer(thread: CommentThread, comment: Comment): CommentThread {
  if (thread.comments.length >= COMMENTS_MAX)
    throw invalid({ text: [`A thread has at most ${COMMENTS_MAX} comments.`] });
  return { ...thread, resolved_at: null, comments: [...thread.comments, comment] };
}

/** @throws CmsError `not_found`; `forbidden` for a comment of another account */
export function withEditedComment(
  thread: CommentThread,
  id: Id,
  by: Person,
  text: string,
  now: Instant,
): CommentThread {
  const comment = getOwnComment(thread, id, by);
  if (comment.text === text) return thread;
  const edited = { ...comment, text, edited_at: now };
  return { ...thread, comments: thread.comments.map((each) => (each === comment ? edited : each)) };
}

/** @returns undefined where it was the last one @throws CmsError as `withEditedComment` */
export function withoutComment(thread: CommentThread, id: Id, by: Person): CommentThread | undefined {
  const comment = getOwnComment(thread, id, by);
  const comments = thread.comments.filter((each) => each !== comment);
  return comments.length === 0 ? undefined : { ...thread, comments };
}

function getOwnComment({ id: thread, comments }: CommentThread, id: Id, by: Person): Comment {
  const comment = comments.find((each) => each.id === id);
  if (!comment) throw new CmsError("not_found", `The thread ${thread} has no comment ${id}.`);
  if (!sameUsername(comment.by, by.username))
    throw new CmsError("forbidden", `The comment ${id} is by ${comment.by}: only its author changes it.`);
  return comment;
}

/** Whether an unresolved thread mentions an account, which has not answered since. */
export function waitsFor({ resolved_at, comments }: CommentThread, username: string): boolean {
  if (resolved_at !== null) return false;
  const last = comments.findLastIndex(({ by }) => sameUsername(by, username));
  return comments.slice(last + 1).some(({ text }) => isMentioned(username, text));
}
