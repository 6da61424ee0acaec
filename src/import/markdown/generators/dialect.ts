/**
 * The dialects of Markdown sites: which files are content, in which language, and at which address each is served.
 *
 * A dialect knows paths and front matter only. What the fields of front matter mean is the same for all (`fields.ts`).
 */
import type { JsonObject } from "../../../model/input/json.ts";
import type { Lang } from "../../../model/language/locale.ts";
import type { Instant } from "../../../model/time/instant.ts";
import type { ImportedRedirect, Remark } from "../../imported-site.ts";
import type { SplitFile } from "../front-matter.ts";
import type { TemplateLanguage } from "../template-tags.ts";
import type { SourcePath, SourceTree } from "../source-tree.ts";

export const DIALECTS = ["hugo", "jekyll", "astro", "eleventy", "decap", "plain"] as const;
export type DialectName = (typeof DIALECTS)[number];

/** What a path says of a file of content. */
export interface ContentPlace {
  /** undefined: the path does not say. */
  readonly lang: Lang | undefined;
  /** The folder that names the language, and the end of the name that does, as written: `it`, `.it`; "" for none. */
  readonly langFolder: string;
  readonly langSuffix: string;
  /** The path without language and extension, the same for all translations of a page. */
  readonly key: string;
  /** The folders above, below the content folder: the section of the page. */
  readonly folders: readonly string[];
  /** Whether it is the page of its folder. */
  readonly isIndex: boolean;
  /** The last part of its address, unless front matter has another; "" for an index. */
  readonly slug: string;
  /** `YYYY-MM-DD` of the file name. */
  readonly date?: string | undefined;
  /** Whether it is a post by its place, as in `_posts`. */
  readonly isPost?: boolean;
  /** A sentence, where its place says that the old site did not show it: it becomes a draft. */
  readonly hidden?: string;
  /** Name of the collection, if there are any. */
  readonly collection?: string;
}

/** A file of content that was read. */
export interface Located extends ContentPlace {
  readonly path: SourcePath;
  readonly lang: Lang;
  readonly data: JsonObject;
  /** Title of the page, for addresses that have it. */
  readonly title: string;
  /** `YYYY-MM-DDThh:mm:ss.sssZ` in the source's own zone, as its addresses show it; undefined without a date. */
  readonly localDate: string | undefined;
}

export interface Dialect {
  readonly name: DialectName;
  readonly config: SourceConfig;
  /** undefined: the file is no content. */
  placeOf(path: SourcePath): ContentPlace | undefined;
  /** The keys of front matter as they are read here, with what the name of the file adds; absent: as they are written. */
  withKnownKeys?(data: JsonObject, path: SourcePath): JsonObject;
  /** The keys of the date that addresses have, the first that is there counts; absent: the date of the publication. */
  readonly addressDates?: readonly string[];
  /** Whether the old site showed what has a date in the future; absent: that is not known, and it is scheduled. */
  showsFuture?(place: ContentPlace): boolean;
  /** Values for files that lack them, such as data of their folder. */
  defaultsFor?(path: SourcePath): JsonObject;
  /** Whether a former address without a slash at its start is one of the site, not of the folder of the page. */
  readonly hasRootedAliases?: boolean;
  /** Redirects of the configuration. */
  readonly redirects?: readonly ImportedRedirect[];
  /** The texts of a file that has those of several languages; undefined for one that has its own alone. */
  textsIn?(path: SourcePath, split: SplitFile): readonly (SplitFile & { readonly lang: Lang })[] | undefined;
  /** Where a file was served. */
  addressOf(file: Located): Address;
  /** The address of a file that is copied as it is, such as a picture; undefined: it has none of its own. */
  fileAddress(path: SourcePath): string | undefined;
  /** Whether a file without front matter is content. */
  readonly takesPlainFiles: boolean;
  /** The same, by its place. */
  takesPlainFile?(place: ContentPlace): boolean;
  /** Fields of front matter that are taxonomies, and whether their terms have pages: `/tags/x/`. */
  readonly taxonomies: readonly {
    readonly field: string;
    readonly folder: string | undefined;
    /** Between the terms of one text; absent: commas. */
    readonly separator?: RegExp;
  }[];
  /** Whether a folder has a page without a file, as the lists of Hugo. */
  readonly listsFolders?: boolean;
  /** How it divides long lists; absent: it does not, or nothing says so. */
  readonly pagination?: Pagination | undefined;
  /** The part of an address that a name of a folder or a term becomes; absent: `urlize`. */
  inPath?(name: string): string;
  /** The folder of the source that the generator writes the site into, whose files are none of the source. */
  readonly output?: SourcePath;
  /** The file of the feed that each section and each term has beside its page; absent: the generator makes none. */
  readonly feedFile?: string;
  /** What is told of each block of HTML in Markdown, where the generator left them out. */
  readonly hidesHtml?: string | undefined;
  /** The language of templates that the generator runs over the text of a file with this front matter; undefined: none. */
  templatesIn?(data: JsonObject): TemplateLanguage | undefined;
  /** The folder below which the addresses of such pages begin, with a slash at its end; absent: that of the usual name. */
  readonly pagesFolder?: string;
  /** Files of templates that are pages of their own, such as `index.njk`. */
  isTemplatePage?(path: SourcePath): boolean;
}

