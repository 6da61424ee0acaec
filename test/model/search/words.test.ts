import { describe, expect, it } from "vitest";
import { plainText, searchableText } from "../../../src/model/search/plain-text.ts";
import { beginningOf, passageOf } from "../../../src/model/search/passages.ts";
import { readSearchQuery } from "../../../src/model/search/query.ts";
import { stemmerOf } from "../../../src/model/search/stemmer.ts";
import { differByOneTypo, fold, tokensOf, wordsOf as indexedWords } from "../../../src/model/search/words.ts";

const wordsOf = (text: string): string[] => [...tokensOf(text)].map(({ word }) => word);

describe("tokensOf", () => {
  it.each([
    ["Flour & Water", ["flour", "water"]],
    ["Perché l'acqua è fredda", ["perche", "l", "acqua", "e", "fredda"]],
    ["Straße, Œuvre, Łódź", ["strasse", "oeuvre", "lodz"]],
    ["sour-dough 2026", ["sour", "dough", "2026"]],
    ["e\u0301te\u0301", ["ete"]], // accents as characters of their own
    ["面包店 café", ["面包", "包店", "cafe"]],
    ["水", ["水"]],
    ["パンya", ["パン", "ya"]],
    ["x".repeat(40), ["x".repeat(32)]],
    ["— … !", []],
    ["Caffè “doppio” … l’ora – ½ № ™ ﬁne", ["caffe", "doppio", "l", "ora", "1⁄2", "fine"]],
  ])("%s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
    expect(indexedWords(text)).toEqual(words);
  });

  it("says where each word is", () => {
    const text = "«Perché» 面包店";
    expect([...tokensOf(text)].map(({ start, end }) => text.slice(start, end))).toEqual(["Perché", "面包", "包店"]);
  });
});

it.each([
  ["ÀÉÎ", "aei"],
  ["ﬁne", "fine"],
  ["plain", "plain"],
])("%s is compared as %s", (text, folded) => {
  expect(fold(text)).toBe(folded);
});

describe("differByOneTypo", () => {
  it.each([
    ["flour", "flaur", true], // another letter
    ["flour", "flor", true], // one is missing
    ["flour", "fllour", true], // one too many
    ["flour", "fluor", true], // two exchanged
    ["flour", "flower", false],
    ["flour", "flour", false],
    ["flour", "fl", false],
    ["", "a", true],
  ])("%s and %s: %s", (a, b, is) => {
    expect([differByOneTypo(a, b), differByOneTypo(b, a)]).toEqual([is, is]);
  });
});

describe("readSearchQuery", () => {
  const word = (text: string, isPrefix = false) => ({ words: [text], isPrefix });
  it.each([
    ["flour water", [word("flour"), word("water", true)], []],
    ["flour water ", [word("flour"), word("water")], []],
    ['"flour and water"', [{ words: ["flour", "and", "water"], isPrefix: false }], []],
    ['"flour and', [{ words: ["flour", "and"], isPrefix: false }], []], // not closed yet
    ["flour -salt", [word("flour")], [["salt"]]],
    ['bread -"white flour"', [word("bread")], [["white", "flour"]]],
    ["sour-dough", [{ words: ["sour", "dough"], isPrefix: false }], []],
    ['- ! ""', [], []],
  ])("%s", (text, wanted, unwanted) => {
    expect(readSearchQuery(text)).toEqual({ wanted, unwanted });
  });

  it("reads a limited number of words", () => {
    expect(readSearchQuery("a ".repeat(500)).wanted).toHaveLength(16);
  });
});

describe("stemmerOf", () => {
  it.each([
    ["en", "flours", "flour"],
    ["en", "bakeries", "bakery"],
    ["en-GB", "walking", "walked"],
    ["it", "farine", "farina"],
    ["it", "bambino", "bambini"],
    ["fr", "boulangerie", "boulangeries"],
    ["de", "brote", "brot"],
  ])("%s: %s has the stem of %s", async (lang, one, other) => {
    const stem = await stemmerOf(lang);
    expect(stem(one)).toBe(stem(other));
  });

  it("leaves words of a language without an algorithm alone", async () => {
    expect((await stemmerOf("ja"))("words")).toBe("words");
  });
});

describe("plainText", () => {
  it.each([
    ["<p>One <b>two</b></p>\n\n three", "One two three"],
    ["# Title\n\nSome **bold** and [a link](https://example.com/secret) here", "Title Some bold and a link here"],
    ["![A loaf](/media/loaf.jpg) of bread", "A loaf of bread"],
    ["Caff&egrave; &amp; t&#232;", "Caffè & tè"],
    ["1 < 2 and 3 > 2", "1 < 2 and 3 2"],
  ])("%s", (text, plain) => {
    expect(plainText(searchableText(text))).toBe(plain);
  });

  it("takes linear time", () => {
    for (const text of ["<".repeat(1e5), "](".repeat(1e5), "<!--".repeat(1e5), "&".repeat(1e5), "] (".repeat(1e5)])
      expect(plainText(searchableText(text)).length).toBeLessThanOrEqual(text.length);
  });
});

describe("passageOf", () => {
  const long = `${"before ".repeat(60)}flour and water ${"after ".repeat(60)}`;

  it("is where most of the words stand, with marks that fit", () => {
    const { passage, words } = passageOf(`flour ${long}`, (word) => ["flour", "water"].includes(word))!;
    expect(words).toBe(2);
    expect(passage.marks.map(([from, to]) => passage.text.slice(from, to))).toEqual(["flour", "water"]);
    expect(passage.text.length).toBeLessThan(210);
    expect(passage.text).toMatch(/^… before .* after …$/);
  });

  it("is nothing without any of the words, and all of a short text", () => {
    expect(passageOf("nothing here", (word) => word === "flour")).toBeUndefined();
    expect(passageOf("Flour!", (word) => word === "flour")!.passage).toEqual({ text: "Flour!", marks: [[0, 5]] });
  });

  it("does not cut a character in two", () => {
    const { text } = beginningOf("🍞".repeat(300));
    expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });
});
