/** What a Markdown text looks like while it is written. A caret is `|`; without one, the text does not have the focus. */
import { markdown } from "@codemirror/lang-markdown";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { Strikethrough, Table } from "@lezer/markdown";
import { describe, expect, it } from "vitest";
import { addressesOf } from "../../src/admin/fields/markdown/link-addresses.ts";
import { headingsIn, pictureAt, shownParts, shownTables } from "../../src/admin/fields/markdown/written-form.ts";

function stateOf(shown: string): { readonly state: EditorState; readonly isFocused: boolean } {
  const caret = shown.indexOf("|");
  const state = EditorState.create({
    doc: shown.replace("|", ""),
    selection: { anchor: Math.max(0, caret) },
    extensions: [EditorState.lineSeparator.of("\n"), markdown({ extensions: [Table, Strikethrough] })],
  });
  return { state: parsed(state), isFocused: caret >= 0 };
}

/** The state with the whole text parsed: of itself it parses for some milliseconds only. */
function parsed(state: EditorState): EditorState {
  ensureSyntaxTree(state, state.doc.length, 10_000);
  return state.update({}).state;
}

/** The text as it is seen: pictures as `{alt, caption}`, bullets as `•`, rules as `―`. */
function seen(shown: string): string {
  const { state, isFocused } = stateOf(shown);
  let text = "";
  let at = 0;
  const parts = shownParts(state, { from: 0, to: state.doc.length }, isFocused).toSorted((a, b) => a.from - b.from);
  for (const part of parts) {
    if (part.kind === "quote" || part.kind === "code") continue;
    expect(part.from, "parts do not overlap").toBeGreaterThanOrEqual(at);
    text += state.sliceDoc(at, part.from);
    if (part.kind === "picture") text += `{${part.picture.alt}, ${part.picture.caption}}`;
    else text += { hidden: "", bullet: "•", rule: "―" }[part.kind];
    at = part.to;
  }
  return text + state.sliceDoc(at);
}

describe("a text that is written", () => {
  it.each<[text: string, seen: string]>([
    ["a **b** _c_ ~~d~~ `e`", "a b c d e"],
    ["***b***", "b"],
    ["## Opening\n\ntext", "Opening\n\ntext"],
    ["## Opening ##", "Opening "],
    ["##", "##"],
    ["#not", "#not"],
    ["- a\n- b\n  * c", "• a\n• b\n  • c"],
    ["1. a", "1. a"],
    ["- [ ] a", "• [ ] a"],
    ["> a\n> b", "a\nb"],
    ["a\n\n---\n\nb", "a\n\n―\n\nb"],
    ['see [the **house**](/house/ "T")', "see the house"],
    ["see [a][b]\n\n[b]: /x", "see a\n\n[b]: /x"],
    ["so [sic] and [a] []", "so [sic] and [a] []"],
    ["<https://example.com>", "<https://example.com>"],
    ["2 \\* 3", "2 * 3"],
    ["a\\\nb", "a\nb"],
    ['![A \\[goat\\]](/media/goat.jpg "Our goat")', "{A [goat], Our goat}"],
    ["[![A goat](/media/goat.jpg)](/goats/)", "{A goat, }"],
    ["```\n**code**\n```", "```\n**code**\n```"],
    ["<b>**a**</b>", "<b>a</b>"],
    // A link over two lines keeps its marks: lines do not run together.
    ['[a](/x\n"t")', 'a](/x\n"t")'],
    ["**a**\r\n# b\r\n", "a\r\nb\r\n"],
  ])("%j is seen as %j", (text, expected) => {
    expect(seen(text)).toBe(expected);
  });

  it.each<[text: string, seen: string]>([
    ["a **b|** _c_", "a **b** c"],
    ["a **b** _|c_", "a b _c_"],
    ["a **b**|", "a **b**"],
    ["a **b** |c", "a b c"],
    ["## Open|ing\n\n## b", "## Opening\n\nb"],
    ["> a|\n> b", "> a\nb"],
    ["|- a\n- b", "- a\n• b"],
    ["- a|", "• a"],
    ["[a|](/x) [b](/y)", "[a](/x) b"],
    ["![a](/x)|", "![a](/x)"],
  ])("%j shows the marks that the caret touches: %j", (text, expected) => {
    expect(seen(text)).toBe(expected);
  });

  it("shows tables that the caret does not touch", () => {
    const table = "a\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\nb";
    const count = (text: string): number => {
      const { state, isFocused } = stateOf(text);
      return shownTables(state, isFocused).length;
    };
    expect([count(table), count(table.replace("1 |", "1"))]).toEqual([1, 1]);
    const { state } = stateOf(table);
    const inside = parsed(state.update({ selection: { anchor: table.indexOf("1") } }).state);
    expect(shownTables(inside, true)).toEqual([]);
    expect(shownTables(inside, false)).toHaveLength(1);
  });

  it("knows the picture at a place, and the headings with the ids of the page", () => {
    const { state } = stateOf('# The *house*\n\n![a](</m b.jpg> "c")\n\nHouse\n---\n\n## The house');
    const picture = { address: "/m b.jpg", alt: "a", caption: "c" };
    expect(pictureAt(state, 18)).toMatchObject({ from: 15, picture });
    expect(pictureAt(state, 15)).toMatchObject({ from: 15, picture });
    expect(pictureAt(state, 3)).toBeUndefined();
    expect(headingsIn(state)).toEqual([
      { text: "The house", id: "the-house" },
      { text: "House", id: "house" },
      { text: "The house", id: "the-house-2" },
    ]);
  });
});

describe("what was typed for a link", () => {
  const headings = [
    { text: "Opening hours", id: "opening-hours" },
    { text: "!", id: "" },
  ];

  it.each<[typed: string, addresses: string[]]>([
    ["", ["#opening-hours"]],
    ["hours", ["#opening-hours"]],
    ["#open", ["#open", "#opening-hours"]],
    ["example.com", ["https://example.com"]],
    ["www.example.com/a?b#c", ["https://www.example.com/a?b#c"]],
    ["http://example.com", ["http://example.com"]],
    [" ada@example.com ", ["mailto:ada@example.com"]],
    ["mailto:ada@example.com", ["mailto:ada@example.com"]],
    ["+39 06 123-4567", ["tel:+39061234567"]],
    ["/about/", ["/about/"]],
    ["about us", []],
    ["about", []],
    ["javascript:alert(1)", []],
    ["java\tscript:alert(1)", []],
  ])("%j means %j", (typed, addresses) => {
    expect(addressesOf(typed, headings).map(({ address }) => address)).toEqual(addresses);
  });
});
