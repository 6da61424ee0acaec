/** The page models and templates of the site, asked for once. */
import { get } from "../api.ts";
import { loadBlockTypes } from "../fields/blocks/block-types.ts";
import type { Definitions } from "../fields/definition.ts";
import { text } from "../i18n.ts";
import { PAGE_FIELDS } from "./page-fields.ts";

export interface PageModel {
  readonly name: string;
  readonly related_name: string;
  readonly schema: Definitions;
}

let models: Promise<readonly PageModel[]> | undefined;
let templates: Promise<readonly string[]> | undefined;

export async function pageModels(): Promise<readonly PageModel[]> {
  models ??= Promise.all([get<readonly PageModel[]>("page-models/"), loadBlockTypes()]).then(([found]) => found);
  return models.catch((error: unknown) => {
    models = undefined;
    throw error;
  });
}

/** @param relatedName as the payload of the page has it @returns undefined for pages without declared fields */
export async function modelOfPage(relatedName: string): Promise<PageModel | undefined> {
  return (await pageModels()).find((model) => model.related_name === relatedName);
}

/** The fields of a page, with those that its model declares. */
export const definitionsOfPage = (model: PageModel | undefined): Definitions =>
  Object.entries(PAGE_FIELDS).map(([name, { label, hint, ...field }]) => ({
    ...field,
    ...{ name, label: text(label), hint: hint && text(hint) },
    ...(name === "template_data" && model && { kind: "group", children: model.schema }),
  }));

/** Those in a folder called `pages` or `articles`: others are parts of them. */
export async function pageTemplates(folder: string): Promise<readonly string[]> {
  templates ??= get<readonly string[]>("templates/");
  const all = await templates.catch(() => {
    templates = undefined;
    return [];
  });
  return all.filter((name) => name.split("/").slice(0, -1).includes(folder));
}

/** Articles and pages have actions of their own in the API. @throws ApiError when there is neither */
export async function collectionOf(page: number): Promise<"pages" | "articles"> {
  const isPage = await get(`pages/${page}/?fields=id`).then(
    () => true,
    () => false,
  );
  if (!isPage) await get(`articles/${page}/?fields=id`);
  return isPage ? "pages" : "articles";
}
