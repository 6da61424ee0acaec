/** The editor of YAML: CodeMirror with completion and findings at their lines, loaded when it is shown first. */
import { autocompletion, closeBrackets, completionKeymap, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, Transaction } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { EDITOR_STYLE } from "../fields/editor-style.ts";
import { proposalsAt, type ListSchema, type Proposal } from "./schema-completion.ts";
import type { Finding } from "./schema-yaml.ts";

export interface YamlEditor {
  /** Shows another text, unless it is the one that is shown. */
  show(text: string): void;
  mark(findings: readonly Finding[]): void;
  close(): void;
}

interface EditorOptions {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly schema: ListSchema;
  /** Values of keys that the schema does not list. */
  readonly values: Readonly<Record<string, readonly Proposal[]>>;
  readonly onTyped: (text: string) => void;
}

const STYLE = EditorView.theme({
  ".cm-content": { fontFamily: "ui-monospace, monospace", fontSize: ".9rem", minHeight: "12rem" },
  ".cm-gutters": { background: "var(--paper)", color: "var(--soft)", border: "0", fontSize: ".9rem" },
  ".cm-tooltip": { background: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--ink)",
    color: "var(--ground)",
  },
  ".cm-completionInfo": { maxWidth: "20rem" },
});

const MARKS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--plan)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.punctuation, color: "var(--soft)" },
]);

export function openYamlEditor(host: HTMLElement, options: EditorOptions): YamlEditor {
  const { label, text, isReadOnly, schema, values, onTyped } = options;
  const root = host.attachShadow({ mode: "open" });
  const complete = ({ state, pos, explicit }: CompletionContext) => {
    const line = state.doc.lineAt(pos);
    const lines = state.doc.toString().split("\n");
    const found = proposalsAt(lines, line.number - 1, line.text.slice(0, pos - line.from), schema, values);
    if (!found || (!explicit && line.from + found.from === pos && !/[-:]\s$/.test(line.text.slice(0, pos - line.from))))
      return null;
    return {
      from: line.from + found.from,
      options: found.list.map(({ label: name, insert, description }) => ({
        label: name,
        apply: insert,
        ...(description !== "" && { info: description }),
      })),
      validFor: /^[\w.-]*$/,
    };
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        yaml(),
        indentUnit.of("  "),
        lineNumbers(),
        lintGutter(),
        closeBrackets(),
        autocompletion({ override: [complete], icons: false }),
        syntaxHighlighting(MARKS),
        EDITOR_STYLE,
        STYLE,
        EditorView.lineWrapping,
        EditorState.readOnly.of(isReadOnly),
        EditorView.editable.of(!isReadOnly),
        EditorView.contentAttributes.of({ "aria-label": label }),
        // Escape, then Tab leaves the editor.
        keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.updateListener.of(({ docChanged, transactions, state }) => {
          if (docChanged && transactions.some((each) => each.annotation(Transaction.remote) !== true))
            onTyped(state.doc.toString());
        }),
      ],
    }),
  });
  return {
    show(next) {
      if (next === view.state.doc.toString()) return;
      const changes = { from: 0, to: view.state.doc.length, insert: next };
      view.dispatch({ changes, annotations: Transaction.remote.of(true) });
    },
    mark(findings) {
      const { length } = view.state.doc;
      const diagnostics = findings
        .filter(({ to }) => to <= length)
        .map(({ from, to, message }) => ({ from, to, message, severity: "error" as const }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    close: () => view.destroy(),
  };
}
