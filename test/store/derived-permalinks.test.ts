/** Permalinks that files leave out: after any change, those derived anew. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { permalinkIn, type Id, type Page } from "../../src/model/page.ts";
import { derivedPermalinks } from "../../src/store/content/derived-permalinks.ts";
import type { Table } from "../../src/store/content/record-type.ts";
import { SharedMap } from "../../src/store/content/shared-map.ts";
import { changeTable, makeTable, type Entry } from "../../src/store/content/snapshot.ts";
import { blankPage, LOCALES } from "../model/blank-page.ts";

const IDS = 14;
const LONG = "word ".repeat(40);
const completion = derivedPermalinks(LOCALES);

/** What a file says. A title of "" is none. */
interface Said {
  readonly id: Id;
  readonly title: string;
  readonly parent: Id;
  readonly day: number;
  /** The languages in which the file states a permalink. */
  readonly stated: { readonly en: string | null; readonly it: string | null };
}

const mostly = <T, U>(value: T, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });

const said: fc.Arbitrary<Said> = fc.record({
  id: fc.integer({ min: 1, max: IDS }),
  title: fc.constantFrom("A", "A", "A", "A 2", "B", "A-3", "", LONG),
  parent: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: IDS }) },
  ),
  day: fc.integer({ min: 1, max: 4 }),
  stated: fc.record({
    en: mostly(null, fc.constantFrom("/a", "/a-2", "/a-4", "/b", "/a/a", "/")),
    it: mostly(null, fc.constantFrom("/a", "/a-2", "/b")),
  }),
});

function entryOf({ id, title, parent, day, stated }: Said): Entry {
  const text = (permalink: string | null): object => ({ title: title || null, permalink });
  const record = blankPage({
    id,
    parent_page: parent || null,
    date_created: `2026-01-0${day}T00:00:00.000Z` as Page["date_created"],
    translations: { en: text(stated.en), it: text(stated.it) },
  });
  return { base: `content/pages/p${id}`, record, files: new Map([[".yaml", "oid"]]) };
}

const permalinksOf = ({ byId }: Table): Record<string, unknown> =>
  Object.fromEntries(
    Array.from(byId.values(), ({ base, record }) => [
      base,
      LOCALES.codes.map((lang) => permalinkIn(record as Page, lang)),
    ]),
  );

/** @param isGone whether the file is removed */
type Step = readonly (readonly [said: Said, isGone: boolean])[];
const step: fc.Arbitrary<Step> = fc.array(
  fc.tuple(
    said,
    fc.nat(3).map((n) => n === 0),
  ),
  { minLength: 1, maxLength: 3 },
);

describe("permalinks that files leave out", () => {
  it("are after each change those derived anew", async () => {
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(said, { maxLength: IDS }), fc.array(step, { maxLength: 12 }), async (start, steps) => {
        const bases = new Map(start.map((each) => [entryOf(each).base, entryOf(each)]));
        let table = await makeTable(new SharedMap(bases), completion);
        for (const changes of steps) {
          const entries = new Map(
            changes.map(([each, isGone]) => [entryOf(each).base, isGone ? null : entryOf(each)] as const),
          );
          const before = permalinksOf(table);
          const next = await changeTable(table, entries, completion);
          expect(permalinksOf(table)).toEqual(before); // the former content is not changed
          const byBase = table.byBase.with(Array.from(entries, ([base, entry]) => [base, entry ?? undefined]));
          const anew = await makeTable(new SharedMap(new Map(byBase)), completion);
          if (next) expect(permalinksOf(next)).toEqual(permalinksOf(anew));
          if (next) followed++;
          table = next ?? anew;
        }
      }),
      { numRuns: 150 },
    );
    expect(followed).toBeGreaterThan(500);
  });
});
