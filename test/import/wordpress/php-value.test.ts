import { describe, expect, it } from "vitest";
import { readPhpValue } from "../../../src/import/wordpress/php-value.ts";

describe("readPhpValue", () => {
  it.each([
    ["N;", null],
    ["i:-5;", -5],
    ["d:0.5;", 0.5],
    ["b:1;", true],
    ['s:7:"perch\u00e9";', "perch\u00e9"], // lengths are in bytes of UTF-8
    ['a:2:{i:0;s:1:"a";i:1;s:1:"b";}', ["a", "b"]],
    ['a:2:{s:2:"en";i:5;s:2:"it";i:7;}', { en: 5, it: 7 }],
    ["a:0:{}", []],
    ['a:1:{i:0;a:1:{s:1:"x";N;}}', [{ x: null }]],
  ])("%s", (text, value) => {
    expect(readPhpValue(text)).toEqual(value);
  });

  it.each([
    "plain text",
    "",
    "i:5",
    'O:8:"stdClass":0:{}',
    'a:1:{i:0;O:8:"stdClass":0:{}}',
    's:9:"short";',
    's:-1:"";',
    "a:999999999:{",
    "a:1:{i:0;i:1;}i:2;",
    `${"a:1:{i:0;".repeat(10_000)}i:1;${"}".repeat(10_000)}`,
    `i:${"1".repeat(1_000_000)};`,
    "d:1E999;",
    "i:1.2.3;",
    's:1.5:"a";',
  ])("no value of PHP that JSON has: %.40s", (text) => {
    expect(readPhpValue(text)).toBeUndefined();
  });

  it("has no key that changes a prototype", () => {
    const value = readPhpValue('a:1:{s:9:"__proto__";a:1:{s:3:"bad";b:1;}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { bad?: unknown }).bad).toBeUndefined();
    expect(Object.keys(value)).toEqual(["__proto__"]);
  });
});
