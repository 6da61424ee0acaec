/** Page models as the API names and numbers them (decisions.md 7 and 32). */
import { ARTICLE_MODEL, PAGE_MODEL } from "./page.ts";

export interface ContentType {
  /** Stable: clients keep it. */
  readonly id: number;
  readonly app_label: string;
  readonly model: string;
}

/** Below this, ids are given by hand to what is built in. */
const DERIVED_FROM = 1000;

/** The number and name of a page model. A custom one's number is derived from its name, the same in every clone. */
export function contentTypeOf(model: string): ContentType {
  if (model === PAGE_MODEL) return { id: 1, app_label: "cms", model };
  if (model === ARTICLE_MODEL) return { id: 2, app_label: "cms", model };
  let sum = 0x811c9dc5;
  for (const character of model) sum = Math.imul(sum ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return { id: DERIVED_FROM + (sum % (2 ** 31 - DERIVED_FROM)), app_label: "pages", model: model.toLowerCase() };
}

/** `cms_page`, `cms_article`, `pages_<name>`. */
export function relatedName(model: string): string {
  const type = contentTypeOf(model);
  return `${type.app_label}_${type.model}`;
}
