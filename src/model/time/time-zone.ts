/** Moments that files write without a zone: as clocks show them in the time zone of the site. */
import { instantOf, parseInstant, type Instant } from "./instant.ts";

export interface TimeZone {
  /** The name in the IANA database: `Europe/Rome`. */
  readonly name: string;
  /** Minutes that clocks are ahead of UTC at a time. @param ms since 1970 */
  offsetAt(ms: number): number;
}

/** undefined for a name that is no time zone. */
export function openTimeZone(name: string): TimeZone | undefined {
  try {
    const parts = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
    const format = new Intl.DateTimeFormat("en-US", { timeZone: name, hourCycle: "h23", era: "short", ...parts });
    // Formatting takes ten times as long as reading the moment.
    if (format.resolvedOptions().timeZone === "UTC") return { name, offsetAt: () => 0 };
    return {
      name,
      offsetAt(ms) {
        const at = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
        const shown = new Date(0);
        shown.setUTCFullYear(Number(at.year), Number(at.month) - 1, Number(at.day));
        shown.setUTCHours(Number(at.hour), Number(at.minute));
        return (shown.getTime() - Math.floor(ms / MINUTE) * MINUTE) / MINUTE;
      },
    };
  } catch {
    return undefined;
  }
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A moment as clocks show it, as `localInstant` reads it. */
export const LOCAL_MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?))?$/i;

/** The moment that a file has: with its zone, or as clocks show it in the given one. */
export const momentIn = (value: unknown, zone: TimeZone | undefined): Instant | undefined =>
  parseInstant(value) ?? (zone && localInstant(value, zone));

/**
 * The moment of a text as `2026-03-01`, `2026-03-01 09:30` or `2026-03-01T09:30:00`: a bare date is the beginning of
 * the day. Of a time that clocks show twice the first is meant; a time that they skip is moved by what they skip.
 *
 * @returns undefined for any other text, also for one with a zone
 */
export function localInstant(text: unknown, zone: TimeZone): Instant | undefined {
  const match = typeof text === "string" ? LOCAL_MOMENT.exec(text.trim()) : null;
  const shown = match && parseInstant(`${match[1]}T${match[2] ?? "00:00"}Z`);
  if (!shown) return undefined;
  const ms = Date.parse(shown);
  const [before, after] = [zone.offsetAt(ms - DAY), zone.offsetAt(ms + DAY)];
  const fitting = [before, after].map((offset) => ({ offset, at: ms - offset * MINUTE }));
  const found = fitting.filter(({ offset, at }) => zone.offsetAt(at) === offset).map(({ at }) => at);
  const at = found.length > 0 ? Math.min(...found) : ms - before * MINUTE;
  return parseInstant(instantOf(at)); // refuses other years than 0001 to 9999
}
