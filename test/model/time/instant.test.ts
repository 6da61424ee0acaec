import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf, msOf, parseInstant, showInstant } from "../../../src/model/time/instant.ts";

describe("parseInstant accepts", () => {
  // oxfmt-ignore
  it.each([
    ["2026-03-01T12:00:00Z",             "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00Z",                "2026-03-01T12:00:00.000Z"],
    ["2026-03-01 12:00:00Z",             "2026-03-01T12:00:00.000Z"],
    ["2026-03-01t12:00:00z",             "2026-03-01T12:00:00.000Z"],
    ["  2026-03-01T12:00:00Z  ",         "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00:00 +01:00",       "2026-03-01T11:00:00.000Z"],
    ["2026-03-01T12:00:00+0100",         "2026-03-01T11:00:00.000Z"],
    ["2026-03-01T12:00:00+01",           "2026-03-01T11:00:00.000Z"],
    ["2026-03-01T23:30:00-05:45",        "2026-03-02T05:15:00.000Z"],
    ["2026-01-01T00:30:00+01:00",        "2025-12-31T23:30:00.000Z"],
    ["2026-03-01T12:00:00.5Z",           "2026-03-01T12:00:00.500Z"],
    ["2026-03-01T12:00:00.123456Z",      "2026-03-01T12:00:00.123Z"], // to the millisecond, never rounded up
    ["2026-03-01T12:00:00.999999999Z",   "2026-03-01T12:00:00.999Z"],
    ["2024-02-29T00:00:00Z",             "2024-02-29T00:00:00.000Z"],
    ["2000-02-29T00:00:00Z",             "2000-02-29T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z",             "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z",         "9999-12-31T23:59:59.999Z"],
  ])("%s as %s", (text, moment) => {
    expect(parseInstant(text)).toBe(moment);
  });
});

describe("parseInstant refuses", () => {
  // oxfmt-ignore
  it.each([
    ["a moment without a zone",    "2026-03-01T12:00:00"],
    ["a bare date",                "2026-03-01"],
    ["a bare date with a zone",    "2026-03-01Z"],
    ["a time alone",               "12:00:00Z"],
    ["an hour without minutes",    "2026-03-01T12Z"],
    ["month 13",                   "2999-13-45T00:00:00Z"],
    ["month 0",                    "2026-00-10T00:00:00Z"],
    ["day 0",                      "2026-01-00T00:00:00Z"],
    ["day 32",                     "2026-01-32T00:00:00Z"],
    ["April 31",                   "2026-04-31T00:00:00Z"],
    ["a leap day out of turn",     "2026-02-29T00:00:00Z"],
    ["a leap day of a century",    "1900-02-29T00:00:00Z"],
    ["hour 24",                    "2026-03-01T24:00:00Z"],
    ["minute 60",                  "2026-03-01T12:60:00Z"],
    ["second 60",                  "2026-03-01T12:00:60Z"],
    ["April 31, canonical",        "2026-04-31T00:00:00.000Z"],
    ["February 30, canonical",     "2024-02-30T00:00:00.000Z"],
    ["month 13, canonical",        "2026-13-01T00:00:00.000Z"],
    ["hour 24, canonical",         "2026-03-01T24:00:00.000Z"],
    ["minute 60, canonical",       "2026-03-01T12:60:00.000Z"],
    ["year 0, canonical",          "0000-06-01T00:00:00.000Z"],
    ["an offset of 24 hours",      "2026-03-01T12:00:00+24:00"],
    ["an offset of 60 minutes",    "2026-03-01T12:00:00+01:60"],
    ["year 0",                     "0000-06-01T00:00:00Z"],
    ["before year 1 in UTC",       "0001-01-01T00:00:00+01:00"],
    ["after year 9999 in UTC",     "9999-12-31T23:59:59-01:00"],
    ["five digits of year",        "12026-03-01T12:00:00Z"],
    ["a week date",                "2026-W09-7T12:00:00Z"],
    ["a named zone",               "2026-03-01T12:00:00 CET"],
    ["words",                      "tomorrow"],
    ["nothing",                    ""],
    ["a second line",              "2026-03-01T12:00:00Z\n2026-03-02T12:00:00Z"],
    ["seconds since 1970",         1772366400],
    ["null",                       null],
    ["a list",                     ["2026-03-01T12:00:00Z"]],
    ["a date object",              new Date(0)],
  ])("%s", (_what, value) => {
    expect(parseInstant(value)).toBeUndefined();
  });
});

it("parseInstant accepts a text in canonical form if its numbers are those of a moment", () => {
  const part = (max: number, length = 2) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(length, "0"));
  const texts = fc
    .tuple(part(9999, 4), part(13), part(32), part(25), part(61), part(61), part(999, 3))
    .map(
      ([year, month, day, hour, minute, second, ms]) => `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`,
    );
  fc.assert(
    fc.property(texts, (text) => {
      const at = new Date(text);
      const isMoment = !text.startsWith("0000") && !Number.isNaN(at.getTime()) && at.toISOString() === text;
      expect(parseInstant(text)).toBe(isMoment ? text : undefined);
    }),
    { numRuns: 2000 },
  );
});

describe("showInstant", () => {
  it.each([
    ["2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00Z"],
    ["2026-03-01T12:00:00.050Z", "2026-03-01T12:00:00.050Z"],
  ])("writes %s as %s", (moment, shown) => {
    const at = parseInstant(moment)!;
    expect(showInstant(at)).toBe(shown);
    expect(parseInstant(shown)).toBe(at);
  });
});

it("moments sort as text", () => {
  const moments = [-62135596800000, -1, 0, 1, 253402300799999].map(instantOf);
  expect([...moments].reverse().sort()).toEqual(moments);
  expect(moments.map(msOf)).toEqual([-62135596800000, -1, 0, 1, 253402300799999]);
});
