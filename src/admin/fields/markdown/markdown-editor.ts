/**
 * The editor of Markdown: CodeMirror, loaded when a long text is seen first.
 *
 * It lives in a shadow root (see text-editor.ts). The text stays byte for byte: only line feeds end a line, so a carriage return is part of its line.
 */
import { markdown, markdownKeymap } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { dropCursor, EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { openTextEditor, type TextEditor, type TextEditorOptions } from "../text-editor.ts";
import { text } from "../../i18n.ts";
import { notify } from "../../ui/notices.tsx";
import { formatted, type Format } from "./markdown-format.ts";
import { pastedMarkdown } from "./pasted-html.ts";
import { insertFiles, uploadSigns, type TextFiles } from "./text-files.ts";
import type { LanguageAttributes } from "../text-language.ts";

export interface MarkdownEditor extends Pick<TextEditor, "show" | "close"> {
  /** Formats what is selected, or takes the format away. */
  apply(format: Format): void;
  /** Takes over the focus and the selection of a plain control with the same text. */
  takeOver(plain: HTMLTextAreaElement): void;
}

interface EditorOptions extends TextEditorOptions {
  readonly language: LanguageAttributes;
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
  { tag: tags.monospace, fontFamily: "ui-monospace, monospace" },
  { tag: tags.quote, fontStyle: "italic" },
  { tag: tags.link, textDecoration: "underline" },
  { tag: [tags.url, tags.processingInstruction], color: "var(--soft)" },
]);

export function openMarkdownEditor(host: HTMLElement, { language, files, ...options }: EditorOptions): MarkdownEditor {
  const own = [
    EditorState.lineSeparator.of("\n"),
    EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll("\r\n", "\n")),
    markdown(),
    syntaxHighlighting(MARKS),
    EditorView.scrollMargins.of(() => ({
      bottom: parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom),
    })),
    pasting(files),
    dropCursor(),
    EditorView.contentAttributes.of({ tabindex: "0", spellcheck: "true", ...attributesOf(language) }),
  ];
  const keys = [shortcut("Mod-b", "bold"), shortcut("Mod-i", "italic"), ...markdownKeymap];
  const { view, show, close } = openTextEditor(host, options, own, { keys });
  return {
    ...{ show, close },
    apply(format) {
      applyFormat(view, format);
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
  view.dispatch({ ...formatted(doc.toString(), selection.main, format), userEvent: "input", scrollIntoView: true });
  return true;
}
