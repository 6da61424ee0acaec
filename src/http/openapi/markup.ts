/** HTML from templates, in which every value is escaped unless it is HTML already. */
import { escapeHtml } from "../../model/text/html-tokens.ts";

/** HTML that may stand in a page as it is. */
export interface Markup {
  readonly html: string;
}

type Value = Markup | string | number | undefined | false | readonly Value[];

const shown = (value: Value): string => {
  if (value === undefined || value === false) return "";
  if (typeof value === "object") return isList(value) ? value.map(shown).join("") : value.html;
  return escapeHtml(String(value));
};

const isList = (value: Markup | readonly Value[]): value is readonly Value[] => Array.isArray(value);

/** A template: `undefined` and `false` print nothing, a list each of its items. */
export const markup = (strings: readonly string[], ...values: readonly Value[]): Markup => ({
  html: strings.map((text, at) => text + (at < values.length ? shown(values[at]) : "")).join(""),
});

/** HTML that does not come from values. */
export const raw = (html: string): Markup => ({ html });
