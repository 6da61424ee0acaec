/** The language of the texts in a part of a form: browsers check their spelling, and screen readers pronounce them, by it. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** undefined where a text is in no language, as a key or an address. */
export const TextLanguage = createContext<string | undefined>(undefined);

/** Attributes of a control with a text. */
export interface LanguageAttributes {
  readonly lang: string | undefined;
  readonly dir: "ltr" | "rtl" | undefined;
}

export function useTextLanguage(): LanguageAttributes {
  const lang = useContext(TextLanguage);
  return { lang, dir: lang === undefined ? undefined : directionOf(lang) };
}

/** Languages that are written from right to left, unless their tag names another script. */
const RIGHT_TO_LEFT = ["ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"];
const SCRIPTS = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"];

/** @param lang a language tag, such as `fa` or `az-Arab` */
export function directionOf(lang: string): "ltr" | "rtl" {
  const [language = "", ...others] = lang.toLowerCase().split("-");
  const script = others.find((part) => part.length === 4);
  return (script ? SCRIPTS.includes(script) : RIGHT_TO_LEFT.includes(language)) ? "rtl" : "ltr";
}
