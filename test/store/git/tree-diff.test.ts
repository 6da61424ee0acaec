/** The comparison of two trees, which compares many entries at a time. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { GitObject } from "../../../src/store/git/objects/object.ts";
import { oidOf } from "../../../src/store/git/objects/object.ts";
import type { Objects } from "../../../src/store/git/objects/objects.ts";
import { treeOf } from "../../../src/store/git/objects/tree-format.ts";
import { diffEntriesOf, openTreeDiff } from "../../../src/store/git/refs/tree-diff.ts";

type Files = ReadonlyMap<string, string>;

const blob = (text: string): string => oidOf("blob", Buffer.from(text));
/** Names of one to thirty characters, of which many begin alike, and few versions of each file. */
const FILES = fc
  .array(fc.tuple(fc.stringMatching(/^(?:p|page-)[a-c0-2.]{0,25}$/), fc.constantFrom("1", "2", "3")), { maxLength: 90 })
  .map((files): Files => new Map(files));
const EDITS = fc.array(fc.tuple(fc.nat(), fc.constantFrom("1", "4", undefined)), { maxLength: 6 });

it("finds exactly the files that differ, wherever they are in the folder", async () => {
  await fc.assert(
    fc.asyncProperty(FILES, FILES, EDITS, fc.boolean(), async (files, others, edits, isEdited) => {
      const now = new Map(isEdited ? files : others);
      const names = [...files.keys()];
      for (const [at, text] of isEdited && names.length > 0 ? edits : []) {
        const name = names[at % names.length]!;
        if (text === undefined) now.delete(name);
        else now.set(name, text);
      }
      const stored = new Map<string, GitObject>();
      const put = (folder: Files): string => {
        const { bytes } = treeOf([...folder].map(([name, text]) => [name, { mode: "100644", oid: blob(text) }]));
        const content = Buffer.from(bytes);
        stored.set(oidOf("tree", content), { type: "tree", content });
        return oidOf("tree", content);
      };
      const objects = { read: async (oid) => stored.get(oid) } as Objects;
      const found = await openTreeDiff(objects)(put(files), put(now), [""]);
      const entries = await diffEntriesOf(objects, put(files), put(now), 1_000);
      const expected = [...new Set([...files.keys(), ...now.keys()])].flatMap((name) => {
        const [before, after] = [files.get(name), now.get(name)].map((text) =>
          text === undefined ? null : blob(text),
        );
        return before === after ? [] : [[name, { before, after }] as const];
      });
      expect(new Map([...found].sort())).toEqual(new Map([...expected].sort()));
      expect([...entries.keys()].sort()).toEqual([...found.keys()].sort());
    }),
    { numRuns: 300 },
  );
});
