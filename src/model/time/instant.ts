/**
 * Instants, always in UTC, always in the form `YYYY-MM-DDTHH:mm:ss.sssZ`.
 *
 * With one canonical form, instants sort and compare as strings, and files and API use the same text.
 */

export type Instant = string & { readonly __instant: true };

/** The creation date of a record whose file has none. */
export const UNDATED = "1970-01-01T00:00:00.000Z" as Instant;

const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** @param ms milliseconds since 1970, within the years 0001 to 9999 */
export const instantOf = (ms: number): Instant => new Date(ms).toISOString() as Instant;

/**
 * Parses an instant with an explicit zone (`Z` or an offset), to the millisecond.
 *
 * Text without a zone, a bare date and a day that does not exist are rejected: a guessed zone would shift publication
 * dates.
 *
 * @returns undefined when the text is not such an instant
 */
export function parseInstant(text: unknown): Instant | undefined {
  if (typeof text !== "string") return undefined;
  if (isCanonical(text)) return text;
  const match = MOMENT.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [number, number, number, number, number];
  const second = Number(match[6] ?? 0);
  if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  if (local.getUTCMonth() !== month - 1) return undefined;
  local.setUTCHours(hour, minute, second, Number((match[7] ?? "0").padEnd(3, "0").slice(0, 3)));
  const offset = offsetMinutes(match[8] ?? "");
  if (offset === undefined) return undefined;
  const ms = local.getTime() - offset * 60_000;
  const at = new Date(ms);
  return at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999 ? instantOf(ms) : undefined;
}

/** Whether a text is a valid instant in canonical form, as in nearly every file. */
function isCanonical(text: string): text is Instant {
  if (text.length !== 24 || !CANONICAL.test(text)) return false;
  if (SURELY_VALID.test(text)) return true;
  // `Date` turns February 30 into March 1 or 2, and 24:00 into the next day; of all else that is wrong it makes NaN.
  return new Date(text).getUTCDate() === Number(text.slice(8, 10));
}

/** A time of one of the days that every month has. */
const SURELY_VALID = /^....-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/;

const CANONICAL = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The instant as the API writes it: without a zero fraction. */
export function showInstant<T extends Instant | null>(at: T): string | Extract<T, null>;
export function showInstant(at: Instant | null): string | null {
  return at && at.replace(".000Z", "Z");
}

/**
 * The moment as clocks in a zone show it, with the zone: `2026-03-01T10:00:00+01:00`. In UTC where no such text is the
 * same moment.
 *
 * @param offset minutes that the zone is ahead of UTC
 */
export function withOffset(at: Instant, offset: number): string {
  const shown = Number.isSafeInteger(offset) ? new Date(msOf(at) + offset * 60_000) : undefined;
  if (offset === 0 || shown === undefined || Number.isNaN(shown.getTime())) return at;
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const zone = [hours, minutes].map((part) => String(part).padStart(2, "0")).join(":");
  const text = `${shown.toISOString().replace(/(?:\.000)?Z$/, "")}${offset < 0 ? "-" : "+"}${zone}`;
  return parseInstant(text) === at ? text : at;
}

export function msOf(at: Instant): number {
  if (at !== parsed) [parsed, parsedMs] = [at, Date.parse(at)];
  return parsedMs;
}

/** A request asks several times for its own moment, which many requests share. */
let parsed = UNDATED;
let parsedMs = 0;

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** Orders creation dates, oldest first; no date counts as newest, so that such a record never displaces another. */
export function compareCreated(a: string, b: string): number {
  const [at, bt] = [datedOrLast(a), datedOrLast(b)];
  return at < bt ? -1 : at > bt ? 1 : 0;
}

const datedOrLast = (moment: string): string => (moment === UNDATED || moment === "" ? "~" : moment);
