/** Categories and tags of an export as tags; where their lists were. */
import type { Lang, Locales } from "../../model/language/locale.ts";
import { slugify } from "../../model/address/slug.ts";
import type { ImportedRedirect, ImportedTag, Remark, SourceId } from "../imported-site.ts";
import { decodeEntities } from "../../model/text/html-tokens.ts";
import { ARTICLE_MODEL } from "../../model/page/page-field-table.ts";
import { pathOfItem, type Posts } from "./posts.ts";
import { wasPublic } from "./publication.ts";
import type { WordPressExport, WordPressItem, WordPressTerm } from "./wxr.ts";

/** Taxonomies whose terms become tags, with the beginning of their addresses. */
export interface TagAddresses {
  readonly category: string;
  readonly post_tag: string;
  readonly author: string;
  /** Path that lists of posts redirect to: the page of the new site that has them. */
  readonly posts: string;
}

interface TagSources {
  readonly source: WordPressExport;
  readonly posts: Posts;
  readonly addresses: TagAddresses;
  readonly locales: Locales;
  /** The name of the export. */
  readonly file: string;
  /** What could not be carried is added. */
  readonly remarks: Remark[];
}

export interface WordPressTags {
  readonly all: readonly ImportedTag[];
  /** The tags of a post. */
  of(item: WordPressItem): readonly SourceId[];
  readonly redirects: readonly ImportedRedirect[];
}

const isTagTaxonomy = (taxonomy: string): taxonomy is "category" | "post_tag" =>
  taxonomy === "category" || taxonomy === "post_tag";

const keyOf = (taxonomy: string, slug: string): string => `${taxonomy} ${slug}`;

/**
 * One tag for all terms that are translations of each other, and for those with the same name: a category and a tag that are
 * called the same are one tag here.
 */
export function tagsIn({ source, posts: read, remarks, ...lists }: TagSources): WordPressTags {
  const { translations, all: posts } = read;
  const terms = termsOf(
    source,
    posts.flatMap(({ versions }) => [...versions.values()]),
  );
  const tags = new Map<SourceId, { file: string; line: number; names: Map<Lang, string> }>();
  const byKey = new Map<string, SourceId>();
  const byName = new Map<string, SourceId>();
  for (const term of terms) {
    const group = translations.translationsOf(term).filter(({ taxonomy }) => taxonomy === term.taxonomy);
    const known = group
      .map(({ taxonomy, slug }) => byKey.get(keyOf(taxonomy, slug)))
      .find((each) => each !== undefined);
    const lang = translations.langOfTerm(term);
    if (lang === undefined) continue;
    const name = decodeEntities(term.name) || term.slug;
    const nameKey = `${lang} ${name.toLowerCase()}`;
    const id = known ?? byName.get(nameKey) ?? `wordpress:${term.taxonomy}:${term.slug}`;
    const tag = tags.get(id) ?? { file: term.file, line: term.line, names: new Map<Lang, string>() };
    if (!tag.names.has(lang)) tag.names.set(lang, name);
    tags.set(id, tag);
    byKey.set(keyOf(term.taxonomy, term.slug), id);
    byName.set(nameKey, id);
  }
  const nested = terms.find(({ parent, taxonomy }) => parent !== "" && taxonomy === "category");
  if (nested) {
    const message = "Categories are below others. Tags are not: each is a tag by itself.";
    remarks.push({ file: nested.file, line: nested.line, message });
  }
  return {
    all: [...tags].map(([id, { file: named, line, names }]) => ({
      source: id,
      place: { file: named, line },
      names: Object.fromEntries(names),
    })),
    of: (item) => [...new Set(item.terms.flatMap(({ taxonomy, slug }) => byKey.get(keyOf(taxonomy, slug)) ?? []))],
    redirects: [...listRedirects({ source, ...lists }, terms, translations.langOfTerm)],
  };
}

