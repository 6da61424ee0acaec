/**
 * What a template asks of the clock. Each answer is one of text, so that a build compares it with that of the last one, and
 * each question knows the next moment at which its answer changes.
 */
import { instantOf, msOf, parseInstant, type Instant } from "./instant.ts";
import { localInstant, openTimeZone, type TimeZone } from "./time-zone.ts";

export interface Clock {
  readonly now: Instant;
  readonly zone: TimeZone;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UTC = openTimeZone("UTC")!;

export const siteClock = (now: Instant, zone: TimeZone | undefined): Clock => ({ now, zone: zone ?? UTC });

/** A day of the calendar, or a moment. */
export type When = { readonly day: string } | { readonly at: Instant };

const CALENDAR_DAY = /^\d{4}-\d\d-\d\d$/;

/** A bare date is a day; a moment without a zone is as clocks show it in the given one. @returns undefined for any other value */
export function whenOf(value: unknown, zone: TimeZone = UTC): When | undefined {
  const at = parseInstant(value) ?? localInstant(value, zone);
  if (at === undefined) return undefined;
  const day = String(value).trim();
  return CALENDAR_DAY.test(day) ? { day } : { at };
}

/** The day that calendars show in a zone at a moment. */
export const dayAt = (at: Instant, zone: TimeZone): string =>
  instantOf(msOf(at) + zone.offsetAt(msOf(at)) * MINUTE).slice(0, 10);

/** Days since 1970 of a day of the calendar. */
const numberOf = (day: string): number => Date.parse(day) / DAY;
const startOf = (dayNumber: number, zone: TimeZone): Instant =>
  localInstant(instantOf(dayNumber * DAY).slice(0, 10), zone)!;

const todayOf = ({ now, zone }: Clock): number => numberOf(dayAt(now, zone));

/** From when on a day or a moment is past: a day is when it is over. */
const pastFrom = (when: When, zone: TimeZone): Instant =>
  "day" in when ? startOf(numberOf(when.day) + 1, zone) : when.at;

export type Unit = "minute" | "hour" | "day" | "week" | "month" | "year";

/** How far off something is: a count as `Intl.RelativeTimeFormat` takes it, below zero for what is past. */
export interface Distance {
  readonly count: number;
  readonly unit: Unit;
}

/** Rounded, so that 89 minutes are one hour. The count goes down exactly when half of the unit is left. */
const rounded = (ms: number, unit: number): number => Math.ceil(ms / unit - 0.5) || 0;

/** From the first number of days on in units of so many. */
const CALENDAR: readonly (readonly [unit: Unit, from: number, days: number])[] = [
  ["year", 365, 365.25],
  ["month", 30, 365.25 / 12],
  ["week", 7, 7],
  ["day", 0, 1],
];

function inDays(days: number): Distance {
  const [unit, , length] = CALENDAR.find(([, from]) => Math.abs(days) >= from)!;
  return { unit, count: Math.sign(days) * Math.max(1, Math.round(Math.abs(days) / length)) };
}

/** Minutes and hours that are left or have passed; from a day on, days of the calendar, so that tomorrow is tomorrow. */
function distanceTo(when: When, clock: Clock): Distance {
  if ("day" in when) return inDays(numberOf(when.day) - todayOf(clock));
  const ms = msOf(when.at) - msOf(clock.now);
  const [minutes, hours] = [rounded(ms, MINUTE), rounded(ms, HOUR)];
  if (Math.abs(minutes) < 60) return { unit: "minute", count: minutes };
  if (Math.abs(hours) < 24) return { unit: "hour", count: hours };
  const days = numberOf(dayAt(when.at, clock.zone)) - todayOf(clock);
  return inDays(Math.sign(ms) * Math.max(1, Math.abs(days)));
}

const isSame = (one: Distance, other: Distance): boolean => one.unit === other.unit && one.count === other.count;

function distanceChange(when: When, clock: Clock): Instant {
  const { unit, count } = distanceTo(when, clock);
  if ("at" in when && (unit === "minute" || unit === "hour")) {
    const at = msOf(when.at);
    const next = at - (count - 0.5) * (unit === "minute" ? MINUTE : HOUR);
    const toMinutes = at - 59.5 * MINUTE;
    return instantOf(unit === "hour" && count > 0 ? Math.min(next, toMinutes) : next);
  }
  const today = todayOf(clock);
  const left = numberOf("day" in when ? when.day : dayAt(when.at, clock.zone)) - today;
  let days = 1;
  while (isSame(inDays(left - days), { unit, count })) days++;
  const start = startOf(today + days, clock.zone);
  const toHours = "at" in when && when.at > clock.now ? instantOf(msOf(when.at) - 23.5 * HOUR) : start;
  return toHours < start ? toHours : start;
}

interface Question {
  /** @param asked a day or a moment, for the questions that take one */
  answer(clock: Clock, asked: When): string;
  /** undefined when the answer stays. */
  changesAt(clock: Clock, asked: When): Instant | undefined;
}

/** The questions by name. The clock shows minutes: a page that prints seconds is old before it is sent. */
const QUESTIONS = {
  today: {
    answer: ({ now, zone }) => dayAt(now, zone),
    changesAt: (clock) => startOf(todayOf(clock) + 1, clock.zone),
  },
  now: {
    answer: ({ now }) => instantOf(Math.floor(msOf(now) / MINUTE) * MINUTE),
    changesAt: ({ now }) => instantOf((Math.floor(msOf(now) / MINUTE) + 1) * MINUTE),
  },
  is_past: {
    answer: ({ now, zone }, asked) => (pastFrom(asked, zone) <= now ? "yes" : ""),
    changesAt({ now, zone }, asked) {
      const from = pastFrom(asked, zone);
      return from > now ? from : undefined;
    },
  },
  distance: {
    answer: (clock, asked) => JSON.stringify(distanceTo(asked, clock)),
    changesAt: (clock, asked) => distanceChange(asked, clock),
  },
} satisfies Record<string, Question>;

export type QuestionName = keyof typeof QUESTIONS;

export const isQuestion = (name: string): name is QuestionName => Object.hasOwn(QUESTIONS, name);

const NOTHING_ASKED: When = { day: "1970-01-01" };
const askedOf = (value: unknown, zone: TimeZone): When => whenOf(value, zone) ?? NOTHING_ASKED;

/** @param asked a text that `whenOf` reads, for questions that take one */
export const clockAnswer = (clock: Clock, name: QuestionName, asked?: unknown): string =>
  (QUESTIONS[name] as Question).answer(clock, askedOf(asked, clock.zone));

/** The next moment at which `clockAnswer` gives another text. */
export const answerChangesAt = (clock: Clock, name: QuestionName, asked?: unknown): Instant | undefined =>
  (QUESTIONS[name] as Question).changesAt(clock, askedOf(asked, clock.zone));
