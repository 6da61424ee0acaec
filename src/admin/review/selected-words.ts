/** The words that are selected in the control of a field, as a passage; and selecting those of a passage again. */
import { passageAt, placeOfPassage, type TextPassage } from "../../model/review/passage.ts";

/** Asks the editor of Markdown in the element for what is selected. */
export const SELECTION_ASKED = "selectionasked";
/** Has it select the words of the event's `detail`. */
export const WORDS_SHOWN = "wordsshown";

export interface SelectionAsked {
  /** Set by who answers. */
  selected?: { readonly text: string; readonly start: number; readonly end: number };
}

/** @param field the element of the field @returns null where nothing is selected */
export function selectedPassage(field: Element): TextPassage | null {
  const asked: SelectionAsked = {};
  field.querySelector(".markdown-text")?.dispatchEvent(new CustomEvent(SELECTION_ASKED, { detail: asked }));
  const control = field.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
  const { text, start, end } = asked.selected ?? {
    ...{ text: control?.value ?? "", start: control?.selectionStart ?? 0, end: control?.selectionEnd ?? 0 },
  };
  return end > start ? passageAt(text, start, end) : null;
}

export function showWords(field: Element, passage: TextPassage): void {
  const editor = field.querySelector(".markdown-text");
  editor?.dispatchEvent(new CustomEvent(WORDS_SHOWN, { detail: passage }));
  const control = field.querySelector<HTMLInputElement | HTMLTextAreaElement>("input[type='text'], textarea");
  const place = control && placeOfPassage(control.value, passage);
  if (!place) return;
  control.focus();
  control.setSelectionRange(place.start, place.end);
}
