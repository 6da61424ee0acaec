/** A custom page model: what `template_data` of its pages must be, and how they are rendered (decisions.md 42). */
import type { Definitions } from "./fields/definition.ts";
import type { Id } from "./page.ts";

export interface PageModel {
  readonly id: Id;
  /** Its file's name; pages name it as their `model`. */
  readonly name: string;
  readonly schema: Definitions;
  /** What `parent_page` is called in payloads and input of its pages. */
  readonly parent_page_field: string;
  /** null: the site's default. */
  readonly default_template: string | null;
  /** Path of a module below the site's root, whose default export adds to what templates see. */
  readonly inject_context: string | null;
}

export const PARENT_FIELD = "parent_page";
