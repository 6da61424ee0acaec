/** When the next build changes something although nothing is edited: a page is planned, or asked the clock. */
import { answerChangesAt, isQuestion, siteClock } from "../model/time/clock-answers.ts";
import { msOf, withOffset, type Instant } from "../model/time/instant.ts";
import type { TimeZone } from "../model/time/time-zone.ts";
import type { NextChange, State } from "./state/state.ts";

/** The next moment of the schedule and of the answers that pages got from the clock, and the pages that change then. */
export function nextChange(
  { pages, dependencies }: Pick<State, "pages" | "dependencies">,
  scheduled: NextChange | undefined,
  now: Instant,
  zone: TimeZone | undefined,
): NextChange | null {
  const clock = siteClock(now, zone);
  let at = scheduled?.at;
  const changing = new Set<number>();
  for (const [number, [name, , argument]] of dependencies.all.entries()) {
    const moment = isQuestion(name) ? answerChangesAt(clock, name, argument) : undefined;
    if (moment === undefined || (at !== undefined && moment > at)) continue;
    if (at === undefined || moment < at) changing.clear();
    at = moment;
    changing.add(number);
  }
  if (at === undefined) return null;
  const planned = scheduled?.at === at ? scheduled.pages : 0;
  return {
    at,
    pages: planned + pages.filter(({ renderDeps }) => renderDeps.some((each) => changing.has(each))).length,
  };
}

/** A change with its moment as the site's clocks show it, to the minute where that says all: `2026-12-01T00:00+01:00`. */
export interface ShownChange {
  readonly at: string;
  readonly pages: number;
}

export function shownChange(change: NextChange | null, zone: TimeZone | undefined): ShownChange | null {
  if (!change) return null;
  const at = withOffset(change.at, zone?.offsetAt(msOf(change.at)) ?? 0);
  return { ...change, at: at.replace(/:00(?:\.000)?(?=Z$|[+-]\d\d:\d\d$)/, "") };
}

/** `2026-12-01T00:00+01:00, 3 pages` */
export const changeText = ({ at, pages }: ShownChange): string => `${at}, ${pages} ${pages === 1 ? "page" : "pages"}`;
