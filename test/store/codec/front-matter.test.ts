import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFile, encodeFile } from "../../../src/store/codec/codec.ts";
import type { FileContent } from "../../../src/store/codec/codec.ts";
import { record } from "./sample.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (content: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
const FILE = "---\n# who\ntitle: 'Ciao'  # it\n---\n\nBody: text\n---\nmore  ";

describe("a Markdown file", () => {
  it.each<[string, FileContent]>([
    [FILE, { data: { title: "Ciao" }, body: "\nBody: text\n---\nmore  " }],
    ["---\r\na: 1\r\n---\r\nx\r\ny", { data: { a: 1 }, body: "x\r\ny" }],
    ["\uFEFF---\na: 1\n---\nx", { data: { a: 1 }, body: "x" }],
    ["---yaml\na: 1\n---\nx", { data: { a: 1 }, body: "x" }],
    ["--- \na: 1\n---\nx", { data: { a: 1 }, body: "x" }],
    ["---\na: 1\n---", { data: { a: 1 }, body: "" }],
    ["---\n---\nx", { data: {}, body: "x" }],
    ["+++\na = 1\n+++\nx", { data: { a: 1 }, body: "x" }],
    ["\n---\na: 1\n---\nx", { data: { a: 1 }, body: "x" }],
    ["---\n# only this\n---\nx", { data: {}, body: "x" }],
    ["no front matter here\n", { data: {}, body: "no front matter here\n" }],
  ])("%j holds %j", (text, content) => {
    expect(decodeFile("x.md", bytes(text))).toEqual(content);
  });

  it.each([
    ["+++\ntitle = \n+++\n", "x.md:2:9: Invalid TOML document"],
    ["+++\ntitle = 1\n", "x.md: has front matter that is not closed"],
    ["---\na: 1\n", "x.md: has front matter that is not closed"],
    ["---\na: 1\n----\nb\n---\n", "x.md:3:1: has a line that begins with `---`"],
    ["---\n- a\n---\n", "x.md:1:1: must hold `key: value` lines"],
    ["---\na: 1\na: 2\n---\n", "x.md:3:1: "],
    ["", "x.md: is empty"],
  ])("%j is refused: %s", (text, message) => {
    expect(() => decodeFile("x.md", bytes(text))).toThrow(message);
  });

  it("keeps the body's bytes when data changes", () => {
    const before = decodeFile("x.md", bytes(FILE));
    const after = { ...before, data: { title: "Salve", lead: "x" } };
    expect(textOf(encodeFile("x.md", after, { bytes: bytes(FILE), before }))).toBe(
      "---\n# who\ntitle: 'Salve'  # it\nlead: x\n---\n\nBody: text\n---\nmore  ",
    );
  });

  it("keeps the front matter's bytes when the body changes", () => {
    const before = decodeFile("x.md", bytes(FILE));
    expect(textOf(encodeFile("x.md", { ...before, body: "new" }, { bytes: bytes(FILE), before }))).toBe(
      "---\n# who\ntitle: 'Ciao'  # it\n---\nnew",
    );
  });

  it.each([
    ["---\na: 1\n---", "new", "---\na: 1\n---\nnew"],
    ["---\r\na: 1\r\n---", "new", "---\r\na: 1\r\n---\r\nnew"],
    ["---\na: 1\n---\nold", "", "---\na: 1\n---\n"],
    ["---\na: 1\n---   \nold", "new", "---\na: 1\n---   \nnew"],
    ["\uFEFF---\na: 1\n---\nold", "new", "\uFEFF---\na: 1\n---\nnew"],
  ])("%j with the body %j is %j", (text, body, result) => {
    const before = decodeFile("x.md", bytes(text));
    expect(textOf(encodeFile("x.md", { ...before, body }, { bytes: bytes(text), before }))).toBe(result);
  });

  it("gets its first field", () => {
    const text = bytes("---\n---\nx");
    const before = decodeFile("x.md", text);
    expect(textOf(encodeFile("x.md", { ...before, data: { a: 1 } }, { bytes: text, before }))).toBe(
      "---\na: 1\n---\nx",
    );
  });

  it("holds whatever it is given, new or edited", () => {
    const body = fc.oneof(
      fc.string(),
      fc.constantFrom("\n", "\r\n", "\n\n# x\n", "---\n", "---", "\r", " \nx", "  ", "\uFEFFx"),
    );
    const content = fc.record({ data: record, body });
    fc.assert(
      fc.property(content, content, (first, second) => {
        const made = encodeFile("x.md", first);
        expect(decodeFile("x.md", made)).toEqual(first);
        expect(encodeFile("x.md", first, { bytes: made, before: first })).toEqual(made);
        expect(decodeFile("x.md", encodeFile("x.md", second, { bytes: made, before: first }))).toEqual(second);
      }),
      { numRuns: 150 },
    );
  });
});
