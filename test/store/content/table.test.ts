/** A table changed by a few entries is the table made as a whole. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Entity } from "../../../src/store/records/record-type.ts";
import { SharedMap } from "../../../src/store/maps/shared-map.ts";
import { changeTable, makeTable, type Entry, type Table } from "../../../src/store/snapshot.ts";

const entry = (id: number, title: string): Entry => ({
  base: `b${id}`,
  record: { id, title } as Entity,
  files: new Map(),
});
const plain = ({ byBase, byId, all }: Table) => ({ byBase: new Map(byBase), byId: new Map(byId), all: [...all] });

it("a changed table equals the one made as a whole", async () => {
  const change = fc.tuple(fc.nat(30), fc.option(fc.string({ maxLength: 3 })));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 20 }), async (batches) => {
      let table = await makeTable(new SharedMap());
      const byBase = new Map<string, Entry>();
      for (const batch of batches) {
        const entries = new Map(
          batch.map(([id, title]) => [`b${id}`, title === null ? null : entry(id, title)] as const),
        );
        for (const [base, each] of entries) {
          if (each) byBase.set(base, each);
          else byBase.delete(base);
        }
        table = (await changeTable(table, entries))!;
        const whole = plain(await makeTable(new SharedMap(new Map(byBase))));
        expect(plain(table).all).toEqual(whole.all);
        expect(plain(table).byId).toEqual(whole.byId);
        expect(plain(table).byBase).toEqual(whole.byBase);
      }
    }),
    { numRuns: 200 },
  );
});

it.each([
  ["an id that another file has", new Map([["other", { ...entry(1, "x"), base: "other" }]])],
  ["a file that changes its id", new Map([["b1", { ...entry(2, "x"), base: "b1" }]])],
])("%s needs the whole", async (_name, entries) => {
  const table = await makeTable(new SharedMap(new Map([["b1", entry(1, "a")]])));
  expect(await changeTable(table, entries)).toBeUndefined();
});
