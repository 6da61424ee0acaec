import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hunksOf } from "../../../src/model/merge/alignment.ts";
import { hasClash, mergeText, textOfSide } from "../../../src/model/merge/text.ts";

/** The side, made of the base and its hunks. */
function applied(base: readonly string[], side: readonly string[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunksOf(base, side)) {
    // Two changes have an unchanged item between them.
    expect(hunk.base[0] > at || at === 0).toBe(true);
    result.push(...base.slice(at, hunk.base[0]), ...side.slice(...hunk.side));
    at = hunk.base[1];
  }
  return [...result, ...base.slice(at)];
}

const items = fc.oneof(
  fc.array(fc.constantFrom("", "a", "b", "__proto__", "constructor"), { maxLength: 12 }),
  fc.uniqueArray(fc.nat(15).map(String), { maxLength: 12 }),
);

describe("hunksOf", () => {
  it("has exactly what the side changed", () => {
    fc.assert(
      fc.property(items, items, (base, side) => {
        expect(applied(base, side)).toEqual(side);
      }),
      { numRuns: 5_000 },
    );
  });

  // Each took seconds, or minutes, before the work was bounded.
  it.each([
    ["equal lines", 3_000, () => ""],
    ["two lines by turns", 3_000, (at: number) => String(at % 2)],
    ["half of the lines blank", 3_000, (at: number) => (at % 2 === 0 ? "" : String(at))],
    ["more lines than are compared", 60_000, (at: number) => String(at % 7)],
  ] as const)("ends for %s", (_case, count, lineAt) => {
    const lines = (first: string, length: number): string[] => [
      first,
      ...Array.from({ length }, (_, at) => lineAt(at)),
      first,
    ];
    const [base, side] = [lines("x", count), lines("y", count + 5)];
    expect(applied(base, side)).toEqual(side);
  });

  it("finds changes at both ends of a long text with many blank lines", () => {
    const text = (first: string, last: string): string =>
      [first, ...Array.from({ length: 2_000 }, (_, at) => `\nParagraph ${at}.`), `\n${last}`, ""].join("\n");
    const parts = mergeText(text("A", "Z"), text("B", "Z"), text("A", "Y"));
    expect(hasClash(parts)).toBe(false);
    expect(textOfSide(parts, "ours")).toBe(text("B", "Y"));
  });
});
