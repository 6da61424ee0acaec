/**
 * Other spellings of a value as the one that is stored, by the kind of its field: `#abc` is `#aabbcc`, and "1.0" is 1.
 *
 * What a kind does not accept is returned unchanged, for its schema to reject. Apart from the kinds themselves, since the editor
 * needs it, too.
 */
import type { Json } from "../input/json.ts";
import { PLUGIN_KIND, type FieldDefinition } from "./definition.ts";

/** What of a definition the stored spelling follows from. The editor knows the kind of a plugin by its name alone. */
export type Spelled = Pick<FieldDefinition, "integer" | typeof PLUGIN_KIND> & { readonly kind?: string };

type Normalize = (value: Json, definition: Pick<Spelled, "integer">) => Json;

const text =
  (tidy: (trimmed: string) => string = (trimmed) => trimmed) =>
  (value: Json): Json =>
    typeof value === "string" ? tidy(value.trim()) : value;

const URL_TAIL = "(?:[!$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})*";
// linear: it is anchored, and each character after the host is taken in one way only.
export const URL_FORM = new RegExp(
  `^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[A-Za-z0-9._~-]+(?::[0-9]{1,5})?(?:[\\/?]${URL_TAIL})?(?:#${URL_TAIL})?$`,
  "u",
);

/** A URL as it is pasted, with letters of any script, or brackets in the query. */
function tidyUrl(url: string): string {
  if (URL_FORM.test(url) || !/^https?:\/\/[^/\s]/i.test(url) || /\s/.test(url) || !URL.canParse(url)) return url;
  return new URL(url).href.replace(/[[\]"<>\\^`{|}]/g, encodeURIComponent);
}

function tidyColor(color: string): string {
  const lower = color.toLowerCase();
  return /^#[0-9a-f]{3}$/.test(lower) ? lower.replace(/[0-9a-f]/g, "$&$&") : lower;
}

const tidyTime = (time: string): string => time.replace(/^\d:/, "0$&").replace(/^(\d\d:\d\d):00$/, "$1");

export const NUMBER_TEXT = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i;
export const INTEGER_TEXT = /^\s*[+-]?\d+(?:\.0*)?\s*$/;

/** Booleans become 1 and 0; numeric text becomes a number unless `isFit` rejects it, as when digits would be lost. */
export function toNumber(value: Json, form: RegExp, isFit: (number: number) => boolean): Json {
  const number = typeof value === "boolean" || (typeof value === "string" && form.test(value)) ? Number(value) : value;
  if (typeof number !== "number" || !isFit(number)) return value;
  return number === 0 ? 0 : number; // -0 becomes 0, as in `JSON.stringify`
}

const integer = (value: Json): Json => toNumber(value, INTEGER_TEXT, Number.isSafeInteger);

const TRUE = new Set<unknown>([true, 1, "1", "true", "t", "yes", "y", "on"]);
const FALSE = new Set<unknown>([false, 0, "0", "false", "f", "no", "n", "off"]);

/** The boolean that a value stands for; undefined for none. */
export function booleanIn(value: Json): boolean | undefined {
  const key = typeof value === "string" ? value.trim().toLowerCase() : value;
  return TRUE.has(key) ? true : FALSE.has(key) ? false : undefined;
}

const ACCEPTED_FORM =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const DAY_SECONDS = 86_400;
/** Larger numbers are milliseconds: as seconds they would be after the year 2600. */
const SECONDS_MAX = 2e10;

/** Accepts a datetime at midnight, too. */
function date(value: Json): Json {
  if (typeof value === "number")
    return Number.isInteger(value / DAY_SECONDS) && value !== 0 ? (fromUnix(value)?.slice(0, 10) ?? value) : value;
  const match = typeof value === "string" ? ACCEPTED_FORM.exec(value.trim()) : null;
  if (!match) return value;
  const [, day, hours = "00", minutes = "00", seconds = "00", fraction = ""] = match;
  return /^0*$/.test(hours + minutes + seconds + fraction) ? (day ?? value) : value;
}

/** Accepts text without seconds, a date (midnight), and a number (seconds since 1970). */
function datetime(value: Json): Json {
  if (typeof value === "number") return fromUnix(value) ?? value;
  const match = typeof value === "string" ? ACCEPTED_FORM.exec(value.trim()) : null;
  if (!match) return value;
  const [, day, hours = "00", minutes = "00", seconds = "00", fraction = "", zone = ""] = match;
  const digits = fraction.slice(0, 6);
  return `${day}T${hours}:${minutes}:${seconds}${/[1-9]/.test(digits) ? `.${digits}` : ""}${zoneOf(zone)}`;
}

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

/** By the kind. Of the others a plain value has one spelling. */
export const CANONICAL = {
  email: text(),
  url: text(tidyUrl),
  phone: text(),
  color: text(tidyColor),
  time: text(tidyTime),
  integer,
  number: (value, definition) => (definition.integer ? integer(value) : toNumber(value, NUMBER_TEXT, Number.isFinite)),
  boolean: (value) => booleanIn(value) ?? value,
  date,
  datetime,
} satisfies Readonly<Record<string, Normalize>>;

const BY_KIND: Readonly<Partial<Record<string, Normalize>>> = CANONICAL;

/** One plain value as its field stores it. */
export function canonicalValue(value: Json, definition: Spelled): Json {
  const plugin = definition[PLUGIN_KIND] as { normalize?: Normalize } | undefined;
  const normalize = plugin ? plugin.normalize : BY_KIND[definition.kind ?? "string"];
  return normalize?.(value, definition) ?? value;
}
