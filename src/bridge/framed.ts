/**
 * The page's side of the editor's preview: it tells which page is shown and which field is clicked or typed into, and shows the
 * values that are not saved. Whether the frame is one of the editor, its first message says; until then nothing is changed.
 */
import { SEEN, type EditorMessage, type PageMessage, type PreviewedPage, type ShownWords } from "./messages.ts";
import { morph } from "./morph.ts";

export interface BridgeOptions {
  /** Address of the service, whose editor may show the page. */
  readonly service: string;
  /** Shows the page with values that are not saved. Without it texts and pictures are replaced where they stand. */
  readonly onPage?: (page: PreviewedPage) => void;
  /**
   * Whether the server makes the page: it is asked for it again, with the key in its address. A framework that does this by itself,
   * such as Next, gives a function, which is called with each newest key.
   */
  readonly refresh?: boolean | ((key: string) => void);
}

const MARK = "data-cms-field";
const OUTLINED = "data-cms-outlined";

/** @param signal ends the connection */
export function talk({ service, onPage, refresh }: BridgeOptions, signal: AbortSignal): void {
  const { origin } = new URL(service);
  const editor = window.parent;
  let shown: PreviewedPage | undefined;
  let section: string | undefined;
  let typed: HTMLElement | undefined;
  let path: string | undefined;
  /** The last click before the first payload, by which it is known whose frame this is. */
  let early: MouseEvent | undefined;
  let key = "";
  let isAsking = false;
  /** The field of the click that the editor has not answered yet. */
  let clicked: string | undefined;

  const tell = (message: PageMessage): void => editor.postMessage(message, origin);
  const ready = (): void => {
    // Also a change of the query alone is a navigation, which showing a payload may cause.
    if (path !== location.pathname) tell({ type: "cms:ready", path: (path = location.pathname) });
  };

  function hear({ source, origin: from, data }: MessageEvent<EditorMessage | null>): void {
    if (source !== editor || from !== origin) return;
    if (data?.type === "cms:payload") show(data.page);
    else if (data?.type === "cms:refresh") void ask(data.key);
    else if (data?.type === "cms:outline") {
      section = data.field;
      // What is clicked is in sight, and a double click has to find it where it was.
      outline(section, !clicked?.startsWith(`${section}.`));
      clicked = undefined;
    }
  }

  function show(page: PreviewedPage): void {
    const before = shown;
    shown = page;
    if (!before) {
      rememberEditor();
      if (early) click(early);
    }
    // A component that is drawn again would move the caret: it is once the text is left.
    if (onPage) return typed ? undefined : onPage(page);
    for (const element of markedElements()) {
      const field = element.getAttribute(MARK)!;
      const value = valueAt(page, field);
      const kind = page.paths?.[field];
      if (element === typed) continue;
      if (kind === "media" && !refresh) showPicture(element, value);
      else if (isPlain(kind) && element.childElementCount === 0) {
        const now = String(value ?? "");
        const { textContent: text } = element;
        // A text that a server has changed on its way is the server's to show.
        if (text !== now && (!refresh || text === valueAt(before, field))) putText(element, now);
      }
    }
  }

  /** One question at a time, and after it one with the newest key. */
  async function ask(newest: string): Promise<void> {
    key = newest;
    // As with components, the text that is typed is left alone until then.
    if (typeof refresh === "function") return typed ? undefined : refresh(key);
    if (!refresh || isAsking) return;
    isAsking = true;
    try {
      for (let asked = ""; asked !== key && !signal.aborted;) {
        asked = key;
        const url = new URL(location.href);
        url.searchParams.set("key", key);
        const answer = await fetch(url, { signal });
        const { title, body } = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
        if (!answer.ok) continue;
        // A section that was not there yet, or had nothing to show, comes into sight.
        const isNew = !document.querySelector(`[${OUTLINED}]`);
        document.title = title;
        morph(document.body, body, typed);
        outline(section, isNew);
      }
    } finally {
      isAsking = false;
    }
  }

  /** A click on a marked text leads to its field, also where it is a link; other links open beside the editor. */
  function click(event: MouseEvent): void {
    if (!shown) return void (early = event);
    const target = event.target as Element;
    const link = target.closest<HTMLAnchorElement>("a[href]");
    const marked = markedAt(event);
    if (link) event.preventDefault();
    if (marked && (!link || link === marked || !marked.contains(link))) {
      const field = marked.getAttribute(MARK)!;
      clicked = field;
      tell({ type: "cms:focus", field, words: clickedWords(marked, event), typed: type(marked, field) });
    } else if (link && /^https?:$/.test(link.protocol)) open(link.href, "_blank", "noopener");
  }

  /** @returns whether the text is typed where it stands: one line, shown as it is */
  function type(element: HTMLElement, field: string): boolean {
    if (element === typed) return true;
    const value = valueAt(shown, field) ?? "";
    const isText = typeof value === "string" && isPlain(shown?.paths?.[field]) && !value.includes("\n");
    if (!isText || element.childElementCount > 0 || element.textContent!.trim() !== value.trim()) return false;
    if (element.textContent !== value) putText(element, value);
    const { whiteSpace } = element.style;
    const left = new AbortController();
    const on = <E extends keyof HTMLElementEventMap>(name: E, listen: (event: HTMLElementEventMap[E]) => void): void =>
      element.addEventListener(name, listen, { signal: left.signal });
    element.setAttribute("contenteditable", "plaintext-only");
    if (!element.isContentEditable) return false; // older browsers
    typed = element;
    element.style.whiteSpace = "pre-wrap"; // else spaces at the end become non-breaking ones
    element.focus();
    on("input", () => tell({ type: "cms:input", field, value: element.textContent!.replaceAll("\n", " ") }));
    on("keydown", (pressed) => {
      if (pressed.isComposing || !["Enter", "Escape"].includes(pressed.key)) return;
      pressed.preventDefault();
      element.blur();
    });
    on("blur", () => {
      left.abort();
      typed = undefined;
      element.removeAttribute("contenteditable");
      element.style.whiteSpace = whiteSpace;
      if (onPage && shown) onPage(shown);
      if (typeof refresh === "function" && key !== "") refresh(key);
    });
    return true;
  }

  addEventListener("message", hear, { signal });
  addEventListener("click", click, { signal, capture: true });
  // What was not there yet.
  addEventListener("DOMContentLoaded", () => shown && show(shown), { signal });
  // Routers of front ends change the page without loading one.
  (window as { navigation?: EventTarget }).navigation?.addEventListener("navigatesuccess", ready, { signal });
  ready();
}

