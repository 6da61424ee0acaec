/** A custom page model: the schema of `template_data`, and how its pages are rendered. */
import type { Definitions } from "../fields/definition.ts";
import { ARTICLE_MODEL, type Id } from "./page.ts";
import type { Paginate } from "./paginate.ts";

export interface PageModel {
  readonly id: Id;
  /** The name of its file, which pages have as `model`. */
  readonly name: string;
  readonly schema: Definitions;
  /** The name of `parent_page` in payloads and input of its pages. */
  readonly parent_page_field: string;
  /** null: the site's default. */
  readonly default_template: string | null;
  /** Path of a module below the site's root, whose default export adds to the template context. */
  readonly inject_context: string | null;
  /** What its pages list; null for a model without a list. */
  readonly paginate: Paginate | null;
}

export const PARENT_FIELD = "parent_page";

/** Whether a page may be the parent of another: above an article stands any page, above a page no article. */
export const mayBeAbove = (above: { readonly model: string }, page: { readonly model: string }): boolean =>
  page.model === ARTICLE_MODEL || above.model !== ARTICLE_MODEL;
