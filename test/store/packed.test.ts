/** Records that are packed again, some as they lie and some anew, come out as they went in. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { PAGES } from "../../src/store/content/records/pages.ts";
import { openSpool, packGroup, PackedGroup, type Bytes, type Packable } from "../../src/store/cache/packed.ts";

interface Plain {
  readonly id: number;
  readonly text: string;
  readonly texts: readonly string[];
  readonly isWhole: boolean;
}
const SHIFT = 7;

const plain = fc.record({
  text: fc.string({ unit: "grapheme", maxLength: 5 }),
  texts: fc.array(fc.string({ unit: "grapheme", maxLength: 6 }), { maxLength: 3 }),
  isWhole: fc.boolean(),
});
const made = ({ id, text, texts, isWhole }: Plain): Packable => ({
  base: `b${id}`,
  parts: `.yaml ${id}`,
  outline: { id, text } as never,
  isWhole,
  texts,
});

/** As it would be read from a file. */
function packed(records: readonly Packable[]): PackedGroup {
  const spool = openSpool();
  const columns = packGroup(PAGES, records, spool);
  const bytes = Buffer.concat([Buffer.alloc(SHIFT), ...spool.parts]);
  const one = Buffer.alloc(64 * 1024);
  // Each call overwrites what the one before has given.
  const read: Bytes["read"] = (from, length) => one.subarray(0, bytes.copy(one, 0, from, from + length));
  const group = new PackedGroup(
    JSON.parse(JSON.stringify(columns)) as typeof columns,
    { length: bytes.length, read },
    SHIFT,
  );
  expect(group.length).toBe(bytes.length - SHIFT);
  return group;
}

function expectAll(group: PackedGroup, records: readonly Plain[]): void {
  for (const [place, { id, text, texts, isWhole }] of records.entries()) {
    expect(group.placeOf(`b${id}`)).toBe(place);
    const found = group.at(place);
    expect([found.outline(), found.isWhole, texts.map((_, at) => found.texts(at))]).toEqual([
      { id, text },
      isWhole,
      texts,
    ]);
  }
}

it("comes out as it went in, generation after generation", () => {
  fc.assert(
    fc.property(
      fc.array(plain, { maxLength: 12 }),
      fc.array(fc.array(fc.tuple(fc.nat(11), fc.option(plain, { nil: null })), { maxLength: 6 }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.boolean(),
      (first, generations, readsAll) => {
        let records: Plain[] = first.map((each, at) => ({ id: at + 1, ...each }));
        let group = packed(records.map(made));
        expectAll(group, records);
        for (const changes of generations) {
          const anew = new Map(changes.map(([at, to]) => [at + 1, to]));
          if (readsAll) group.readOutlines();
          const before = group;
          const next = records
            .filter(({ id }) => anew.get(id) !== null)
            .map((each) => ({ ...each, ...anew.get(each.id) }));
          group = packed(
            next.map((each): Packable =>
              anew.has(each.id)
                ? made(each)
                : {
                    base: `b${each.id}`,
                    parts: `.yaml ${each.id}`,
                    group: before,
                    place: before.placeOf(`b${each.id}`)!,
                  },
            ),
          );
          records = next;
          expectAll(group, records);
        }
      },
    ),
    { numRuns: 300 },
  );
});
