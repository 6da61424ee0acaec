/** What addresses of the source lead to: by the address of a page, by the path of a file, or by that of a picture. */
import type { Lang } from "../../model/language/locale.ts";
import { trimEnd } from "../../model/text/trim.ts";
import type { SourceId } from "../imported-site.ts";
import { sourceLink } from "../texts/source-links.ts";
import { cutLang, type Dialect } from "./generators/dialect.ts";
import type { Document } from "./documents.ts";
import { dirPart, isMarkdown, joinPaths, basePart, type SourcePath, type SourceTree } from "./source-tree.ts";

export interface Targets {
  /** The address to write for one of the source; undefined: it leads elsewhere; "missing": into the source, to nothing. */
  linkFrom(document: Pick<Document, "path" | "served" | "lang">, address: string): Linked | "missing" | undefined;
  /** The page that a menu names by its path in the source: `/about`. */
  pageNamed(path: SourcePath, lang: Lang): Linked | undefined;
}

export interface Linked {
  readonly link: string;
  readonly source: SourceId;
  readonly isMedia: boolean;
}

export interface TargetSources {
  readonly tree: SourceTree;
  readonly dialect: Dialect;
  /** Pages by path of a file, with their language. */
  readonly entries: readonly { readonly source: SourceId; readonly document: Document }[];
  /** Pages that have no file, by address. */
  readonly lists: ReadonlyMap<string, SourceId>;
  readonly media: ReadonlyMap<SourcePath, SourceId>;
  /** Where a file was served. */
  mediaAddresses(path: SourcePath): readonly string[];
  /** Addresses that redirect, such as those of tags: links to them stay. */
  readonly kept: ReadonlySet<string>;
}

interface Page {
  readonly source: SourceId;
  readonly lang: Lang;
}

