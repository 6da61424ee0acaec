/**
 * One reader's standpoint: some content, a language, a moment, and who is looking.
 *
 * Every payload is a plain function of a View; there is no "current language" and no hidden clock.
 */
import type { Config } from "../config.ts";
import type { Account } from "../model/account.ts";
import type { Instant } from "../model/instant.ts";
import { encodePath, publicPath, type Lang, type Locales } from "../model/locale.ts";
import { isPublic } from "../model/lifecycle.ts";
import { textOf, type Page } from "../model/page.ts";
import type { Reader } from "../store/kind.ts";

/** Who looks: anybody, somebody allowed to see what is not public yet, or an editor at work. */
export type Surface = "public" | "preview" | "editor";

export interface View {
  readonly content: Reader;
  readonly config: Config;
  readonly locales: Locales;
  readonly lang: Lang;
  readonly now: Instant;
  readonly surface: Surface;
  /** Scheme and host in front of absolute URLs, without a final slash; "" leaves them root-relative. */
  readonly origin: string;
  /** Whom references may show, where the reader is staff; accounts are no content, so nobody else sees any. */
  readonly accounts?: readonly Account[];
}

/** What a record looks like in an answer. */
export type Payload = { readonly [key: string]: unknown };

/** The page's root-relative URL in a language, percent-encoded; null without a permalink (contract.md 6.7). */
export function routerlink(view: View, page: Page, lang: Lang = view.lang): string | null {
  const { permalink } = textOf(page, lang);
  return permalink === null ? null : encodePath(publicPath(view.locales, lang, permalink, view.config.APPEND_SLASH));
}

/** Whether this reader may know of a page in a language at all. */
export const mayShow = (view: View, page: Page, lang: Lang = view.lang): boolean =>
  view.surface !== "public" || isPublic(page, lang, view.now);
