/** The names and numeric ids of page models in the API. */
import { ARTICLE_MODEL, PAGE_MODEL } from "./page.ts";

export interface ContentType {
  /** Stable, because clients store it. */
  readonly id: number;
  readonly app_label: string;
  readonly model: string;
}

/** Ids below are reserved for built-in models. */
const DERIVED_FROM = 1000;

/**
 * The content type of a page model. The id of a custom model is a hash (FNV-1a) of its name, the same in every clone.
 */
export function contentTypeOf(model: string): ContentType {
  if (model === PAGE_MODEL) return { id: 1, app_label: "cms", model };
  if (model === ARTICLE_MODEL) return { id: 2, app_label: "cms", model };
  let sum = 0x811c9dc5;
  for (const character of model) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return { id: DERIVED_FROM + (sum % (2 ** 31 - DERIVED_FROM)), app_label: "pages", model: model.toLowerCase() };
}

/** `cms_page`, `cms_article`, `pages_<name>`. */
export function relatedName(model: string): string {
  const type = contentTypeOf(model);
  return `${type.app_label}_${type.model}`;
}
