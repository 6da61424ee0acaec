/** Moving the focus to the control of a field that is named elsewhere, such as in the preview. */
import type { ShownWords } from "../../bridge/messages.ts";
import type { Values } from "../json.ts";
import type { Definitions } from "./definition.ts";
import { selectionAtWords } from "./clicked-words.ts";

/**
 * Asks the editor of Markdown in the element for the caret at the words, or their selection, of the event's `detail`; without one, to
 * bring the caret into sight.
 */
export const CARET_AT_WORDS = "caretatwords";

export interface FieldFocus {
  /** Words that the caret is put at, where the text of the field has them. */
  readonly clicked?: ShownWords | undefined;
  /** Whether the field comes into sight without the focus, which is in the preview. */
  readonly isSeenOnly?: boolean;
  /** Whether the click was in the preview, which scrolling may move: it waits for a second click, and is left out where the field is in sight. */
  readonly isInPreview?: boolean;
}

/** In milliseconds, from one click to the end of a second one that makes it a double click. */
const DOUBLE_CLICK = 600;
let scrolling: ReturnType<typeof setTimeout>;

/**
 * Where a field has no control of its own, the nearest field around it has the focus.
 *
 * @param path names and indexes joined by dots
 */
export function focusField(form: ParentNode, path: string, how: FieldFocus = {}): void {
  const names = path.split(".");
  for (let length = names.length; length > 0; length--) {
    const field = form.querySelector(`[data-field="${CSS.escape(names.slice(0, length).join("."))}"]`);
    if (!field) continue;
    // A closed section has its fields once it is open.
    const closed = field.querySelector<HTMLElement>(":scope > .block-head[aria-expanded='false']");
    if (closed) {
      closed.click();
      if (length < names.length) return void requestAnimationFrame(() => focusField(form, path, how));
    }
    for (let folded = field.closest("details:not([open])"); folded; folded = field.closest("details:not([open])"))
      folded.setAttribute("open", "");
    if (!how.isSeenOnly) {
      controlOf(field)?.focus({ preventScroll: true });
      if (how.clicked) putCaret(field, how.clicked);
    }
    clearTimeout(scrolling);
    if (how.isInPreview) scrolling = setTimeout(scrollTo, DOUBLE_CLICK, field, "nearest");
    else scrollTo(field, "center");
    return;
  }
}

/** @param block `nearest` leaves a field that is in sight where it is */
function scrollTo(field: Element, block: "nearest" | "center"): void {
  const { top } = field.getBoundingClientRect();
  field.scrollIntoView({ block });
  if (field.getBoundingClientRect().top !== top) field.scrollIntoView({ block: "center" });
  field.querySelector(".markdown-text")?.dispatchEvent(new CustomEvent(CARET_AT_WORDS));
}

/** Moves the focus to the first field of the form that one of the paths names, also in a closed section, or that is part of what it names. */
export function focusFirst(form: ParentNode, paths: readonly string[]): void {
  const fields = [...form.querySelectorAll<HTMLElement>("[data-field]")].map(({ dataset }) => dataset.field!);
  const found = paths.flatMap((path) => {
    const at = placeOf(fields, path);
    const named = fields[at];
    return named === undefined ? [] : [{ at, path: path.startsWith(named) ? path : named }];
  });
  const [first] = found.sort((a, b) => a.at - b.at);
  if (first) focusField(form, first.path);
}

/** The index of the field, else of the nearest one around it, else of the first that is part of it; -1 for none. */
function placeOf(fields: readonly string[], path: string): number {
  for (let around = path; around !== ""; around = around.slice(0, Math.max(0, around.lastIndexOf(".")))) {
    const at = fields.indexOf(around);
    if (at >= 0) return at;
  }
  return path === "" ? -1 : fields.findIndex((field) => field.startsWith(`${path}.`));
}

/**
 * Moves the focus to the first field of what was just added, whose controls are there in the next frame. A picture is asked for at
 * once, and the focus is then at the field after it.
 */
export function beginFields(path: string, definitions: Definitions, values: Values): void {
  const [first, next = first] = definitions;
  if (!first) return;
  const asks = first.kind === "media" && !values[first.name];
  requestAnimationFrame(() => {
    focusField(document, `${path}.${(asks ? next! : first).name}`);
    const field = `[data-field="${CSS.escape(`${path}.${first.name}`)}"]`;
    if (asks) document.querySelector<HTMLElement>(`${field} .choice button`)?.click();
  });
}

function putCaret(field: Element, clicked: ShownWords): void {
  field.querySelector(".markdown-text")?.dispatchEvent(new CustomEvent(CARET_AT_WORDS, { detail: clicked }));
  const control = field.querySelector<HTMLInputElement | HTMLTextAreaElement>("input[type='text'], textarea");
  const selected = control && selectionAtWords(control.value, clicked);
  if (selected) control.setSelectionRange(...selected);
}

/** The editor of Markdown has its control in a shadow root. What choices between controls lead to is before these. */
function controlOf(field: Element): HTMLElement | null {
  const markdown = field.querySelector(".markdown-text")?.shadowRoot?.querySelector<HTMLElement>(".cm-content");
  const control = (input: string) => field.querySelector<HTMLElement>(`${input}, textarea, select, button`);
  return markdown ?? control("input:not([type='radio'])") ?? control("input");
}
