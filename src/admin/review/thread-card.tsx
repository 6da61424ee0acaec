/** One thread: the words that it is about, its comments, and what can be done with it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeOfPassage } from "../../model/review/passage.ts";
import { showMoment, text } from "../i18n.ts";
import { valueAt } from "../json.ts";
import { session } from "../session.ts";
import { showWords } from "./selected-words.ts";
import type { Comment } from "../../model/review/thread.ts";
import type { PageThreads, Thread } from "./threads.ts";

interface ThreadProps {
  readonly threads: PageThreads;
  readonly thread: Thread;
}

export function ThreadCard({ threads, thread }: ThreadProps) {
  const { id, passage, comments, resolved_at: resolved } = thread;
  const path = threads.placeOf(thread);
  const value = path === undefined ? null : valueAt(threads.page.values.value, path);
  const isThere = passage !== null && typeof value === "string" && placeOfPassage(value, passage) !== undefined;
  const [first] = comments;
  return (
    <article class="thread" aria-label={text("threadBy", { name: first?.name ?? "" })}>
      {passage && (
        <blockquote>
          {isThere ? (
            <button type="button" class="quiet" title={text("showWords")} onClick={() => shown(path, passage)}>
              {passage.text}
            </button>
          ) : (
            <>
              <del>{passage.text}</del> <small>{text("wordsGone")}</small>
            </>
          )}
        </blockquote>
      )}
      <ul>
        {comments.map((comment) => (
          <OneComment key={comment.id} threads={threads} path={`${id}/comments/${comment.id}/`} comment={comment} />
        ))}
      </ul>
      <CommentForm
        label={text("answer")}
        onSend={(answer) => threads.change("POST", `${id}/comments/`, { text: answer })}
      />
      <button type="button" onClick={() => void threads.change("PATCH", `${id}/`, { resolved: resolved === null })}>
        {text(resolved === null ? "resolveThread" : "openThreadAgain")}
      </button>
    </article>
  );
}

function shown(path: string | undefined, passage: NonNullable<Thread["passage"]>): void {
  const field = document.querySelector(`[data-field="${CSS.escape(path ?? "")}"]`);
  if (field) showWords(field, passage);
}

interface CommentProps {
  readonly threads: PageThreads;
  readonly path: string;
  readonly comment: Comment;
}

function OneComment({ threads, path, comment: { by, name, at, edited_at, text: said } }: CommentProps) {
  const [isEditing, setEditing] = useState(false);
  const { value } = session;
  const isOwn = "user" in value && value.user.username === by;
  return (
    <li>
      <strong>{name}</strong> <time dateTime={at}>{showMoment(at)}</time>{" "}
      {edited_at !== null && <small>{text("commentEdited")}</small>}
      {isEditing ? (
        <CommentForm
          label={text("editComment")}
          initial={said}
          onCancel={() => setEditing(false)}
          onSend={async (edited) => {
            await threads.change("PATCH", path, { text: edited });
            setEditing(false);
          }}
        />
      ) : (
        <p>{said}</p>
      )}
      {isOwn && !isEditing && (
        <span class="tools">
          <button type="button" class="quiet" onClick={() => setEditing(true)}>
            {text("editComment")}
          </button>
          <button type="button" class="quiet" onClick={() => void threads.change("DELETE", path)}>
            {text("deleteComment")}
          </button>
        </span>
      )}
    </li>
  );
}

interface CommentFormProps {
  readonly label: string;
  readonly initial?: string;
  readonly onSend: (text: string) => Promise<void>;
  /** Absent: it is always there. */
  readonly onCancel?: () => void;
}

/** `Ctrl+Enter` sends it, `Escape` gives it up. */
export function CommentForm({ label, initial = "", onSend, onCancel }: CommentFormProps) {
  const [typed, setTyped] = useState(initial);
  const control = useRef<HTMLTextAreaElement>(null);
  // Before the next key, which would go to the field that is commented on.
  useLayoutEffect(() => {
    if (onCancel) control.current?.focus();
  }, []);
  const send = async (): Promise<void> => {
    if (typed.trim() === "") return;
    await onSend(typed);
    setTyped("");
  };
  return (
    <div class="comment-form">
      <textarea
        rows={2}
        aria-label={label}
        placeholder={label}
        value={typed}
        ref={control}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
          else if (event.key === "Escape" && onCancel) onCancel();
          else return;
          event.preventDefault();
        }}
      />
      {(typed !== "" || onCancel) && (
        <button type="button" class="primary" onClick={() => void send()}>
          {text("sendComment")}
        </button>
      )}
      {onCancel && (
        <button type="button" onClick={onCancel}>
          {text("cancel")}
        </button>
      )}
    </div>
  );
}
