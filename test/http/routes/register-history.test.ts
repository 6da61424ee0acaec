/** Tests of the checker itself: histories it accepts and refuses. */
import { describe, expect, it } from "vitest";
import { contradictions, type Op } from "./register-history.ts";

/** The states are 0, 1, 2 ...; each request saw one of them. */
const write = (name: string, [start, end]: [number, number], at: number, saw = at): Op => ({
  name,
  start,
  end,
  at,
  fits: (position) => position === saw,
});
const read = (name: string, [start, end]: [number, number], saw: number): Op => ({
  name,
  start,
  end,
  fits: (position) => position === saw,
});

describe("contradictions", () => {
  it.each<[string, Op[]]>([
    ["requests one after the other", [write("a", [0, 1], 1), read("r", [2, 3], 1), write("b", [4, 5], 2)]],
    ["writes at the same time, in either order", [write("a", [0, 5], 2), write("b", [1, 4], 1)]],
    [
      "a read during a write, before it or after it",
      [write("a", [0, 5], 1), read("r", [1, 2], 0), read("s", [3, 4], 1)],
    ],
    [
      "a read that began before a write was answered and sees what was before",
      [write("a", [1, 2], 1), read("r", [0, 3], 0)],
    ],
  ])("accepts %s", (_, ops) => {
    expect(contradictions(ops, 2)).toEqual([]);
  });

  it.each<[string, Op[]]>([
    ["a write answered with another's values", [write("a", [0, 5], 1, 2), write("b", [1, 4], 2)]],
    ["a write that took effect before one that was answered earlier", [write("a", [0, 1], 2), write("b", [2, 3], 1)]],
    ["a read of what was overwritten before it began", [write("a", [0, 1], 1), read("r", [2, 3], 0)]],
    ["a read of what is written only after it ended", [read("r", [0, 1], 1), write("a", [2, 3], 1)]],
    ["reads that go back", [write("a", [0, 9], 1), read("r", [1, 2], 1), read("s", [3, 4], 0)]],
    ["a read of what never was", [write("a", [0, 1], 1), read("r", [2, 3], 7)]],
  ])("finds %s", (_, ops) => {
    expect(contradictions(ops, 2)).toHaveLength(1);
  });
});
