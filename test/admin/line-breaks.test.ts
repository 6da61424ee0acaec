/** Enter in a text as it will look. The caret is `|`. */
import { markdown } from "@codemirror/lang-markdown";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState, type StateCommand } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { breakLine, endParagraph } from "../../src/admin/fields/markdown/line-breaks.ts";

/** @returns undefined where the key does what it does in a source */
function after(command: StateCommand, shown: string): string | undefined {
  const state = EditorState.create({
    doc: shown.replace("|", ""),
    selection: { anchor: shown.indexOf("|") },
    extensions: [EditorState.lineSeparator.of("\n"), markdown()],
  });
  ensureSyntaxTree(state, state.doc.length, 10_000);
  let text: string | undefined;
  const isDone = command({
    state: state.update({}).state,
    dispatch(transaction) {
      const { doc, selection } = transaction.state;
      text = `${doc.sliceString(0, selection.main.head)}|${doc.sliceString(selection.main.head)}`;
    },
  });
  return isDone ? text : undefined;
}

describe("a line break in a text that is written", () => {
  it.each<[text: string, after: string | undefined]>([
    ["a|", "a\n\n|"],
    ["a| b", "a\n\n| b"],
    ["**a**|\nb", "**a**\n\n|\n\nb"],
    ["a\n\n|", "a\n\n|"],
    ["a\n|", "a\n\n|"],
    ["a\n|\nb", "a\n\n|\n\nb"],
    ["|", "|"],
    ["![a](/a.png)|", "![a](/a.png)\n\n|"],
    // Lists and quotes go on while they have words.
    ["- a|", undefined],
    ["> a|", undefined],
    ["- a\n- |", "- a\n\n|"],
    ["- a\n\n- |", "- a\n\n|"],
    ["2. |", "|"],
    ["- [ ] |", "|"],
    ["> a\n> |\n\nb", "> a\n\n|\n\nb"],
    ["- a\n  - |", undefined],
    ["## a|", undefined],
    ["```\na|\n```", undefined],
    ["<div>\na|", undefined],
  ])("Enter in %j: %j", (text, expected) => {
    expect(after(endParagraph, text)).toBe(expected);
  });

  it.each<[text: string, after: string | undefined]>([
    ["a|b", "a\\\n|b"],
    ["- a|", "- a\\\n|"],
    ["## a|", undefined],
    ["```\na|\n```", undefined],
  ])("Shift-Enter in %j: %j", (text, expected) => {
    expect(after(breakLine, text)).toBe(expected);
  });
});
