/**
 * Enter in a text as it will look. In Markdown a single line break is a space, and words below a list belong to its last item: what looks
 * apart here would run together on the page.
 */
import { syntaxTree } from "@codemirror/language";
import type { EditorState, Line, StateCommand } from "@codemirror/state";

/** An item or a quote without words, at the top of the text. */
const EMPTY_SIGN = /^(?:>|(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\])?)[ \t]*$/;

const isBlank = (line: Line | undefined): boolean => line === undefined || line.text.trim() === "";

/** What is around a place, the outermost first. @param side of the place */
function nodesAt(state: EditorState, place: number, side: -1 | 1): string[] {
  const names: string[] = [];
  let node = syntaxTree(state).resolveInner(place, side).node;
  for (; node.parent; node = node.parent) names.unshift(node.name);
  return names;
}

/**
 * Ends a paragraph with an empty line, and a list or quote where its line has no words. No second empty line is made, since the page would not show it.
 *
 * @returns false: the line is part of something else, such as an item with words, which goes on
 */
export const endParagraph: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  if (!main.empty || state.readOnly) return false;
  const { doc } = state;
  const line = doc.lineAt(main.head);
  const before = line.number > 1 ? doc.line(line.number - 1) : undefined;
  const after = line.number < doc.lines ? doc.line(line.number + 1) : undefined;
  const put = (from: number, gap: string, isLast: boolean): true => {
    const insert = isLast && !isBlank(after) ? `${gap}\n` : gap;
    const selection = { anchor: from + gap.length };
    dispatch(
      state.update({ changes: { from, to: main.head, insert }, selection, scrollIntoView: true, userEvent: "input" }),
    );
    return true;
  };
  if (EMPTY_SIGN.test(line.text) && main.head === line.to) return put(line.from, isBlank(before) ? "" : "\n", true);
  const [block] = nodesAt(state, line.from + line.text.length - line.text.trimStart().length, 1);
  if (isBlank(line)) return block === undefined && put(main.head, isBlank(before) ? "" : "\n", true);
  return block === "Paragraph" && put(main.head, "\n\n", main.head === line.to);
};

/** Breaks the line within a paragraph. */
export const breakLine: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly || !nodesAt(state, state.selection.main.from, -1).includes("Paragraph")) return false;
  dispatch(state.update(state.replaceSelection("\\\n"), { scrollIntoView: true, userEvent: "input" }));
  return true;
};
