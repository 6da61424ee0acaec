/** A tag of articles: a name in each language. */
import type { Lang } from "./locale.ts";
import type { Id } from "./page.ts";

export interface Tag {
  readonly id: Id;
  /** Unique within a language; a language may have none. */
  readonly name: { readonly [lang: Lang]: string };
}

export const TAG_NAME_MAX = 200;

/** The name in a language, falling back to the default language; null for neither. */
export const tagName = (tag: Tag, lang: Lang, defaultLang: Lang): string | null =>
  tag.name[lang] ?? tag.name[defaultLang] ?? null;
