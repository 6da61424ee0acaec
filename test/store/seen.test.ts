/** What moved between two looks is found without reading all of them, and is what reading all of them finds. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { differencesIn, inWalkingOrder, lineOf, linesIn } from "../../src/store/seen.ts";

const NAMES = ["a", "a.yaml", "a-b", "è😀", "tab\there", "b"] as const;
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const folder = fc.dictionary(path, fc.constantFrom("1 2", "1 3", "11 2", "", "è"), { maxKeys: 12, noNullPrototype: true });
const edits = fc.array(fc.tuple(path, fc.option(fc.constantFrom("1 2", "1 3", "2 1"), { nil: null })), { maxLength: 4 });

const textOf = (seen: Readonly<Record<string, string>>): Buffer => Buffer.from(inWalkingOrder(Object.keys(seen)).map((each) => lineOf(each, seen[each]!)).join(""));

it("gives every line back", () => {
  fc.assert(fc.property(folder, (seen) => void expect(Object.fromEntries(linesIn(textOf(seen).toString()))).toEqual(seen)));
});

it("finds what changed, came and went, and nothing else", () => {
  fc.assert(
    fc.property(folder, edits, (before, changes) => {
      const now: Record<string, string> = { ...before };
      for (const [each, seen] of changes) {
        if (seen === null) delete now[each];
        else now[each] = seen;
      }
      const expected = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((each) => before[each] !== now[each]).map((each) => [each, now[each]]);
      expect([...differencesIn(textOf(before), textOf(now))].sort()).toEqual(expected.sort());
    }),
    { numRuns: 2000 },
  );
});

it("walks as folders are read", () => {
  expect(inWalkingOrder(["a.yaml", "b", "a/z", "a-b/c", "a/b/c"])).toEqual(["a/b/c", "a/z", "a-b/c", "a.yaml", "b"]);
});
