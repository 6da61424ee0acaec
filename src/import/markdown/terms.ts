/** Terms of taxonomies: the tags of articles, and the addresses that the pages of tags had. */
import { isObject, objectOf, own, type JsonObject } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { ImportedTag, SourceId } from "../imported-site.ts";
import { pathOf, urlize, type Dialect } from "./generators/dialect.ts";
import { isArticle, type Document } from "./documents.ts";
import { folderAddress } from "./folder-pages.ts";
import { listOf } from "./field-values.ts";

export const tagSource = (name: string): SourceId => `markdown:tag/${name.toLowerCase()}`;

export const termsIn = ({ data }: Document, { field, separator }: Dialect["taxonomies"][number]): string[] => [
  ...listOf(own(data, field), separator),
  ...(field === "categories" && own(data, field) === undefined ? listOf(own(data, "category")) : []),
  ...listOf((isObject(own(data, "taxonomies")) ? (own(data, "taxonomies") as JsonObject) : {})[field]),
];

/** The terms of all taxonomies as tags, and the addresses of their pages. @param taken addresses that other pages have */
export function termsOf(
  dialect: Dialect,
  documents: readonly Document[],
  taken: readonly string[],
): { tags: ImportedTag[]; addresses: string[] } {
  const tags = new Map<SourceId, { document: Document; names: Map<Lang, string> }>();
  const addresses = new Set<string>();
  const { defaultLang } = dialect.config;
  const addAddress = (lang: Lang, ...names: readonly string[]): void => {
    const prefix = lang === defaultLang ? "" : `/${lang}`;
    addresses.add(
      dialect.listsFolders
        ? folderAddress(dialect, names, lang)
        : `${prefix}${pathOf(...names.map((name) => urlize(name)))}`,
    );
  };
  // A generator that lists folders lists taxonomies without terms, too.
  if (dialect.listsFolders)
    for (const lang of new Set(documents.map((document) => document.lang)))
      for (const { folder } of dialect.taxonomies) if (folder !== undefined) addAddress(lang, folder);
  // Thousands of documents share some terms.
  const known = new Set<string>();
  for (const document of documents)
    for (const taxonomy of dialect.taxonomies)
      for (const name of termsIn(document, taxonomy)) {
        const { field, folder } = taxonomy;
        const key = `${document.lang} ${isArticle(document)} ${field}\n${name}`;
        if (known.has(key)) continue;
        known.add(key);
        if (folder !== undefined) {
          addAddress(document.lang, folder);
          addAddress(document.lang, folder, name);
        }
        if (!isArticle(document)) continue;
        const tag = tags.get(tagSource(name)) ?? { document, names: new Map<Lang, string>() };
        if (!tag.names.has(document.lang)) tag.names.set(document.lang, name);
        tags.set(tagSource(name), tag);
      }
  return {
    tags: [...tags].map(([source, { document, names }]) => ({
      source,
      place: { file: document.path },
      names: objectOf(names),
    })),
    addresses: [...addresses].filter((address) => !taken.includes(address)),
  };
}
