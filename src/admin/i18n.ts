/** The language of the editor's own texts: chosen once, else that of the browser. */
import { effect, signal } from "@preact/signals";
import { EN, type TextKey, type Texts } from "./texts/en.ts";
import { IT } from "./texts/it.ts";

/** The languages of the editor, by code. Each has its name in itself. */
export const LANGUAGES: Readonly<Record<string, { readonly name: string; readonly texts: Texts }>> = {
  en: { name: "English", texts: EN },
  it: { name: "Italiano", texts: IT },
};
const STORED = "git-cms.language";

export const uiLanguage = signal(initialLanguage());

effect(() => void (document.documentElement.lang = uiLanguage.value));

export function chooseLanguage(language: string): void {
  uiLanguage.value = language;
  localStorage.setItem(STORED, language);
}

function initialLanguage(): string {
  const wanted = [localStorage.getItem(STORED) ?? "", ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((language) => language in LANGUAGES) ?? "en";
}

/** @param values replace `{name}` in the text */
export function text(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const pattern = (LANGUAGES[uiLanguage.value]?.texts ?? EN)[key];
  return pattern.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}

/** The language of the editor's texts as it is written where the reader is: `en-GB`. */
const locale = (): string =>
  navigator.languages.find((tag) => tag.slice(0, 2) === uiLanguage.value) ?? uiLanguage.value;

/** A moment in the zone of the browser. @param iso ISO 8601 */
export const showMoment = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

export const showDay = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(iso));
