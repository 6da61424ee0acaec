/**
 * Missing templates of pages, drafts and page models. The site's default is not checked: a site rendered
 * elsewhere needs no templates.
 */
import { own } from "../../model/input/json.ts";
import { noSuchTemplate } from "../../model/input/input-errors.ts";
import { PAGE_MODELS } from "../records/page-models.ts";
import { allPages, kindOf } from "../content/indexes/pages-by-model.ts";
import type { Reader } from "../records/record-type.ts";
import { blockTemplate } from "../../model/records/block-type.ts";
import { BLOCK_TYPES, blockTypesIn } from "../records/block-types.ts";
import type { Check, Finding } from "./finding.ts";

export type HasTemplate = (name: string) => boolean;

export const templateFindings = (hasTemplate: HasTemplate): Check =>
  function* (content) {
    for (const page of allPages(content)) {
      const at = { kind: kindOf(page), id: page.id };
      const { template } = page;
      if (template && !hasTemplate(template)) yield { ...at, path: ["template"], message: noSuchTemplate(template) };
      for (const [lang, { payload }] of Object.entries(page.drafts)) {
        const drafted = own(payload, "template");
        if (typeof drafted !== "string" || drafted === "" || hasTemplate(drafted)) continue;
        const message = `The draft cannot be published: ${noSuchTemplate(drafted)}`;
        yield { ...at, draft: lang, path: ["payload", "template"], message };
      }
    }
    for (const { id, default_template: template } of content.all(PAGE_MODELS)) {
      if (template === null || hasTemplate(template)) continue;
      yield { kind: PAGE_MODELS, id, path: ["default_template"], message: noSuchTemplate(template) };
    }
    yield* blockFindings(content, hasTemplate);
  };

/** Block types without a template, on a site that has one for some other: elsewhere sections are rendered by a front end. */
function* blockFindings(content: Reader, hasTemplate: HasTemplate): Generator<Finding> {
  const types = blockTypesIn(content).map((type) => ({ ...type, file: type.template || blockTemplate(type.name) }));
  if (!types.some(({ file }) => hasTemplate(file))) return;
  for (const { id, name, template, file } of types) {
    if (hasTemplate(file)) continue;
    const message = `${noSuchTemplate(file)} Visitors do not see blocks of the type "${name}".`;
    yield { kind: BLOCK_TYPES, id, path: template === "" ? [] : ["template"], message, severity: "warning" };
  }
}

/** The templates that pages name and that are no files, with the number of pages, in the order of the pages. */
export function foreignTemplates(content: Reader, hasTemplate: HasTemplate): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { template } of allPages(content))
    if (template && !hasTemplate(template)) found.set(template, (found.get(template) ?? 0) + 1);
  return found;
}
