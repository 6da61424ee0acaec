/** A month with the changes that are planned in it. */
import { useState } from "preact/hooks";
import { text, uiLanguage } from "../i18n.ts";
import { daysOfMonth, weekdayNames } from "./month.ts";
import { PageLinks, type PageLink } from "./page-links.tsx";

/** @param pages those with a moment, in its order */
export function Calendar({ pages }: { pages: readonly PageLink[] }) {
  const [month, setMonth] = useState(() => {
    const first = pages[0]?.moment;
    const start = first ? new Date(first) : new Date();
    return new Date(start.getFullYear(), start.getMonth(), 1);
  });
  const name = new Intl.DateTimeFormat(uiLanguage.value, { month: "long", year: "numeric" }).format(month);
  const move = (months: number): void => setMonth(new Date(month.getFullYear(), month.getMonth() + months, 1));
  const inMonth = pages.filter(({ moment }) => {
    const at = moment === null ? undefined : new Date(moment);
    return at?.getFullYear() === month.getFullYear() && at.getMonth() === month.getMonth();
  });
  const onDay = (day: number): number => inMonth.filter(({ moment }) => new Date(moment!).getDate() === day).length;
  return (
    <>
      <div class="actions">
        <button aria-label={text("previousMonth")} onClick={() => move(-1)}>
          ‹
        </button>
        <strong aria-live="polite">{name}</strong>
        <button aria-label={text("nextMonth")} onClick={() => move(1)}>
          ›
        </button>
      </div>
      <table class="calendar" aria-label={name}>
        <thead>
          <tr>
            {weekdayNames(uiLanguage.value).map(({ short, long }) => (
              <th key={long} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {daysOfMonth(month).map((week, at) => (
            <tr key={at}>
              {week.map((day, weekday) => (
                <td key={weekday} class={day !== null && onDay(day) > 0 ? "planned" : undefined}>
                  {day}
                  {day !== null && onDay(day) > 0 && <span class="badge">{onDay(day)}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <PageLinks pages={inMonth} />
    </>
  );
}
