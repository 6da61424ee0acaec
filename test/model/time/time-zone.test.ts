import { describe, expect, it } from "vitest";
import { localInstant, openTimeZone } from "../../../src/model/time/time-zone.ts";

describe("localInstant", () => {
  it.each([
    // zone, text, instant
    ["Europe/Rome", "2026-01-15", "2026-01-14T23:00:00.000Z"],
    ["Europe/Rome", "2026-07-15 09:30", "2026-07-15T07:30:00.000Z"],
    ["Europe/Rome", "2026-07-15T09:30:15.5", "2026-07-15T07:30:15.500Z"],
    ["Europe/Rome", "2026-03-29 02:30", "2026-03-29T01:30:00.000Z"], // clocks skip this time: 03:30
    ["Europe/Rome", "2026-10-25 02:30", "2026-10-25T00:30:00.000Z"], // clocks show it twice: the first
    ["America/New_York", "2026-03-08 02:30", "2026-03-08T07:30:00.000Z"],
    ["Asia/Kolkata", "2026-01-01", "2025-12-31T18:30:00.000Z"],
    ["Pacific/Apia", "2011-12-29 12:00", "2011-12-29T22:00:00.000Z"],
    ["UTC", "2026-07-15 09:30", "2026-07-15T09:30:00.000Z"],
    ["Etc/UTC", "2026-07-15 09:30", "2026-07-15T09:30:00.000Z"],
    ["UTC", "1969-12-31 23:59:59", "1969-12-31T23:59:59.000Z"],
    ["Europe/Rome", "2026-02-30", undefined],
    ["Europe/Rome", "0001-01-01", undefined], // before the year 1 in UTC
    ["Europe/Rome", "2026-01-15T09:00:00Z", undefined],
    ["Europe/Rome", "tomorrow", undefined],
    ["Europe/Rome", 20260115, undefined],
  ])("in %s, %s is %s", (zone, text, instant) => {
    expect(localInstant(text, openTimeZone(zone)!)).toBe(instant);
  });

  it("knows no other zones than those of the database", () => {
    expect(openTimeZone("Mars/Olympus")).toBeUndefined();
  });
});
