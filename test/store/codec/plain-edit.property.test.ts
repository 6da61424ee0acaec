/** Texts in the form of the writer are printed and read without the `yaml` package, and come out the same. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/model/input/json.ts";
import { editInPlace } from "../../../src/store/codec/yaml/in-place.ts";
import { placesIn } from "../../../src/store/codec/yaml/places.ts";
import { printPlain } from "../../../src/store/codec/yaml/plain-print.ts";
import { placesInPlain } from "../../../src/store/codec/yaml/plain-yaml.ts";
import { printDocument } from "../../../src/store/codec/yaml/yaml-print.ts";
import { decodeFile, encodeFile } from "../../../src/store/codec/codec.ts";
import { rewriteFile } from "../../../src/store/codec/yaml/rewrite.ts";
import { parseYaml } from "../../../src/store/codec/yaml/yaml.ts";
import { json } from "./sample.ts";

const KEYS = ["id", "title", "aliases", "translations", "en", "it", "no"] as const;
const ODD_KEYS = ["null", "a-", "a b", "__proto__"] as const;
// oxfmt-ignore
const ODD_TEXTS = [
  "a\nb\n", "a\n\n", "x-", "x:", "- x", "1_0", "it's", " x", "\u00a0x", "x\ty", "2026-01-01", "...", "a: b", "x #y", "[x]",
  "a\n\n  b\nc", "# a\n\n- b: c\n", "a\n \nb", "a \nb", "a\nb ", "a\nb \n", "---\nx", "a\n---\n", "|\nx", '"x" y', "? x", "?x", "é: x",
];
const RUNS = Number(process.env.RUNS ?? 400);

const scalar = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom("Title", "/parent/c1", "a b", "no", "12:30", "2026-01-01T00:00:00.000Z") },
  { weight: 15, arbitrary: fc.constantFrom<Json>(0, 7, -3, true, false, null) },
  { weight: 1, arbitrary: json },
  { weight: 6, arbitrary: fc.constantFrom(...ODD_TEXTS) },
);
const key = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_KEYS) },
);

const { value, object } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie("object"), fc.array(fc.oneof(scalar, tie("object")), { maxLength: 3 })),
  object: fc.dictionary(key, tie("value"), { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
}));

/** The data with some values replaced, and some keys and items added or removed. */
const edited = (data: JsonObject): fc.Arbitrary<JsonObject> =>
  fc.array(fc.tuple(fc.nat(49), scalar, value, key), { minLength: 40, maxLength: 40 }).map((choices) => {
    let at = 0;
    const next = () => choices[at++ % choices.length]!;
    const change = (old: Json): Json => {
      const [dice, text, item] = next();
      if (Array.isArray(old)) return changeList(old as readonly Json[], dice, item);
      if (typeof old === "object" && old !== null) return changeObject(old as JsonObject);
      return dice < 20 ? text : old;
    };
    const changeList = (old: readonly Json[], dice: number, item: Json): Json => {
      if (dice < 10) return [...old, item];
      if (dice === 10) return [];
      if (dice < 15) return [item, ...old];
      if (dice < 20) return old.slice(1);
      if (dice < 25) return [...old.slice(0, 1), ...old.slice(2), item];
      return dice < 45 ? old.map(change) : old;
    };
    const changeObject = (old: JsonObject): JsonObject => {
      const [dice, , item, name] = next();
      const kept = Object.entries(old).flatMap(([each, inner]) =>
        next()[0] < 3 ? [] : [[each, change(inner)] as const],
      );
      return Object.fromEntries(dice < 15 && !Object.hasOwn(old, name) ? [...kept, [name, item]] : kept);
    };
    return changeObject(data);
  });

it("prints what the package prints", () => {
  let printed = 0;
  fc.assert(
    fc.property(fc.oneof(object, fc.array(value, { minLength: 1, maxLength: 3 })), fc.boolean(), (data, indentSeq) => {
      const plain = printPlain(data, indentSeq);
      if (plain === undefined) return;
      printed++;
      expect(plain).toBe(printDocument(data, { indentSeq }));
    }),
    { numRuns: RUNS },
  );
  expect(printed).toBeGreaterThan(RUNS / 20);
});

it("finds the places that the package finds, so that an edit of either parser has the wanted data", () => {
  const orders = fc.constantFrom([], [["id", "*", "translations"], ["title"], ["no", "en", "*"]]);
  let changes = 0;
  fc.assert(
    fc.property(
      object.chain((data) => fc.tuple(fc.constant(data), edited(data))),
      fc.boolean(),
      orders,
      fc.constantFrom("", "\n"),
      ([data, wanted], indentSeq, order, end) => {
        const text = printDocument(data, { indentSeq }) + end;
        const plain = placesInPlain(text);
        if (!plain) return;
        expect(plain.root).toEqual(placesIn(text));
        const result = editInPlace(plain, plain.data, wanted, order);
        if (result === undefined || result === text) return;
        changes++;
        if (!result.includes("|+")) expect(parseYaml(result, "x.yaml")).toEqual(wanted);
      },
    ),
    { numRuns: RUNS },
  );
  expect(changes).toBeGreaterThan(RUNS / 20);
});

it("rewrites a file as an edit that parses every text anew, and says what it reads as", () => {
  let [written, kept] = [0, 0];
  fc.assert(
    fc.property(
      object.chain((data) => fc.tuple(fc.constant(data), edited(data))),
      fc.constantFrom("", "unknown: 1\n", "# a comment\n"),
      fc.boolean(),
      ([data, wanted], more, isLoaded) => {
        const previous = bytesOf(printDocument(data, {}) + more);
        const before = { data };
        const content = { data: wanted };
        const expected = encodeFile("x.yaml", content, {
          bytes: previous,
          before: isLoaded ? before : decodeFile("x.yaml", previous),
        });
        const result = rewriteFile({
          path: "x.yaml",
          content,
          previous,
          before: isLoaded ? before : undefined,
          order: [],
        });
        expect(textOf(result.bytes)).toBe(textOf(expected));
        const reading = decodeFile("x.yaml", expected);
        if (result.reading) expect(result.reading).toEqual(reading);
        else expect(reading).toEqual(content);
        if (result.reading) kept++;
        else written++;
      },
    ),
    { numRuns: RUNS / 4 },
  );
  expect(written).toBeGreaterThan(RUNS / 80);
  expect(kept).toBeGreaterThan(RUNS / 80);
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
