/**
 * Which language a post or term is in, and which are translations of each other: as Polylang exports it, as terms of the
 * taxonomies `language` and `post_translations`, and WPML, as custom fields.
 */
import { isObject, type Json } from "../../model/input/json.ts";
import { findLang, type Lang, type Locales } from "../../model/language/locale.ts";
import { readPhpValue } from "./php-value.ts";
import { metaOf, type WordPressExport, type WordPressItem, type WordPressTerm } from "./wxr.ts";

export interface Translations {
  /** The language of a post among those of the site; undefined where it is in a language that the site does not have. */
  langOf(item: WordPressItem): Lang | undefined;
  /** The language as the source names it; undefined for none. */
  namedLang(item: WordPressItem): string | undefined;
  /** Names the group of a post and its translations; undefined for a post without any. */
  groupOf(item: WordPressItem): string | undefined;
  langOfTerm(term: WordPressTerm): Lang | undefined;
  /** The terms with the translations of a term, itself among them. */
  translationsOf(term: WordPressTerm): readonly WordPressTerm[];
}

/** Taxonomies that say how posts and terms are translated, which are no tags of anything. */
export const LANGUAGE_TAXONOMIES: ReadonlySet<string> = new Set([
  "language",
  "term_language",
  "post_translations",
  "term_translations",
  "translation_priority",
]);

const WPML_LANGUAGE = "_wpml_import_language_code";
const WPML_GROUP = "_wpml_import_translation_group";
/** Custom fields that only say what is read here. */
export const LANGUAGE_META: ReadonlySet<string> = new Set([
  WPML_LANGUAGE,
  WPML_GROUP,
  "_wpml_import_source_language_code",
]);

/** What is in no language of its own is in that of the export, if the site has it, else in the default one. */
export function translationsIn(source: WordPressExport, locales: Locales): Translations {
  const usual = findLocale(locales, source.language) ?? locales.default;
  const groups = new Map<number, readonly WordPressTerm[]>();
  const languages = new Map<number, string>();
  const byId = new Map(source.terms.filter(({ id }) => id > 0).map((term) => [term.id, term]));
  for (const { taxonomy, description } of source.terms) {
    if (taxonomy !== "term_translations") continue;
    const ids = idsByLang(readPhpValue(description));
    const members = ids.flatMap(([, id]) => byId.get(id) ?? []);
    for (const [lang, id] of ids) {
      languages.set(id, lang);
      groups.set(id, members);
    }
  }
  const namedLang = (item: WordPressItem): string | undefined =>
    item.terms.find(({ taxonomy }) => taxonomy === "language")?.slug || metaOf(item, WPML_LANGUAGE) || undefined;
  return {
    namedLang,
    langOf(item) {
      const named = namedLang(item);
      return named === undefined ? usual : findLocale(locales, named);
    },
    groupOf: (item) =>
      item.terms.find(({ taxonomy }) => taxonomy === "post_translations")?.slug ||
      metaOf(item, WPML_GROUP) ||
      undefined,
    langOfTerm(term) {
      const named = languages.get(term.id);
      return named === undefined ? usual : findLocale(locales, named);
    },
    translationsOf: (term) => groups.get(term.id) ?? [term],
  };
}

/** `{ en: 3, it: 9 }`; keys of synchronisation are beside those of languages. */
const idsByLang = (value: Json | undefined): readonly (readonly [string, number])[] =>
  isObject(value)
    ? Object.entries(value)
        .slice(0, LANGUAGES_MAX)
        .flatMap(([lang, id]) => (typeof id === "number" ? [[lang, id] as const] : []))
    : [];

/** More translations of one term are none. */
const LANGUAGES_MAX = 200;

/** The language of a code or of a locale: `it`, `it-IT`, `it_IT`. */
function findLocale(locales: Locales, code: string): Lang | undefined {
  const name = code.replaceAll("_", "-");
  return findLang(locales, name) ?? findLang(locales, name.split("-")[0]!);
}
