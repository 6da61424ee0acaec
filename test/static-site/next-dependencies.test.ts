/** The dependencies of the next state: each once, only those of pages, with current digests and the numbers that pages get. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { nextDependencies } from "../../src/static-site/state/next-state.ts";
import type { Dependency, StoredDependencies } from "../../src/static-site/state/state.ts";

const asked: fc.Arbitrary<Dependency> = fc.oneof(
  fc.tuple(fc.constantFrom("menus", "tags"), fc.constantFrom("en", "it")),
  fc.tuple(fc.constant("pages_of"), fc.constantFrom("en", "it"), fc.option(fc.nat(30))),
  fc.tuple(
    fc.constant("block"),
    fc.constantFrom("en", "it"),
    fc.option(fc.nat(5)),
    fc.constantFrom("notice", "footer", "5"),
  ),
  fc.tuple(fc.constant("link"), fc.constant("en"), fc.constantFrom("/", "/a", "1", "null")),
);
const key = (question: Dependency): string => JSON.stringify(question);

/** As a build would have left them. */
function storedOf(dependencies: readonly Dependency[]): StoredDependencies {
  const used = new Uint8Array(dependencies.length).fill(1);
  return nextDependencies({ all: [], digests: [] }, used, dependencies, (question) => `then ${key(question)}`).next;
}

it("has each dependency once, and the pages keep theirs", () => {
  const list = fc.uniqueArray(asked, { selector: key, maxLength: 80 });
  fc.assert(
    fc.property(list, list, fc.infiniteStream(fc.boolean()), (before, fresh, coin) => {
      const stored = storedOf(before);
      const { length: count } = stored.all;
      const used = Uint8Array.from({ length: count + fresh.length }, () => (coin.next().value ? 1 : 0));
      const dependencyOf = (number: number): Dependency => stored.all[number] ?? fresh[number - count]!;
      const wanted = [...used.keys()].filter((number) => used[number]);
      const isKept = new Set(wanted.filter((number) => number < count).map((number) => key(stored.all[number]!)));
      const { next, numbers } = nextDependencies(stored, used, fresh, (question) => `now ${key(question)}`);
      for (const number of wanted) expect(next.all[numbers[number]!]).toEqual(dependencyOf(number));
      const all = next.all.map(key);
      expect(all.toSorted()).toEqual([...new Set(wanted.map((number) => key(dependencyOf(number))))].toSorted());
      // Of what a kept page has, the answer is as it was; of all else it is today's.
      expect(next.digests).toEqual(all.map((each) => `${isKept.has(each) ? "then" : "now"} ${each}`));
    }),
    { numRuns: 300 },
  );
});
