/** Differences as the editor shows them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldDifferences } from "../../src/admin/history/field-differences.ts";
import { textDifference } from "../../src/admin/history/text-difference.ts";

describe("differences of texts", () => {
  it("are word by word", () => {
    expect(textDifference("The old tower stands.", "The new tower stands here.")).toEqual([
      { kind: "same", text: "The " },
      { kind: "gone", text: "old" },
      { kind: "new", text: "new" },
      { kind: "same", text: " tower stands" },
      { kind: "new", text: " here" },
      { kind: "same", text: "." },
    ]);
  });

  it("make up both texts, whatever they are", () => {
    const words = fc.array(fc.constantFrom("a", "b", "è", " ", "\n", ".", "🙂"), { maxLength: 20 });
    fc.assert(
      fc.property(words, words, (one, two) => {
        const [before, after] = [one.join(""), two.join("")];
        const parts = textDifference(before, after);
        const without = (kind: string) => parts.map((part) => (part.kind === kind ? "" : part.text)).join("");
        expect([without("new"), without("gone")]).toEqual([before, after]);
      }),
    );
  });

  it("of long texts without common words are one difference", () => {
    const text = (word: string) => `${word} `.repeat(2_000);
    expect(textDifference(`${text("a")}.`, `${text("b")}!`).map(({ kind }) => kind)).toEqual(["gone", "new"]);
  });
});

describe("differences of fields", () => {
  it.each([
    [{ title: "A" }, { title: "B" }, [["title"], "A", "B"]],
    [{ title: null }, { title: "B" }, [["title"], "", "B"]],
    [{ data: { list: [{ a: 1 }] } }, { data: { list: [{ a: 1 }, { a: 2 }] } }, [["data", "list", "1", "a"], "", "2"]],
    [{ image: { id: 1, title: "One" } }, { image: { id: 2, title: null } }, [["image"], "One", "#2"]],
    [
      { link: { link_type: "ST", static: "/x" } },
      { link: { link_type: "RE", url_node: { id: 3, permalink: "/y" } } },
      [["link"], "/x", "/y"],
    ],
  ])("%j to %j", (before, after, [path, old, now]) => {
    expect(fieldDifferences(before, after, Object.keys(before))).toEqual([{ path, before: old, after: now }]);
  });

  it("of sections follow each section, and tell which there are and in which order", () => {
    const block = (id: string, type: string, words: string) => ({ type, id, words });
    const [hero, text, call] = [block("b1", "hero", "A"), block("b2", "text", "B"), block("b3", "call-to-action", "C")];
    const between = (before: object[], after: object[]) =>
      fieldDifferences({ parts: before } as never, { parts: after } as never, ["parts"]).map(({ path, ...each }) => [
        path.join("."),
        each.before,
        each.after,
      ]);
    expect(between([hero, text, call], [hero, call])).toEqual([
      ["parts", "Hero, Text, Call to action", "Hero, Call to action"],
      ["parts.1.words", "B", ""],
    ]);
    expect(between([hero, text], [text, hero])).toEqual([["parts", "Hero, Text", "Text, Hero"]]);
    expect(between([hero, text], [block("b1", "hero", "Z"), text])).toEqual([["parts.0.words", "A", "Z"]]);
    expect(between([], [text])).toEqual([
      ["parts", "", "Text"],
      ["parts.0.words", "", "B"],
    ]);
  });

  it("are none where only the form of a value differs", () => {
    expect(fieldDifferences({ a: null, b: {} }, { b: {} }, ["a", "b"])).toEqual([]);
  });
});
