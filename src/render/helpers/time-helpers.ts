/** Functions and filters of templates for days and moments, in the site's time zone and the page's language. */
import { keptBy } from "../../memo.ts";
import { whenOf, type Distance, type When } from "../../model/time/clock-answers.ts";
import { msOf } from "../../model/time/instant.ts";
import type { TimeZone } from "../../model/time/time-zone.ts";
import { runQuery, viewOf, type TemplateThis } from "../template-view.ts";
import type { TemplateEnvironment } from "../templates.ts";

export function addTimeHelpers(environment: TemplateEnvironment): void {
  environment.addGlobal("today", function (this: TemplateThis) {
    return runQuery(this, "today");
  });
  environment.addGlobal("now", function (this: TemplateThis) {
    return runQuery(this, "now");
  });
  environment.addGlobal("is_past", function (this: TemplateThis, value: unknown) {
    return whenIn(this, value, "is_past") !== undefined && runQuery(this, "is_past", String(value)) !== "";
  });
  environment.addFilter("relative", function (this: TemplateThis, value: unknown) {
    if (whenIn(this, value, "relative") === undefined) return "";
    const { count, unit } = JSON.parse(runQuery(this, "distance", String(value))) as Distance;
    // "next week" would be wrong for ten days.
    const numeric = unit === "minute" || unit === "day" ? "auto" : "always";
    return new Intl.RelativeTimeFormat(viewOf(this).lang, { numeric }).format(count, unit);
  });
  environment.addFilter(
    "date",
    function (this: TemplateThis, value: unknown, format: unknown = "long", time?: unknown) {
      const when = whenIn(this, value, "date");
      if (!when) return "";
      const { lang, locales } = viewOf(this);
      return formatted(when, lang, locales.timeZone, optionsOf(String(format), time));
    },
  );
}

/** undefined for an empty value. @throws Error for one that is no day and no moment */
function whenIn(self: TemplateThis, value: unknown, name: string): When | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const when = whenOf(value, viewOf(self).locales.timeZone);
  if (when) return when;
  const shown = typeof value === "string" ? JSON.stringify(value) : `a value of type ${typeof value}`;
  throw new Error(`${name}: ${shown} is neither a date as 2026-12-01 nor a moment as 2026-12-01T20:30`);
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatted(when: When, lang: string, zone: TimeZone | undefined, options: Intl.DateTimeFormatOptions): string {
  // A day of the calendar is the same day everywhere.
  const timeZone = "day" in when ? "UTC" : (zone?.name ?? "UTC");
  const key = JSON.stringify([lang, timeZone, options]);
  const format = keptBy(FORMATS, key, () => new Intl.DateTimeFormat(lang, { ...options, timeZone }));
  return format.format("day" in when ? Date.parse(when.day) : msOf(when.at));
}

const STYLES = ["short", "medium", "long", "full"] as const;
const styleIn = (text: unknown): (typeof STYLES)[number] | undefined => STYLES.find((style) => style === text);

/** A style of the date, with one of the time if that is wanted, or a skeleton. @throws Error for anything else */
function optionsOf(format: string, time: unknown): Intl.DateTimeFormatOptions {
  const [dateStyle, timeStyle] = [styleIn(format), styleIn(time)];
  if (time !== undefined && timeStyle === undefined)
    throw new Error(`date: ${JSON.stringify(time)} is no style of the time: ${STYLES.join(", ")}`);
  if (dateStyle) return { dateStyle, ...(timeStyle && { timeStyle }) };
  const fields = format.match(/([A-Za-z])\1*/g) ?? [];
  const options = fields.map((field) => SKELETON[field]);
  if (fields.join("") !== format || fields.length === 0 || options.includes(undefined))
    throw new Error(
      `date: ${JSON.stringify(format)} is no style (${STYLES.join(", ")}) and no skeleton of the letters y M d E H h m s z, as "yMMMMd"`,
    );
  return Object.assign({}, ...options) as Intl.DateTimeFormatOptions;
}

/** The fields of CLDR's skeletons that `Intl` has. */
const SKELETON: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  y: { year: "numeric" },
  yy: { year: "2-digit" },
  M: { month: "numeric" },
  MM: { month: "2-digit" },
  MMM: { month: "short" },
  MMMM: { month: "long" },
  MMMMM: { month: "narrow" },
  d: { day: "numeric" },
  dd: { day: "2-digit" },
  E: { weekday: "short" },
  EEE: { weekday: "short" },
  EEEE: { weekday: "long" },
  EEEEE: { weekday: "narrow" },
  j: { hour: "numeric" },
  jj: { hour: "2-digit" },
  H: { hour: "numeric", hourCycle: "h23" },
  HH: { hour: "2-digit", hourCycle: "h23" },
  h: { hour: "numeric", hour12: true },
  hh: { hour: "2-digit", hour12: true },
  m: { minute: "numeric" },
  mm: { minute: "2-digit" },
  s: { second: "numeric" },
  ss: { second: "2-digit" },
  z: { timeZoneName: "short" },
  zzzz: { timeZoneName: "long" },
};
