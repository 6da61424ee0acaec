/**
 * Paths of `cms_field` that name no field: a click on what they mark leads nowhere in the editor.
 *
 * Only the name of the field is judged. What data a page may have depends on its page model, and any page may use any
 * template.
 */
import { PAGE_FIELD_ROWS } from "../../model/page/page-field-table.ts";
import { closest } from "../../model/input/closest.ts";
import { isFieldPath, notFieldPath } from "../helpers/helpers.ts";
import { meant } from "../template-hints.ts";

/** The names of the fields of pages. */
export const PAGE_FIELD_NAMES = PAGE_FIELD_ROWS.map(({ name }) => name) as readonly string[];

export interface WrongPath {
  readonly message: string;
  /** `error`: previews fail. */
  readonly severity: "error" | "warning";
}

/**
 * @param path as it is written in the template
 * @param inBlock the fields of the blocks that the template is for; undefined for a template of pages
 */
export function wrongFieldPath(path: string, inBlock?: readonly string[]): WrongPath | undefined {
  if (!isFieldPath(path)) return { message: notFieldPath(path), severity: "error" };
  const name = path.split(".")[0]!;
  if ((inBlock ?? PAGE_FIELD_NAMES).includes(name)) return undefined;
  if (inBlock)
    return { message: `cms_field: the block has no field \`${name}\`.${meant(name, inBlock)}`, severity: "warning" };
  const near = closest(name, PAGE_FIELD_NAMES) ?? `template_data.${path}`;
  return {
    message: `cms_field: pages have no field \`${name}\`. Did you mean \`${near}\`?`,
    severity: "warning",
  };
}
