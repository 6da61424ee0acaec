/** The translatable values of a write, whichever of the three ways they were sent (decisions.md 2). */
import { isObject, own, type Json } from "./json.ts";
import { findLang, splitSuffixed, type Lang, type Locales } from "./locale.ts";

export interface SentTexts {
  /** By language, then field. Every configured language has an entry. */
  readonly byLang: ReadonlyMap<Lang, ReadonlyMap<string, Json>>;
  /** Keys whose value should be an object and is none, with the value. */
  readonly misshapen: ReadonlyMap<string, Json>;
}

/**
 * Flat values belong to the active language; `translations.<lang>` goes before them, a suffixed key (`title_it`) before
 * both. Languages that are not configured are passed over.
 *
 * @param fields the translatable ones; others are not looked at
 */
export function sentTexts(body: { readonly [key: string]: Json }, locales: Locales, lang: Lang, fields: ReadonlySet<string>): SentTexts {
  const byLang = new Map(locales.codes.map((code) => [code, new Map<string, Json>()] as const));
  const misshapen = new Map<string, Json>();
  const put = (code: Lang, field: string, value: Json): void => {
    if (fields.has(field)) byLang.get(code)?.set(field, value);
  };
  for (const [key, value] of Object.entries(body)) put(lang, key, value);
  const translations = own(body, "translations");
  if (isObject(translations)) {
    for (const [key, values] of Object.entries(translations)) {
      const code = findLang(locales, key);
      if (code === undefined) continue;
      if (!isObject(values)) misshapen.set(`translations.${code}`, values);
      else for (const [field, value] of Object.entries(values)) put(code, field, value);
    }
  } else if (translations !== undefined) {
    misshapen.set("translations", translations);
  }
  for (const [key, value] of Object.entries(body)) {
    const suffixed = splitSuffixed(locales, key);
    if (suffixed) put(suffixed.lang, suffixed.field, value);
  }
  return { byLang, misshapen };
}