export function openTargets({ tree, dialect, entries, lists, media, mediaAddresses, kept }: TargetSources): Targets {
  const { config } = dialect;
  const host = config.baseUrl?.replace(/^https?:/, "");
  const pages = new Map<string, Page>();
  const add = (address: string, page: Page): void => {
    const key = keyOf(address);
    if (!pages.has(key)) pages.set(key, page);
  };
  /** A file may have the texts of several languages. */
  const byFile = new Map<SourcePath, Page[]>();
  for (const { source, document } of entries) {
    const page = { source, lang: document.lang };
    add(document.served, page);
    byFile.set(document.path, [...(byFile.get(document.path) ?? []), page]);
  }
  for (const { source, document: page } of entries) {
    add(`/${page.lang}${page.address}`, { source, lang: page.lang });
    if (page.lang === config.defaultLang) add(page.address, { source, lang: page.lang });
  }
  for (const { source, document } of entries)
    for (const alias of document.fields.aliases)
      add(alias.startsWith("/") ? alias : `/${alias}`, { source, lang: document.lang });
  for (const [address, source] of lists) add(address, { source, lang: config.defaultLang });
  const files = new Map<string, SourceId>();
  for (const [path, source] of media)
    for (const address of mediaAddresses(path)) files.set(address.toLowerCase(), source);
  const { named, single } = namesOf(entries, config.langs);
  const nameFrom = (path: SourcePath): string => pathName(path, config.langs);
  const toPage = ({ source, lang }: Page, from: Lang, tail: string): Linked => ({
    link: sourceLink(source, { ...(lang !== from && { lang }), tail }),
    source,
    isMedia: false,
  });
  const toMedia = (source: SourceId, tail: string): Linked => ({
    link: sourceLink(source, { tail }),
    source,
    isMedia: true,
  });
  const byPath = (path: SourcePath | undefined, from: Lang, tail: string): Linked | undefined => {
    if (path === undefined) return undefined;
    const file = media.get(path);
    if (file !== undefined) return toMedia(file, tail);
    const inFile = [path, `${path}.md`, `${path}/index.md`, `${path}/_index.md`].find((each) => byFile.has(each));
    const languages = inFile === undefined ? [] : byFile.get(inFile)!;
    const page = languages.find(({ lang }) => lang === from) ?? languages[0];
    return page && toPage(page, from, tail);
  };
  const byAddress = (address: string, from: Lang, tail: string): Linked | undefined => {
    const file = files.get(address.toLowerCase());
    if (file !== undefined) return toMedia(file, tail);
    const page =
      pages.get(keyOf(address)) ?? (from === config.defaultLang ? undefined : pages.get(keyOf(`/${from}${address}`)));
    return page && toPage(page, from, tail);
  };
  /** What code of a template names: a path, or a name that no other page has. In the language of the text, if it is there. */
  const byCode = (document: Pick<Document, "path">, { target, lang: asked }: CodeTarget, from: Lang) => {
    const { bare, tail } = partsOf(target);
    const self = byFile.get(document.path)?.[0];
    if (bare === "") return self && toPage({ source: self.source, lang: from }, from, tail);
    const beside = joinPaths(dirPart(document.path), bare);
    const source =
      named.get(nameFrom(bare)) ??
      (beside === undefined ? undefined : named.get(nameFrom(beside))) ??
      single.get(basePart(nameFrom(bare)));
    return source === undefined ? undefined : toPage({ source, lang: asked ?? from }, from, tail);
  };
  return {
    pageNamed: (path, lang) => byCode({ path: "" }, { target: path }, lang) ?? byAddress(path, lang, ""),
    linkFrom({ path, served: at, lang }, written) {
      const isCode = written.startsWith("{");
      const code = isCode ? codeTarget(written) : undefined;
      if (code) return byCode({ path }, code, lang) ?? "missing";
      const own = (isCode ? siteAddress(written) : undefined) ?? withoutOrigin(written, host);
      if (own === undefined || own === "" || own.startsWith("#") || own.startsWith("?")) return undefined;
      const { bare, tail } = partsOf(own);
      if (bare.startsWith("/")) {
        const inSite = withoutBase(bare, config.basePath);
        const found =
          byAddress(inSite, lang, tail) ??
          byPath(inSite.slice(1), lang, tail) ??
          contentPath(inSite, byPath, lang, tail);
        if (found) return found;
        return kept.has(keyOf(inSite)) || !isPagePath(inSite) ? undefined : "missing";
      }
      const found =
        byPath(joinPaths(dirPart(path), bare), lang, tail) ??
        byAddress(`/${joinPaths(at.endsWith("/") ? at.slice(1, -1) : dirPart(at.slice(1)), bare) ?? ""}`, lang, tail);
      if (found) return found;
      return isMarkdown(bare) ||
        tree.has(joinPaths(dirPart(path), bare) ?? "") ||
        /\.[a-z0-9]{2,5}$/i.test(bare) ||
        bare.includes("/")
        ? "missing"
        : undefined;
    },
  };
}

/** `ref "posts/a.md"` is a path below the content folder. */
const contentPath = (
  path: string,
  byPath: (path: SourcePath | undefined, from: Lang, tail: string) => Linked | undefined,
  lang: Lang,
  tail: string,
): Linked | undefined => byPath(`content${path}`, lang, tail) ?? byPath(`src${path}`, lang, tail);

const keyOf = (address: string): string =>
  (trimEnd(decoded(address).replace(/\/index\.html?$/i, "/"), "/") || "/").toLowerCase();

/** A page that code of a template names. */
interface CodeTarget {
  /** A path or a name, with query and fragment. */
  readonly target: string;
  readonly lang?: Lang | undefined;
}

const REFERENCE = /^\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?["']?([^"'\s<>%]+)["']?(\s[^{}]*)?[>%]\}\}(.*)$/s;
const POST_URL = /^(?:\{\{\s*site\.baseurl\s*\}\})?\{%\s*(?:post_url|link)\s+([^\s%]+)\s*%\}(.*)$/s;

