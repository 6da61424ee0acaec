/** Searches of a site over one index, which the first of them makes. */
import type { View } from "../views/view.ts";
import { contentIndexOf } from "../views/search/content-index.ts";
import {
  searchContent,
  type MayFind,
  type PublicSearchItem,
  type SearchAnswer,
  type SearchOptions,
} from "../views/search/search.ts";
import type { SiteContext } from "./context.ts";

/** Searches the newest content. @param mayFind see `searchContent` */
export function searchSite(
  ctx: SiteContext,
  view: View,
  options: SearchOptions,
  mayFind: MayFind,
): Promise<SearchAnswer>;
export function searchSite(
  ctx: SiteContext,
  view: View,
  options: SearchOptions,
): Promise<SearchAnswer<PublicSearchItem>>;
export function searchSite(ctx: SiteContext, view: View, options: SearchOptions, mayFind?: MayFind): Promise<unknown> {
  const { narrowing } = ctx.store;
  // Accounts with the same rules search one index.
  const seen = narrowing?.seen();
  const index = contentIndexOf(seen ? { ...ctx, store: seen } : { ...ctx, store: narrowing?.whole ?? ctx.store });
  return index.with(
    () => ctx.store.current,
    (content) => searchContent(index, { ...view, content }, options, mayFind),
  );
}
