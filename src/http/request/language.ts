/** The language of a request. */
import { findLang, preferredLang, type Lang, type Locales } from "../../model/language/locale.ts";
import { cookieOf } from "./cookies.ts";
import type { RequestHeaders } from "./request.ts";

/**
 * The first configured language of `?language=`, `?language_code=`, the cookie and the header; else the default one.
 */
export function activeLang(locales: Locales, query: URLSearchParams, headers: RequestHeaders): Lang {
  const named = (code: string | null | undefined): Lang | undefined =>
    code ? findLang(locales, code.replace(/^nofallbacks-/i, "")) : undefined;
  return (
    named(query.get("language")) ??
    named(query.get("language_code")) ??
    named(cookieOf(headers, "django_language")) ??
    preferredLang(locales, headers.get("accept-language") ?? "") ??
    locales.default
  );
}
