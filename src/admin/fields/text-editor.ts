/**
 * What the text editors share: CodeMirror in a shadow root, where its style sheets are constructed objects, since the
 * editor's Content-Security-Policy refuses style elements.
 */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, Transaction, type Extension } from "@codemirror/state";
import { EditorView, keymap, type KeyBinding } from "@codemirror/view";

const STYLE = EditorView.theme({
  "&": { color: "var(--ink)", background: "var(--paper)", borderRadius: "0 0 .375rem .375rem" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { font: "inherit", lineHeight: "1.6", maxHeight: "60vh" },
  ".cm-content": { padding: ".6rem .7rem", minHeight: "4.5rem", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0" },
});

export interface TextEditor {
  readonly view: EditorView;
  /** Shows another text, unless it is the one that is shown. */
  show(text: string): void;
  close(): void;
}

export interface TextEditorOptions {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly onTyped: (text: string) => void;
}

/** @param keys before those that every editor has @param last after them */
export function openTextEditor(
  host: HTMLElement,
  { label, text, isReadOnly, onTyped }: TextEditorOptions,
  own: Extension,
  { keys, last = [] }: { readonly keys: readonly KeyBinding[]; readonly last?: readonly KeyBinding[] },
): TextEditor {
  const root = host.attachShadow({ mode: "open" });
  let shown = text;
  const typed = EditorView.updateListener.of(({ docChanged, transactions, state }) => {
    if (!docChanged) return;
    shown = state.doc.toString();
    if (transactions.some((each) => each.annotation(Transaction.remote) !== true)) onTyped(shown);
  });
  const extensions = [
    ...[history(), STYLE, own, EditorView.lineWrapping, typed],
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    EditorView.contentAttributes.of({ "aria-label": label }),
    keymap.of([...keys, ...historyKeymap, ...defaultKeymap, ...last]),
  ];
  const view = new EditorView({ root, parent: root, state: EditorState.create({ doc: text, extensions }) });
  return {
    view,
    show(next) {
      if (next === shown) return;
      const changes = { from: 0, to: view.state.doc.length, insert: view.state.toText(next) };
      view.dispatch({ changes, annotations: Transaction.remote.of(true) });
    },
    close: () => view.destroy(),
  };
}