/** `ref` and `relref` of Hugo, `post_url` and `link` of Jekyll; undefined for a text without them. */
function codeTarget(written: string): CodeTarget | undefined {
  const reference = REFERENCE.exec(written);
  if (reference) {
    const lang = /\blang=["']?([\w-]+)/.exec(reference[2] ?? "")?.[1];
    return { target: `${reference[1]!}${reference[3]!}`, ...(lang !== undefined && { lang }) };
  }
  const post = POST_URL.exec(written);
  return post ? { target: `${post[1]!}${post[2]!}` } : undefined;
}

/** How code of a template names pages: by path (`named`), and by the name of the file where only one has it (`single`). */
function namesOf(
  entries: Iterable<{ readonly source: SourceId; readonly document: Document }>,
  langs: readonly Lang[],
): Record<"named" | "single", ReadonlyMap<string, SourceId>> {
  const named = new Map<string, SourceId>();
  const counted = new Map<string, SourceId | undefined>();
  for (const { source, document } of entries) {
    const path = pathName(document.path, langs);
    if (!named.has(path)) named.set(path, source);
    const name = basePart(path);
    counted.set(name, counted.has(name) && counted.get(name) !== source ? undefined : source);
  }
  const single = new Map(
    [...counted].flatMap(([name, source]) => (source === undefined ? [] : [[name, source] as const])),
  );
  return { named, single };
}

/** A path as it names a page: without content folder, extension, language, and the `index` of a folder. */
function pathName(path: SourcePath, langs: readonly Lang[]): string {
  const bare = path
    .replace(/^\//, "")
    .replace(/^(?:content|src)\//, "")
    .replace(/\.(?:md|markdown|mdx|mdown|html?)$/i, "");
  const { stem } = cutLang([], basePart(bare), langs);
  const parts = [...bare.split("/").slice(0, -1), ...(/^_?index$/.test(stem) ? [] : [stem])];
  return parts.join("/").toLowerCase();
}

/** A path, and the query and fragment after it. */
function partsOf(address: string): { readonly bare: string; readonly tail: string } {
  const end = address.search(/[?#]/);
  return end < 0
    ? { bare: decoded(address), tail: "" }
    : { bare: decoded(address.slice(0, end)), tail: address.slice(end) };
}

/** The address that code of a template stands for; undefined for a text without code. */
function siteAddress(written: string): string | undefined {
  const filtered = /^\{\{\s*["']([^"'{}]+)["']\s*\|\s*(?:relative_url|absolute_url|url)\s*\}\}(.*)$/s.exec(written);
  if (filtered) return `${filtered[1]!}${filtered[2]!}`;
  const site = /^\{\{\s*site\.(?:baseurl|url)\s*\}\}(.*)$/s.exec(written);
  return site ? site[1]!.replace(/^\{\{\s*site\.baseurl\s*\}\}/, "") : undefined;
}

/** @param host with its slashes and the path of the site: `//example.org/blog` */
function withoutOrigin(address: string, host: string | undefined): string | undefined {
  const isOfSomeHost = host === undefined || host.startsWith("//");
  if (isOfSomeHost && address.startsWith("/") && !address.startsWith("//") && !address.includes("{")) return address;
  const bare = address.replace(/^https?:/i, "");
  if (host !== undefined && bare.startsWith(host)) {
    const rest = bare.slice(host.length);
    if (rest === "" || /^[/?#]/.test(rest)) return rest === "" ? "/" : rest;
  }
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address) || address.includes("{{") || address.includes("{%")
    ? undefined
    : address;
}

const withoutBase = (path: string, base: string): string =>
  base !== "" && (path === base || path.startsWith(`${base}/`)) ? path.slice(base.length) || "/" : path;

/** Whether an address would be one of a page: it has no extension but that of a page. */
const isPagePath = (path: string): boolean => !/\.[a-z0-9]{1,5}$/i.test(path) || /\.(?:html?|md)$/i.test(path);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
