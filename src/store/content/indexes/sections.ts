/** Where pages are: the sections that rules name, and the pages above one. */
import type { Id } from "../../../model/input/id.ts";
import type { Locales } from "../../../model/language/locale.ts";
import type { Reader } from "../../records/record-type.ts";
import { pageIndex } from "./page-index.ts";
import { findPageSummary } from "./pages-by-model.ts";

/** The id of a page by its permalink in the default language, a former one too, or by its id; undefined for none. */
export const sectionIn =
  (content: Reader, locales: Locales) =>
  (below: string | Id): Id | undefined => {
    if (typeof below === "number") return findPageSummary(content, below)?.id;
    const pages = pageIndex(content);
    return (pages.summaryByPermalink(locales.default, below) ?? pages.byAlias(locales.default, below))?.id;
  };

/** The id of a page and of those above it. */
export function pagesAbove(id: Id, find: (id: Id) => { readonly parent_page: Id | null } | undefined): readonly Id[] {
  const path: Id[] = [];
  for (let at: Id | null = id; at !== null && !path.includes(at); at = find(at)?.parent_page ?? null) path.push(at);
  return path;
}
