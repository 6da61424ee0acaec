/**
 * Dates and datetimes.
 *
 * Unlike the timestamps of pages these keep their zone, or none. The schemas use patterns, since many
 * validators treat `format` as an annotation.
 */
import type { JsonSchema } from "./definition.ts";
import type { FieldKind } from "./kind.ts";

/** Valid dates from the year 1 on, with leap years. */
const DAY =
  "(?!0000)(?:[0-9]{4}-" +
  "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)" +
  "|02-(?:0[1-9]|1[0-9]|2[0-8]))" +
  "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)";
const TIME = "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?";
const ZONE = "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";

const ZONED: JsonSchema = { format: "date-time", pattern: `^${DAY}${TIME}${ZONE}$` };
const UNZONED: JsonSchema = { pattern: `^${DAY}${TIME}$` };

const ACCEPTED_FORM =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const DAY_SECONDS = 86_400;
/** Larger numbers are milliseconds: as seconds they would be after the year 2600. */
const SECONDS_MAX = 2e10;

export const date: FieldKind = {
  schema: () => ({ type: "string", format: "date", pattern: `^${DAY}$` }),
  /** Accepts a datetime at midnight, too. */
  normalize(value) {
    if (typeof value === "number")
      return Number.isInteger(value / DAY_SECONDS) && value !== 0 ? (fromUnix(value)?.slice(0, 10) ?? value) : value;
    const match = typeof value === "string" ? ACCEPTED_FORM.exec(value.trim()) : null;
    if (!match) return value;
    const [, day, hours = "00", minutes = "00", seconds = "00", fraction = ""] = match;
    return /^0*$/.test(hours + minutes + seconds + fraction) ? (day ?? value) : value;
  },
  typeError: (value) =>
    typeof value === "string" && /^\d{4}-\d{2}-\d{2}[T ]\d/i.test(value.trim())
      ? ["Expected a date but got a datetime."]
      : ["Date has wrong format. Use one of these formats instead: YYYY-MM-DD."],
};

export const datetime: FieldKind = {
  schema: () => ({ type: "string", anyOf: [ZONED, UNZONED] }),
  /** Accepts text without seconds, a date (midnight), and a number (seconds since 1970). */
  normalize(value) {
    if (typeof value === "number") return fromUnix(value) ?? value;
    const match = typeof value === "string" ? ACCEPTED_FORM.exec(value.trim()) : null;
    if (!match) return value;
    const [, day, hours = "00", minutes = "00", seconds = "00", fraction = "", zone = ""] = match;
    const digits = fraction.slice(0, 6);
    return `${day}T${hours}:${minutes}:${seconds}${/[1-9]/.test(digits) ? `.${digits}` : ""}${zoneOf(zone)}`;
  },
  typeError: () => [
    "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].",
  ],
};

/** Canonical zone: `+0130` -> `+01:30`, UTC -> `Z`. */
function zoneOf(zone: string): string {
  if (zone === "") return "";
  const [hours, minutes] =
    zone.toUpperCase() === "Z" ? ["+00", "00"] : [zone.slice(0, 3), zone.slice(3).replace(":", "") || "00"];
  return /^[+-]00$/.test(hours) && minutes === "00" ? "Z" : `${hours}:${minutes}`;
}

function fromUnix(value: number): string | undefined {
  const at = new Date(Math.abs(value) > SECONDS_MAX ? value : value * 1000);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1 || at.getUTCFullYear() > 9999) return undefined;
  return at.toISOString().replace(".000Z", "Z");
}
