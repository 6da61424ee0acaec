/** Patterns of addresses, as Hugo and Jekyll have them: `/:year/:month/:title/`. */
import { settingAt } from "./config-files.ts";
import { fieldText } from "./field-values.ts";
import type { Located } from "./generators/dialect.ts";

const MONTHS = ["January", "February", "March", "April", "May", "June"].concat([
  ...["July", "August", "September", "October", "November", "December"],
]);
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const DAY = 86_400_000;

export interface PatternFile extends Located {
  /** Jekyll: folders and front matter. */
  readonly categories?: readonly string[];
}

/** What the placeholders of a generator stand for; undefined: not known for this file. */
export type Placeholders = (file: PatternFile, date: DateParts) => Readonly<Record<string, string | undefined>>;

/**
 * The address that a pattern gives a file.
 *
 * @returns `remark`: which placeholders are left out, since they are not known
 */
export function fillPattern(
  pattern: string,
  placeholders: Placeholders,
  file: PatternFile,
): { readonly path: string; readonly remark?: string } {
  const unknown: string[] = [];
  const values = placeholders(file, datePartsOf(file.localDate));
  const path = pattern.replace(/:([a-z_]+)(\[[\d:a-z]*\])?/g, (_, name: string, slice: string | undefined) => {
    const value = name === "sections" && slice !== undefined ? sectionsIn(values.sections ?? "", slice) : values[name];
    if (value === undefined) unknown.push(`:${name}${slice ?? ""}`);
    return value ?? "";
  });
  return {
    path: `/${path}`.replace(/\/{2,}/g, "/"),
    ...(unknown.length > 0 && { remark: `Its address has ${unknown.join(", ")}, which is not known here.` }),
  };
}

/** Hugo's title and slug are those of front matter. @param inPath how it writes a name into an address */
export const hugoPlaceholders =
  (inPath: (name: string) => string): Placeholders =>
  ({ data, title, slug, folders }, date) => {
    const stated = fieldText(settingAt(data, "slug"));
    const named = inPath(slug);
    return {
      ...{
        year: date.year,
        month: date.month,
        day: date.day,
        hour: date.hour,
        minute: date.minute,
        second: date.second,
      },
      ...{ monthname: date.monthName?.toLowerCase(), weekday: date.weekday, weekdayname: date.dayName?.toLowerCase() },
      yearday: date.yearDay === undefined ? undefined : String(date.yearDay),
      section: inPath(folders[0] ?? ""),
      sections: folders.map(inPath).join("/"),
      title: inPath(title),
      slug: inPath(stated ?? title),
      slugorfilename: stated === undefined ? named : inPath(stated),
      slugorcontentbasename: stated === undefined ? named : inPath(stated),
      filename: named,
      contentbasename: named,
    };
  };

/** `[1:]`, `[:last]`, `[0]`: some of the sections. */
function sectionsIn(sections: string, slice: string): string {
  const folders = sections.split("/");
  const at = (text: string): number => (text === "last" ? folders.length - 1 : Number(text));
  const [from = "", to] = slice.slice(1, -1).split(":");
  const start = from === "" ? 0 : at(from);
  return folders.slice(start, to === undefined ? start + 1 : to === "" ? undefined : at(to)).join("/");
}

/** Jekyll's title is that of the file, unless front matter has a slug. */
export const JEKYLL: Placeholders = ({ data, slug, folders, collection, categories = [] }, date) => {
  // The name of a document of a collection may begin with a date, which its address has where it asks for the name.
  const named = fieldText(settingAt(data, "slug")) ?? slug.replace(/^(?:\d{2}|\d{4})-\d{1,2}-\d{1,2}-(?=.)/, "");
  return {
    ...{ year: date.year, month: date.month, day: date.day, hour: date.hour, minute: date.minute, second: date.second },
    ...{ short_year: date.year?.slice(2), i_month: unpadded(date.month), i_day: unpadded(date.day) },
    ...{ long_month: date.monthName, short_month: date.monthName?.slice(0, 3) },
    ...{
      long_day: date.dayName,
      short_day: date.dayName?.slice(0, 3),
      w_day: date.weekday === "0" ? "7" : date.weekday,
    },
    y_day: date.yearDay === undefined ? undefined : String(date.yearDay).padStart(3, "0"),
    ...{ week: date.week, w_year: date.weekYear },
    title: prettySlug(named),
    slug: dashed(named),
    ...{ name: dashed(slug), basename: slug },
    path: [...folders, slug].join("/"),
    collection: collection ?? "",
    categories: [...new Set(categories.map((each) => each.toLowerCase()))].join("/"),
    slugified_categories: [...new Set(categories.map(dashed))].join("/"),
    output_ext: ".html",
  };
};

const unpadded = (number: string | undefined): string | undefined =>
  number === undefined ? undefined : String(Number(number));

const dashed = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{M}\p{L}\p{Nd}]+/gu, "-")
    .replace(/^-|-$/g, "");

/** With capital letters, dots and some marks, as Jekyll keeps them in titles. */
const prettySlug = (text: string): string =>
  text.replace(/[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu, "-").replace(/^-|-$/g, "");

/** All undefined without a date. */
interface DateParts {
  readonly year?: string;
  readonly month?: string;
  readonly day?: string;
  readonly hour?: string;
  readonly minute?: string;
  readonly second?: string;
  readonly monthName?: string;
  readonly dayName?: string;
  /** 0 is Sunday. */
  readonly weekday?: string;
  readonly yearDay?: number;
  /** Of ISO 8601, with two digits. */
  readonly week?: string;
  readonly weekYear?: string;
}

function datePartsOf(localDate: string | undefined): DateParts {
  if (localDate === undefined) return {};
  const [year = "", month = "", day = "", hour = "", minute = "", second = ""] = localDate.split(/[-T:.]/);
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const weekday = new Date(at).getUTCDay();
  // A week belongs to the year of its Thursday.
  const thursday = at + (4 - (weekday || 7)) * DAY;
  const weekYear = new Date(thursday).getUTCFullYear();
  return {
    ...{ year, month, day, hour, minute, second },
    ...{ monthName: MONTHS[Number(month) - 1]!, dayName: DAYS[weekday]!, weekday: String(weekday) },
    yearDay: (at - Date.UTC(Number(year), 0, 0)) / DAY,
    week: String(1 + Math.floor((thursday - Date.UTC(weekYear, 0, 1)) / (7 * DAY))).padStart(2, "0"),
    weekYear: String(weekYear),
  };
}
