import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalJson,
  isObject,
  mergeJson,
  objectOf,
  own,
  sameJson,
  withLineFeeds,
  type Json,
} from "../../../src/model/input/json.ts";

const parse = (text: string): Json => JSON.parse(text) as Json;

describe("withLineFeeds", () => {
  it("has \\n for \\r\\n at any depth, and leaves keys, lone \\r and what is stored", () => {
    const stored = { kept: "a\r\nb", list: ["c\r\nd"] };
    const given = { kept: "a\r\nb", list: ["c\r\nd", { "k\r\n": "e\r\n\r\nf\rg" }], new: "h\r\n" };
    expect(withLineFeeds(given, stored)).toEqual({
      kept: "a\r\nb",
      list: ["c\r\nd", { "k\r\n": "e\n\nf\rg" }],
      new: "h\n",
    });
    expect(withLineFeeds(JSON.parse('{"__proto__":"a\\r\\nb"}') as Json, null)).toEqual(
      JSON.parse('{"__proto__":"a\\nb"}'),
    );
  });

  it("is the value itself where nothing differs", () => {
    const value = { a: [1, null, "x\ny"], b: { c: true } };
    expect(withLineFeeds(value, undefined)).toBe(value);
  });
});

describe("mergeJson", () => {
  // oxfmt-ignore
  it.each<[string, Json, Json, Json]>([
    // case                            stored                        patch                     result
    ["a new key joins",                { a: 1 },                     { b: 2 },                 { a: 1, b: 2 }],
    ["a value replaces",               { a: 1 },                     { a: 2 },                 { a: 2 }],
    ["objects merge to any depth",     { a: { b: { c: 1, d: 1 } } }, { a: { b: { c: 2 } } },   { a: { b: { c: 2, d: 1 } } }],
    ["lists replace",                  { a: [1, 2, 3] },             { a: [9] },               { a: [9] }],
    ["lists of objects replace",       { a: [{ b: 1, c: 1 }] },      { a: [{ b: 2 }] },        { a: [{ b: 2 }] }],
    ["null replaces, and stays",       { a: { b: 1 } },              { a: null },              { a: null }],
    ["a scalar replaces an object",    { a: { b: 1 } },              { a: "x" },               { a: "x" }],
    ["an object replaces a scalar",    { a: "x" },                   { a: { b: 1 } },          { a: { b: 1 } }],
    ["an object replaces null",        { a: null },                  { a: { b: 1 } },          { a: { b: 1 } }],
    ["an empty patch changes nothing", { a: { b: 1 } },              {},                       { a: { b: 1 } }],
    ["an empty inner one neither",     { a: { b: 1 } },              { a: {} },                { a: { b: 1 } }],
    ["a list replaces the whole",      { a: 1 },                     [1],                      [1]],
    ["an object replaces a list",      [1],                          { a: 1 },                 { a: 1 }],
    ["a scalar replaces the whole",    { a: 1 },                     7,                        7],
  ])("%s", (_case, stored, patch, result) => {
    const before = structuredClone([stored, patch]);
    expect(mergeJson(stored, patch)).toEqual(result);
    expect([stored, patch]).toEqual(before);
  });

  it("treats __proto__ as an ordinary key", () => {
    const merged = mergeJson(parse('{"__proto__": {"a": 1}, "b": 1}'), parse('{"__proto__": {"c": 2}}'));
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"a":1,"c":2},"b":1}');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it("treats inherited names as absent keys", () => {
    expect(mergeJson({}, { constructor: { name: "x" }, toString: 1 })).toEqual({
      constructor: { name: "x" },
      toString: 1,
    });
  });
});

describe("canonicalJson", () => {
  // oxfmt-ignore
  it.each<[unknown, string]>([
    [{ b: 1, a: 2 },                    '{"a":2,"b":1}'],
    [{ a: { d: 1, c: [{ z: 1, y: 2 }] } }, '{"a":{"c":[{"y":2,"z":1}],"d":1}}'],
    [{ a: undefined, b: null },         '{"b":null}'],
    [[undefined, 1],                    "[null,1]"],
    [undefined,                         "null"],
    ["è\u2028\"",                       JSON.stringify("è\u2028\"")],
    [{},                                "{}"],
    [[],                                "[]"],
    [-0,                                "0"],
    [1e21,                              "1e+21"],
    [parse('{"__proto__": 1, "a": 2}'), '{"__proto__":1,"a":2}'],
    [{ b: 1, 9: 2, 10: [{ 3: 1 }] },    '{"10":[{"3":1}],"9":2,"b":1}'],
    [{ "b\nc": 1, a: 2 },               '{"a":2,"b\\nc":1}'],
    [{ b: 1, "c\na": 2 },               '{"b":1,"c\\na":2}'],
  ])("%j is %s", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("is the text of sorted keys, for any keys, cached or not", () => {
    const naive = (value: Json): string =>
      Array.isArray(value)
        ? `[${value.map(naive).join(",")}]`
        : isObject(value)
          ? `{${Object.keys(value)
              .sort()
              .map((key) => `${JSON.stringify(key)}:${naive(value[key]!)}`)
              .join(",")}}`
          : JSON.stringify(value);
    const key = fc.oneof(fc.constantFrom("a", "b", "b\nc", "c", "10", "9", "__proto__", ""), fc.string());
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.array(tie("any")),
        fc.array(fc.tuple(key, tie("any"))).map((entries) => Object.fromEntries(entries)),
      ),
    }));
    fc.assert(
      fc.property(any, (value) => canonicalJson(value) === naive(JSON.parse(JSON.stringify(value)) as Json)),
      { numRuns: 1000 },
    );
  });
});

describe("sameJson", () => {
  // oxfmt-ignore
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: 2 },               { b: 2, a: 1 },               true],
    [[1, 2],                       [2, 1],                       false],
    [{ a: undefined },             {},                           true],
    [{ a: null },                  {},                           false],
    [{ a: undefined },             { b: 1 },                     false],
    [[],                           {},                           false],
    [1,                            "1",                          false],
    [null,                         undefined,                    false],
    [{ a: [{ b: 1 }] },            { a: [{ b: 1 }] },            true],
    [parse('{"__proto__": 1}'),    {},                           false],
    [parse('{"__proto__": null}'), parse('{"constructor": null}'), false],
  ])("%j and %j: %s", (a, b, same) => {
    expect(sameJson(a, b)).toBe(same);
    expect(sameJson(b, a)).toBe(same);
  });
});

describe("isObject, own, objectOf", () => {
  // oxfmt-ignore
  it.each([
    [{},           true],
    [[],           false],
    [null,         false],
    ["x",          false],
  ])("isObject(%j) is %s", (value, is) => {
    expect(isObject(value)).toBe(is);
  });

  it("own ignores inherited values", () => {
    expect(own({ a: 1 }, "a")).toBe(1);
    expect(own({ a: 1 } as { readonly [key: string]: unknown }, "constructor")).toBeUndefined();
  });

  it("objectOf makes own keys only", () => {
    expect(
      Object.keys(
        objectOf([
          ["__proto__", 1],
          ["a", 2],
        ]),
      ),
    ).toEqual(["__proto__", "a"]);
  });
});
