/** Writes to threads: the author of each comment is the account that writes. */
import { invalid } from "../../errors.ts";
import type { Person } from "../../model/account/person.ts";
import type { Id } from "../../model/input/id.ts";
import { noSuchTarget } from "../../model/input/input-errors.ts";
import type { Lang } from "../../model/language/locale.ts";
import { nameOf } from "../../model/page/page.ts";
import {
  readCommentText,
  readNewThread,
  withAnswer,
  withEditedComment,
  withoutComment,
  type Comment,
  type CommentThread,
} from "../../model/review/thread.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { THREADS } from "../../store/records/people/threads.ts";
import type { Reader } from "../../store/records/record-type.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";

/** The account that writes, as the author of the commit and of the comment. */
export interface Commenter {
  readonly by: Author;
  readonly person: Person;
}

type Changed = Promise<Written<CommentThread>>;

/** @throws CmsError `invalid` with the offending fields */
export function openThread(ctx: Context, { by, person }: Commenter, lang: Lang, body: unknown): Changed {
  const { text, ...about } = readNewThread(body, ctx.unknownFields);
  const refuseMissing = (content: Reader): void => {
    if (!findPage(content, about.page)) throw invalid({ page: [noSuchTarget(about.page)] });
  };
  // As the account sees the content: a transaction has all of it.
  refuseMissing(ctx.store.current);
  return ctx.store.transact(by, (tx) => {
    refuseMissing(tx);
    const comments = [newComment(tx, person, text)];
    return put(ctx, tx, { id: tx.newId(), language: lang, ...about, resolved_at: null, comments }, "Comment on");
  });
}

/** Answers in a thread, which is open then. @throws CmsError `not_found`, `invalid` */
export function addComment(ctx: Context, { by, person }: Commenter, id: Id, body: unknown): Changed {
  const text = readCommentText(body, ctx.unknownFields);
  return ctx.store.transact(by, (tx) =>
    put(ctx, tx, withAnswer(tx.get(THREADS, id), newComment(tx, person, text)), "Answer a comment on"),
  );
}

export interface CommentPlace {
  readonly thread: Id;
  readonly comment: Id;
}

/** @throws CmsError `not_found`, `invalid`; `forbidden` for a comment of another account */
export function editComment(ctx: Context, { by, person }: Commenter, at: CommentPlace, body: unknown): Changed {
  const text = readCommentText(body, ctx.unknownFields);
  return ctx.store.transact(by, (tx) => {
    const edited = withEditedComment(tx.get(THREADS, at.thread), at.comment, person, text, tx.now);
    return put(ctx, tx, edited, "Edit a comment on");
  });
}

/** Deletes a comment, and with the last one the thread. @throws CmsError `not_found`, `forbidden` as `editComment` */
export function deleteComment(ctx: Context, { by, person }: Commenter, at: CommentPlace): Promise<Written<void>> {
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(THREADS, at.thread);
    const left = withoutComment(before, at.comment, person);
    put(ctx, tx, left ?? before, "Delete a comment on");
    if (!left) tx.remove(THREADS, before.id);
  });
}

/** Resolves a thread, or opens it again. */
export function resolveThread(ctx: Context, { by }: Commenter, id: Id, isResolved: boolean): Changed {
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(THREADS, id);
    if ((before.resolved_at !== null) === isResolved) return before;
    const verb = isResolved ? "Resolve a comment on" : "Open a comment again on";
    return put(ctx, tx, { ...before, resolved_at: isResolved ? tx.now : null }, verb);
  });
}

const newComment = (tx: Tx, { username, name }: Person, text: string): Comment => ({
  id: tx.newId(),
  by: username,
  name,
  at: tx.now,
  edited_at: null,
  text,
});

/** @param verb the beginning of the commit's subject, before the name of the page */
function put(ctx: Context, tx: Tx, thread: CommentThread, verb: string): CommentThread {
  const page = findPage(tx, thread.page);
  tx.describe(`${verb} "${page ? nameOf(page, ctx.locales) : thread.page}" (${thread.language})`, {
    "Cms-Action": "comment",
    "Cms-Page": thread.page,
    "Cms-Language": thread.language,
  });
  return tx.put(THREADS, thread);
}

/** Removes the threads of deleted pages, in the commit that deletes them. */
export function removeThreadsOf(tx: Tx, pages: ReadonlySet<Id>): void {
  for (const { id, page } of tx.all(THREADS)) if (pages.has(page)) tx.remove(THREADS, id);
}
