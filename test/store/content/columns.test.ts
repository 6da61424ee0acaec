/** Columns: what is read is what was written, and each key is found where it is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ColumnReader,
  encodeColumns,
  hashedKeys,
  makeHashTable,
  numberPieces,
  TextColumnWriter,
} from "../../../src/store/cache/columns.ts";

const texts = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "a", "/p1", "è😀")), {
  maxLength: 60,
});
const ids = fc.array(fc.oneof(fc.integer(), fc.maxSafeNat(), fc.constantFrom(0, -0, 2 ** 32, 2 ** 32 + 1)), {
  maxLength: 60,
});
const seeds = fc.nat(2 ** 32 - 1);
/** What UTF-8 has no bytes for is another character afterwards. */
const stored = (text: string): string => text.toWellFormed();

/** @param lead bytes before the columns, where memory may be cut anywhere */
function written(columns: Iterable<Parameters<typeof encodeColumns>[0]>, lead: number): ColumnReader {
  const lengths: number[] = [];
  const all = (function* () {
    for (const column of columns) yield* column;
  })();
  const bytes = Buffer.concat([Buffer.alloc(lead), ...encodeColumns(all, lengths)]);
  return new ColumnReader(bytes.subarray(lead), lengths);
}

describe("columns", () => {
  it("have the texts and numbers that were written", () => {
    const property = fc.property(texts, ids, fc.nat(9), (given, numbers, lead) => {
      const writer = new TextColumnWriter();
      for (const text of given) writer.add(stored(text));
      const reader = written([writer.pieces(), numberPieces(Float64Array.from(numbers)), writer.pieces()], lead);
      const [first, between, last] = [reader.text(), reader.numbers(), reader.text()];
      for (const column of [first, last])
        expect(Array.from({ length: column.length }, (_, place) => column.at(place))).toEqual(given.map(stored));
      expect([...between]).toEqual(numbers);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it("find each key, the last of equal ones, and no other", () => {
    const property = fc.property(fc.oneof(texts, ids), fc.oneof(texts, ids), seeds, (keys, others, seed) => {
      const reader = written([makeHashTable<string | number>(keys, seed)], 0);
      const found = hashedKeys<string | number>(keys, reader.integers(), seed);
      for (const key of [...keys, ...others]) {
        const last = keys.findLastIndex((each) => each === key);
        expect(found.placeOf(key)).toBe(last < 0 ? undefined : last);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});