/** So that the site has the bar of editors in this browser. */
function rememberEditor(): void {
  try {
    localStorage.setItem(SEEN, "");
  } catch {
    // storage is blocked
  }
}

const markedElements = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[${MARK}]`)];

/** Whether a value of the kind is shown as it is. */
const isPlain = (kind: string | undefined): boolean => kind === "string" || kind === "textarea";

const valueAt = (page: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], page);

/** A link that is stretched over a card leaves the texts below it to be clicked. */
function markedAt({ target, detail, clientX: x, clientY: y }: MouseEvent): HTMLElement | null {
  const marked = (element: Element): HTMLElement | null => element.closest<HTMLElement>(`[${MARK}]`);
  const isThere = (element: HTMLElement | null): boolean => {
    const { left, right, top, bottom } = element?.getBoundingClientRect() ?? new DOMRect();
    return left <= x && x <= right && top <= y && y <= bottom;
  };
  // A link that is followed by keyboard has no place.
  const below = detail === 0 ? [] : document.elementsFromPoint(x, y).map(marked);
  return below.find(isThere) ?? marked(target as Element);
}

/** A double click or a drag has selected words. @returns undefined where no text was clicked, and in browsers that do not tell */
function clickedWords(marked: Element, { clientX, clientY }: MouseEvent): ShownWords | undefined {
  const selection = getSelection()!;
  const words = selection.isCollapsed ? undefined : selection.getRangeAt(0);
  const place = words
    ? { offsetNode: words.startContainer, offset: words.startOffset }
    : document.caretPositionFromPoint?.(clientX, clientY);
  if (!place || !marked.contains(place.offsetNode)) return undefined;
  const before = document.createRange();
  before.setStart(marked, 0);
  before.setEnd(place.offsetNode, place.offset);
  const length = words?.toString().trimEnd().length;
  return { text: marked.textContent!, at: before.toString().length, ...(length && { length }) };
}

/** In the text node that is there, which frameworks know. */
function putText(element: Element, text: string): void {
  const [only, more] = element.childNodes;
  if (only instanceof Text && !more) only.data = text;
  else element.textContent = text;
}

function showPicture(element: HTMLElement, value: unknown): void {
  const picture = element.matches("img") ? element : element.querySelector("img");
  const { file, alt_text: alt } = (value ?? {}) as { file?: unknown; alt_text?: unknown };
  if (!picture || typeof file !== "string" || picture.getAttribute("src") === file) return;
  for (const source of picture.closest("picture")?.querySelectorAll("source") ?? []) source.remove();
  picture.removeAttribute("srcset");
  picture.setAttribute("src", file);
  if (typeof alt === "string") picture.setAttribute("alt", alt);
}

/** Outlines the largest element that has fields of the section alone. @param path of the section; undefined: none */
function outline(path: string | undefined, scrolls: boolean): void {
  for (const before of document.querySelectorAll<HTMLElement>(`[${OUTLINED}]`)) {
    before.style.outline = before.style.outlineOffset = "";
    before.removeAttribute(OUTLINED);
  }
  const isOwn = (element: Element): boolean => element.getAttribute(MARK)!.startsWith(`${path}.`);
  let found = path === undefined ? undefined : markedElements().find(isOwn);
  for (let around = found?.parentElement; around && !around.matches("main, body"); around = around.parentElement) {
    if (![...around.querySelectorAll(`[${MARK}]`)].every(isOwn)) break;
    found = around;
  }
  if (!found) return;
  found.setAttribute(OUTLINED, "");
  found.style.outline = "3px solid #d2603a";
  found.style.outlineOffset = "-3px";
  if (scrolls) scrollTo(found);
}

/** As `scrollIntoView` with the nearest edge, which would scroll the editor around the frame, too. */
function scrollTo(element: Element): void {
  const { top, bottom } = element.getBoundingClientRect();
  const room = innerHeight;
  const isInside = top >= 0 && bottom <= room;
  const isAround = top <= 0 && bottom >= room;
  if (isInside || isAround) return;
  // An element that is higher than the frame is shown from the edge that comes into sight first.
  const isHigher = bottom - top > room;
  scrollBy(0, top < 0 !== isHigher ? top : bottom - room);
}
