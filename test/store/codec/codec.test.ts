import { describe, expect, it } from "vitest";
import { decodeFile, encodeFile, FileError, locate } from "../../../src/store/codec/codec.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (content: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);

describe("decodeFile", () => {
  it.each([
    ["x.yaml", "a: 1\n"],
    ["x.yml", "a: 1\n"],
    ["x.draft.it.yaml", "\uFEFFa: 1\r\n"],
  ])("reads %s", (path, text) => {
    expect(decodeFile(path, bytes(text))).toEqual({ data: { a: 1 } });
  });

  it.each([
    [bytes(""), "x.yaml: is empty"],
    [bytes("\uFEFF \n\n"), "x.yaml: is empty"],
    [bytes("# a: 1\n"), "x.yaml:1:1: is empty"],
    [bytes("- a\n"), "x.yaml:1:1: must hold `key: value` lines"],
    [bytes("just text"), "x.yaml:1:1: must hold `key: value` lines"],
    [new Uint8Array([0x61, 0x3a, 0x20, 0x31, 0x0a, 0x62, 0x3a, 0x20, 0xff]), "x.yaml:2:1: is not UTF-8 text"],
    [new Uint8Array([0xff, 0xfe, 0x61, 0x00]), "x.yaml:1:1: is not UTF-8 text"],
  ])("refuses %j: %s", (content, message) => {
    expect(() => decodeFile("x.yaml", content)).toThrow(FileError);
    expect(() => decodeFile("x.yaml", content)).toThrow(message);
  });
});

describe("encodeFile", () => {
  const order = [
    ["id", "*", "aliases"],
    ["it", "en"],
    ["title", "body"],
  ];

  it("writes a new file in order", () => {
    const data = {
      aliases: ["/x/"],
      other: 1,
      translations: { en: { body: "x", title: "A" }, it: { title: "B" } },
      id: 7,
    };
    expect(textOf(encodeFile("x.yaml", { data }, undefined, order))).toBe(
      "id: 7\nother: 1\ntranslations:\n  it:\n    title: B\n  en:\n    title: A\n    body: x\naliases:\n  - /x/\n",
    );
  });

  it("writes a new Markdown file", () => {
    expect(textOf(encodeFile("x.md", { data: { b: 1, id: 7 }, body: "# Hi\n" }, undefined, order))).toBe(
      "---\nid: 7\nb: 1\n---\n# Hi\n",
    );
    expect(textOf(encodeFile("x.md", { data: {}, body: "Hi" }))).toBe("---\n---\nHi");
  });

  it("edits the previous file, and gives its very bytes when nothing changed", () => {
    const previous = { bytes: bytes("id: 7 # seven\n# x\n"), before: { data: { id: 7, status: "DRF" } } };
    expect(encodeFile("x.yaml", previous.before, previous)).toEqual(previous.bytes);
    expect(textOf(encodeFile("x.yaml", { data: { id: 8, status: "DRF" } }, previous))).toBe("id: 8 # seven\n# x\n");
  });
});

describe("locate", () => {
  const yaml = `# top
id: 7
translations:
  it: {title: A, "body": B}
  en:
    title: C
items:
  - label: x
  -
    url: y
list: [1, [2, 3]]
1: one
`;

  // oxfmt-ignore
  it.each<[(string | number)[], string | undefined]>([
    [["id"],                          "2:1"],
    [["translations", "it"],          "4:3"],
    [["translations", "it", "body"],  "4:18"],
    [["translations", "en", "title"], "6:5"],
    [["items", 0],                    "8:5"],
    [["items", 1, "url"],             "10:5"],
    [["items", "1", "url"],           "10:5"],
    [["list", 1, 1],                  "11:15"],
    [[1],                             "12:1"],
    [["nope"],                        undefined],
    [["id", "deeper"],                undefined],
    [["items", 2],                    undefined],
    [[],                              undefined],
  ])("%j is at %s", (path, place) => {
    const show = (at: ReturnType<typeof locate>) => at && `${at.line}:${at.column}`;
    expect(show(locate(yaml, path))).toBe(place);
    expect(show(locate(yaml.replaceAll("\n", "\r\n"), path))).toBe(place);
    expect(show(locate(`\uFEFF${yaml}`, path))).toBe(place);
  });

  it("finds keys of front matter by the lines of the file", () => {
    expect(locate("---\nid: 1\ntitle: x\n---\ntitle: not me\n", ["title"])).toEqual({ line: 3, column: 1 });
    expect(locate("---\n---\nid: x\n", ["id"])).toBeUndefined();
  });

  it("finds nothing in a text that cannot be read", () => {
    expect(locate("a: [", ["a"])).toBeUndefined();
  });
});
