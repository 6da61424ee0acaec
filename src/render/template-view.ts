/** How a template helper finds the standpoint it works for, and asks what it needs. */
import type { View } from "../views/view.ts";
import { askContent, type Ask, type Answers, type Question, type QuestionArgs } from "./answers.ts";

/** Keys of a template's context: no identifiers a template can write. nunjucks drops symbols on the way. */
export const VIEW = "\0view";
export const ASK = "\0ask";

/** What nunjucks calls a helper on. */
export interface TemplateThis {
  readonly ctx: { readonly [VIEW]?: View; readonly [ASK]?: Ask; readonly request?: { readonly url?: string } };
}

/** @throws Error when the template was not rendered through `render/page.ts` */
export function viewOf({ ctx }: TemplateThis): View {
  const view = ctx[VIEW];
  if (!view) throw new Error("This helper works only in templates rendered for a page");
  return view;
}

/** @throws Error as `viewOf` */
export const asks = <Q extends Question>(
  self: TemplateThis,
  question: Q,
  ...args: QuestionArgs<Q>
): ReturnType<Answers[Q]> => (self.ctx[ASK] ?? askContent)(viewOf(self), question, ...args);

/** The whole context, for a template rendered inside another. */
export const contextOf = ({ ctx }: TemplateThis): object => ctx;
