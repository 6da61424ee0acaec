/** A payload's hash is the SHA-1 of the bytes of `index.json`. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "../../src/model/input/json.ts";
import { digestPayload } from "../../src/views/manifest/json-digest.ts";

const sha1OfBytes = (text: string): string => createHash("sha1").update(Buffer.from(text, "utf8")).digest("hex");

// oxfmt-ignore
it.each([
  ["nothing",              null],
  ["an empty object",      {}],
  ["text beyond one unit", { title: "Fári – 灯台 🗼", "ключ": "\u2028 \"x\"" }],
  ["a lone surrogate",     { title: "\ud83d" }],
])("of %s", (_what, payload) => {
  expect(digestPayload(payload).hash).toBe(sha1OfBytes(canonicalJson(payload)));
});

it("of any payload", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (payload) => {
      const { text, hash } = digestPayload(payload);
      expect(text).toBe(canonicalJson(payload));
      expect(hash).toBe(sha1OfBytes(text));
    }),
  );
});

it("is what sha1sum prints for the text", () => {
  expect(digestPayload({ b: [1, "two"], a: null }).hash).toBe(sha1OfBytes('{"a":null,"b":[1,"two"]}'));
});
