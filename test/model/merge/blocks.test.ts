/** Two people who edit the sections of one page: blocks are merged by their id, wherever they are moved to. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/model/input/json.ts";
import { mergeValues } from "../../../src/model/merge/values.ts";

const block = (id: string, words: string, more: JsonObject = {}): JsonObject => ({ type: "text", id, words, ...more });
const [a, b, c] = [block("a", "A"), block("b", "B"), block("c", "C")];
const plain = (words: string): JsonObject => ({ type: "text", words });

const merged = (base: Json, ours: Json, theirs: Json) => {
  const { value, conflicts } = mergeValues({ s: base }, { s: ours }, { s: theirs });
  return { value: (value as { s: JsonObject[] }).s, conflicts: conflicts.length };
};

describe("both change one page", () => {
  it.each<[string, Json, Json, Json, Json]>([
    ["one moves, one edits", [a, b, c], [c, a, b], [a, b, block("c", "C!")], [block("c", "C!"), a, b]],
    ["both add at one place", [a], [a, b], [a, c], [a, c, b]],
    ["one deletes, one adds", [a, b], [b], [a, b, c], [b, c]],
    [
      "one hides, one edits the same",
      [a, b],
      [a, block("b", "B", { hidden: true })],
      [a, block("b", "B!")],
      [a, block("b", "B!", { hidden: true })],
    ],
    [
      "edits inside of another block",
      [block("o", "", { in: [a, b] })],
      [block("o", "", { in: [b, a] })],
      [block("o", "", { in: [a, block("b", "B!")] })],
      [block("o", "", { in: [block("b", "B!"), a] })],
    ],
    [
      "the editor stores the ids of a file without them, while a person edits it",
      [plain("A"), plain("B")],
      [block("b2", "B"), block("b1", "A!")],
      [plain("A"), plain("B!")],
      [block("b2", "B!"), block("b1", "A!")],
    ],
    [
      "neither has ids",
      [plain("A"), plain("B")],
      [plain("A!"), plain("B")],
      [plain("A"), plain("B!")],
      [plain("A!"), plain("B!")],
    ],
  ])("%s", (_name, base, ours, theirs, value) => expect(merged(base, ours, theirs)).toEqual({ value, conflicts: 0 }));

  it("one deletes what the other edits: it is listed, and not lost", () => {
    const edited = block("b", "B!");
    for (const [ours, theirs] of [
      [[a], [a, edited]],
      [[a, edited], [a]],
    ] as const) {
      const { value, ours: asOurs, conflicts } = mergeValues({ s: [a, b] }, { s: ours }, { s: theirs });
      expect(conflicts).toHaveLength(1);
      expect(JSON.stringify([value, asOurs])).toContain("B!");
    }
  });
});

/** A change of the list by one person. */
type Step = readonly [kind: "add" | "move" | "edit" | "remove", at: number, to: number];
const step = fc.tuple(fc.constantFrom<Step[0]>("add", "move", "edit", "remove"), fc.nat(9), fc.nat(9));

function edited(blocks: readonly JsonObject[], steps: readonly Step[], who: string): readonly JsonObject[] {
  const list = [...blocks];
  for (const [number, [kind, at, to]] of steps.entries()) {
    const from = at % Math.max(1, list.length);
    if (kind === "add") list.splice(to % (list.length + 1), 0, block(`${who}${number}`, "new"));
    else if (list.length > 0) {
      const [taken] = list.splice(from, 1);
      if (kind === "move") list.splice(to % (list.length + 1), 0, taken!);
      if (kind === "edit") list.splice(from, 0, { ...taken!, words: `${who} ${number}` });
    }
  }
  return list;
}

it("loses no block, and has none twice, whatever two people do", () => {
  const base = ["a", "b", "c", "d", "e"].map((id) => block(id, id));
  const run = fc.array(step, { maxLength: 6 });
  fc.assert(
    fc.property(run, run, (left, right) => {
      const [ours, theirs] = [edited(base, left, "x"), edited(base, right, "y")];
      const { value, conflicts } = merged(base, ours, theirs);
      const ids = value.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const at = (list: readonly JsonObject[], id: unknown) => list.find((each) => each.id === id);
      for (const { id } of [...ours, ...theirs, ...base]) {
        const [was, mine, yours] = [at(base, id), at(ours, id), at(theirs, id)];
        const found = at(value, id);
        if (!was) expect(found).toBeDefined();
        else if (!mine && !yours) expect(found).toBeUndefined();
        else if (mine && yours) {
          const words = mine.words === was.words ? yours.words : mine.words;
          expect(found).toBeDefined();
          if (mine.words === was.words || yours.words === was.words) expect(found!.words).toBe(words);
          else expect(conflicts).toBeGreaterThan(0);
        } else if ((mine ?? yours)!.words === was.words) expect(found).toBeUndefined();
        else expect(conflicts).toBeGreaterThan(0);
      }
    }),
    { numRuns: Number(process.env.MERGE_RUNS ?? 2_000) },
  );
});
