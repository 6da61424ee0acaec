/** What addresses of the source lead to: by the address of a page, by the path of a file, or by that of a picture. */
import type { Lang } from "../../model/locale.ts";
import { trimEnd } from "../../model/trim.ts";
import type { SourceId } from "../imported-site.ts";
import { sourceLink } from "../source-links.ts";
import type { Dialect } from "./dialect.ts";
import type { Document } from "./documents.ts";
import { folderOf, isMarkdown, joinPaths, type SourcePath, type SourceTree } from "./source-tree.ts";

export interface Targets {
  /** The address to write for one of the source; undefined: it leads elsewhere; "missing": into the source, to nothing. */
  linkFrom(document: Pick<Document, "path" | "address" | "lang">, address: string): Linked | "missing" | undefined;
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
  readonly entries: ReadonlyMap<SourcePath, { readonly source: SourceId; readonly document: Document }>;
  /** Pages that have no file, by address. */
  readonly lists: ReadonlyMap<string, SourceId>;
  readonly media: ReadonlyMap<SourcePath, SourceId>;
  /** Addresses that redirect, such as those of tags: links to them stay. */
  readonly kept: ReadonlySet<string>;
}

interface Page {
  readonly source: SourceId;
  readonly lang: Lang;
}

export function openTargets({ tree, dialect, entries, lists, media, kept }: TargetSources): Targets {
  const { config } = dialect;
  const pages = new Map<string, Page>();
  const add = (address: string, page: Page): void => {
    const key = keyOf(address);
    if (!pages.has(key)) pages.set(key, page);
  };
  const prefixed = (lang: Lang, address: string): string[] =>
    lang === config.defaultLang ? [address, `/${lang}${address}`] : [`/${lang}${address}`];
  for (const { source, document } of entries.values())
    for (const address of prefixed(document.lang, document.address)) add(address, { source, lang: document.lang });
  for (const { source, document } of entries.values())
    for (const alias of document.fields.aliases)
      add(alias.startsWith("/") ? alias : `/${alias}`, { source, lang: document.lang });
  for (const [address, source] of lists) add(address, { source, lang: config.defaultLang });
  const files = new Map<string, SourceId>();
  for (const [path, source] of media) {
    const address = dialect.fileAddress(path);
    if (address !== undefined) files.set(address.toLowerCase(), source);
  }
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
    const page =
      entries.get(path) ??
      entries.get(`${path}.md`) ??
      entries.get(`${path}/index.md`) ??
      entries.get(`${path}/_index.md`);
    return page && toPage({ source: page.source, lang: page.document.lang }, from, tail);
  };
  const byAddress = (address: string, from: Lang, tail: string): Linked | undefined => {
    const file = files.get(address.toLowerCase());
    if (file !== undefined) return toMedia(file, tail);
    const page =
      pages.get(keyOf(from === config.defaultLang ? address : `/${from}${address}`)) ?? pages.get(keyOf(address));
    return page && toPage(page, from, tail);
  };
  return {
    linkFrom({ path, address: at, lang }, written) {
      const code = templateTarget(written);
      const own = code ?? withoutOrigin(written, config.baseUrl);
      if (own === undefined || own === "" || own.startsWith("#") || own.startsWith("?")) return undefined;
      const end = own.search(/[?#]/);
      const bare = decoded(end < 0 ? own : own.slice(0, end));
      const tail = end < 0 ? "" : own.slice(end);
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
        byPath(joinPaths(folderOf(path), bare), lang, tail) ??
        byAddress(
          `/${joinPaths(at.endsWith("/") ? at.slice(1, -1) : folderOf(at.slice(1)), bare) ?? ""}`,
          lang,
          tail,
        ) ??
        (code === undefined ? undefined : (byPath(bare, lang, tail) ?? contentPath(`/${bare}`, byPath, lang, tail)));
      if (found) return found;
      return isMarkdown(bare) ||
        tree.has(joinPaths(folderOf(path), bare) ?? "") ||
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

/** The address that code of a template stands for; undefined for a text without code. */
function templateTarget(written: string): string | undefined {
  const reference = /^\{\{[<%]\s*(?:rel)?ref\s+["']?([^"'\s<>%]+)["']?\s*[>%]\}\}(.*)$/s.exec(written);
  if (reference) return `${reference[1]!}${reference[2]!}`;
  const post = /^(?:\{\{\s*site\.baseurl\s*\}\})?\{%\s*post_url\s+([^\s%]+)\s*%\}(.*)$/s.exec(written);
  if (post) return `/_posts/${post[1]!.replace(/^.*\//, "")}${post[2]!}`;
  const link = /^(?:\{\{\s*site\.baseurl\s*\}\})?\{%\s*link\s+([^\s%]+)\s*%\}(.*)$/s.exec(written);
  if (link) return `/${link[1]!}${link[2]!}`;
  const filtered = /^\{\{\s*["']([^"'{}]+)["']\s*\|\s*(?:relative_url|absolute_url|url)\s*\}\}(.*)$/s.exec(written);
  if (filtered) return `${filtered[1]!}${filtered[2]!}`;
  const site = /^\{\{\s*site\.(?:baseurl|url)\s*\}\}(.*)$/s.exec(written);
  return site ? site[1]!.replace(/^\{\{\s*site\.baseurl\s*\}\}/, "") : undefined;
}

function withoutOrigin(address: string, origin: string | undefined): string | undefined {
  if (origin !== undefined && address.startsWith(origin)) {
    const rest = address.slice(origin.length);
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
