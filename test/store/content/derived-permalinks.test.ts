/** Permalinks that files leave out: after any change, those derived anew. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derivePermalink } from "../../../src/model/address/omitted-permalinks.ts";
import { permalinkIn, withText, type Id, type Page } from "../../../src/model/page/page.ts";
import { derivedPermalinks } from "../../../src/store/records/derived/permalinks.ts";
import { PAGE_SUMMARIES } from "../../../src/store/records/page-summary.ts";
import type { Table } from "../../../src/store/records/record-type.ts";
import { SharedMap } from "../../../src/store/maps/shared-map.ts";
import { byAge, changeTable, makeTable, ownEntry, type Entry } from "../../../src/store/snapshot.ts";
import { blankPage, LOCALES } from "../../model/page/blank-page.ts";

const IDS = 14;
const LONG = "word ".repeat(40);
const SINCE = new WeakMap<object, Said["since"]>();
const completion = derivedPermalinks(
  LOCALES,
  async ({ record }, lang) => SINCE.get(record)?.[lang as "en"] ?? Infinity,
);

/** What a file says. A title of "" is none. */
interface Said {
  readonly id: Id;
  readonly title: string;
  readonly parent: Id;
  readonly day: number;
  /** The languages in which the file states a permalink. */
  readonly stated: { readonly en: string | null; readonly it: string | null };
  /** Since which commit the file has said so, in each language. */
  readonly since: { readonly en: number; readonly it: number };
}

const mostly = <T, U>(value: T, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });

const PERMALINKS = { en: ["/a", "/a-2", "/a-4", "/b", "/a/a", "/"], it: ["/a", "/a-2", "/b"] } as const;

const commits = fc.constantFrom(1, 2, 3, Infinity);

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
    since: fc.record({ en: commits, it: commits }),
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

function entryOf({ id, title, parent, day, stated, since }: Said): Entry {
  const text = (permalink: string | null): object => ({ title: title || null, permalink });
  const record = blankPage({
    id,
    parent_page: parent || null,
    date_created: `2026-01-0${day}T00:00:00.000Z` as Page["date_created"],
    translations: { en: text(stated.en), it: text(stated.it) },
  });
  SINCE.set(record, since);
  return { base: `content/pages/p${id}`, record, files: new Map([[".yaml", "oid"]]) };
}

const permalinksOf = ({ byId }: Table): Record<string, unknown> =>
  Object.fromEntries(
    Array.from(byId.values(), ({ base, record }) => [
      base,
      LOCALES.codes.map((lang) => permalinkIn(record as Page, lang)),
    ]),
  );

/** The permalinks derived in the whole order, with the history asked about every page. */
function oracle(entries: readonly Entry[]): Record<string, unknown> {
  const own = new Map(entries.map((entry) => [(entry.record as Page).id, entry]));
  const lacks = (id: Id | null, lang?: string): boolean => {
    const page = own.get(id ?? 0)?.record as Page | undefined;
    return page !== undefined && (lang ? [lang] : LOCALES.codes).some((code) => permalinkIn(page, code) === null);
  };
  const parentOf = (id: Id): Id | null => (own.get(id)!.record as Page).parent_page;
  const above = (id: Id): Id[] => {
    const found: Id[] = [];
    for (let at = parentOf(id); lacks(at) && !found.includes(at!) && at !== id; at = parentOf(at!)) found.push(at!);
    return found;
  };
  const isInCircle = (id: Id): boolean => [id, ...above(id)].some((each) => parentOf(each) === id);
  const level = (id: Id): number => (isInCircle(id) ? 0 : above(id).findIndex(isInCircle) + 1 || above(id).length);
  const found = new Map<string, unknown[]>();
  for (const lang of ["en", "it"] as const) {
    const known = new Map([...own].map(([id, { record }]) => [id, permalinkIn(record as Page, lang)]));
    const since = (id: Id): number => SINCE.get(own.get(id)!.record)![lang];
    const rank = (a: Id, b: Id): number =>
      since(a) === since(b) ? byAge(own.get(a)!, own.get(b)!) : since(a) < since(b) ? -1 : 1;
    const open = [...own.keys()].filter((id) => lacks(id, lang)).sort((a, b) => level(a) - level(b) || rank(a, b));
    for (const id of open) {
      const parent = isInCircle(id) ? undefined : own.get(parentOf(id) ?? 0)?.record;
      const page = derivePermalink(own.get(id)!.record as Page, {
        lang,
        locales: LOCALES,
        parent: parent && withText(parent as Page, lang, { permalink: known.get(parentOf(id)!)! }),
        isTaken: (permalink) => [...known.values()].includes(permalink),
      });
      known.set(id, permalinkIn(page, lang));
    }
    for (const [id, permalink] of known)
      found.set(own.get(id)!.base, [...(found.get(own.get(id)!.base) ?? []), permalink]);
  }
  return Object.fromEntries(found);
}

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

