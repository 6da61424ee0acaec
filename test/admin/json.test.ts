import { describe, expect, it } from "vitest";
import { isSame, type Json } from "../../src/admin/json.ts";

const shared: Json = [{ lead: "Fog" }];

describe("values that are the same", () => {
  it.each<[Json | undefined, Json | undefined]>([
    [undefined, undefined],
    [null, null],
    ["", ""],
    [
      { a: 1, b: [null, true] },
      { b: [null, true], a: 1 },
    ],
    [{ list: shared }, { list: shared }],
    [[], []],
    [{}, {}],
  ])("%j and %j", (a, b) => {
    expect([isSame(a, b), isSame(b, a)]).toEqual([true, true]);
  });
});

describe("values that differ", () => {
  it.each<[Json | undefined, Json | undefined]>([
    [undefined, null],
    [null, ""],
    [0, "0"],
    [1, true],
    [[], {}],
    [{}, null],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [{ a: null }, {}],
    [{ a: null }, { b: null }],
    [{ toString: null }, { a: null }],
    [{ a: { b: [1, { c: "x" }] } }, { a: { b: [1, { c: "y" }] } }],
  ])("%j and %j", (a, b) => {
    expect([isSame(a, b), isSame(b, a)]).toEqual([false, false]);
  });
});