/** The terms of the export, and those that it names at posts only. */
function termsOf(source: WordPressExport, items: readonly WordPressItem[]): readonly WordPressTerm[] {
  const found = new Map<string, WordPressTerm>();
  for (const term of source.terms) if (isTagTaxonomy(term.taxonomy)) found.set(keyOf(term.taxonomy, term.slug), term);
  for (const { file, line, terms } of items) {
    for (const { taxonomy, slug, name } of terms) {
      const key = keyOf(taxonomy, slug);
      if (isTagTaxonomy(taxonomy) && slug !== "" && !found.has(key))
        found.set(key, { file, line, id: 0, taxonomy, slug, name, parent: "", description: "" });
    }
  }
  return [...found.values()];
}

/** The lists of posts by category, tag and author. */
function* listRedirects(
  { source, addresses, locales, file }: Omit<TagSources, "posts" | "remarks">,
  terms: readonly WordPressTerm[],
  langOf: (term: WordPressTerm) => Lang | undefined,
): Generator<ImportedRedirect> {
  const base = basePath(source.link);
  const to = (lang: Lang): string => (lang === locales.default ? addresses.posts : `/${lang}${addresses.posts}`);
  const slugs = new Map(terms.filter(({ taxonomy }) => taxonomy === "category").map((term) => [term.slug, term]));
  for (const term of terms) {
    const lang = langOf(term);
    if (lang === undefined || !isTagTaxonomy(term.taxonomy)) continue;
    const prefix = lang === locales.default ? "" : `/${lang}`;
    for (const path of new Set([pathOfTerm(term, slugs), term.slug]))
      yield {
        place: { file: term.file, line: term.line },
        from: `${base}${prefix}${addresses[term.taxonomy]}/${path}`,
        to: to(lang),
      };
  }
  for (const { login } of source.authors) {
    const slug = slugify(login);
    if (slug !== "") yield { place: { file }, from: `${base}${addresses.author}/${slug}`, to: to(locales.default) };
  }
}

/** The slugs of a category and those above it. */
function pathOfTerm(term: WordPressTerm, bySlug: ReadonlyMap<string, WordPressTerm>): string {
  const path = [term.slug];
  for (let above = bySlug.get(term.parent); above && path.length < LEVELS_MAX; above = bySlug.get(above.parent))
    path.unshift(above.slug);
  return path.join("/");
}

/** Categories that are above themselves end here, too. */
const LEVELS_MAX = 10;

/** The path of the home page of a site in a folder; "" for one at the root of its host. */
export const basePath = (link: string): string => (URL.canParse(link) ? new URL(link).pathname.replace(/\/$/, "") : "");

/** The lists of posts of a year and a month, and of a day where posts have it in their addresses. */
export function* dateRedirects(
  posts: Posts,
  link: string,
  addresses: TagAddresses,
  locales: Locales,
): Generator<ImportedRedirect> {
  const known = new Set<string>();
  for (const { model, versions } of posts.all)
    for (const [lang, item] of model === ARTICLE_MODEL ? versions : []) {
      const [year = "", month = "", day = ""] = item.date.slice(0, 10).split("-");
      const path = pathOfItem(item, posts.site);
      if (!wasPublic(item) || path === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(item.date.slice(0, 10))) continue;
      const at = path.indexOf(`/${year}/${month}/`);
      const prefix = lang === locales.default ? "" : `/${lang}`;
      const front = at < 0 ? `${basePath(link)}${prefix}` : path.slice(0, at);
      const hasDay = at >= 0 && path.startsWith(`/${year}/${month}/${day}/`, at);
      for (const from of [`/${year}`, `/${year}/${month}`, ...(hasDay ? [`/${year}/${month}/${day}`] : [])]) {
        const address = front + from;
        if (known.has(address) || posts.byPath(address)) continue;
        known.add(address);
        yield { place: { file: item.file, line: item.line }, from: address, to: `${prefix}${addresses.posts}` };
      }
    }
}