/** The English permalinks of pages whose files come in this order. */
async function derived(...pages: readonly Page[]): Promise<(string | null)[]> {
  const entries = pages.map((record, at) => ({ base: `p${at}`, record, files: new Map() }));
  const { byId } = await makeTable(new SharedMap(new Map(entries.map((each) => [each.base, each]))), completion);
  return pages.map(({ id }) => permalinkIn(byId.get(id)!.record as Page, "en"));
}
const titled = (id: Id, title: string | null, rest: Parameters<typeof blankPage>[0] = {}): Page =>
  blankPage({ id, ...rest, translations: { en: { title }, it: { permalink: `/${id}` } } });
const stated = (id: Id, permalink: string): Page => blankPage({ id, translations: { en: { permalink } } });

describe("permalinks that files leave out", () => {
  // oxfmt-ignore
  it.each<[string, Page[], (string | null)[]]>([
    ["from the title",                      [titled(1, "About")],                                              ["/about"]],
    ["below a parent that comes later",     [titled(1, "Team", { parent_page: 2 }), titled(2, "About")],       ["/about/team", "/about"]],
    ["a number where it is taken",          [titled(1, "About"), titled(2, "About"), titled(3, "About")],      ["/about", "/about-2", "/about-3"]],
    ["the one that comes first",            [titled(2, "About"), titled(1, "About")],                          ["/about", "/about-2"]],
    ["after one that says its own",         [titled(1, "About"), stated(2, "/about")],                         ["/about-2", "/about"]],
    ["a parent after one that is older",    [titled(1, "Team", { parent_page: 3 }), titled(2, "About"), titled(3, "About")], ["/about-2/team", "/about", "/about-2"]],
    ["a number where it is reserved",       [titled(1, "It"), titled(2, "Changes")],                           ["/it-2", "/changes-2"]],
    ["the id where there is no title",      [titled(7, null)],                                                 ["/7"]],
    ["no parent in a circle made by hand",  [titled(1, "A", { parent_page: 2 }), titled(2, "B", { parent_page: 1 }), titled(3, "C", { parent_page: 1 })], ["/a", "/b", "/a/c"]],
    ["a missing parent counts as none",     [titled(1, "A", { parent_page: 9 })],                              ["/a"]],
  ])("%s", async (_case, pages, permalinks) => {
    expect(await derived(...pages)).toEqual(permalinks);
  });

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
            expect(permalinksOf(anew)).toEqual(oracle([...anew.byId.keys()].map((id) => ownEntry(anew, id)!)));
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
    const completion = derivedPermalinks(LOCALES);
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
      since: { en: 1, it: 1 },
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
    expect(await readBy(page(7, "Page 8", 1))).toBe(1); // the one that has the permalink is in memory
    expect(await readBy(page(51, "Renamed"))).toBe(1); // as its children are
    expect(await readBy(page(51, "Renamed"), true)).toBe(0);
    expect(await readBy(page(2000, "New"))).toBe(1);
    expect(permalinksOf(table)).toMatchObject({
      "content/pages/p7": ["/page-1/page-8", "/page-1/page-8"],
      "content/pages/p8": ["/page-1/page-8-2", "/page-1/page-8-2"],
      "content/pages/p52": ["/page-52", "/page-52"],
    });
  });
});
