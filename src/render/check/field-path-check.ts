/**
 * Paths of `cms_field` that name no field: a click on what they mark leads nowhere in the editor.
 *
 * Only the name of the field is judged. What data a page may have depends on its page model, and any page may use any
 * template.
 */
import { PAGE_FIELD_ROWS } from "../../model/page/page-field-table.ts";
import { closest } from "../../model/input/closest.ts";
import { isFieldPath, notFieldPath } from "../helpers/helpers.ts";

const NAMES = PAGE_FIELD_ROWS.map(({ name }) => name) as readonly string[];

export interface WrongPath {
  readonly message: string;
  /** `error`: previews fail. */
  readonly severity: "error" | "warning";
}

/** @param path as it is written in the template */
export function wrongFieldPath(path: string): WrongPath | undefined {
  if (!isFieldPath(path)) return { message: notFieldPath(path), severity: "error" };
  const name = path.split(".")[0]!;
  if (NAMES.includes(name)) return undefined;
  const near = closest(name, NAMES) ?? `template_data.${path}`;
  return {
    message: `cms_field: pages have no field \`${name}\`. Did you mean \`${near}\`?`,
    severity: "warning",
  };
}
