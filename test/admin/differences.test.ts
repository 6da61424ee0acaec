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
    [{ data: { list: [{ a: 1 }] } }, { data: { list: [{ a: 1 }, { a: 2 }] } }, [["data", "list", "2", "a"], "", "2"]],
    [{ image: { id: 1, title: "One" } }, { image: { id: 2, title: null } }, [["image"], "One", "#2"]],
    [
      { link: { link_type: "ST", static: "/x" } },
      { link: { link_type: "RE", url_node: { id: 3, permalink: "/y" } } },
      [["link"], "/x", "/y"],
    ],
  ])("%j to %j", (before, after, [path, old, now]) => {
    expect(fieldDifferences(before, after, Object.keys(before))).toEqual([{ path, before: old, after: now }]);
  });

  it("are none where only the form of a value differs", () => {
    expect(fieldDifferences({ a: null, b: {} }, { b: {} }, ["a", "b"])).toEqual([]);
  });
});
