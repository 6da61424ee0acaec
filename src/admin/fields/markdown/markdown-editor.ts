/**
 * The editor of Markdown: CodeMirror, loaded when a long text is seen first.
 *
 * It lives in a shadow root (see text-editor.ts). The text stays byte for byte: only line feeds end a line, so a carriage return is part of its line.
 */
import { markdown, markdownKeymap } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, Prec, type Extension } from "@codemirror/state";
import { dropCursor, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { Strikethrough, Table } from "@lezer/markdown";
import { pictureMarkdown, type MarkdownPicture } from "../../../model/text/markdown-links.ts";
import type { ShownWords } from "../../../bridge/messages.ts";
import { selectionAtWords } from "../clicked-words.ts";
import { openTextEditor, type TextEditor, type TextEditorOptions } from "../text-editor.ts";
import { text } from "../../i18n.ts";
import { notify } from "../../ui/notices.tsx";
import { breakLine, endParagraph } from "./line-breaks.ts";
import { formatted, linkAround, linked, type Format, type Formatted, type LinkAddress } from "./markdown-format.ts";
import { pastedMarkdown } from "./pasted-html.ts";
import { insertFiles, uploadSigns, type TextFiles } from "./text-files.ts";
import { writtenForm } from "./text-widgets.ts";
import { headingsIn, pictureAt, type TextHeading } from "./written-form.ts";
import type { LanguageAttributes } from "../text-language.ts";

export interface MarkdownEditor extends Pick<TextEditor, "show" | "close"> {
  focus(): void;
  /** Formats what is selected, or takes the format away. */
  apply(format: Format): void;
  /** The headings of the text, which links may lead to. */
  headings(): readonly TextHeading[];
  /** The address of the link that the caret is in. */
  addressAtCaret(): string | undefined;
  /** Links the selected words, or inserts a link with its name at the caret; undefined removes the link around it. */
  link(link: LinkAddress | undefined): void;
  /** The picture that the caret is at. */
  pictureAtCaret(): MarkdownPicture | undefined;
  /** Puts a picture where the caret is, in place of the one that is there. */
  putPicture(picture: MarkdownPicture): void;
  /** Shows the Markdown as it is stored, or as it will look. */
  showSource(isSource: boolean): void;
  /** Puts the caret at the words, or selects them, where the text has them. Nothing scrolls. */
  goTo(words: ShownWords): void;
  /** Scrolls to the caret. */
  showCaret(): void;
  /** The text, and the places between which it is selected. */
  selected(): { readonly text: string; readonly start: number; readonly end: number };
  select(start: number, end: number): void;
  /** Takes over the focus and the selection of a plain control with the same text. */
  takeOver(plain: HTMLTextAreaElement): void;
}

interface EditorOptions extends TextEditorOptions {
  readonly language: LanguageAttributes;
  /** Called for the key that links the selected words. */
  readonly onLink: () => void;
  /** Called for a click on a picture, where the caret is then. */
  readonly onPicture: () => void;
  /** Called for the key that switches between the source and the text as it will look. */
  readonly onSource: () => void;
  /** Absent: the account may not add files. */
  readonly files?: TextFiles | undefined;
}

const attributesOf = ({ lang, dir }: LanguageAttributes): Record<string, string> => ({
  ...(lang !== undefined && { lang }),
  ...(dir !== undefined && { dir }),
});

const MARKS = HighlightStyle.define([
  { tag: tags.heading1, fontSize: "1.35em", fontWeight: "700" },
  { tag: tags.heading, fontSize: "1.15em", fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.monospace, fontFamily: "ui-monospace, monospace" },
  { tag: tags.quote, fontStyle: "italic" },
  { tag: tags.link, textDecoration: "underline" },
  { tag: [tags.url, tags.processingInstruction], color: "var(--soft)" },
]);

export function openMarkdownEditor(
  host: HTMLElement,
  { language, files, onLink, onPicture, onSource, ...options }: EditorOptions,
): MarkdownEditor {
  const written = new Compartment();
  const asWritten = [
    writtenForm((view, place) => {
      view.dispatch({ selection: { anchor: place } });
      onPicture();
    }),
    // Before the keys of Markdown, which continue lists.
    Prec.highest(keymap.of([{ key: "Enter", run: endParagraph, shift: breakLine }])),
  ];
  const own = [
    EditorState.lineSeparator.of("\n"),
    EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll("\r\n", "\n")),
    markdown({ extensions: [Table, Strikethrough] }),
    syntaxHighlighting(MARKS),
    written.of(asWritten),
    EditorView.scrollMargins.of(() => ({
      bottom: parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom),
    })),
    pasting(files),
    dropCursor(),
    EditorView.contentAttributes.of({ tabindex: "0", spellcheck: "true", ...attributesOf(language) }),
  ];
  const asks = (key: string, ask: (view: EditorView) => boolean | void) => ({
    key,
    run: (view: EditorView): boolean => ask(view) ?? true,
  });
  const keys = [
    ...SHORTCUTS.map(([key, format]) => shortcut(key, format)),
    // Without a selection, the key finds pages and commands.
    asks("Mod-k", ({ state }) => (state.selection.main.empty ? false : onLink())),
    asks("Mod-/", () => onSource()),
    ...markdownKeymap,
  ];
  const { view, show, close } = openTextEditor(host, options, own, { keys });
  const caret = (): number => view.state.selection.main.head;
  return {
    ...{ show, close },
    focus: () => view.focus(),
    apply(format) {
      applyFormat(view, format);
      view.focus();
    },
    headings: () => headingsIn(view.state),
    addressAtCaret: () => linkAround(view.state.doc.toString(), view.state.selection.main)?.address,
    link(link) {
      change(view, linked(view.state.doc.toString(), view.state.selection.main, link));
      view.focus();
    },
    pictureAtCaret: () => pictureAt(view.state, caret())?.picture,
    putPicture(picture) {
      const { doc, selection } = view.state;
      const before = pictureAt(view.state, caret());
      const { from, to } = before ?? selection.main;
      const isAlone = !before && doc.lineAt(from).text.trim() === "";
      const insert = pictureMarkdown(picture) + (isAlone ? "\n\n" : "");
      // The caret is not at the picture, which would be shown as its source.
      const end = from + insert.length + (!isAlone && doc.sliceString(to, to + 1) === "\n" ? 1 : 0);
      view.dispatch({ changes: { from, to, insert }, selection: { anchor: end }, scrollIntoView: true });
      view.focus();
    },
    showSource(isSource) {
      view.dispatch({ effects: written.reconfigure(isSource ? [] : asWritten) });
    },
    goTo(words) {
      const [anchor, head] = selectionAtWords(view.state.doc.toString(), words) ?? [];
      if (anchor !== undefined) view.dispatch({ selection: { anchor, head } });
    },
    showCaret: () => view.dispatch({ scrollIntoView: true }),
    selected() {
      const { doc, selection } = view.state;
      return { text: doc.toString(), start: selection.main.from, end: selection.main.to };
    },
    select(anchor, head) {
      view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
      view.focus();
    },
    takeOver({ selectionStart, selectionEnd }) {
      const shown = view.state.doc.toString();
      const [anchor, head] = [placeIn(shown, selectionStart), placeIn(shown, selectionEnd)];
      view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
      view.focus();
    },
  };
}

