/** A content block: a piece of text with a name, on a page or on its own for the whole site. */
import type { Lang } from "./locale.ts";
import type { Id } from "./page.ts";

export interface Content {
  readonly id: Id;
  readonly identifier: string;
  /** The page it belongs to; null for one that belongs to the whole site. */
  readonly page: Id | null;
  /** By language; "" where there is none. */
  readonly content: { readonly [lang: Lang]: string };
}

export const IDENTIFIER_MAX = 255;

/** The text in a language, the default one's where it has none (contract.md 8.3). */
export const contentIn = (block: Content, lang: Lang, defaultLang: Lang): string => block.content[lang] || (block.content[defaultLang] ?? "");
