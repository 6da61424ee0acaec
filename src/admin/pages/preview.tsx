/** The real page beside the form, as the site's templates make it from what is typed. */
import { useEffect, useRef, useState } from "preact/hooks";
import { API, ApiError, request } from "../api.ts";
import type { ClickedWords } from "../fields/clicked-words.ts";
import { openSection } from "../fields/blocks/open-section.ts";
import { text } from "../i18n.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { parsedPage } from "../parsed-page.ts";
import { outlineSection } from "./outlined-section.ts";
import { focusPageField } from "./settings/page-settings.tsx";
import type { PageState } from "./page-state.ts";

/** CSS pixels. */
const PHONE_WIDTH = 390;
/** In milliseconds, from one rendering to the next while typing goes on. */
const RENDER_INTERVAL = 100;

export function Preview({ page }: { page: PageState }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isPhone, setPhone] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const url = `${page.collection}/${page.id}/render/?language=${encodeURIComponent(page.lang)}`;
  const changes = page.body.value;
  const { date_updated_at: updated } = page.record.value;
  const follow = useRef(() => {});
  useEffect(() => {
    if (!isLoaded) return;
    const closed = new AbortController();
    follow.current = oneAtATime(() => show(frame.current, url, page.body.peek(), closed.signal), closed.signal);
    return () => closed.abort();
  }, [isLoaded, url]);
  useEffect(() => follow.current(), [isLoaded, changes, updated]);
  const section = openSection.value;
  useEffect(() => {
    const shown = frame.current?.contentDocument;
    if (isLoaded && shown) outlineSection(shown, section, true);
  }, [isLoaded, section]);
  return (
    <section class="preview" aria-label={text("preview")}>
      <div class="tabs" role="group" aria-label={text("previewWidth")}>
        <button aria-pressed={!isPhone} onClick={() => setPhone(false)}>
          {text("desktop")}
        </button>
        <button aria-pressed={isPhone} onClick={() => setPhone(true)}>
          {text("phone")}
        </button>
      </div>
      <iframe
        ref={frame}
        title={text("preview")}
        src={API + url}
        onLoad={() => {
          frame.current?.contentDocument?.addEventListener("click", followClick);
          setLoaded(true);
        }}
        style={isPhone ? { maxWidth: `${PHONE_WIDTH}px` } : {}}
      />
    </section>
  );
}

/**
 * Calls made while one is under way become one more call after it, at `RENDER_INTERVAL`: the preview follows while typing goes on, and
 * ends with the newest values, without more than one request at a time.
 */
function oneAtATime(run: () => Promise<void>, closed: AbortSignal): () => void {
  let isRunning = false;
  let isDue = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue && !closed.aborted) {
      isDue = false;
      await Promise.all([run(), new Promise((done) => setTimeout(done, RENDER_INTERVAL))]);
    }
    isRunning = false;
  };
}

/**
 * A click on a text that the template marks with `cms_field` leads to its field, also where the text is a link, such as the words of a
 * button; a link within a text opens beside the editor, so that the frame keeps showing the page that is edited.
 */
function followClick(event: MouseEvent): void {
  const clicked = event.target as Element;
  const link = clicked.closest("a");
  const marked = clicked.closest("[data-cms-field]");
  if (link) event.preventDefault();
  if (marked && (!link || link.contains(marked)))
    focusPageField(marked.getAttribute("data-cms-field")!, clickedWords(marked, event));
  else if (link) {
    // An address of a script would run with the rights of the editor.
    if (link.protocol === "https:" || link.protocol === "http:") open(link.href, "_blank", "noopener");
  }
}

/** @returns undefined where no text was clicked, and in browsers that do not tell */
function clickedWords(marked: Element, { clientX, clientY }: MouseEvent): ClickedWords | undefined {
  const shown = marked.ownerDocument;
  const place = shown.caretPositionFromPoint?.(clientX, clientY);
  if (!place || !marked.contains(place.offsetNode)) return undefined;
  const before = shown.createRange();
  before.setStart(marked, 0);
  before.setEnd(place.offsetNode, place.offset);
  return { text: marked.textContent, at: before.toString().length };
}

/**
 * Replaces the body of the page that the frame has loaded: its scroll position stays, and it keeps the site's own
 * Content-Security-Policy, which a document made here would not have.
 */
async function show(frame: HTMLIFrameElement | null, url: string, values: unknown, signal: AbortSignal): Promise<void> {
  try {
    const { value } = await request<string>("POST", url, { body: values, signal });
    const shown = frame?.contentDocument;
    if (!shown || signal.aborted) return;
    // A section that was not there yet, or had nothing to show, comes into sight.
    const isNew = !shown.querySelector("[data-cms-outlined]");
    shown.body.replaceWith(shown.adoptNode(parsedPage(value).body));
    outlineSection(shown, openSection.peek(), isNew);
  } catch (error) {
    // What is typed may not be valid yet: saving says so at its field.
    const isInvalid = error instanceof ApiError && error.status === 400;
    if (!signal.aborted && !isInvalid) notifyFailure(error);
  }
}
