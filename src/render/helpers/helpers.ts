/** The filters and functions of templates. */
import nunjucks from "nunjucks";
import type { Extensions } from "../../plugins/extensions.ts";
import { addBlockHelpers, BLOCK_PATH, type BlockThis } from "./block-helpers.ts";
import { addContentHelpers } from "./content-helpers.ts";
import { addLinkHelpers } from "./link-helpers.ts";
import { addMediaHelpers } from "./media-helpers.ts";
import { markdownHtml } from "../markdown.ts";
import { richText } from "../rich-text.ts";
import { withPresentAddresses } from "../text-addresses.ts";
import { MARKS_FIELDS, runQuery, VIEW, type TemplateThis } from "../template-view.ts";
import type { TemplateEnvironment } from "../templates.ts";
import { addTimeHelpers } from "./time-helpers.ts";

/** The helpers of the program, then those of plugins. */
export const helpersWith =
  (extensions: Extensions | undefined) =>
  (environment: TemplateEnvironment): TemplateEnvironment => {
    addHelpers(environment);
    extensions?.addHelpers(environment);
    return environment;
  };

function addHelpers(environment: TemplateEnvironment): TemplateEnvironment {
  const shown = (convert: (text: string) => string) =>
    function (this: TemplateThis, text: unknown): unknown {
      const html = withPresentAddresses(convert(String(text ?? "")), (path) =>
        // A macro that is imported without context knows no page.
        VIEW in this.ctx ? runQuery(this, "moved", path) : null,
      );
      return new nunjucks.runtime.SafeString(html);
    };
  environment.addFilter("markdown", shown(markdownHtml));
  environment.addFilter("html", shown(richText));
  environment.addGlobal("pages_of", function (this: TemplateThis, page: unknown) {
    const id = (page as { id?: unknown } | null | undefined)?.id;
    return typeof id === "number" ? runQuery(this, "pages_of", id) : [];
  });
  environment.addGlobal("cms_field", function (this: TemplateThis, path: unknown) {
    const { [MARKS_FIELDS]: isMarked, [BLOCK_PATH]: block } = this.ctx as BlockThis["ctx"];
    return isMarked ? fieldMark(block === undefined ? String(path) : `${block}.${String(path)}`) : "";
  });
  addLinkHelpers(environment);
  addContentHelpers(environment);
  addBlockHelpers(environment);
  addMediaHelpers(environment);
  addTimeHelpers(environment);
  return environment;
}

export const isFieldPath = (path: string): boolean => /^[\w.-]{1,200}$/.test(path);
export const notFieldPath = (path: string): string => `cms_field: ${JSON.stringify(path)} is no path of a field`;

/**
 * The attribute by which the editor finds the field of a text in its preview. It begins with a space, so that a tag without it
 * stays as it is: `<h1{{ cms_field("title") }}>`.
 *
 * @param path names joined by dots, items of lists by their index: `template_data.beds.0.kind`
 */
function fieldMark(path: string): unknown {
  if (!isFieldPath(path)) throw new Error(notFieldPath(path));
  return new nunjucks.runtime.SafeString(` data-cms-field="${path}"`);
}
