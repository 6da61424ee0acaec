import { describe, expect, it } from "vitest";
import { decodeFile, encodeFile, FileError } from "../../../src/store/codec/codec.ts";
import { editYaml } from "../../../src/store/codec/yaml/edit.ts";
import { parseYaml } from "../../../src/store/codec/yaml/yaml.ts";
import { processorTimer } from "../../support/processor-time.ts";

const fill = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const MB = 1_000_000;

/** Each took the process down, or seconds to minutes, in a parser without the guard. */
const refused: [string, string][] = [
  ["explicit keys in each other", fill("? ", 4000)],
  ["explicit keys on lines of their own", lines(90, (i) => `${" ".repeat(i)}? a`)],
  ["explicit keys between brackets", fill("{? ", 4000)],
  ["1 MB of open brackets", fill("[", MB)],
  ["65 brackets", `a: ${"[".repeat(65)}${"]".repeat(65)}`],
  ["1 MB of dashes", fill("- ", MB)],
  ["40,000 keys", lines(40_000, (i) => `key${i}: ${i}`)],
  ["20,000 anchors", `a:\n${lines(20_000, (i) => `- &a${i} x`)}`],
  ["1,000 aliases", `a: &a x\nb:\n${lines(1000, () => "- *a")}`],
  [
    "an alias bomb",
    `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${lines(9, (i) => `a${i + 1}: &a${i + 1} [${fill(`*a${i},`, 36)}]`)}`,
  ],
  ["a value inside itself", "a: &a [*a]"],
  ["a million items", `a:\n${fill("-\n", MB)}`],
  ["2 MB", `a: ${fill("x", 2 * MB)}`],
  ["a NUL", "a: b\0c"],
  ["a tag that builds", "a: !!js/function 'function () {}'"],
];

describe("a hostile YAML file", () => {
  it.each(refused)("is refused: %s", (_, text) => {
    const used = processorTimer();
    expect(() => decodeFile("content/x.yaml", bytes(text))).toThrow(FileError);
    expect(used()).toBeLessThan(3000);
  });

  it.each([
    ["60 levels", lines(60, (i) => `${"  ".repeat(i)}k:`)],
    ["64 brackets", `a: ${"[".repeat(64)}${"]".repeat(64)}`],
    ["long indented code", `a: |\n${fill(`${" ".repeat(300)}code {[( ? & * ! <<: %\n`, 100_000)}`],
    ["a long paragraph", `a: ${fill("word ", 500_000)}`],
    ["a long quoted text", `a: "${fill("x\\n", 300_000)}"`],
    ["comments", `a: 1\n${fill("# c\n", 300_000)}`],
    ["5,000 keys", lines(5000, (i) => `key${i}: ${i}`)],
  ])("that is only odd can be read and edited: %s", (_, text) => {
    const used = processorTimer();
    const data = parseYaml(text, "x.yaml") as Record<string, never>;
    const after = { ...data, added: 1 };
    const result = editYaml(`${text}\n`, data, after);
    expect(parseYaml(result, "x.yaml")).toEqual(after);
    expect(result.replace("added: 1\n", "")).toBe(`${text}\n`);
    expect(used()).toBeLessThan(3000);
  });
});

describe("a hostile Markdown file", () => {
  it.each(["js", "javascript", "json", "toml", "coffee", "constructor", "__proto__", "toString", "yaml js", "-"])(
    "is refused: front matter in %s",
    (language) => {
      const text = `---${language}\nglobalThis.evaluated = true\n---\nbody\n`;
      expect(() => decodeFile("content/x.md", bytes(text))).toThrow(FileError);
      expect(() => decodeFile("content/x.md", bytes(text))).toThrow(FileError); // a second time, past any cache
      expect(globalThis).not.toHaveProperty("evaluated");
    },
  );

  it("is refused each time it is read, not only the first", () => {
    const text = bytes("---\na: [\n---\nbody\n");
    expect(() => decodeFile("content/x.md", text)).toThrow("content/x.md:3:1: ");
    expect(() => decodeFile("content/x.md", text)).toThrow("content/x.md:3:1: ");
  });

  it("is refused with a megabyte of blank lines", () => {
    const used = processorTimer();
    expect(() => decodeFile("content/x.md", bytes(`---\n${fill("\n", MB)}a: 1\n---\n`))).toThrow("blank lines");
    expect(used()).toBeLessThan(1000);
  });

  it("gives data of its own each time", () => {
    const text = bytes("---\na: {b: 1}\n---\n");
    expect(decodeFile("x.md", text).data).not.toBe(decodeFile("x.md", text).data);
  });
});

describe("data that would pollute", () => {
  it("is data in a file as well", () => {
    const data = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {}}}');
    const stored = decodeFile("x.yaml", encodeFile("x.yaml", { data })).data;
    expect(Object.keys(stored)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });
});
