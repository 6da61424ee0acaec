/** The index as bytes, compared with the plain way: a sorted list of entries, encoded from the first to the last. */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEntry, type IndexEntry } from "../../../src/store/git/index/index-entry.ts";
import {
  entriesIn,
  entriesNamed,
  listOf,
  modifiedSince,
  prepareSearches,
  withoutSizes,
} from "../../../src/store/git/index/entry-list.ts";
import {
  encodeIndex,
  entriesOf,
  parseIndex,
  updateIndex,
  type IndexFile,
} from "../../../src/store/git/index/index-format.ts";

type Version = 2 | 3 | 4;

/** In bytes: twice the length at which blocks are cut. */
const BLOCK_MAX = 64 * 1024;
const SOME_STAT = lstatSync(fileURLToPath(import.meta.url), { bigint: true });

/** Few names, so that updates hit entries, with prefixes of each other and bytes above 127. */
const name = fc.constantFrom("a", "a/b", "a/b/c.yaml", "a/bc", "a-b", "b", "è/ü.yaml", `long/${"x".repeat(5000)}`, "z");
const update = fc.option(
  fc.record({
    oid: fc.constantFrom("1".repeat(40), "ab".repeat(20)),
    stat: fc.constantFrom(SOME_STAT, undefined),
  }),
  { nil: null },
);
const updates = fc.array(fc.tuple(name, update), { maxLength: 8 }).map((pairs) => new Map(pairs));
const latin1 = (path: string): string => Buffer.from(path).toString("latin1");

