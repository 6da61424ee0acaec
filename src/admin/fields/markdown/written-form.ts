/**
 * What a Markdown text looks like while it is written: marks are hidden where the selection does not touch what they mark, pictures,
 * tables and rules are shown. The text itself is never changed by it.
 */
import { syntaxTree } from "@codemirror/language";
import type { EditorState, SelectionRange } from "@codemirror/state";
import { headingIds } from "../../../model/address/heading-ids.ts";
import type { MarkdownPicture } from "../../../model/text/markdown-links.ts";

export type SyntaxNode = ReturnType<typeof syntaxTree>["topNode"];

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A part of the text that is shown as something else. */
export type Shown = Range &
  (
    | { readonly kind: "hidden" | "bullet" | "rule" }
    | { readonly kind: "picture"; readonly picture: MarkdownPicture }
    /** Lines with a style of their own. */
    | { readonly kind: "quote" | "code" }
  );

/** Nodes whose marks are hidden, with the names of the marks. */
const MARKED: Readonly<Record<string, string>> = {
  StrongEmphasis: "EmphasisMark",
  Emphasis: "EmphasisMark",
  Strikethrough: "StrikethroughMark",
  InlineCode: "CodeMark",
};

/**
 * What is shown otherwise between two places, in the order of the text.
 * @param isFocused without focus the selection touches nothing
 */
export function shownParts(state: EditorState, { from, to }: Range, isFocused: boolean): Shown[] {
  const shown: Shown[] = [];
  const isTouched = (part: Range): boolean => isFocused && touches(state.selection.ranges, part);
  const lineOf = ({ from: start, to: end }: Range): Range => ({
    from: state.doc.lineAt(start).from,
    to: state.doc.lineAt(end).to,
  });
  // Line breaks are not hidden: lines would run together, and CodeMirror refuses it.
  const isInLine = ({ from: start, to: end }: Range): boolean => !state.sliceDoc(start, end).includes("\n");
  const hide = (part: Range): unknown =>
    part.from < part.to && isInLine(part) && shown.push({ kind: "hidden", from: part.from, to: part.to });
  syntaxTree(state).iterate({
    from,
    to,
    enter(reference) {
      const { node, name } = reference;
      const mark = MARKED[name];
      if (mark !== undefined) {
        if (!isTouched(node)) node.getChildren(mark).forEach(hide);
      } else if (name.startsWith("ATXHeading")) {
        if (!isTouched(lineOf(node))) hideHeading(state, node, hide);
      } else if (name === "Image") {
        const picture = isTouched(node) ? undefined : pictureOf(state, node);
        if (picture && isInLine(node)) shown.push({ kind: "picture", picture, from: node.from, to: node.to });
        return false;
      } else if (name === "Link") {
        const [open, close] = node.getChildren("LinkMark");
        const leads = node.getChild("URL") ?? node.getChild("LinkLabel");
        if (open && close && leads && close.to < node.to && !isTouched(node)) {
          hide(open);
          hide({ from: close.from, to: node.to });
        }
      } else if (name === "Escape" || name === "HardBreak") {
        const sign = { from: node.from, to: node.from + 1 };
        if (!isTouched(name === "Escape" ? node : sign)) hide(sign);
      } else if (name === "ListMark") {
        if (/^[-*+]$/.test(state.sliceDoc(node.from, node.to)) && !isTouched(node))
          shown.push({ kind: "bullet", from: node.from, to: node.to });
      } else if (name === "HorizontalRule") {
        if (!isTouched(node)) shown.push({ kind: "rule", from: node.from, to: node.to });
      } else if (name === "QuoteMark") {
        if (!isTouched(lineOf(node))) hide(withSpace(state, node));
      } else if (name === "Blockquote") shown.push({ kind: "quote", from: node.from, to: node.to });
      else if (name === "FencedCode") {
        shown.push({ kind: "code", from: node.from, to: node.to });
        return false;
      } else if (name === "Table") return false;
      return undefined;
    },
  });
  return shown;
}

/** The tables that the selection does not touch and that stand in no other block. */
export function shownTables(state: EditorState, isFocused: boolean): SyntaxNode[] {
  return syntaxTree(state)
    .topNode.getChildren("Table")
    .filter((table) => !isFocused || !touches(state.selection.ranges, table));
}

/** The picture of Markdown at a place, with where it stands. */
export function pictureAt(
  state: EditorState,
  place: number,
): (Range & { readonly picture: MarkdownPicture }) | undefined {
  for (const side of [-1, 1] as const) {
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(place, side);
    while (node && node.name !== "Image") node = node.parent;
    const picture = node ? pictureOf(state, node) : undefined;
    if (node && picture) return { from: node.from, to: node.to, picture };
  }
  return undefined;
}

const touches = (selected: readonly SelectionRange[], { from, to }: Range): boolean =>
  selected.some((range) => range.from <= to && from <= range.to);

/** A mark at the start of a line, with the space after it. */
const withSpace = (state: EditorState, { from, to }: Range): Range => ({
  from,
  to: state.sliceDoc(to, to + 1) === " " ? to + 1 : to,
});

function hideHeading(state: EditorState, node: SyntaxNode, hide: (part: Range) => unknown): void {
  const [open, close] = node.getChildren("HeaderMark");
  // A heading without a text would be an empty line.
  if (!open || state.sliceDoc(open.to, node.to).trim() === "") return;
  const spaces = /^[ \t]*/.exec(state.sliceDoc(open.to, node.to))![0].length;
  hide({ from: open.from, to: open.to + spaces });
  if (close) hide(close);
}

/** @returns undefined for one whose address is defined elsewhere in the text */
function pictureOf(state: EditorState, node: SyntaxNode): MarkdownPicture | undefined {
  const [open, close] = node.getChildren("LinkMark");
  const url = node.getChild("URL");
  if (!open || !close || !url) return undefined;
  const title = node.getChild("LinkTitle");
  return {
    address: state.sliceDoc(url.from, url.to).replace(/^<(.*)>$/s, "$1"),
    alt: unescaped(state.sliceDoc(open.to, close.from)),
    caption: title ? unescaped(state.sliceDoc(title.from + 1, title.to - 1)) : "",
  };
}

export interface TextHeading {
  readonly text: string;
  /** What a link to it has after `#`; "" for one that no link leads to. */
  readonly id: string;
}

/** The headings of a text, with the ids that pages have. */
export function headingsIn(state: EditorState): TextHeading[] {
  const texts: string[] = [];
  syntaxTree(state).iterate({
    enter({ name, node }) {
      if (/^(?:ATX|Setext)Heading/.test(name)) texts.push(plainText(state, node).trim());
    },
  });
  const ids = headingIds(texts);
  return texts.map((text, at) => ({ text, id: ids[at]! }));
}

function plainText(state: EditorState, node: SyntaxNode): string {
  let text = "";
  eachInline(state, node, (part) => (text += typeof part === "string" ? part : plainText(state, part)));
  return text;
}

/** Calls with the texts of a node, without marks and addresses, and with the nodes between them that are marked. */
export function eachInline(state: EditorState, node: SyntaxNode, call: (part: string | SyntaxNode) => void): void {
  let at = node.from;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    call(state.sliceDoc(at, child.from));
    if (child.name === "Escape") call(state.sliceDoc(child.from + 1, child.to));
    else if (!/Mark$|^(?:URL|LinkTitle|LinkLabel)$/.test(child.name)) call(child);
    at = child.to;
  }
  call(state.sliceDoc(at, node.to));
}

const unescaped = (text: string): string => text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
