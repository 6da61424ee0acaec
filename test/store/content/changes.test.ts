/** What differs between two snapshots is the same whether their tables share what they have in common or not. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { changedRecords } from "../../../src/store/content/changes.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { SharedMap } from "../../../src/store/maps/shared-map.ts";
import { changeTable, makeTable, Snapshot, type Entry, type Table } from "../../../src/store/snapshot.ts";
import { blankPage } from "../../model/page/blank-page.ts";

const IDS = Array.from({ length: 12 }, (_, at) => at + 1);
const snapshotOf = (table: Table): Snapshot => new Snapshot(null, new Map([[PAGES, table]]), []);

const entryOf = (id: number, version: number): Entry => ({
  record: blankPage({ id, ordering: version }),
  base: `content/pages/p${id}`,
  files: new Map([[".yaml", `oid-${id}-${version}`]]),
});

it("finds what differs, and nothing else", async () => {
  const change = fc.record({ id: fc.constantFrom(...IDS), version: fc.option(fc.nat(2)) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
      fc.nat(5),
      async (steps, from) => {
        const tables: Table[] = [
          await makeTable(new SharedMap(new Map(IDS.map((id) => [`content/pages/p${id}`, entryOf(id, 0)])))),
        ];
        for (const changes of steps) {
          const entries = changes.map(({ id, version }) => {
            const entry = version === null ? null : entryOf(id, version);
            return [`content/pages/p${id}`, entry] as const;
          });
          tables.push((await changeTable(tables.at(-1)!, new Map(entries)))!);
        }
        const [before, after] = [tables[Math.min(from, steps.length)]!, tables.at(-1)!];
        const expected = new Map(
          IDS.flatMap((id) => {
            const [old, next] = [before.byId.get(id), after.byId.get(id)];
            const isSame = old?.files.get(".yaml") === next?.files.get(".yaml");
            return isSame ? [] : [[id, { before: old?.record, after: next?.record }] as const];
          }),
        );
        const sharing = changedRecords(snapshotOf(before), snapshotOf(after));
        const apart = changedRecords(snapshotOf(await makeTable(before.byBase)), snapshotOf(after));
        for (const found of [sharing, apart]) expect(found.get(PAGES) ?? new Map()).toEqual(expected);
      },
    ),
  );
});
