/** The days of a month in weeks that begin on Monday. */

const WEEK = 7;

/** Each week has seven entries; null for days of the months beside it. @param month any moment in it, in local time */
export function daysOfMonth(month: Date): (number | null)[][] {
  const [year, index] = [month.getFullYear(), month.getMonth()];
  const before = (new Date(year, index, 1).getDay() + 6) % WEEK;
  const days = new Date(year, index + 1, 0).getDate();
  const weeks = Math.ceil((before + days) / WEEK);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: WEEK }, (_, weekday) => {
      const day = week * WEEK + weekday - before + 1;
      return day >= 1 && day <= days ? day : null;
    }),
  );
}

/** From Monday on. @param language a BCP 47 tag */
export function weekdayNames(language: string): { readonly short: string; readonly long: string }[] {
  const shown = (weekday: "narrow" | "long", day: number): string =>
    new Intl.DateTimeFormat(language, { weekday }).format(new Date(2024, 0, day)); // 1 January 2024 was a Monday
  return Array.from({ length: WEEK }, (_, at) => ({ short: shown("narrow", at + 1), long: shown("long", at + 1) }));
}
