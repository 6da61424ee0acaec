/** The fast way to read YAML never says anything but what the parser says. */
import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Json } from "../../../src/model/input/json.ts";
import { readPlainYaml } from "../../../src/store/codec/yaml/plain-yaml.ts";
import { stringifyYaml } from "../../../src/store/codec/yaml/yaml-print.ts";
import { parseFullYaml } from "../../../src/store/codec/yaml/yaml.ts";
import { record, written } from "./sample.ts";

/** What the parser says; undefined when it refuses. */
function parsed(text: string): Json | undefined {
  try {
    return parseFullYaml(text, "x.yaml");
  } catch {
    return undefined;
  }
}

function compare(text: string): boolean {
  const plain = readPlainYaml(text);
  if (plain === undefined) return false;
  expect(plain, JSON.stringify(text)).toStrictEqual(parsed(text));
  return true;
}

// oxfmt-ignore
it.each<[string, Json]>([
  ["a: 1\n",                                     { a: 1 }],
  ["a: -15\nb: 0\n",                             { a: -15, b: 0 }],
  ["a: true\nb: false\nc: null\nd:\n",           { a: true, b: false, c: null, d: null }],
  ["a: 2026-01-01\nb: 2026-01-01T00:00:00.000Z\n", { a: "2026-01-01", b: "2026-01-01T00:00:00.000Z" }],
  ["a: 0b12f6a2-6b52-4f5e\nb: 0x1.5\n",          { a: "0b12f6a2-6b52-4f5e", b: "0x1.5" }],
  ["a: no\nb: 12:30\nc: /it/about\n",            { a: "no", b: "12:30", c: "/it/about" }],
  ['a: "x \\"y\\"\\n"\nb: \'it\'\'s\'\n',        { a: 'x "y"\n', b: "it's" }],
  ["a: []\nb: {}\n",                             { a: [], b: {} }],
  ["a: [x, y z,2 , true]\nb:\n  - [no, null]\n", { a: ["x", "y z", 2, true], b: [["no", null]] }],
  ["a: [2026-01-01, é]\n",                       { a: ["2026-01-01", "é"] }],
  ["a:\n  b:\n    c: x\n  d: y\ne: z\n",         { a: { b: { c: "x" }, d: "y" }, e: "z" }],
  ["a:\n  - x\n  - y\nb:\n- 1\n- 2\n",           { a: ["x", "y"], b: [1, 2] }],
  ["a:\n  - b: 1\n    c:\n      - d: 2\n  - b: 3\n", { a: [{ b: 1, c: [{ d: 2 }] }, { b: 3 }] }],
  ["a: |-\n  x\n    y\n\n  # z\nb: |\n  x\n\nc: |+\n  x\n\n", { a: "x\n  y\n\n# z", b: "x\n", c: "x\n\n" }],
  ["a:\n  - |-\n    x\n  - y\n",                 { a: ["x", "y"] }],
])("reads %j", (text, value) => {
  expect(readPlainYaml(text)).toStrictEqual(value);
  expect(parsed(text)).toStrictEqual(value);
});

it.each([
  "",
  "a",
  "a: 1",
  "- a\n",
  "# c\na: 1\n",
  "a: 1 # c\n",
  "a: 1\na: 2\n",
  "a: [x,]\n",
  "a: [x, ]\n",
  "a: [x\n",
  "a: [x]]\n",
  "a: [x] y\n",
  "a: [x, [y]]\n",
  "a: [x: y]\n",
  "a: [x #y]\n",
  "a: [- x]\n",
  "a: [1e3, x]\n",
  "a: ['x']\n",
  "a: [\u00a0x]\n",
  "a: [x]\n  y\n",
  "a: &x 1\n",
  "a: *x\n",
  "a: !t 1\n",
  "<<: 1\n",
  "? a\n",
  "---\na: 1\n",
  "a: 1\n---\n",
  "%YAML 1.2\n",
  "a: 1\n  b\n",
  "a: x\n  y\n",
  "a: >-\n  x\n",
  "a: |2\n  x\n",
  "a: |-\n\n  x\n",
  "a: |-\n   x\n  y\n",
  "a: |-\n  x\n \nb: 1\n",
  "a: {b: 1}\n",
  "a: b: c\n",
  "a: b:\n",
  "a: 0x1f\n",
  "a: 0o7\n",
  "a: 1e3\n",
  "a: 1.0\n",
  "a: 012\n",
  "a: .5\n",
  "a: +1\n",
  "a: -0\n",
  "a: .inf\n",
  "a: .NaN\n",
  "a: True\n",
  "a: ~\n",
  "a: Null\n",
  "a: 12345678901234567\n",
  "a:\tb\n",
  "a: b\r\n",
  "\ufeffa: 1\n",
  'a: "\\x41"\n',
  'a: "\\ud800"\n',
  "a: 'b\n",
  "__proto__: 1\n",
  "null: 1\n",
  "1: a\n",
  "'a': 1\n",
  "a:\n   b: 1\n  c: 2\n",
  "a:\n- - b\n",
  "a:\n-\n  b: 1\n",
  "a: -\n",
  "a: - b\n",
  "a:  b\n",
  "a: b \n",
  "a: |-\n  x\n  \n",
  " \na: b\n",
])("leaves %j to the parser", (text) => {
  expect(readPlainYaml(text)).toBeUndefined();
});

