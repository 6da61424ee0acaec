/** What stands in a Markdown text in place of its marks: pictures, tables, bullets and rules. */
import { syntaxTree } from "@codemirror/language";
import { StateEffect, StateField, type EditorState, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import type { MarkdownPicture } from "../../../model/text/markdown-links.ts";
import { onHost } from "../../api.ts";
import { text } from "../../i18n.ts";
import { eachInline, shownParts, shownTables, type Shown, type SyntaxNode } from "./written-form.ts";

class PictureWidget extends WidgetType {
  readonly picture: MarkdownPicture;

  constructor(picture: MarkdownPicture) {
    super();
    this.picture = picture;
  }

  override eq({ picture: { address, alt, caption } }: PictureWidget): boolean {
    return address === this.picture.address && alt === this.picture.alt && caption === this.picture.caption;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { address, alt, caption } = this.picture;
    const image = Object.assign(document.createElement("img"), { src: onHost(address), alt });
    // Its height is known late: places below it would be wrong until the next measurement.
    image.addEventListener("load", () => view.requestMeasure());
    image.addEventListener("error", () => image.replaceWith(element("span", "cm-missing", alt === "" ? address : alt)));
    const shown = element("span", "cm-picture");
    shown.append(image);
    if (alt === "") shown.append(element("span", "cm-caption", text("altTextMissing")));
    if (caption !== "") shown.append(element("span", "cm-caption", caption));
    return shown;
  }

  override ignoreEvent({ type }: Event): boolean {
    return type !== "mousedown";
  }
}

class TableWidget extends WidgetType {
  readonly source: string;
  readonly make: () => HTMLElement;

  constructor(source: string, make: () => HTMLElement) {
    super();
    this.source = source;
    this.make = make;
  }

  override eq({ source }: TableWidget): boolean {
    return source === this.source;
  }

  override toDOM(): HTMLElement {
    return this.make();
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

class SignWidget extends WidgetType {
  readonly kind: "bullet" | "rule";

  constructor(kind: "bullet" | "rule") {
    super();
    this.kind = kind;
  }

  override eq({ kind }: SignWidget): boolean {
    return kind === this.kind;
  }

  override toDOM(): HTMLElement {
    return this.kind === "bullet" ? element("span", "cm-bullet", "•") : element("hr", "cm-rule");
  }
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  style: string,
  text = "",
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), { className: style, textContent: text });
}

const HIDDEN = Decoration.replace({});
const BULLET = Decoration.replace({ widget: new SignWidget("bullet") });
const RULE = Decoration.replace({ widget: new SignWidget("rule") });
const LINES = { quote: Decoration.line({ class: "cm-quote" }), code: Decoration.line({ class: "cm-code" }) };

function decorationsOf(state: EditorState, part: Shown): Range<Decoration>[] {
  const { kind, from, to } = part;
  if (kind === "quote" || kind === "code") {
    const lines: Range<Decoration>[] = [];
    for (let line = state.doc.lineAt(from); line.from <= to; line = state.doc.lineAt(line.to + 1)) {
      lines.push(LINES[kind].range(line.from));
      if (line.to === state.doc.length) break;
    }
    return lines;
  }
  const shown =
    kind === "picture"
      ? Decoration.replace({ widget: new PictureWidget(part.picture) })
      : { hidden: HIDDEN, bullet: BULLET, rule: RULE }[kind];
  return [shown.range(from, to)];
}

const focused = StateEffect.define<boolean>();
const hasFocus = StateField.define<boolean>({
  create: () => false,
  update: (was, { effects }) => effects.findLast((effect) => effect.is(focused))?.value ?? was,
});

const isSame = ({ docChanged, selectionSet, viewportChanged, startState, state }: ViewUpdate): boolean =>
  !docChanged &&
  !selectionSet &&
  !viewportChanged &&
  startState.field(hasFocus) === state.field(hasFocus) &&
  syntaxTree(startState) === syntaxTree(state);

const inLines = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = this.of(view);
      tellFocus(view);
    }

    update(update: ViewUpdate): void {
      tellFocus(update.view);
      // While an input method composes a text, changing what is around it would end the composition.
      if (update.view.composing) this.decorations = this.decorations.map(update.changes);
      else if (!isSame(update)) this.decorations = this.of(update.view);
    }

    of({ state, visibleRanges }: EditorView): DecorationSet {
      const parts = visibleRanges.flatMap((range) => shownParts(state, range, state.field(hasFocus)));
      return Decoration.set(
        parts.flatMap((part) => decorationsOf(state, part)),
        true,
      );
    }
  },
  { decorations: ({ decorations }) => decorations },
);

