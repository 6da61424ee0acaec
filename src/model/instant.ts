/**
 * Moments, always UTC, always written `YYYY-MM-DDTHH:mm:ss.sssZ`.
 *
 * One spelling means moments sort and compare as text, and a moment in a YAML file is the moment in the API.
 */

export type Instant = string & { readonly __instant: true };

const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** @param ms milliseconds since 1970, within the years 0001 to 9999 */
export const instantOf = (ms: number): Instant => new Date(ms).toISOString() as Instant;

/**
 * Reads a moment with an explicit zone (`Z` or an offset), to the millisecond.
 *
 * A moment without a zone, a bare date, or a day that does not exist is refused, since a guess at the zone is how
 * other systems shift publish dates (decisions.md 21).
 *
 * @returns undefined when the text is no such moment
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
  const offset = offsetMinutes(match[8]!);
  if (offset === undefined) return undefined;
  const ms = local.getTime() - offset * 60_000;
  const at = new Date(ms);
  return at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999 ? instantOf(ms) : undefined;
}

/** Our own spelling, as nearly every file has it, of a moment that there is. */
function isCanonical(text: string): text is Instant {
  if (text.length !== 24 || !CANONICAL.test(text)) return false;
  const ms = Date.parse(text);
  // A day that does not exist comes back as another one.
  return !Number.isNaN(ms) && instantOf(ms) === text;
}

const CANONICAL = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The moment as the API writes it: without its fraction where that is zero (contract.md 1.3). */
export const showInstant = (at: Instant): string => at.replace(".000Z", "Z");

export const msOf = (at: Instant): number => Date.parse(at);

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** Of a record whose file names no moment at all. */
export const UNDATED = "1970-01-01T00:00:00.000Z" as Instant;

/** Orders records by when they were made, oldest first. One without a date counts as newest: it must not push out another. */
export function compareCreated(a: string, b: string): number {
  const [at, bt] = [a, b].map((moment) => (moment === UNDATED || moment === "" ? "~" : moment)) as [string, string];
  return at < bt ? -1 : at > bt ? 1 : 0;
}
