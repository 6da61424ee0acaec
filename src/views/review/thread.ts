/** Threads as editors get them. No public payload has any. */
import { nameOf } from "../../model/page/page.ts";
import type { Comment, CommentThread } from "../../model/review/thread.ts";
import { showInstant } from "../../model/time/instant.ts";
import { findPage, findPageSummary } from "../../store/content/indexes/pages-by-model.ts";
import { THREADS } from "../../store/records/people/threads.ts";
import type { Payload, View } from "../view.ts";

export const threadPayload = (view: View, thread: CommentThread): Payload => {
  const page = findPage(view.content, thread.page);
  return {
    id: thread.id,
    page: thread.page,
    title: page ? nameOf(page, view.locales) : null,
    model: page?.model ?? null,
    language: thread.language,
    field: thread.field,
    passage: thread.passage,
    resolved_at: showInstant(thread.resolved_at),
    comments: thread.comments.map(commentPayload),
  };
};

const commentPayload = ({ id, by, name, at, edited_at, text }: Comment): Payload => ({
  id,
  by,
  name,
  at: showInstant(at),
  edited_at: showInstant(edited_at),
  text,
});

/** Those whose page the reader sees, the one opened first first. */
export const visibleThreads = ({ content }: View): readonly CommentThread[] =>
  content
    .all(THREADS)
    .filter(({ page }) => findPageSummary(content, page) !== undefined)
    .toSorted((a, b) => (openedAt(a) < openedAt(b) ? -1 : openedAt(a) > openedAt(b) ? 1 : a.id - b.id));

const openedAt = ({ comments: [first] }: CommentThread): string => first?.at ?? "";