/**
 * Puts the focus into the state, where tables are made of it. The effect that CodeMirror offers for it (`focusChangeEffect`) is lost when
 * another change comes first, as after a paste.
 */
function tellFocus(view: EditorView): void {
  if (view.hasFocus === view.state.field(hasFocus)) return;
  queueMicrotask(() => {
    const is = view.hasFocus;
    if (view.dom.isConnected && is !== view.state.field(hasFocus, false)) view.dispatch({ effects: focused.of(is) });
  });
}

/** Blocks may change the height of lines: CodeMirror takes them from the state alone. */
const tables = StateField.define<DecorationSet>({
  create: tablesIn,
  update: (shown, { docChanged, selection, effects, state, startState }) =>
    docChanged || selection || effects.length > 0 || syntaxTree(startState) !== syntaxTree(state)
      ? tablesIn(state)
      : shown,
  provide: (field) => EditorView.decorations.from(field),
});

function tablesIn(state: EditorState): DecorationSet {
  return Decoration.set(
    shownTables(state, state.field(hasFocus)).map((node) => {
      const [from, to] = [state.doc.lineAt(node.from).from, state.doc.lineAt(node.to).to];
      const widget = new TableWidget(state.sliceDoc(from, to), () => tableOf(state, node));
      return Decoration.replace({ widget, block: true }).range(from, to);
    }),
  );
}

function tableOf(state: EditorState, node: SyntaxNode): HTMLElement {
  const table = element("table", "cm-table");
  for (const row of [...node.getChildren("TableHeader"), ...node.getChildren("TableRow")]) {
    const shown = document.createElement("tr");
    for (const cell of cellsOf(row)) {
      const there = document.createElement(row.name === "TableHeader" ? "th" : "td");
      if (cell) appendInline(there, state, cell);
      shown.append(there);
    }
    table.append(shown);
  }
  return table;
}

/** The cells of a row; null for an empty one, which the parser gives no node. */
function cellsOf(row: SyntaxNode): (SyntaxNode | null)[] {
  const cells: (SyntaxNode | null)[] = [];
  let last = "";
  for (let child = row.firstChild; child; child = child.nextSibling) {
    if (child.name === "TableCell") cells.push(child);
    else if (last === "TableDelimiter") cells.push(null);
    last = child.name;
  }
  return cells;
}

const ELEMENTS: Readonly<Record<string, keyof HTMLElementTagNameMap>> = {
  StrongEmphasis: "strong",
  Emphasis: "em",
  Strikethrough: "s",
  InlineCode: "code",
  Link: "u",
};

function appendInline(parent: HTMLElement, state: EditorState, node: SyntaxNode): void {
  eachInline(state, node, (part) => {
    if (typeof part === "string") return parent.append(part);
    const name = ELEMENTS[part.name];
    const inner = name ? document.createElement(name) : parent;
    if (inner !== parent) parent.append(inner);
    appendInline(inner, state, part);
  });
}

const STYLE = EditorView.theme({
  ".cm-picture": { display: "inline-block", maxWidth: "100%", verticalAlign: "top", cursor: "pointer" },
  ".cm-picture img": { display: "block", maxWidth: "100%", maxHeight: "16rem", borderRadius: ".25rem" },
  ".cm-caption, .cm-missing": { display: "block", fontSize: ".875em", color: "var(--soft)" },
  ".cm-missing": { border: "1px dashed var(--line)", padding: ".5rem" },
  ".cm-bullet": { color: "var(--soft)" },
  ".cm-rule": {
    display: "inline-block",
    width: "100%",
    verticalAlign: "middle",
    border: "0",
    borderTop: "1px solid var(--line)",
  },
  ".cm-line.cm-quote": { borderInlineStart: "3px solid var(--line)", paddingInlineStart: ".75rem" },
  ".cm-line.cm-code": {
    fontFamily: "ui-monospace, monospace",
    background: "var(--ground)",
    paddingInlineStart: ".75rem",
  },
  ".cm-table": { borderCollapse: "collapse", margin: ".25rem 0", cursor: "text" },
  ".cm-table th, .cm-table td": { border: "1px solid var(--line)", padding: ".15rem .5rem", textAlign: "start" },
});

/** @param onPicture called for a click on a picture */
export const writtenForm = (onPicture: (view: EditorView, place: number) => void): Extension => [
  hasFocus,
  tables,
  inLines,
  STYLE,
  EditorView.domEventHandlers({
    mousedown(event, view) {
      const shown = (event.target as Element).closest(".cm-picture");
      if (!shown) return false;
      onPicture(view, view.posAtDOM(shown));
      return true;
    },
  }),
];
