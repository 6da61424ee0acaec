/** Collects the translatable values of a write from the three forms they can be sent in. */
import { isObject, own, type Json } from "./json.ts";
import { findLang, splitSuffixed, type Lang, type Locales } from "../language/locale.ts";

interface SentTexts {
  /** By language, then by field. Every configured language has an entry. */
  readonly byLang: ReadonlyMap<Lang, ReadonlyMap<string, Json>>;
  /** Values that should be objects and are not, by key. */
  readonly malformed: ReadonlyMap<string, Json>;
}

/**
 * Flat values belong to the active language; `translations.<lang>` overrides them, a suffixed key (`title_it`) both.
 * Languages that are not configured are ignored.
 *
 * @param fields the translatable fields; others are ignored
 */
export function sentTexts(
  body: { readonly [key: string]: Json },
  locales: Locales,
  lang: Lang,
  fields: Pick<ReadonlySet<string>, "has">,
): SentTexts {
  const byLang = new Map(locales.codes.map((code) => [code, new Map<string, Json>()] as const));
  const malformed = new Map<string, Json>();
  const put = (code: Lang, field: string, value: Json): void => {
    if (fields.has(field)) byLang.get(code)?.set(field, value);
  };
  for (const [key, value] of Object.entries(body)) put(lang, key, value);
  const translations = own(body, "translations");
  if (isObject(translations)) {
    for (const [key, values] of Object.entries(translations)) {
      const code = findLang(locales, key);
      if (code === undefined) continue;
      if (!isObject(values)) malformed.set(`translations.${code}`, values);
      else for (const [field, value] of Object.entries(values)) put(code, field, value);
    }
  } else if (translations !== undefined) {
    malformed.set("translations", translations);
  }
  for (const [key, value] of Object.entries(body)) {
    const suffixed = splitSuffixed(locales, key);
    if (suffixed) put(suffixed.lang, suffixed.field, value);
  }
  return { byLang, malformed };
}
