import { describe, expect, it } from "vitest";
import { jsonMeter, type JsonExcess } from "../../../src/model/input/json-limits.ts";

const LIMITS = { depth: 4, valueBytes: 40, valueKeys: 5 };

/** Feeds the text in two pieces, split at every offset: the split must not matter. */
function measured(text: string): JsonExcess | undefined {
  const bytes = Buffer.from(text);
  const whole = jsonMeter(LIMITS).take(bytes);
  for (let at = 0; at <= bytes.length; at++) {
    const meter = jsonMeter(LIMITS);
    expect(meter.take(bytes.subarray(0, at)) ?? meter.take(bytes.subarray(at))).toEqual(whole);
  }
  return whole;
}

describe("jsonMeter", () => {
  it.each<[string, JsonExcess | undefined]>([
    ["1", undefined],
    ["", undefined],
    ["[[[[]]]]", undefined],
    ["[[[[[]]]]]", { what: "depth", field: null }],
    ['{"a":{"b":[{}]}}', undefined],
    ['{"a":{"b":[{"c":[]}]}}', { what: "depth", field: "a" }],
    ['"[[[[[[["', undefined],
    ['["\\"[[[[[", "\\\\", [1]]', undefined],
    ['{"[{":"}]"}', undefined],
    ['["\\', undefined], // invalid JSON is for the parser to report
    ['{"a":[1,2,3,4,5]}', undefined],
    ['{"a":[1,2,3,4,5,6]}', { what: "valueKeys", field: "a" }],
    ['{"a":1,"b":{"k":1,"l":[1,2,3,4]}}', { what: "valueKeys", field: "b" }],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', undefined], // the body's own fields do not count
    ['{"a":[ ],"b":{ },"c":[[],[],{}]}', undefined], // empty containers have no items
    ["[1,2,3,4,5,6]", { what: "valueKeys", field: null }],
    ['{"a":[1,2,3,4],"b":[1,2,3,4]}', undefined],
    ['{"a":[1,2,3,4],"b":[1,2,3,4],"c":1}', { what: "keys", field: null }],
    [`{"a":"${"x".repeat(37)}"}`, undefined],
    [`{"a":"${"x".repeat(40)}"}`, { what: "valueBytes", field: "a" }],
    [`{"b":1,"a":"${"é".repeat(20)}"}`, { what: "valueBytes", field: "a" }],
    [`{"${"k".repeat(300)}":1}`, undefined],
    [`{"${"k".repeat(300)}":[1,2,3,4,5,6]}`, { what: "valueKeys", field: "k".repeat(100) }],
  ])("%s", (text, excess) => {
    expect(measured(text)).toEqual(excess);
  });
});