/** The keys of Google Docs and Word on the web. */
const SHORTCUTS: readonly (readonly [key: string, format: Format])[] = [
  ["Mod-b", "bold"],
  ["Mod-i", "italic"],
  ["Mod-Alt-2", "heading"],
  ["Mod-Shift-8", "list"],
  ["Mod-Shift-7", "numbered"],
  ["Mod-Shift-9", "quote"],
];

/** Where in a text the place is that a plain control counts, which has one character for each end of a line. */
function placeIn(text: string, counted: number): number {
  let place = 0;
  for (let count = 0; count < counted && place < text.length; count++) place += text.startsWith("\r\n", place) ? 2 : 1;
  return place;
}

/** Pastes HTML as Markdown, and pasted and dropped files as what links to them. With Shift, the plain text is pasted. */
function pasting(files: TextFiles | undefined): Extension {
  let isPlain = false;
  const take = (view: EditorView, data: DataTransfer | null, at: number): boolean => {
    const sent = [...(data?.files ?? [])];
    if (!files || sent.length === 0 || view.state.readOnly) return false;
    void insertFiles(view, sent, at, files);
    return true;
  };
  const handlers = EditorView.domEventHandlers({
    keydown(event) {
      isPlain = event.shiftKey;
      return false;
    },
    paste(event, view) {
      const { clipboardData: data } = event;
      if (!data || isPlain || view.state.readOnly) return false;
      const html = data.getData("text/html");
      // A program that copies a text often adds a picture of it, and one that copies a picture its address.
      const isText = data.getData("text/plain").trim() !== "" || data.files.length === 0;
      const pasted = isText && html !== "" ? pastedMarkdown(html) : undefined;
      if (pasted === undefined) return take(view, data, view.state.selection.main.from);
      view.dispatch(view.state.replaceSelection(asBlock(view.state, pasted.markdown)), {
        userEvent: "input.paste",
        scrollIntoView: true,
      });
      if (pasted.foreign > 0) notify(text("foreignPictures", { count: pasted.foreign }));
      return true;
    },
    drop(event, view) {
      return take(view, event.dataTransfer, view.posAtCoords({ x: event.clientX, y: event.clientY }, false));
    },
  });
  return [handlers, uploadSigns];
}

/** Headings, lists and the like start a line of their own. */
function asBlock({ doc, selection: { main } }: EditorState, pasted: string): string {
  if (!/^(?:#|>|\||```|---|[-+*] |\d+\. )|\n\n/.test(pasted)) return pasted;
  const before = doc.sliceString(doc.lineAt(main.from).from, main.from);
  const after = doc.sliceString(main.to, doc.lineAt(main.to).to);
  return `${before.trim() === "" ? "" : "\n\n"}${pasted}${after.trim() === "" ? "" : "\n\n"}`;
}

const shortcut = (key: string, format: Format) => ({ key, run: (view: EditorView) => applyFormat(view, format) });

function applyFormat(view: EditorView, format: Format): true {
  const { doc, selection } = view.state;
  return change(view, formatted(doc.toString(), selection.main, format));
}

function change(view: EditorView, made: Formatted): true {
  view.dispatch({ ...made, userEvent: "input", scrollIntoView: true });
  return true;
}
