/** The pages of folders: those that have a file, and those that the generator makes without one. */
import { objectOf } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import { trimEnd } from "../../model/text/trim.ts";
import type { ImportedEntry, ImportedRedirect, Remark, SourceId } from "../imported-site.ts";
import { sourceLink } from "../texts/source-links.ts";
import { isArticle, titleFromName, type Document } from "./documents.ts";
import { pathOf, urlize, type Dialect } from "./generators/dialect.ts";

/** The translations of one page. */
export interface Group {
  readonly source: SourceId;
  /** That in the default language comes first. */
  readonly documents: readonly Document[];
}

export const listSource = (address: string): SourceId => `markdown:list${address}`;

/** A folder whose page the generator makes without a file. */
export interface List {
  readonly folders: readonly string[];
  /** In which it has no file. */
  readonly langs: readonly Lang[];
  /** The addresses in those. */
  readonly served: readonly string[];
}

/** By address without a language. */
export function listsOf(dialect: Dialect, documents: readonly Document[]): ReadonlyMap<string, List> {
  const lists = new Map<string, List>();
  if (!dialect.listsFolders) return lists;
  const inPath = dialect.inPath ?? urlize;
  const taken = new Set(documents.map(({ served }) => served));
  // The page of a section may have an address of its own.
  const seen = new Set(
    documents.flatMap(({ lang, folders, isIndex }) =>
      isIndex && folders.length < 2 ? [`${lang}/${folders[0] ?? ""}`] : [],
    ),
  );
  for (const { folders, lang, isIndex, published } of documents) {
    if ((isIndex && folders.length === 0) || published === undefined) continue;
    // Hugo lists the first level of folders only; deeper ones need a file.
    const [first] = folders;
    const section = `${lang}/${first ?? ""}`;
    if (seen.has(section)) continue;
    seen.add(section);
    const address = first === undefined ? "/" : pathOf(inPath(first));
    const served = folderAddress(dialect, first === undefined ? [] : [first], lang);
    const list = lists.get(address) ?? { folders: first === undefined ? [] : [first], langs: [], served: [] };
    if (taken.has(served) || list.langs.includes(lang)) continue;
    lists.set(address, { ...list, langs: [...list.langs, lang], served: [...list.served, served] });
  }
  return lists;
}

/** The address of the page of a folder that has no file. */
export const folderAddress = (dialect: Dialect, folders: readonly string[], lang: Lang): string =>
  dialect.addressOf({ ...FOLDER_PAGE, folders, lang }).path;

/** What a dialect is asked of it. */
const FOLDER_PAGE = {
  ...{ path: "", key: "", slug: "", title: "", langFolder: "", langSuffix: "" },
  ...{ data: {}, localDate: undefined, isIndex: true },
};

/** The addresses of the pages of folders, with a file or without one. */
export const folderAddresses = (
  documents: readonly Document[],
  lists: ReadonlyMap<string, List>,
): readonly string[] => [
  ...documents.flatMap(({ isIndex, served, published }) => (isIndex && published !== undefined ? [served] : [])),
  ...[...lists.values()].flatMap(({ served }) => served),
];

/** The pages of folders that have a file. */
export const indexesOf = (groups: readonly Group[]): ReadonlyMap<string, SourceId> =>
  new Map(
    groups.flatMap(({ source, documents }) =>
      documents.flatMap(({ isIndex, folders }) => (isIndex ? [[folders.join("/"), source] as const] : [])),
    ),
  );

/** The page of each folder that has one. */
export const parentsOf = (groups: readonly Group[], lists: ReadonlyMap<string, List>): ReadonlyMap<string, SourceId> =>
  new Map([
    ...[...lists].map(([address, { folders }]) => [folders.join("/"), listSource(address)] as const),
    ...indexesOf(groups),
  ]);

/** The page above: that of the folder, or of the next one above that has a page. */
export function pageAbove(
  folders: readonly string[],
  parents: ReadonlyMap<string, SourceId>,
  self: SourceId,
): SourceId | undefined {
  // The home page is above all, and no parent: permalinks would not differ, and breadcrumbs have it anyway.
  for (let depth = folders.length; depth > 0; depth--) {
    const found = parents.get(folders.slice(0, depth).join("/"));
    if (found !== undefined && found !== self) return found;
  }
  return undefined;
}

export function listEntry(
  address: string,
  { folders, langs, served }: List,
  { config }: Dialect,
  parents: ReadonlyMap<string, SourceId>,
  remark: (remark: Remark) => void,
): ImportedEntry {
  const source = listSource(address);
  const place = { file: folders.length === 0 ? config.file : `content/${folders.join("/")}` };
  const title = folders.length === 0 ? "Home" : titleFromName({ slug: "", folders }, "x.md");
  remark({ ...place, message: `The list at ${served.join(" and ")} has no file: it is a page called ${title}.` });
  const parent = pageAbove(folders.slice(0, -1), parents, source);
  const permalink = trimEnd(address, "/") || "/";
  return {
    source,
    place,
    model: "page",
    ...(parent !== undefined && { parent }),
    texts: objectOf(
      langs.map((lang, at) => [lang, { fields: { title }, permalink, published: "undated", served: [served[at]!] }]),
    ),
  };
}

/** Where addresses of tags lead: the page of the section with the most articles, else the home page. */
export function listingOf(
  documents: readonly Document[],
  groups: readonly Group[],
  lists: ReadonlyMap<string, List>,
): string {
  const counts = new Map<string, number>();
  for (const document of documents)
    if (isArticle(document)) counts.set(document.folders[0] ?? "", (counts.get(document.folders[0] ?? "") ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [""];
  const group = groups.find(({ documents: [first] }) => first!.isIndex && first!.folders.join("/") === most);
  if (group) return sourceLink(group.source);
  const list = [...lists].find(([, { folders }]) => folders.join("/") === most);
  return list ? sourceLink(listSource(list[0])) : "/";
}

/**
 * The feeds of a generator that has one for each list lead to the feed of the articles in their language.
 *
 * @param siteDefault the default language here. Where the old site had it below a prefix, its addresses without one are those
 *   of another language, which keeps them
 */
export function feedRedirects(
  { feedFile, config }: Dialect,
  documents: readonly Document[],
  listed: readonly string[],
  siteDefault: Lang,
): ImportedRedirect[] {
  if (feedFile === undefined) return [];
  const langOf = (address: string): Lang =>
    config.langs.find((each) => address.startsWith(`/${each}/`)) ?? config.defaultLang;
  const langs = new Set(documents.flatMap((each) => (isArticle(each) && each.published ? [each.lang] : [])));
  const homes = [...langs].map((lang) => (lang === config.defaultLang ? "/" : `/${lang}/`));
  return [...new Set([...homes, ...listed])].flatMap((address) => {
    const lang = langOf(address);
    if (!langs.has(lang) || (lang === siteDefault && lang !== config.defaultLang)) return [];
    const to = lang === siteDefault ? "/feed.xml" : `/${lang}/feed.xml`;
    const from = `${trimEnd(address.replace(/\.html$/, ""), "/")}/${feedFile}`;
    return [{ place: { file: config.file || "." }, from, to }];
  });
}
