import { expect, it } from "vitest";
import { resolveLinksIn, sourceLink, sourceReference } from "../../src/import/texts/source-links.ts";
import type { Json } from "../../src/model/input/json.ts";

const parse = (text: string): Json => JSON.parse(text) as Json;
const resolved = (value: Json): Json =>
  resolveLinksIn(
    value,
    (source) => `/${source}`,
    (source) => (source === "none" ? undefined : 7),
  );

it("returns a value without links itself", () => {
  const value = parse('{"a": ["text", {"b": null}], "c": 1, "__proto__": {"d": "https://example.org/"}}');
  expect(resolved(value)).toBe(value);
});

it("copies only what has links, with its keys in their order", () => {
  const kept = { text: "Text" };
  const value = {
    b: kept,
    a: `See [it](${sourceLink("one")})`,
    list: [sourceReference("none"), sourceReference("one")],
  };
  const result = resolved(value) as typeof value;
  expect(JSON.stringify(result)).toBe('{"b":{"text":"Text"},"a":"See [it](/one)","list":[7]}');
  expect(result.b).toBe(kept);
  expect(value.a).toContain("cms-import:");
});

it("treats __proto__ as an ordinary key", () => {
  const result = resolved(parse(`{"__proto__": ["${sourceLink("one")}"], "a": "${sourceLink("two")}"}`));
  expect(JSON.stringify(result)).toBe('{"__proto__":["/one"],"a":"/two"}');
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
});
