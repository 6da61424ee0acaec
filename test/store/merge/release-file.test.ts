/** Two clones that change one release: the merged file loads, and tells of what they disagree about. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { repeatedItems, type Release, type ReleaseItem } from "../../../src/model/page/release.ts";
import { decodeFile } from "../../../src/store/codec/codec.ts";
import { RELEASES } from "../../../src/store/records/releases.ts";
import { mergeRecordFile } from "../../../src/store/merge/merge-file.ts";

const PATH = "content/releases/spring.yaml";
const LOCALES = { codes: ["en", "it"], default: "en" };

interface Merged {
  readonly release: Release;
  readonly items: readonly string[];
  readonly conflicts: readonly (readonly [field: string, path: string])[];
}

/** Items as `12 en publish`, or `12 trash`. */
const itemOf = (text: string): object => {
  const [page, second, third] = text.split(" ");
  return { page: Number(page), ...(third ? { language: second, action: third } : { action: second }) };
};
const textOf = ({ page, language, action }: ReleaseItem): string =>
  [page, language, action].filter((part) => part !== null).join(" ");

interface Side {
  readonly items: readonly string[];
  readonly [key: string]: unknown;
}

function merge(base: Side | null, ours: Side, theirs: Side): Merged {
  const bytes = (side: Side | null): Uint8Array | null =>
    side && new TextEncoder().encode(stringify({ id: 7, ...side, items: side.items.map(itemOf) }));
  const place = { path: PATH, kind: RELEASES, locales: LOCALES };
  const merged = mergeRecordFile(place, { base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) });
  if (merged.outcome === "unreadable") throw merged.problem;
  const file = decodeFile(PATH, merged.bytes!);
  const release = RELEASES.fromFiles("content/releases/spring", new Map([[".yaml", file]]), LOCALES);
  const conflicts = merged.conflicts.map((each) =>
    each.kind === "field" ? ([each.field, JSON.stringify(each.ours)] as const) : ([each.kind, each.by] as const),
  );
  return { release, items: release.items.map(textOf), conflicts };
}

describe("items", () => {
  const BASE = { items: ["1 en publish", "2 en publish"] };
  // oxfmt-ignore
  it.each([
    // ours                                          theirs                                          merged                                                             conflicts
    [["1 en publish", "2 en publish", "3 en publish"], ["1 en publish", "2 en publish", "4 en publish"], ["1 en publish", "2 en publish", "4 en publish", "3 en publish"], []],
    [["1 en publish", "2 en publish", "3 en publish"], ["1 en publish", "2 en publish", "3 en publish"], ["1 en publish", "2 en publish", "3 en publish"], []],
    [["2 en publish"],                                 ["1 en publish", "2 en publish", "3 it trash"],   ["2 en publish", "3 trash"], []],
    [["1 en unpublish", "2 en publish"],               ["1 en publish"],                                 ["1 en unpublish"], []],
    [["1 en publish", "2 en publish", "3 en publish"], ["1 en publish", "2 en publish", "3 en unpublish"], ["1 en publish", "2 en publish", "3 en unpublish"], [["items.2.action", '"publish"']]],
    [["1 en publish", "2 en publish", "3 en publish"], ["1 en publish", "2 en publish", "3 trash"],       ["1 en publish", "2 en publish", "3 trash", "3 en publish"], []],
  ] as const)("%j and %j", (ours, theirs, items, conflicts) => {
    const merged = merge(BASE, { items: ours }, { items: theirs });
    expect([merged.items, merged.conflicts]).toEqual([items, conflicts]);
  });

  it("are not combined where one side published the release: the conflict says what ours were", () => {
    const published = { ...BASE, published_at: "2026-03-01T00:00:00Z" };
    const more = { items: [...BASE.items, "3 en publish"] };
    expect(merge(BASE, more, published)).toMatchObject({
      items: BASE.items,
      conflicts: [["items", JSON.stringify(more.items.map(itemOf))]],
    });
    const other = merge(BASE, published, more);
    expect([other.items, other.conflicts.map(([field]) => field)]).toEqual([more.items, ["items"]]);
  });
});

it("is published where one side published it and the other gave it another moment", () => {
  const [base, items] = [{ publish_at: "2026-03-01T00:00:00Z", items: ["1 en publish"] }, ["1 en publish"]];
  const merged = merge(
    base,
    { items, published_at: "2026-03-01T00:00:00Z" },
    { ...base, publish_at: "2026-04-01T00:00:00Z" },
  );
  expect(merged.release).toMatchObject({ publish_at: null, published_at: "2026-03-01T00:00:00.000Z" });
});

it("has the remote's moment where both published it", () => {
  const [one, two] = ["2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"];
  const items = ["1 en publish"];
  const merged = merge({ items }, { items, published_at: one }, { items, published_at: two });
  expect([merged.release.published_at, merged.conflicts]).toEqual(["2026-03-02T00:00:00.000Z", []]);
});

const ITEM = fc
  .tuple(fc.constantFrom(1, 2, 3), fc.constantFrom("en publish", "it publish", "en unpublish", "trash"))
  .map(([page, rest]) => `${page} ${rest}`);
const MOMENT = fc.option(fc.constantFrom("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"), { nil: undefined });
const SIDE: fc.Arbitrary<Side> = fc
  .record({
    items: fc.uniqueArray(ITEM, { maxLength: 4 }),
    comment: fc.constantFrom("One", "Two"),
    publish_at: MOMENT,
    published_at: MOMENT,
  })
  .map(({ items, ...rest }) => ({ ...rest, items: items.filter((_, at) => !repeats(items).has(at)) }))
  .map((side) => JSON.parse(JSON.stringify(side)) as Side);
const repeats = (items: readonly string[]) =>
  repeatedItems(items.map(itemOf).map((item) => ({ language: null, ...item }) as ReleaseItem));

it("loads whatever both sides did, with no page and language twice", () => {
  fc.assert(
    fc.property(fc.option(SIDE), SIDE, SIDE, (base, ours, theirs) => {
      const { release } = merge(base, ours, theirs);
      const keys = release.items.map(({ page, language }) => `${page} ${language}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(release.publish_at === null || release.published_at === null).toBe(true);
    }),
    { numRuns: 300 },
  );
});
