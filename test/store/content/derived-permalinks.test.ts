/** Permalinks that files leave out: after any change, those derived anew. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { permalinkIn, type Id, type Page } from "../../../src/model/page/page.ts";
import { derivedPermalinks } from "../../../src/store/records/derived/permalinks.ts";
import { PAGE_SUMMARIES } from "../../../src/store/records/page-summary.ts";
import type { Table } from "../../../src/store/records/record-type.ts";
import { SharedMap } from "../../../src/store/maps/shared-map.ts";
import { changeTable, makeTable, type Entry } from "../../../src/store/snapshot.ts";
import { blankPage, LOCALES } from "../../model/page/blank-page.ts";

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

const PERMALINKS = { en: ["/a", "/a-2", "/a-4", "/b", "/a/a", "/"], it: ["/a", "/a-2", "/b"] } as const;

/** @param stated the permalinks that files state */
const saidWith = (stated: fc.Arbitrary<Said["stated"]>): fc.Arbitrary<Said> =>
  fc.record({
    id: fc.integer({ min: 1, max: IDS }),
    title: fc.constantFrom("A", "A", "A", "A 2", "B", "A-3", "", LONG),
    parent: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.integer({ min: 1, max: IDS }) },
    ),
    day: fc.integer({ min: 1, max: 4 }),
    stated,
  });

const seldomStated = fc.record({
  en: mostly(null, fc.constantFrom(...PERMALINKS.en)),
  it: mostly(null, fc.constantFrom(...PERMALINKS.it)),
});
const mostlyStated = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({ en: fc.constantFrom(...PERMALINKS.en), it: fc.constantFrom(...PERMALINKS.it) }),
  },
  { weight: 1, arbitrary: seldomStated },
);

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
const stepOf = (said: fc.Arbitrary<Said>): fc.Arbitrary<Step> =>
  fc.array(
    fc.tuple(
      said,
      fc.nat(3).map((n) => n === 0),
    ),
    { minLength: 1, maxLength: 3 },
  );

describe("permalinks that files leave out", () => {
  it.each([
    ["most files", seldomStated],
    ["few files, or none,", mostlyStated],
  ])("of %s are after each change those derived anew", async (_, stated) => {
    const said = saidWith(stated);
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { maxLength: IDS }),
        fc.array(stepOf(said), { maxLength: 12 }),
        async (start, steps) => {
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
        },
      ),
      { numRuns: 150 },
    );
    expect(followed).toBeGreaterThan(100);
  });

  it("cost the pages that depend on what changed", async () => {
    let read = 0;
    const counted = (each: Said): Entry => {
      const { record, base, files } = entryOf(each);
      const summary = PAGE_SUMMARIES.summarize(record as Page);
      const cached = { isSelfContained: false, filesKey: ".yaml oid" };
      return {
        get record() {
          read++;
          return record;
        },
        base,
        files,
        summary,
        cached,
      };
    };
    const page = (id: Id, title: string, parent = 0): Said => ({
      id,
      title,
      parent,
      day: 1,
      stated: { en: null, it: null },
    });
    const pages = Array.from({ length: 1000 }, (_, n) =>
      page(n + 1, `Page ${n + 1}`, n % 50 === 0 ? 0 : n - (n % 50) + 1),
    );
    let table = await makeTable(
      new SharedMap(new Map(pages.map((each) => [entryOf(each).base, counted(each)]))),
      completion,
    );
    expect(read).toBe(1000);
    const readBy = async (each: Said, isGone = false): Promise<number> => {
      read = 0;
      table = (await changeTable(table, new Map([[entryOf(each).base, isGone ? null : counted(each)]]), completion))!;
      return read;
    };
    expect(await readBy(page(7, "Another", 1))).toBe(1);
    expect(await readBy(page(7, "Page 8", 1))).toBe(2); // and the one that has the permalink
    expect(await readBy(page(51, "Renamed"))).toBe(50); // with its children
    expect(await readBy(page(51, "Renamed"), true)).toBe(49);
    expect(await readBy(page(2000, "New"))).toBe(1);
    expect(permalinksOf(table)).toMatchObject({
      "content/pages/p7": ["/page-1/page-8", "/page-1/page-8"],
      "content/pages/p8": ["/page-1/page-8-2", "/page-1/page-8-2"],
      "content/pages/p52": ["/page-52", "/page-52"],
    });
  });
});