it("reads most of what the writer writes, as the parser does", () => {
  let fast = 0;
  fc.assert(
    fc.property(record, (data) => void (compare(stringifyYaml(data)) && fast++)),
    { numRuns: 1_000 },
  );
  expect(fast).toBeGreaterThan(20); // odd keys are frequent in these samples
});

it("agrees with the parser on what random hands write", () => {
  fc.assert(
    fc.property(written, ({ text }) => void compare(text)),
    { numRuns: 3_000 },
  );
});

it("agrees with the parser on texts that are slightly wrong", { timeout: 60_000 }, () => {
  const base = [
    "id: 12\ntranslations:\n  en:\n    title: A page\n    permalink: /a-page\n    autopermalink: false\n    published_at: 2026-01-01T00:00:00.000Z\n    template_data:\n      body: |-\n        One\n\n        Two: three\n      list:\n        - title: a\n          text: \"b: \\\"c\\\"\"\n        - 'it''s'\n      none: []\naliases:\n- language: en\n  from: /old\n",
  ];
  const piece = fc.constantFrom(
    " ",
    "  ",
    "\n",
    "\n\n",
    "- ",
    "-",
    ": ",
    ":",
    "#",
    " # ",
    '"',
    "'",
    "|",
    "|-",
    "|+",
    ">",
    "[",
    "]",
    "{",
    "}",
    ",",
    "&a ",
    "*a",
    "!",
    "?",
    "? ",
    "~",
    "null",
    "true",
    "1",
    "0",
    ".",
    "e",
    "+",
    "0x1",
    "\t",
    "\r",
    "\u00a0",
    "\u2028",
    "é",
    "😀",
    "\\",
    "\\n",
    "\\u0041",
    "a",
    "a: ",
    "a: 1\n",
    "  a: 1\n",
    "---\n",
    "...\n",
    "%",
    "<<: ",
    "__proto__: ",
    "\n \n",
    "\n   \n",
    "- a\n",
    "  - a: b\n",
  );
  const edit = fc.record({ at: fc.nat(400), drop: fc.nat(6), piece: fc.option(piece, { nil: "" }) });
  const text = fc
    .tuple(
      fc.constantFrom(...base, "a: b\n", "a:\n  b: c\n", "a:\n  - b\n  - c: d\n", "a: |-\n  b\n  c\nd: e\n"),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
    )
    .map(([start, edits]) => {
      let changed = start;
      for (const { at, drop, piece: put } of edits) {
        const from = at % (changed.length + 1);
        changed = changed.slice(0, from) + put + changed.slice(from + drop);
      }
      return changed;
    });
  let fast = 0;
  fc.assert(
    fc.property(text, (each) => void (compare(each) && fast++)),
    { numRuns: 30_000 },
  );
  expect(fast).toBeGreaterThan(1_000);
});

it("reads the example's content as the parser does", () => {
  const folder = new URL("../../../content", import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".yaml"));
  const fast = files.filter((path) => compare(readFileSync(join(folder, path), "utf8")));
  expect(files.length).toBeGreaterThan(10);
  expect(fast.length).toBeGreaterThan(0);
});
