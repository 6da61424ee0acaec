/** What fields are called that are known by their names alone. */
import { text } from "../i18n.ts";
import { PAGE_FIELDS } from "../pages/page-fields.ts";
import { languages, suffixOf } from "../site.ts";

/** A name of a field as a label: `lead_text` as `Lead text`. */
export const labelOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

/** What a field is called where its whole path is shown. */
export const pathLabel = (path: readonly string[]): string => path.map(partLabel).join(" › ");

/** A later part may be a language, or the index of an item, which people count from 1. */
export function partLabel(part: string, at: number): string {
  if (at === 0) return knownLabel(part) ?? labelOf(part);
  if (/^\d+$/.test(part)) return String(Number(part) + 1);
  return languages.value.find(({ id }) => id === part)?.name ?? labelOf(part);
}

/** What a field of pages is called, `title_it` with its language; undefined: it is none. */
export function knownLabel(name: string): string | undefined {
  if (PAGE_FIELDS[name]) return text(PAGE_FIELDS[name].label);
  const language = languages.value.find(({ id }) => name.endsWith(suffixOf(id)));
  const own = language && PAGE_FIELDS[name.slice(0, -suffixOf(language.id).length)];
  return own && `${text(own.label)} (${language.name})`;
}