function encodePlainly(version: Version, entries: readonly IndexEntry[]): Buffer {
  const header = Buffer.from("DIRC\0\0\0\0\0\0\0\0");
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(entries.length, 8);
  let previous = "";
  const parts = entries.map((entry) => {
    const before = previous;
    previous = entry.name;
    if (version !== 4) {
      const bytes = Buffer.concat([entry.head, Buffer.from(entry.name, "latin1")]);
      return Buffer.concat([bytes, Buffer.alloc(8 - (bytes.length % 8))]);
    }
    let shared = 0;
    while (shared < before.length && before[shared] === entry.name[shared]) shared++;
    const removed = before.length - shared;
    const varint = removed < 128 ? [removed] : [0x80 | (((removed >> 7) - 1) & 0x7f), removed & 0x7f]; // below 16,512
    return Buffer.concat([entry.head, Buffer.from(varint), Buffer.from(`${entry.name.slice(shared)}\0`, "latin1")]);
  });
  const body = Buffer.concat([header, ...parts]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

async function bytesOf(index: IndexFile): Promise<Buffer> {
  const { parts, end } = encodeIndex(index);
  return Buffer.concat([...parts, await end()]);
}

describe("the index of git", () => {
  it.each([2, 3, 4] as const)(
    "is, after any updates, the one that is encoded from its entries (version %s)",
    async (version) => {
      await fc.assert(
        fc.asyncProperty(fc.array(updates, { maxLength: 4 }), async (rounds) => {
          const plain = new Map<string, IndexEntry>();
          let index = parseIndex(encodePlainly(version, []));
          for (const round of rounds) {
            index = updateIndex(index, round);
            for (const [path, change] of round) {
              if (change) plain.set(latin1(path), createEntry(latin1(path), change));
              else plain.delete(latin1(path));
            }
            const sorted = [...plain.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
            const bytes = await bytesOf(index);
            expect(bytes.equals(encodePlainly(version, sorted))).toBe(true);
            for (const path of round.keys()) {
              const entry = plain.get(latin1(path));
              expect(entriesOf(index, path)).toEqual(entry ? [entry] : []);
              const parsed = parseIndex(bytes);
              expect(entriesOf(parsed, path)).toEqual(entry ? [entry] : []);
              prepareSearches(parsed.entries, plain.size);
              expect(entriesOf(parsed, path)).toEqual(entry ? [entry] : []);
            }
            if (round.size % 2 === 1) index = parseIndex(bytes);
          }
        }),
      );
    },
  );

  it("shares the blocks that updates do not touch, and is as one that is encoded from its entries", async () => {
    const nameOf = (number: number): string => `content/${String(number).padStart(5, "0")}${"-".repeat(number % 200)}`;
    const change = fc.record({
      from: fc.nat(2000),
      count: fc.oneof(fc.nat(5), fc.nat(600)),
      step: fc.constantFrom(1, 3),
      update,
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(2000), fc.array(change, { maxLength: 6 }), async (count, rounds) => {
        const plain = new Map<string, IndexEntry>();
        for (let number = 0; number < count; number += 2)
          plain.set(nameOf(number), createEntry(nameOf(number), { oid: "0".repeat(40), stat: undefined }));
        const sorted = (): IndexEntry[] => [...plain.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
        let index = parseIndex(encodePlainly(2, sorted()));
        for (const round of rounds) {
          const names = Array.from({ length: round.count }, (_, n) => nameOf(round.from + n * round.step));
          const before = index.entries.blocks;
          index = updateIndex(index, new Map(names.map((each) => [each, round.update])));
          for (const each of names) {
            if (round.update) plain.set(each, createEntry(each, round.update));
            else plain.delete(each);
          }
          const entries = sorted();
          expect((await bytesOf(index)).equals(encodePlainly(2, entries))).toBe(true);
          const { blocks } = index.entries;
          expect(Math.max(...blocks.map(({ bytes }) => bytes.length), 0)).toBeLessThanOrEqual(BLOCK_MAX);
          if (names.length > 0 && names.length <= 5)
            expect(blocks.filter((block) => !before.includes(block)).length).toBeLessThanOrEqual(2 * names.length + 1);
          const since = Number(SOME_STAT.mtimeNs / 1_000_000_000n);
          const racy = modifiedSince(index.entries, since);
          const isRacy = ({ head }: IndexEntry): boolean => head.readUInt32BE(8) >= since;
          expect(racy.length).toBe(entries.filter(isRacy).length);
          const sizes = [...entriesIn(withoutSizes(index.entries, racy))].map(({ head }) => head.readUInt32BE(36));
          expect(sizes).toEqual(entries.map((entry) => (isRacy(entry) ? 0 : entry.head.readUInt32BE(36))));
        }
      }),
    );
  });

  it("keeps all stages of a name in one block", () => {
    const staged = (name: string, stage: number): IndexEntry => {
      const entry = createEntry(name, { oid: `${stage}`.repeat(40), stat: undefined });
      entry.head.writeUInt16BE((stage << 12) | name.length, 60);
      return entry;
    };
    const names = Array.from({ length: 1000 }, (_, number) => `content/${String(number).padStart(4, "0")}`);
    const entries = listOf(names.flatMap((each) => [1, 2, 3].map((stage) => staged(each, stage))));
    expect(entries.blocks.length).toBeGreaterThan(5);
    for (const each of names) expect(entriesNamed(entries, each)).toHaveLength(3);
  });

  it("finds all stages of a name, searched for one name or for many", () => {
    const stages = [1, 2, 3].map((stage) => {
      const entry = createEntry("b", { oid: `${stage}`.repeat(40), stat: undefined });
      entry.head.writeUInt16BE((stage << 12) | 1, 60);
      return entry;
    });
    const [a, c] = ["a", "c"].map((each) => createEntry(each, { oid: "0".repeat(40), stat: undefined }));
    const entries = listOf([a!, ...stages, c!]);
    const found = (): unknown => ["a", "aa", "b", "c"].map((each) => entriesNamed(entries, each));
    expect(found()).toEqual([[a], [], stages, [c]]);
    prepareSearches(entries, 4);
    expect(found()).toEqual([[a], [], stages, [c]]);
  });
});
