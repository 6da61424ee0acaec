/** Trees as bytes, compared with the plain way: a map of entries, sorted as git does. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newObject, oidOf } from "../../../src/store/git/objects/object.ts";
import {
  entryNamed,
  parseTree,
  treeEntries,
  treeOf,
  type Tree,
  type TreeEntry,
} from "../../../src/store/git/objects/tree-format.ts";
import { editTree, type EditableTrees } from "../../../src/store/git/objects/trees.ts";

const [FILE, FOLDER] = ["100644", "40000"];
/** Ids with NULs, spaces and digits, which are none of those between entries. */
const oid = fc.constantFrom("0".repeat(40), "20".repeat(20), "34".repeat(20), "00ff20".padEnd(40, "a1"));
/** Names of which a folder comes at another place than a file. */
const name = fc.constantFrom("a", "a-b", "a.b", "a0", "ab", "b", "B", "c d", "è".repeat(3), "z".repeat(300));
const entry = fc.record({ mode: fc.constantFrom(FILE, "100755", "120000", "160000", FOLDER), oid });
const entries = fc.dictionary(name, entry, { noNullPrototype: true }).map((each) => new Map(Object.entries(each)));
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

const keyOf = ([key, { mode }]: readonly [string, TreeEntry]): string => (mode === FOLDER ? `${key}/` : key);

function sorted(plain: ReadonlyMap<string, TreeEntry>): [string, TreeEntry][] {
  const named = [...plain].map(([key, each]): [string, TreeEntry] => [latin1(key), each]);
  return named.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const encodePlainly = (rows: readonly (readonly [string, TreeEntry])[]): Buffer =>
  Buffer.concat(
    rows.flatMap(([key, each]) => [Buffer.from(`${each.mode} ${key}\0`, "latin1"), Buffer.from(each.oid, "hex")]),
  );

function openCache(): EditableTrees & { add(tree: Tree): string } {
  const trees = new Map<string, Tree>();
  return {
    get: async (id) => trees.get(id)!,
    cached: (id) => trees.get(id),
    cache: (id, tree) => void trees.set(id, tree),
    add(tree) {
      const id = oidOf("tree", tree.bytes);
      trees.set(id, tree);
      return id;
    },
  };
}

describe("a tree", () => {
  it("has the entries it is made of, in git's order", () => {
    fc.assert(
      fc.property(entries, (plain) => {
        const rows = sorted(plain);
        const tree = treeOf([...plain].map(([key, each]) => [latin1(key), each] as const));
        expect(tree.bytes.equals(encodePlainly(rows))).toBe(true);
        const parsed = parseTree(tree.bytes);
        expect(parsed).toEqual(tree);
        expect([...treeEntries(parsed)]).toEqual(rows);
        for (const key of ["a", "a-b", "ab", "b", "nothing", "z"])
          expect(entryNamed(parsed, key)).toEqual(plain.get(key));
      }),
    );
  });

  it("is read where it is not sorted", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, entry), { selector: ([key]) => key }), (rows) => {
        const bytes = encodePlainly(rows.map(([key, each]) => [latin1(key), each] as const));
        const tree = parseTree(bytes);
        expect([...treeEntries(tree)]).toEqual(sorted(new Map(rows)));
        for (const [key, each] of rows) expect(entryNamed(tree, latin1(key))).toEqual(each);
      }),
    );
  });

  it("is refused where it is malformed", () => {
    const whole = encodePlainly([["a.yaml", { mode: FILE!, oid: "1".repeat(40) }]]);
    const endless = Buffer.concat([whole, Buffer.from("100644 a name without end")]);
    for (const bytes of [whole.subarray(0, -1), whole.subarray(0, 13), endless])
      expect(() => parseTree(bytes)).toThrow("A tree of this repository is malformed");
  });

  it("has, after any edits, the entries that a sorted map has", async () => {
    const edit = fc.oneof(entry, fc.constant(null), oid);
    const edits = fc.dictionary(name, edit, { noNullPrototype: true }).map((each) => new Map(Object.entries(each)));
    await fc.assert(
      fc.asyncProperty(entries, fc.array(edits, { maxLength: 4 }), async (plain, rounds) => {
        const cache = openCache();
        let root = cache.add(treeOf([...plain].map(([key, each]) => [latin1(key), each] as const)));
        for (const round of rounds) {
          for (const [key, change] of round) {
            const before = plain.get(key);
            if (change === null) plain.delete(key);
            else if (typeof change !== "string") plain.set(key, change);
            else if (before?.oid !== change) plain.set(key, { mode: FILE!, oid: change });
          }
          const edited = await editTree(cache, root, round, () => true);
          const bytes = encodePlainly(sorted(plain));
          expect(edited.oid).toBe(oidOf("tree", bytes));
          expect(edited.objects).toEqual(edited.oid === root ? [] : [{ ...newObject("tree", bytes), basedOn: root }]);
          root = edited.oid;
        }
      }),
    );
  });

  it("loses a folder with its last file, and a file may become a folder", async () => {
    const cache = openCache();
    const id = "1".repeat(40);
    const first = await editTree(
      cache,
      null,
      new Map([
        ["a/b/c", id],
        ["d", id],
      ]),
    );
    const second = await editTree(cache, first.oid, new Map([["a/b/c", null]]));
    expect([...treeEntries(await cache.get(second.oid))]).toEqual([["d", { mode: FILE, oid: id }]]);
    const third = await editTree(
      cache,
      second.oid,
      new Map([
        ["d", null],
        ["d/e", id],
      ]),
    );
    expect([...treeEntries(await cache.get(third.oid))].map(([key, { mode }]) => [key, mode])).toEqual([["d", FOLDER]]);
    await expect(editTree(cache, third.oid, new Map([["d", id]]))).rejects.toThrow("d is a folder in the last commit");
    await expect(editTree(cache, second.oid, new Map([["d/e", id]]))).rejects.toThrow("d is a file in the last commit");
  });
});
