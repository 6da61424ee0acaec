/** Patterns of addresses, as Hugo and Jekyll have them: `/:year/:month/:title/`. */
import { slugify } from "../../model/permalink.ts";
import { urlize, type Located } from "./dialect.ts";

const MONTHS = ["January", "February", "March", "April", "May", "June"].concat([
  ...["July", "August", "September", "October", "November", "December"],
]);

export interface PatternFile extends Located {
  readonly slug: string;
  readonly section?: string;
  readonly categories?: readonly string[];
}

/**
 * The address that a pattern gives a file.
 *
 * @returns `unknown`: placeholders that are left out, since they are not known
 */
export function fillPattern(pattern: string, file: PatternFile): { readonly path: string; readonly unknown: string[] } {
  const unknown: string[] = [];
  const path = pattern.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = valueOf(name, file);
    if (value === undefined) unknown.push(name);
    return value ?? "";
  });
  return { path: `/${path}`.replace(/\/{2,}/g, "/"), unknown };
}

function valueOf(name: string, file: PatternFile): string | undefined {
  const { folders, title, slug, categories = [], collection = "" } = file;
  const [year = "", month = "", day = "", hour = "", minute = "", second = ""] = (file.localDate ?? "").split(/[-T:.]/);
  switch (name) {
    case "year":
      return year;
    case "short_year":
      return year.slice(2);
    case "month":
      return month;
    case "i_month":
      return String(Number(month));
    case "monthname":
    case "long_month":
      return (MONTHS[Number(month) - 1] ?? "").toLowerCase();
    case "short_month":
      return (MONTHS[Number(month) - 1] ?? "").slice(0, 3);
    case "day":
      return day;
    case "i_day":
      return String(Number(day));
    case "y_day":
    case "yearday":
      return dayOfYear(Number(year), Number(month), Number(day));
    case "hour":
      return hour;
    case "minute":
      return minute;
    case "second":
      return second;
    case "title":
      // Jekyll's title of a post is that of its file, Hugo's that of its front matter.
      return file.isPost ? slugify(slug) : urlize(title);
    case "slug":
      return file.isPost ? slugify(slug) : urlize(slug === "" ? title : slug);
    case "slugorfilename":
    case "slugorcontentbasename":
    case "filename":
    case "contentbasename":
    case "name":
    case "basename":
      return urlize(slug);
    case "section":
      return urlize(file.section ?? folders[0] ?? "");
    case "sections":
      return folders.map(urlize).join("/");
    case "path":
      return [...folders, slug].join("/");
    case "collection":
      return collection;
    case "categories":
      return categories.map((each) => slugify(each)).join("/");
    case "output_ext":
      return ".html";
    default:
      return undefined;
  }
}

function dayOfYear(year: number, month: number, day: number): string {
  const days = (Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 0)) / 86_400_000;
  return Number.isNaN(days) ? "" : String(days).padStart(3, "0");
}
