import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameJson } from "../../../src/model/input/json.ts";
import type { Json, JsonObject } from "../../../src/model/input/json.ts";
import { FileError } from "../../../src/store/codec/file-error.ts";
import { editYaml } from "../../../src/store/codec/yaml/edit.ts";
import { isSurelyStorable, LIMITS } from "../../../src/store/codec/yaml/guard.ts";
import { stringifyYaml } from "../../../src/store/codec/yaml/yaml-print.ts";
import { parseYaml } from "../../../src/store/codec/yaml/yaml.ts";
import { json } from "./sample.ts";

const anything = fc.oneof(json, fc.jsonValue({ stringUnit: "binary" }) as fc.Arbitrary<Json>);

describe("parseYaml", () => {
  it.each([
    ["a: 2024-01-01", { a: "2024-01-01" }],
    ["a: 2024-01-01T10:00:00Z", { a: "2024-01-01T10:00:00Z" }],
    ["a: no", { a: "no" }],
    ["a: 12:30", { a: "12:30" }],
    ["a: 1_000", { a: "1_000" }],
    ["a: 0b11", { a: "0b11" }],
    ["a: 017", { a: 17 }],
    ["a: 0x1F", { a: 31 }],
    ["a: 1e3", { a: 1000 }],
    ["a: 12345678901234567000", { a: 12345678901234567000 }], // prints as it is written
    ["a: ~\nb: null\nc:", { a: null, b: null, c: null }],
    ["1: a\ntrue: b\nnull: c", { 1: "a", true: "b", null: "c" }],
    ["a: &x {b: 1}\nc: *x", { a: { b: 1 }, c: { b: 1 } }],
    ["\uFEFFa: 1", { a: 1 }],
    ["a: 1\r\nb: |\r\n  x\r\n  y\r\n", { a: 1, b: "x\ny\n" }],
    ["%YAML 1.2\n---\na: 1\n...\n", { a: 1 }],
    ["'<<': 1", { "<<": 1 }],
    ["a: |\n  ? not a key\n  << : x\n  !no tag", { a: "? not a key\n<< : x\n!no tag\n" }],
    ["a: 'x ? y' # ? z\nb: why? yes ? no", { a: "x ? y", b: "why? yes ? no" }],
    ["", null],
    ["# nothing\n", null],
    ["---\n", null],
  ])("%j is %j", (text, data) => {
    expect(parseYaml(text, "x.yaml")).toEqual(data);
  });

  // oxfmt-ignore
  it.each([
    // text                          place   what a person can do about it
    ["a: 1\nb: 2\na: 3",             "3:1",  "duplicate key"],
    ["a: 1\n---\nb: 2",              "2:1",  "remove the second `---`"],
    ["a: 1\n---\n",                  "2:1",  "remove the second `---`"],
    ["a: !!str 1",                   "1:4",  "tags are not allowed"],
    ["a: !ruby/object x",            "1:4",  "tags are not allowed"],
    ["%TAG ! x:\n---\na: 1",         "1:1",  "directive"],
    ["%YAML 1.1\n---\na: yes",       "1:1",  "directive"],
    ["a: &x {b: 1}\n<<: *x",         "2:1",  "merge key"],
    ["b:\n  - {<<: {a: 1}}",         "2:6",  "merge key"],
    ["? a\n: b",                     "1:1",  "explicit key"],
    ["a: 1\n? # why\n  b\n: c",      "2:1",  "explicit key"],
    ["a: {? b : 1}",                 "1:5",  "explicit key"],
    ["? ",                           "1:1",  "explicit key"],
    ["[a, b]: 1",                    "1:1",  "put it in quotes"],
    ["&x a: 1\n*x : 2",              "2:1",  "put it in quotes"],
    ["a:\n\tb: 1",                   "2:1",  "use spaces"],
    ["title: Hello: World",          "1:13", "check the indentation and the colon"],
    ["a: @x",                        "1:4",  "begins with @"],
    ["a: [1, 2",                     "1:9",  "is missing"],
    ["a: \"x",                       "1:6",  "closing quote is missing"],
    ["a: *nope",                     "1:5",  "not defined above"],
    ["a: 1\nb: 12345678901234567890", "2:4", "put it in quotes"],
    ["a: .inf",                      "1:4",  "put it in quotes"],
    ["a: .nan",                      "1:4",  "put it in quotes"],
    ["a: \"\u0001\"",                "1:5",  "control character"],
  ])("refuses %j at %s: %s", (text, place, reason) => {
    const refusal = () => parseYaml(text, "content/x.yaml");
    expect(refusal).toThrow(FileError);
    expect(refusal).toThrow(`content/x.yaml:${place}: `);
    expect(refusal).toThrow(reason);
  });

  it("keeps keys that name parts of every object as data", () => {
    const data = parseYaml('__proto__: {polluted: 1}\nconstructor: {prototype: 2}\n"toString": 3', "x.yaml");
    expect(Object.keys(data as object)).toEqual(["__proto__", "constructor", "toString"]);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

const LONG = "word ".repeat(40).trim();

describe("stringifyYaml", () => {
  it("writes for people", () => {
    const data: JsonObject = {
      id: 7,
      title: "Hello: World",
      lang: "no",
      at: "2024-01-01T10:00:00.000Z",
      body: "One\n\n  two\n",
      long: LONG,
      tags: ["a", "0x1F"],
      items: [{ label: "A", url: "/a" }, { label: "B" }],
      none: null,
      empty: {},
      list: [],
      quoted: `it's "so"`,
    };
    expect(stringifyYaml(data)).toBe(`id: 7
title: "Hello: World"
lang: "no"
at: 2024-01-01T10:00:00.000Z
body: |
  One

    two
long: ${LONG}
tags:
  - a
  - "0x1F"
items:
  - label: A
    url: /a
  - label: B
none: null
empty: {}
list: []
quoted: it's "so"
`);
  });

  it.each([
    "\ud83d",
    "a\u0085b",
    "a\u2028b",
    "\ufeffa",
    "a\r\nb",
    "\u0000",
    "\u007f",
    "\uffff",
    "\t",
    " \n",
    "\n\na",
    "<<",
    "x\n ",
  ])("escapes %j where it would be lost", (text) => {
    const yaml = stringifyYaml({ [text]: [text] });
    expect(yaml).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\ufeff\uffff]/);
    expect(parseYaml(new TextDecoder().decode(new TextEncoder().encode(yaml)), "x.yaml")).toEqual({ [text]: [text] });
  });

  it("reads back as the same data", () => {
    fc.assert(
      fc.property(anything, (value) => sameJson(parseYaml(stringifyYaml({ value }), "x.yaml"), { value })),
      { numRuns: 800 },
    );
  });

  it("refuses data that no file may hold", () => {
    expect(() => stringifyYaml({ a: "x".repeat(2_000_000) }, "x.yaml")).toThrow(
      "x.yaml: cannot hold this data: it is too large",
    );
    expect(() => stringifyYaml({ ["k".repeat(2000)]: 1 }, "x.yaml")).toThrow(FileError);
  });
});

describe("isSurelyStorable", () => {
  const nested = (depth: number): Json => (depth === 0 ? "x" : { a: nested(depth - 1) });
  const keys = (count: number): Json => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, null]));

  it.each([
    ["a post", { title: "Post", translations: { en: { body: "# Post\n\nText.\n" } } }, true],
    ["all escapes", { body: "\u0001".repeat(200_000) }, true],
    ["a text near the limit", { body: "x".repeat(LIMITS.size / 4) }, false],
    ["more than a file may have", { body: "x".repeat(LIMITS.size) }, false],
    ["lines that indentation makes long", nestedLines(40, 4_000), false],
    ["deep nesting", nested(80), false],
    ["a number that no file has", { a: [Infinity] }, false],
    ["a long key", { ["k".repeat(400)]: 1 }, false],
    ["many keys", keys(LIMITS.keys), false],
  ])("%s", (_what, data, isStorable) => {
    expect(isSurelyStorable(data)).toBe(isStorable);
    if (isStorable) expect(parseYaml(stringifyYaml(data as JsonObject), "x.yaml")).toEqual(data);
  });

  it("is true only of what can be printed and parsed again", () => {
    fc.assert(
      fc.property(anything, (value) => {
        if (isSurelyStorable({ value })) stringifyYaml({ value });
        return true;
      }),
      { numRuns: 300 },
    );
  });

  function nestedLines(depth: number, lines: number): Json {
    return depth === 0 ? "x\n".repeat(lines) : { a: nestedLines(depth - 1, lines) };
  }
});