/** How a generator divides lists. */
export interface Pagination {
  /** Entries of a page of a list. */
  readonly size: number;
  /** The address of the only list that is divided, that of all posts; absent: the lists of all folders are. */
  readonly posts?: string;
  /** The address of a page, the first being 1, unless that is the list itself. @param list the address of the list */
  pageOf(list: string, page: number): string | undefined;
}

export interface Address {
  /** As it was, with its language where it had one: `/it/posts/a/`. */
  readonly path: string;
  /** Without the language, where that is not just a first folder: `/blog/a/` for `/blog/it/a/`. */
  readonly unprefixed?: string;
  /** Why it may be another one. */
  readonly remark?: string;
  /** Whether the old site did not show it: it becomes a draft. */
  readonly isHidden?: boolean;
}

/** What the configuration of the source says. */
export interface SourceConfig {
  readonly data: JsonObject;
  /** The file it was read from, for messages. */
  readonly file: SourcePath;
  /** Origin and path that links to the own site begin with: `https://example.org/blog`. */
  readonly baseUrl: string | undefined;
  /** Path of the site below its host, without a final slash: `/blog`; "" for none. */
  readonly basePath: string;
  readonly defaultLang: Lang;
  /** The default one among them. */
  readonly langs: readonly Lang[];
  readonly timeZone: string | undefined;
}

export interface DialectContext {
  readonly tree: SourceTree;
  /** Languages of the site here. */
  readonly langs: readonly Lang[];
  readonly defaultLang: Lang;
  /** What has a later date is not public yet. */
  readonly now: Instant;
  /** Text of a file of the source. */
  read(path: SourcePath): Promise<string>;
  remark(remark: Remark): void;
}

/** What a path says of a language: by its first folder, or by the end of its name. */
export function cutLang(
  folders: readonly string[],
  stem: string,
  langs: readonly Lang[],
): Pick<ContentPlace, "lang" | "langFolder" | "langSuffix" | "folders"> & { readonly stem: string } {
  const [first = ""] = folders;
  const byFolder = langIn(first, langs);
  const dot = stem.lastIndexOf(".");
  const bySuffix = dot > 0 ? langIn(stem.slice(dot + 1), langs) : undefined;
  return {
    lang: bySuffix ?? byFolder,
    langFolder: byFolder === undefined ? "" : first,
    langSuffix: bySuffix === undefined ? "" : stem.slice(dot),
    folders: byFolder === undefined ? folders : folders.slice(1),
    stem: bySuffix === undefined ? stem : stem.slice(0, dot),
  };
}

export const langIn = (name: string, langs: readonly Lang[]): Lang | undefined =>
  langs.find((lang) => lang.toLowerCase() === name.toLowerCase().replaceAll("_", "-"));

/** The address of a file whose generator knows no languages: that of its path. */
export const servedByPath = (
  { langFolder, langSuffix, folders }: Pick<Located, "langFolder" | "langSuffix" | "folders">,
  slug: string,
): Address => ({
  path: pathOf(langFolder, ...folders, langSuffix === "" ? slug : `${slug || "index"}${langSuffix}`),
  unprefixed: pathOf(...folders, slug),
});

/** An address that front matter states. */
export const stated = (path: string): Address => ({ path: path.startsWith("/") ? path : `/${path}` });

/** `/it/a/` -> `/a/`, in Italian. */
export function withoutLang(path: string, lang: Lang): string {
  const [, first = "", ...rest] = path.split("/");
  return langIn(first, [lang]) === undefined ? path : `/${rest.join("/")}`;
}

/** `2020-01-02-title` -> its date and `title`. */
export function splitDate(stem: string): { readonly date?: string; readonly slug: string } {
  const match = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(stem);
  return match ? { date: match[1]!, slug: match[2]! } : { slug: stem };
}

export const foldersOf = (path: SourcePath): readonly string[] => path.split("/").slice(0, -1);

/** `/a/b/`, of parts that may be empty. */
export const pathOf = (...parts: readonly string[]): string => {
  let path = "/";
  for (const part of parts) {
    if (part.includes("/")) for (const each of part.split("/")) path += each === "" ? "" : `${each}/`;
    else if (part !== "") path += `${part}/`;
  }
  return path;
};

/** A title or a file name as Hugo writes it into addresses: white space as `-`, unless one is there. */
export const urlize = (text: string, keepsCase = false): string => {
  if (URLIZED.test(text)) return text;
  const bare = text
    .replace(/[^\p{L}\p{M}\p{N}._~+/#@\s-]/gu, "")
    .trim()
    .replace(/\s{0,99}-\s{0,99}|\s+/g, "-");
  return keepsCase ? bare : bare.toLowerCase();
};

/** Most names of files. */
const URLIZED = /^[a-z0-9._~+/-]*$/;
