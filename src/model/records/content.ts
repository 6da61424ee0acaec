/** A content block: a named text that belongs to a page or to the whole site. */
import { withFallback } from "../language/fallback.ts";
import type { Lang } from "../language/locale.ts";
import type { Id } from "../page/page.ts";

export interface Content {
  readonly id: Id;
  readonly identifier: string;
  /** The page it belongs to; null for one that belongs to the whole site. */
  readonly page: Id | null;
  /** By language; "" where there is none. */
  readonly content: { readonly [lang: Lang]: string };
}

export const IDENTIFIER_MAX = 255;

/** The text in a language, falling back to the default language. */
export const contentIn = (block: Content, lang: Lang, defaultLang: Lang): string =>
  withFallback((each) => block.content[each] ?? "", lang, defaultLang, false);
