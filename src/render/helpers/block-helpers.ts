/** `blocks(page.template_data.sections)`: the sections of a page, each by the template of its type. */
import nunjucks from "nunjucks";
import { isHiddenBlock } from "../../model/fields/blocks.ts";
import { blockTemplate } from "../../model/records/block-type.ts";
import { isObject, own, type JsonObject } from "../../model/input/json.ts";
import { escapeXml } from "../../views/site-files/xml.ts";
import { isDevelopment, runQuery, type TemplateThis } from "../template-view.ts";
import { hasTemplate, renderTemplate, type TemplateEnvironment } from "../templates.ts";

/** The path of the block that a template is rendered for, as `cms_field` has it. */
export const BLOCK_PATH = "\0block";

export type BlockThis = TemplateThis & {
  readonly ctx: { readonly [BLOCK_PATH]?: string; readonly block?: unknown; readonly page?: unknown };
};

export function addBlockHelpers(environment: TemplateEnvironment): void {
  environment.addGlobal("blocks", function (this: BlockThis, sections: unknown) {
    if (!Array.isArray(sections)) return "";
    const above = pathOf(this.ctx, sections);
    // Paths count all of them, as the editor's form does.
    const shown = [...sections.entries()].filter(
      (entry): entry is [number, JsonObject] => isObject(entry[1]) && !isHiddenBlock(entry[1]),
    );
    const texts = shown.map(([at, block], index) => {
      const type = String(own(block, "type"));
      const template = runQuery(this, "block_template", type) ?? blockTemplate(type);
      if (!hasTemplate(environment, template)) return isDevelopment(this) ? missing(type, template) : "";
      const loop = {
        index: index + 1,
        index0: index,
        first: index === 0,
        last: index === shown.length - 1,
        length: shown.length,
      };
      const path = above === undefined ? undefined : `${above}.${at}`;
      return renderTemplate(environment, template, { ...this.ctx, block, loop, [BLOCK_PATH]: path });
    });
    // The rendered templates have escaped all data they print.
    return new nunjucks.runtime.SafeString(texts.join(""));
  });
}

/** Where the field of a list is: in the data of the page, or in the block around it. */
function pathOf(
  { block, page, [BLOCK_PATH]: above }: BlockThis["ctx"],
  sections: readonly unknown[],
): string | undefined {
  const keyIn = (values: unknown): string | undefined =>
    isObject(values) ? Object.keys(values).find((key) => values[key] === sections) : undefined;
  const inner = above === undefined ? undefined : keyIn(block);
  if (inner !== undefined) return `${above}.${inner}`;
  const outer = keyIn((page as { template_data?: unknown } | undefined)?.template_data);
  return outer === undefined ? undefined : `template_data.${outer}`;
}

/** What development shows in place of a block that visitors do not see. */
const missing = (type: string, template: string): string =>
  `<p data-cms-missing><strong>templates/${escapeXml(template)}</strong> is missing: visitors do not see this block of the type "${escapeXml(type)}".</p>`;