describe("values that YAML 1.1 reads otherwise", () => {
  it.each([
    "NO",
    "no",
    "Yes",
    "y",
    "N",
    "on",
    "Off",
    "12:30",
    "1:02:03.5",
    "1_000",
    "1_0.5",
    "0b1_0",
    "0x_1F",
    "=",
    "<<",
  ])("%s is in quotes when it is written", (text) => {
    for (const data of [{ a: text }, { a: [text] }, { a: { b: text, c: "\u0001" } }])
      expect(stringifyYaml(data)).toContain(`"${text}"`);
    expect(editYaml("a: x\nb: 1\n", { a: "x", b: 1 }, { a: text, b: 1 })).toBe(`a: "${text}"\nb: 1\n`);
    expect(editYaml("a: [x] # c\n", { a: ["x"] }, { a: [text] })).toBe(`a: ["${text}"] # c\n`);
    expect(editYaml(`a: ${text}\nb: 1\n`, { a: text, b: 1 }, { a: text, b: 2 })).toContain(`a: ${text}\n`);
  });

  it.each(["None", "yes please", "1.2.3", "12:30 h", "2026-01-01", "2026-01-01T00:00:00.000Z", "a=b"])(
    "%s needs none",
    (text) => expect(stringifyYaml({ a: text })).toBe(`a: ${text}\n`),
  );
});
