/**
 * The look of the text editors: CodeMirror in a shadow root, where its style sheets are constructed objects, since the
 * editor's Content-Security-Policy refuses style elements.
 */
import { EditorView } from "@codemirror/view";

export const EDITOR_STYLE = EditorView.theme({
  "&": { color: "var(--ink)", background: "var(--paper)", borderRadius: "0 0 .375rem .375rem" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { font: "inherit", lineHeight: "1.6", maxHeight: "60vh" },
  ".cm-content": { padding: ".6rem .7rem", minHeight: "4.5rem", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0" },
});
