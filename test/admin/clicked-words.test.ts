import { describe, expect, it } from "vitest";
import { placeOfWords, selectionAtWords } from "../../src/admin/fields/clicked-words.ts";

/** The place is that of the bar. */
describe("placeOfWords", () => {
  it.each([
    ["of a plain text", "We build sta|irs", "We build sta|irs"],
    ["at the start", "|We build stairs", "|We build stairs"],
    ["at the end", "We build stairs|", "We build stairs|"],
    ["beside marks", "We build oak sta|irs by hand", "We **build** oak *sta|irs* by hand"],
    ["after a list and a heading", "Wood\nOak\nAsh fro|m here", "# Wood\n\n- Oak\n- Ash fro|m here"],
    ["of the second of two words", "Oak. Oa|k.", "**Oak.** *Oa|k.*"],
    ["of a word alone", "Oak and a|sh", "[Oak](/oak) and [a|sh](/x)"],
    ["of the same sentence twice", "It is oak. It is o|ak.", "It is oak.\n\nIt is o|ak."],
  ])("%s", (_, shown, stored) => {
    const clicked = { text: shown.replace("|", ""), at: shown.indexOf("|") };
    expect(placeOfWords(stored.replace("|", ""), clicked)).toBe(stored.indexOf("|"));
  });

  it.each([
    ["a word is selected", "Oak", [2, 5]],
    ["words with marks in between have the caret at their start", "Oak and", [2, 2]],
  ])("%s", (_, selected, place) => {
    const words = { text: "Oak and ash", at: 0, length: selected.length };
    expect(selectionAtWords("**Oak** and *ash*", words)).toEqual(place);
  });

  it.each([
    ["another text", "Oak and ash", 5],
    ["no word", "— —", 1],
    ["nothing", "", 0],
  ])("finds nothing of %s", (_, text, at) => {
    expect(placeOfWords("Stairs", { text, at })).toBeUndefined();
  });
});
