/**
 * The context of a read: content, language, time, and surface.
 *
 * Every payload is a pure function of a View; there is no "current language" and no hidden clock.
 */
import type { Config } from "../config.ts";
import type { Account } from "../model/account/account.ts";
import type { Instant } from "../model/time/instant.ts";
import { encodePath, publicPath, type Lang, type Locales } from "../model/language/locale.ts";
import { isPublic } from "../model/page/lifecycle.ts";
import { permalinkIn, type PageSummary } from "../model/page/page.ts";
import { addressError } from "../model/address/possible-names.ts";
import type { Reader } from "../store/records/record-type.ts";

/**
 * Where a payload is served, which decides what it may show: on the public site; in previews, which show hidden pages
 * and drafts; by the editor endpoints, which show everything.
 */
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
  /** The accounts that references may show; only set for staff. */
  readonly accounts?: readonly Account[];
}

/** A record as it is served. */
export type Payload = { readonly [key: string]: unknown };

/**
 * The page's root-relative URL in a language, percent-encoded; null without a permalink, and with one
 * at which no page can be.
 */
export function routerlink(view: View, page: PageSummary, lang: Lang = view.lang): string | null {
  const permalink = permalinkIn(page, lang);
  if (permalink === null || addressError(view.locales, lang, permalink) !== undefined) return null;
  return encodePath(publicPath(view.locales, lang, permalink, view.config.APPEND_SLASH));
}

/** Whether a page is visible to this reader in a language. */
export const mayShow = (view: View, page: PageSummary, lang: Lang = view.lang): boolean =>
  view.surface !== "public" || isPublic(page, lang, view.now);
