/** A build's hash of a payload is the manifest's. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "../../src/model/json.ts";
import { objectHash, textHash } from "../../src/views/digest.ts";

it.each([
  ["nothing",             null],
  ["an empty object",     {}],
  ["text beyond one unit", { title: "Fári – 灯台 🗼", "ключ": "\u2028 \"x\"" }],
  ["a lone surrogate",    { title: "\ud83d" }],
])("of %s", (_what, payload) => {
  expect(textHash(canonicalJson(payload))).toBe(objectHash(payload));
});

it("of any payload", () => {
  fc.assert(fc.property(fc.jsonValue(), (payload) => {
    expect(textHash(canonicalJson(payload))).toBe(objectHash(payload));
  }));
});

it("has not changed: what lies in outputs and caches is known by it", () => {
  expect(objectHash({ b: [1, "two"], a: null })).toBe("14b39bab8722d77fa6e1d3afe4d6187217e36032");
});
