/** Moments in the forms that other generators accept: ISO 8601 with gaps, English dates, dates of mails. */
import { msOf, parseInstant, type Instant } from "../time/instant.ts";
import type { Json } from "../input/json.ts";
import { momentIn, type TimeZone } from "../time/time-zone.ts";

/** Not from `Intl`, which takes a start longer than all else that this module needs. */
const UTC: TimeZone = { name: "UTC", offsetAt: () => 0 };

// Each ends with an optional time of day and an optional zone.
const NUMERIC =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:(?:[T,]|,? at)? {0,3}(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?(?: ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i;
const DAY_FIRST =
  /^(?:[A-Z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)? ([A-Z]{3,9})\.?,? (\d{4})(?:(?:[T,]|,? at)? {0,3}(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?(?: ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i;
const MONTH_FIRST =
  /^(?:[A-Z]{3,9},? )?([A-Z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:(?:[T,]|,? at)? {0,3}(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?(?: ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Moments without a zone are in that of the site, else in UTC, as those generators read them; undefined for none. */
export function foreignMoment(value: Json, zone: TimeZone | undefined): Instant | undefined {
  const known = momentIn(value, zone ?? UTC);
  if (known !== undefined || typeof value !== "string" || value.length > LONGEST) return known;
  const written = isoOf(value.trim());
  return written === undefined ? undefined : momentIn(written, zone ?? UTC);
}

/** In characters. */
const LONGEST = 60;

/** The day and the time that a text shows, in its own zone: `YYYY-MM-DDThh:mm:ss.sssZ`; undefined for one without a zone. */
export function shownMoment(value: Json): Instant | undefined {
  if (typeof value !== "string" || value.length > LONGEST) return undefined;
  const text = parseInstant(value) === undefined ? isoOf(value.trim()) : value.trim();
  if (text === undefined || parseInstant(text) === undefined) return undefined;
  return parseInstant(text.replace(/ {0,9}(?:Z|[+-]\d{2}(?::?\d{2})?)$/i, "Z"));
}

/** By moment: minutes that the zone in which its source writes it is ahead of UTC. */
export type Offsets = Readonly<Record<Instant, number>>;

/** @param zone of moments without one */
export function offsetsOf(values: Iterable<Json | undefined>, zone: TimeZone = UTC): Offsets {
  const offsets: Record<Instant, number> = {};
  for (const value of values) {
    const at = foreignMoment(value ?? null, zone);
    if (at === undefined) continue;
    const shown = shownMoment(value ?? null);
    offsets[at] = shown ? (msOf(shown) - msOf(at)) / 60_000 : zone.offsetAt(msOf(at));
  }
  return offsets;
}

function isoOf(text: string): string | undefined {
  const numeric = NUMERIC.exec(text);
  if (numeric) return written(numeric[1]!, numeric[2]!, numeric[3]!, numeric.slice(4));
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return written(dayFirst[3]!, monthOf(dayFirst[2]!), dayFirst[1]!, dayFirst.slice(4));
  const monthFirst = MONTH_FIRST.exec(text);
  return monthFirst ? written(monthFirst[3]!, monthOf(monthFirst[1]!), monthFirst[2]!, monthFirst.slice(4)) : undefined;
}

/** "0" for a word that is no month. */
const monthOf = (name: string): string => String(1 + MONTHS.indexOf(name.slice(0, 3).toLowerCase()));

function written(year: string, month: string, day: string, rest: readonly (string | undefined)[]): string {
  const [hour, minute = "00", second = "00", zone = ""] = rest;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (hour === undefined) return zone === "" ? date : `${date}T00:00:00${zoneOf(zone)}`;
  return `${date}T${hour.padStart(2, "0")}:${minute}:${second}${zoneOf(zone)}`;
}

const zoneOf = (zone: string): string => (/^(?:UTC|GMT)$/i.test(zone) ? "Z" : zone);
