/** The dependencies of the next state: each once, only those of pages, with current digests and the numbers that pages get. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { nextDependencies, storedDependencies } from "../../src/static-site/state/dependency-columns.ts";
import type { Dependency, DependencyColumns } from "../../src/static-site/state/state.ts";

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

/** Columns as a build would have left them. */
function columnsOf(dependencies: readonly Dependency[]): DependencyColumns[] {
  const used = new Uint8Array(dependencies.length).fill(1);
  return [...nextDependencies([], used, dependencies, (question) => `then ${key(question)}`).groups];
}

it("has each dependency once, and the pages keep theirs", () => {
  const list = fc.uniqueArray(asked, { selector: key, maxLength: 80 });
  fc.assert(
    fc.property(list, list, fc.infiniteStream(fc.boolean()), (before, fresh, coin) => {
      const stored = columnsOf(before);
      const { count, dependency: was } = storedDependencies(stored);
      const used = Uint8Array.from({ length: count + fresh.length }, () => (coin.next().value ? 1 : 0));
      const dependencyOf = (number: number): Dependency => (number < count ? was(number) : fresh[number - count]!);
      const numbers = [...used.keys()].filter((number) => used[number]);
      const isKept = new Set(numbers.filter((number) => number < count).map((number) => key(was(number))));
      const next = nextDependencies(stored, used.slice(), fresh, (question) => `now ${key(question)}`);
      const now = storedDependencies(next.groups);
      for (const number of numbers) expect(now.dependency(next.numbers[number]!)).toEqual(dependencyOf(number));
      const all = Array.from({ length: now.count }, (_, number) => key(now.dependency(number)));
      expect(all.toSorted()).toEqual([...new Set(numbers.map((number) => key(dependencyOf(number))))].toSorted());
      // Of what a kept page has, the answer is as it was; of all else it is today's.
      const digests = next.groups.flatMap((group) => [...group.digests]);
      expect(digests).toEqual(all.map((each) => `${isKept.has(each) ? "then" : "now"} ${each}`));
    }),
    { numRuns: 300 },
  );
});
