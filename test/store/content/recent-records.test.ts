import { describe, expect, it } from "vitest";
import { RecentRecords } from "../../../src/store/cache/recent-records.ts";
import type { CachedRecord } from "../../../src/store/cache/stored-records.ts";

describe("the records that were parsed last", () => {
  /** Steps: `a` adds a record of one byte if it is not kept, and uses it otherwise; `a3` adds one of three bytes. */
  it.each([
    ["all where there is room", "a b c", "abc"],
    ["not the one that was added first", "a b c d", "bcd"],
    ["one that was used since", "a b c a d", "acd"],
    ["not that one, if it was not used again after its second chance", "a b c a d e f g", "efg"],
    ["those that are used, beside any number that are not", "a b c a d a e a f a g", "afg"],
    ["not several where one needs their room", "a b c d3", "d"],
    ["one that needs more room than there is, until the next", "a b c d9", "d"],
    ["the next one", "a b c d9 e", "e"],
    ["the last one where all others are in use", "a b c a b c d", "abcd"],
    ["no more than fit then", "a b c a b c d e", "bce"],
  ])("are %s", (_, steps, expected) => {
    const keys = new Map<string, CachedRecord>();
    const keyOf = (name: string): CachedRecord => {
      const key = keys.get(name) ?? ({ base: name } as CachedRecord);
      keys.set(name, key);
      return key;
    };
    const recent = new RecentRecords(3);
    for (const [name = "", bytes = 1] of steps.split(" ").map((step) => [step[0], Number(step.slice(1) || 1)] as const))
      if (!recent.get(keyOf(name))) recent.add(keyOf(name), { id: name.charCodeAt(0) }, bytes);
    const kept = [...keys].filter(([, key]) => recent.get(key)).map(([name]) => name);
    expect(kept.join("")).toBe(expected);
  });
});
