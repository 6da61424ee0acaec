/** The buttons above a Markdown text. A caret is `|`, a selection is between `{` and `}`. */
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import {
  formatted,
  linkAround,
  linked,
  type Format,
  type Formatted,
  type Selected,
} from "../../src/admin/fields/markdown/markdown-format.ts";

const press = (shown: string, format: Format): string =>
  changedBy(shown, (doc, selected) => formatted(doc, selected, format));

function changedBy(shown: string, change: (doc: string, selected: Selected) => Formatted): string {
  const caret = shown.indexOf("|");
  const anchor = caret < 0 ? shown.indexOf("{") : caret;
  const head = caret < 0 ? shown.indexOf("}") - 1 : caret;
  const doc = shown.replaceAll(/[|{}]/g, "");
  const lines = EditorState.lineSeparator.of("\n");
  const state = EditorState.create({ doc, selection: { anchor, head }, extensions: lines });
  const next = state.update(change(doc, state.selection.main)).state;
  const text = next.doc.toString();
  const { from, to, empty } = next.selection.main;
  if (empty) return `${text.slice(0, from)}|${text.slice(from)}`;
  return `${text.slice(0, from)}{${text.slice(from, to)}}${text.slice(to)}`;
}

describe("a button above a Markdown text", () => {
  it.each<[before: string, Format, after: string]>([
    // An empty line: what is typed next stands behind the sign.
    ["|", "heading", "## |"],
    ["a\n\n|\n\nb", "list", "a\n\n- |\n\nb"],
    ["|", "numbered", "1. |"],
    ["|", "quote", "> |"],
    ["|\r\n", "list", "- |\r\n"],
    // A line keeps the caret in its text.
    ["|Title", "heading", "## |Title"],
    ["Tit|le", "heading", "## Tit|le"],
    ["Title|\r\nText", "heading", "## Title|\r\nText"],
    ["one\ntw|o\nthree", "quote", "one\n> tw|o\nthree"],
    ["a {b} c", "list", "- a {b} c"],
    // Several lines, without the one that the selection only touches.
    ["{one\ntwo\n}three", "list", "- {one\n- two\n}three"],
    ["{one\n\ntwo}", "list", "- {one\n\n- two}"],
    ["{one\n\ntwo}", "numbered", "1. {one\n\n2. two}"],
    ["{one\n\ntwo}", "quote", "> {one\n> \n> two}"],
    ["o{ne\ntw}o", "heading", "## o{ne\n## tw}o"],
    // Words.
    ["|", "bold", "**|**"],
    ["a | b", "italic", "a _|_ b"],
    ["word|", "italic", "word*|*"],
    ["wo|rd", "bold", "**wo|rd**"],
    ["wo|rd", "italic", "_wo|rd_"],
    ["a {word} b", "bold", "a **{word}** b"],
    ["a {word} b", "italic", "a _{word}_ b"],
    ["b{ol}d", "italic", "b*{ol}*d"],
    ["**{word}**", "italic", "**_{word}_**"],
    ["_{word}_", "bold", "_**{word}**_"],
    ["{one\ntwo}", "bold", "**{one**\n**two}**"],
    ["{- one\n\n- two}", "bold", "{- **one**\n\n- **two}**"],
    ["> ## a {b}", "italic", "> ## a _{b}_"],
  ])("changes %j by %s to %j, and back", (before, format, after) => {
    expect(press(before, format)).toBe(after);
    const plain = press(after, format).replaceAll(/[|{}]/g, "");
    expect(plain).toBe(before.replaceAll(/[|{}]/g, ""));
  });

  it.each<[before: string, Format, after: string]>([
    // What is there in another form goes all the same.
    ["### Ti|tle", "heading", "Ti|tle"],
    ["##|", "heading", "|"],
    ["* a|", "list", "a|"],
    ["- [x] a|", "list", "a|"],
    ["- a\n  - b|", "list", "- a\nb|"],
    ["3) a|", "numbered", "a|"],
    [">a|", "quote", "a|"],
    ["> - a|", "list", "> a|"],
    ["> - a|", "quote", "- a|"],
    ["__wo|rd__", "bold", "wo|rd"],
    ["*wo|rd*", "italic", "wo|rd"],
    ["{**word**}", "bold", "{word}"],
    ["***{word}***", "bold", "*{word}*"],
    ["***{word}***", "italic", "**{word}**"],
    ["**_|_**", "bold", "_|_"],
    ["**one\ntw|o**", "bold", "one\ntw|o"],
    ["{**one\ntwo**}", "bold", "{one\ntwo}"],
    // One sign takes the place of another.
    ["- a|", "heading", "## a|"],
    ["1. a|", "list", "- a|"],
    ["{- a\n- b}", "numbered", "1. {a\n2. b}"],
    ["> a|", "heading", "> ## a|"],
    ["|- a", "heading", "## |a"],
    ["{- a\n  - b\nc}", "list", "- {a\n  - b\n- c}"],
    // A part of what is marked, and what is marked in part.
    ["**one {two} three**", "bold", "**one** {two} **three**"],
    ["**{one} two**", "bold", "{one} **two**"],
    ["{**one** two}", "bold", "**{one two}**"],
    ["{one **two**}", "bold", "**{one two}**"],
    ["{ one }", "bold", "{ **one** }"],
    // Typing a marked text, and going on behind it.
    ["**word|**", "bold", "**word**|"],
    ["_word|_", "italic", "_word_|"],
    ["**word |**", "bold", "**word** |"],
    ["_two words |_", "italic", "_two words_ |"],
  ])("changes %j by %s to %j", (before, format, after) => {
    expect(press(before, format)).toBe(after);
  });
});

describe("a link", () => {
  const link = { address: "/about/", name: "About us" };

  it.each<[before: string, after: string]>([
    ["a {word} b", "a [word](/about/)| b"],
    ["a { word }b", "a  [word](/about/)| b"],
    ["wo|rd", "[word](/about/)|"],
    ["a |", "a [About us](/about/)|"],
    ["- |", "- [About us](/about/)|"],
    ["[{todo}]", "[[todo](/about/)|]"],
    ["see [wo|rd](/x)", "see [word](/about/)|"],
    ['see [wo|rd](</x y> "Title")', "see [word](/about/)|"],
  ])("of %j is %j", (before, after) => {
    expect(changedBy(before, (doc, selected) => linked(doc, selected, link))).toBe(after);
  });

  it.each<[before: string, after: string]>([
    ["[word|](/x)", "word|"],
    ["see [{word}](/x)", "see {word}"],
    ["|none", "|none"],
  ])("is taken away from %j", (before, after) => {
    expect(changedBy(before, (doc, selected) => linked(doc, selected, undefined))).toBe(after);
  });

  it("writes an address with spaces, and a name with brackets", () => {
    const odd = { address: "/a b(c)", name: "x [y]" };
    expect(changedBy("|", (doc, selected) => linked(doc, selected, odd))).toBe("[x \\[y\\]](</a b(c)>)|");
  });

  it("is known around a caret", () => {
    expect(linkAround("a [b](/c) d", { anchor: 3, head: 3 })).toEqual({ address: "/c" });
    expect(linkAround("a [b](/c) d", { anchor: 0, head: 0 })).toBeUndefined();
  });
});
