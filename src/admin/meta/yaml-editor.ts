/** The editor of YAML: CodeMirror with completion and findings at their lines, loaded when it is shown first. */
import { autocompletion, closeBrackets, completionKeymap, type CompletionContext } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorView, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { openTextEditor, type TextEditor, type TextEditorOptions } from "../fields/text-editor.ts";
import { proposalsAt, type ListSchema, type Proposal } from "./schema-completion.ts";
import type { Finding } from "./schema-yaml.ts";

export interface YamlEditor extends Pick<TextEditor, "show" | "close"> {
  mark(findings: readonly Finding[]): void;
}

interface EditorOptions extends TextEditorOptions {
  readonly schema: ListSchema;
  /** Values of keys that the schema does not list. */
  readonly values: Readonly<Record<string, readonly Proposal[]>>;
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

export function openYamlEditor(host: HTMLElement, { schema, values, ...options }: EditorOptions): YamlEditor {
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
  const own = [
    yaml(),
    indentUnit.of("  "),
    lineNumbers(),
    lintGutter(),
    closeBrackets(),
    autocompletion({ override: [complete], icons: false }),
    syntaxHighlighting(MARKS),
    STYLE,
  ];
  // Escape, then Tab leaves the editor.
  const keys = { keys: completionKeymap, last: [indentWithTab] };
  const { view, show, close } = openTextEditor(host, options, own, keys);
  return {
    ...{ show, close },
    mark(findings) {
      const { length } = view.state.doc;
      const diagnostics = findings
        .filter(({ to }) => to <= length)
        .map(({ from, to, message }) => ({ from, to, message, severity: "error" as const }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
  };
}
