/** What the library works on: the context of actions, and templates. */
import type { Context } from "../actions/context.ts";
import type { Templates } from "../render/templates.ts";

export interface SiteContext extends Context {
  readonly templates: Templates;
}
