/** Comments in the form of a page: beside each field those about it, and above the form an overview. */
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useMemo, useRef } from "preact/hooks";
import { FieldNotes } from "../fields/field-messages.tsx";
import { pathLabel } from "../fields/field-labels.ts";
import { text } from "../i18n.ts";
import type { PageState } from "../pages/page-state.ts";
import { focusPageField } from "../pages/settings/page-settings.tsx";
import { isStaff } from "../session.ts";
import { languageName } from "../site.ts";
import { Icon } from "../ui/icon.tsx";
import { selectedPassage } from "./selected-words.ts";
import { CommentForm, ThreadCard } from "./thread-card.tsx";
import { openThreads, type PageThreads, type Thread } from "./threads.ts";

const Threads = createContext<PageThreads | undefined>(undefined);

interface CommentedProps {
  readonly page: PageState;
  readonly children: ComponentChildren;
}

/** A form whose fields can be commented on. */
export function Commented({ page, children }: CommentedProps) {
  const threads = useMemo(() => openThreads(page), [page]);
  useEffect(() => {
    if (isStaff()) void threads.load();
  }, [threads]);
  if (!isStaff()) return <>{children}</>;
  return (
    <Threads.Provider value={threads}>
      <FieldNotes.Provider value={FieldComments}>{children}</FieldNotes.Provider>
    </Threads.Provider>
  );
}

/** `Ctrl+Alt+M` in a field of the form around an element comments on it. */
function useCommentKey(threads: PageThreads | undefined, within: { readonly current: Element | null }): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.code !== "KeyM" || !event.altKey || !(event.ctrlKey || event.metaKey)) return;
      const [target] = event.composedPath();
      const field = target instanceof Element ? fieldAround(target) : undefined;
      // Another language may be beside this one.
      if (!threads || !field || field.closest(".refusals") !== within.current?.closest(".refusals")) return;
      event.preventDefault();
      askAbout(threads, field.dataset.field!);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [threads]);
}

/** The editor of Markdown is in a shadow root. */
function fieldAround(element: Element): HTMLElement | undefined {
  const root = element.getRootNode();
  const inPage = root instanceof ShadowRoot ? root.host : element;
  return inPage.closest<HTMLElement>("[data-field]") ?? undefined;
}

function askAbout(threads: PageThreads, path: string): void {
  const field = document.querySelector(`[data-field="${CSS.escape(path)}"]`);
  threads.asked.value = { path, passage: field && selectedPassage(field) };
}

function FieldComments({ path }: { readonly path: string }) {
  const threads = useContext(Threads);
  if (!threads) return null;
  const { all, asked } = threads;
  const own = all.value.filter((thread) => thread.resolved_at === null && threads.placeOf(thread) === path);
  const passage = asked.value?.path === path ? asked.value.passage : undefined;
  return (
    <div class="comments">
      <button
        type="button"
        class="quiet sign comment-on"
        // By the keyboard there is a key; a stop for Tab at every field would be in the way.
        tabIndex={-1}
        aria-label={text("commentOn", { name: pathLabel(path.split(".")) })}
        title={text("commentOnKey")}
        onClick={() => askAbout(threads, path)}
      >
        <Icon name="comment" />
      </button>
      {own.map((thread) => (
        <ThreadCard key={thread.id} threads={threads} thread={thread} />
      ))}
      {asked.value?.path === path && <NewThread threads={threads} words={passage?.text} />}
    </div>
  );
}

const NewThread = ({ threads, words }: { threads: PageThreads; words: string | undefined }) => (
  <div class="thread">
    {words !== undefined && <blockquote>{words}</blockquote>}
    <CommentForm
      label={text("newComment")}
      onSend={(typed) => threads.open(typed)}
      onCancel={() => (threads.asked.value = undefined)}
    />
  </div>
);

/** The open threads of the page, those about it as a whole or about what is gone, and those that are resolved. */
export function CommentOverview() {
  const threads = useContext(Threads);
  const element = useRef<HTMLElement>(null);
  useCommentKey(threads, element);
  if (!threads) return null;
  const { all, asked } = threads;
  const open = all.value.filter(({ resolved_at }) => resolved_at === null);
  const resolved = all.value.filter(({ resolved_at }) => resolved_at !== null);
  const placed = open.flatMap((thread) => {
    const path = threads.placeOf(thread);
    return path === undefined ? [] : [{ thread, path }];
  });
  const others = open.filter((thread) => threads.placeOf(thread) === undefined);
  const card = (thread: Thread) => <ThreadCard key={thread.id} threads={threads} thread={thread} />;
  return (
    <section ref={element} class="comments" aria-label={`${text("comments")} (${languageName(threads.page.lang)})`}>
      <button type="button" class="quiet" onClick={() => (threads.asked.value = { path: "", passage: null })}>
        <Icon name="comment" /> {text("commentOnPage")}
      </button>
      {placed.length > 0 && (
        <ul class="links">
          {placed.map(({ thread: { id, comments }, path }) => (
            <li key={id}>
              <button type="button" class="quiet" onClick={() => focusPageField(path)}>
                {pathLabel(path.split("."))}: {comments[0]?.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {asked.value?.path === "" && <NewThread threads={threads} words={undefined} />}
      {others.map(card)}
      {resolved.length > 0 && (
        <details>
          <summary>{text("resolvedThreads", { count: resolved.length })}</summary>
          {resolved.map(card)}
        </details>
      )}
    </section>
  );
}
