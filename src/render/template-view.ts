/** How a template helper gets the view that the page is rendered for, and runs its queries. */
import type { View } from "../views/view.ts";
import { queryContent, type QueryArgs, type QueryName, type QueryResult, type RunQuery } from "./template-queries.ts";

/** Keys in a template's context that no template can write as an identifier. Not symbols: nunjucks drops those. */
export const VIEW = "\0view";
export const RUN_QUERY = "\0query";
/** True in previews of editors, where `cms_field` marks what can be edited. */
export const MARKS_FIELDS = "\0marks";

/** `this` of a helper that nunjucks calls. */
export interface TemplateThis {
  readonly ctx: {
    readonly [VIEW]?: View;
    readonly [RUN_QUERY]?: RunQuery;
    readonly [MARKS_FIELDS]?: boolean;
    readonly request?: { readonly url?: string };
  };
}

/** @throws Error when the template was not rendered through `render/page.ts` */
export function viewOf({ ctx }: TemplateThis): View {
  const view = ctx[VIEW];
  if (!view) throw new Error("This helper works only in templates rendered for a page");
  return view;
}

/** @throws Error as `viewOf` */
export const runQuery = <Q extends QueryName>(self: TemplateThis, query: Q, ...args: QueryArgs<Q>): QueryResult<Q> =>
  (self.ctx[RUN_QUERY] ?? queryContent)(viewOf(self), query, ...args);

/** In development a name that leads to nothing is told; visitors see a page without what it names. */
export const isDevelopment = (self: TemplateThis): boolean => viewOf(self).config.usesRequestOrigin === true;
