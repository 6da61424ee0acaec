/** How a template helper finds the standpoint it works for. */
import type { View } from "../views/view.ts";

/** Key of the view in a template's context: no identifier a template can write. nunjucks drops symbols on the way. */
export const VIEW = "\0view";

/** What nunjucks calls a helper on. */
export interface TemplateThis {
  readonly ctx: { readonly [VIEW]?: View; readonly request?: { readonly url?: string } };
}

/** @throws Error when the template was not rendered through `render/page.ts` */
export function viewOf({ ctx }: TemplateThis): View {
  const view = ctx[VIEW];
  if (!view) throw new Error("This helper works only in templates rendered for a page");
  return view;
}

/** The whole context, for a template rendered inside another. */
export const contextOf = ({ ctx }: TemplateThis): object => ctx;
