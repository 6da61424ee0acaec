/** The page models and templates of the site, asked for once. */
import { get } from "../api.ts";
import type { Definitions } from "../fields/definition.ts";

export interface PageModel {
  readonly name: string;
  readonly related_name: string;
  readonly schema: Definitions;
}

let models: Promise<readonly PageModel[]> | undefined;
let templates: Promise<readonly string[]> | undefined;

/** @param relatedName as the payload of the page has it @returns undefined for pages without declared fields */
export async function modelOfPage(relatedName: string): Promise<PageModel | undefined> {
  models ??= get<readonly PageModel[]>("page-models/");
  const known = await models.catch((error: unknown) => {
    models = undefined;
    throw error;
  });
  return known.find((model) => model.related_name === relatedName);
}

/** Those in a folder called `pages`: others are parts of them. */
export async function pageTemplates(): Promise<readonly string[]> {
  templates ??= get<readonly string[]>("templates/");
  const all = await templates.catch(() => {
    templates = undefined;
    return [];
  });
  return all.filter((name) => /(?:^|\/)pages\//.test(name));
}
