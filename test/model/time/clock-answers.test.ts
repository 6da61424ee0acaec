import { describe, expect, it } from "vitest";
import {
  answerChangesAt,
  clockAnswer,
  siteClock,
  whenOf,
  type QuestionName,
} from "../../../src/model/time/clock-answers.ts";
import { instantOf, msOf, parseInstant, type Instant } from "../../../src/model/time/instant.ts";
import { openTimeZone } from "../../../src/model/time/time-zone.ts";

const ROME = openTimeZone("Europe/Rome")!;
const at = (text: string): Instant => parseInstant(text)!;
const ask = (now: string, name: QuestionName, asked?: string) => {
  const clock = siteClock(at(now), ROME);
  return [clockAnswer(clock, name, asked), answerChangesAt(clock, name, asked)];
};
const distance = (count: number, unit: string) => JSON.stringify({ unit, count });

describe("whenOf", () => {
  it.each([
    ["2026-12-01", { day: "2026-12-01" }],
    ["2026-12-01T20:30", { at: "2026-12-01T19:30:00.000Z" }],
    ["2026-12-01T20:30:00Z", { at: "2026-12-01T20:30:00.000Z" }],
    ["2026-02-30", undefined],
    ["next week", undefined],
    [20261201, undefined],
    [null, undefined],
  ])("%j", (value, expected) => {
    expect(whenOf(value, ROME)).toEqual(expected);
  });
});

describe("an answer, and when it changes", () => {
  it.each([
    // now, question, asked, answer, until
    ["2026-11-30T22:59:59Z", "today", undefined, "2026-11-30", "2026-11-30T23:00:00.000Z"],
    ["2026-11-30T23:00:00Z", "today", undefined, "2026-12-01", "2026-12-01T23:00:00.000Z"],
    ["2026-10-24T23:00:00Z", "today", undefined, "2026-10-25", "2026-10-25T23:00:00.000Z"], // a day of 25 hours
    ["2026-11-30T10:20:30.5Z", "now", undefined, "2026-11-30T10:20:00.000Z", "2026-11-30T10:21:00.000Z"],
    ["2026-11-30T10:00:00Z", "is_past", "2026-11-30T12:00", "", "2026-11-30T11:00:00.000Z"],
    ["2026-11-30T11:00:00Z", "is_past", "2026-11-30T12:00", "yes", undefined],
    ["2026-11-30T22:59:00Z", "is_past", "2026-11-30", "", "2026-11-30T23:00:00.000Z"],
    ["2026-11-30T23:00:00Z", "is_past", "2026-11-30", "yes", undefined],
  ] as const)("%s %s(%s)", (now, name, asked, answer, until) => {
    expect(ask(now, name, asked)).toEqual([answer, until]);
  });

  it.each([
    ["2026-11-30T10:00:00Z", "2026-11-30T10:00:20Z", distance(0, "minute"), "2026-11-30T10:00:50.000Z"],
    ["2026-11-30T10:00:00Z", "2026-11-30T10:45:00Z", distance(45, "minute"), "2026-11-30T10:00:30.000Z"],
    ["2026-11-30T10:00:00Z", "2026-11-30T09:00:00Z", distance(-1, "hour"), "2026-11-30T10:30:00.000Z"],
    ["2026-11-30T10:00:00Z", "2026-11-30T11:10:00Z", distance(1, "hour"), "2026-11-30T10:10:30.000Z"],
    ["2026-11-30T10:00:00Z", "2026-12-01T12:00:00Z", distance(1, "day"), "2026-11-30T12:30:00.000Z"],
    ["2026-11-30T10:00:00Z", "2026-12-01", distance(1, "day"), "2026-11-30T23:00:00.000Z"],
    ["2026-11-30T10:00:00Z", "2026-11-30", distance(0, "day"), "2026-11-30T23:00:00.000Z"],
    ["2026-11-30T10:00:00Z", "2026-12-08", distance(1, "week"), "2026-12-01T23:00:00.000Z"],
    ["2026-11-30T10:00:00Z", "2027-11-30", distance(1, "year"), "2026-11-30T23:00:00.000Z"],
    ["2026-11-30T10:00:00Z", "2024-11-30", distance(-2, "year"), "2027-06-01T22:00:00.000Z"],
  ])("%s: how far is %s", (now, asked, answer, until) => {
    expect(ask(now, "distance", asked)).toEqual([answer, until]);
  });

  it("is the same until then, and another one from then on", () => {
    for (let days = -800; days <= 800; days += 29) {
      for (const hours of [0, 0.4, 1, 5, 23.4, 23.6, 24]) {
        const now = instantOf(msOf(at("2026-03-01T09:17:00Z")));
        const asked = instantOf(msOf(now) + (days * 24 + hours) * 3_600_000);
        const [answer, until] = ask(now, "distance", asked);
        const after = msOf(until as Instant);
        expect(after).toBeGreaterThan(msOf(now));
        expect(ask(instantOf(after - 1), "distance", asked)[0]).toBe(answer);
        expect(ask(instantOf(after), "distance", asked)[0]).not.toBe(answer);
      }
    }
  });
});
