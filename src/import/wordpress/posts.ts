/** Which items of an export become pages and articles, in which languages, and where they were served. */
import { splitLang, type Lang, type Locales } from "../../model/language/locale.ts";
import { ARTICLE_MODEL, PAGE_MODEL } from "../../model/page/page-field-table.ts";
import type { Remark, SourceId } from "../imported-site.ts";
import { oldSite, type OldAddress, type OldSite } from "../sources/old-addresses.ts";
import { translationsIn, type Translations } from "./languages.ts";
import { wasPublic } from "./publication.ts";
import { postSource, type WordPressExport, type WordPressItem, wholeNumber } from "./wxr.ts";

/** A post with its translations. */
export interface Post {
  readonly source: SourceId;
  readonly model: string;
  /** By language as the site spells it, or as the export does where the site does not have it; in the order of the file. */
  readonly versions: ReadonlyMap<Lang, WordPressItem>;
  /** The version in the default language, else the first one. */
  readonly main: WordPressItem;
}

export interface Posts {
  readonly all: readonly Post[];
  /** By id. */
  readonly attachments: ReadonlyMap<number, WordPressItem>;
  readonly menuItems: readonly WordPressItem[];
  /** Reusable blocks by id; those that are drafts or have a password are not shown. */
  readonly blocks: ReadonlyMap<number, WordPressItem>;
  readonly site: OldSite;
  readonly translations: Translations;
  /** The post that an item is a version of, with the language. */
  byId(id: number): PostVersion | undefined;
  /** @param path as `OldAddress` has it */
  byPath(path: string): PostVersion | undefined;
}

export interface PostVersion {
  readonly post: Post;
  readonly lang: Lang;
}

/** Parts of the program, not of the site. `wp_block` and menus are read elsewhere. */
const PROGRAM_TYPES =
  /^(?:wp_|nav_menu_item$|attachment$|revision$|customize_|custom_css$|oembed_cache$|user_request$)/;
const NEVER_SHOWN: ReadonlySet<string> = new Set(["auto-draft", "inherit"]);

export function postsIn(source: WordPressExport, locales: Locales, remarks: Remark[]): Posts {
  const translations = translationsIn(source, locales);
  const site = oldSite(source.link);
  const items = ofModels(source.items, site, remarks);
  const all = groupsOf(items, translations, locales).filter((post) => {
    if ([...post.versions.keys()].some((lang) => locales.codes.includes(lang))) return true;
    const [lang] = post.versions.keys();
    const message = `The site has no language ${lang}: "${post.main.title}" is not imported. Add it to LANGUAGES, and import again.`;
    remarks.push({ file: post.main.file, line: post.main.line, message });
    return false;
  });
  const ids = new Map<number, PostVersion>();
  const paths = new Map<string, PostVersion>();
  for (const post of all) {
    for (const [lang, item] of post.versions) {
      ids.set(item.id, { post, lang });
      const address = pathOfItem(item, site);
      if (address !== undefined && !paths.has(address)) paths.set(address, { post, lang });
    }
  }
  const ofType = (type: string): WordPressItem[] => source.items.filter((item) => item.type === type);
  return {
    all,
    attachments: new Map(ofType("attachment").map((item) => [item.id, item])),
    menuItems: ofType("nav_menu_item").filter(wasPublic),
    blocks: new Map(
      ofType("wp_block")
        .filter(({ status, isProtected }) => status === "publish" && !isProtected)
        .map((item) => [item.id, item]),
    ),
    site,
    translations,
    byId: (id) => ids.get(id),
    byPath: (path) => paths.get(path),
  };
}

/** The path at which an item is served; undefined for one that has only an address with its number. */
export function pathOfItem(item: WordPressItem, site: OldSite): string | undefined {
  const address = site.locate(item.link);
  return address && !isQuery(address) ? address.path : undefined;
}

/**
 * Whether an address names its post by a query, as those of drafts do, and those of types that visitors do not see: `/?p=12`,
 * `/?elementor_library=footer`. A language may be named besides.
 */
const isQuery = ({ query, path }: OldAddress): boolean =>
  numberOf(query) !== undefined || (path === "/" && [...query.keys()].some((name) => name !== "lang"));

/** The number of a post in a query. */
export const numberOf = (query: URLSearchParams): number | undefined =>
  ["p", "page_id", "attachment_id"].map((name) => wholeNumber(query.get(name))).find((id) => id > 0);

/** The permalink for a path: without the prefix of its language. */
export function permalinkFor(path: string, lang: Lang, locales: Locales): string {
  const split = splitLang(locales, path);
  return split.prefixed && split.lang === lang ? split.rest || "/" : path;
}

/** The items that are pages of the site, each with the model it gets; the others are told by type. */
function ofModels(
  items: readonly WordPressItem[],
  site: OldSite,
  remarks: Remark[],
): readonly { readonly item: WordPressItem; readonly model: string }[] {
  const shown = new Set(items.filter((item) => pathOfItem(item, site) !== undefined).map(({ type }) => type));
  const left = new Map<string, { readonly first: WordPressItem; readonly count: number }>();
  const found = items.flatMap((item) => {
    if (NEVER_SHOWN.has(item.status) || READ_ELSEWHERE.has(item.type)) return [];
    if (item.type === "post") return [{ item, model: ARTICLE_MODEL }];
    if (item.type === "page" || (shown.has(item.type) && !PROGRAM_TYPES.test(item.type)))
      return [{ item, model: PAGE_MODEL }];
    const count = left.get(item.type)?.count ?? 0;
    left.set(item.type, { first: left.get(item.type)?.first ?? item, count: count + 1 });
    return [];
  });
  for (const [type, { first, count }] of left) {
    const message = `Of the type ${type}, which has no pages, ${count} ${count === 1 ? "is" : "are"} not imported.`;
    remarks.push({ file: first.file, line: first.line, message });
  }
  return found;
}

const READ_ELSEWHERE: ReadonlySet<string> = new Set(["attachment", "nav_menu_item", "wp_block", "revision"]);

function groupsOf(
  items: readonly { readonly item: WordPressItem; readonly model: string }[],
  { langOf, namedLang, groupOf }: Translations,
  locales: Locales,
): Post[] {
  const groups = new Map<string, { model: string; versions: Map<Lang, WordPressItem> }>();
  for (const { item, model } of items) {
    const lang = langOf(item) ?? namedLang(item) ?? locales.default;
    const name = groupOf(item);
    const known = name === undefined ? undefined : groups.get(`${item.type} ${name}`);
    if (known && !known.versions.has(lang)) known.versions.set(lang, item);
    // A second post in the language of the first is none of its translations.
    else
      groups.set(known || name === undefined ? `id ${item.id}` : `${item.type} ${name}`, {
        model,
        versions: new Map([[lang, item]]),
      });
  }
  return [...groups.values()].map(({ model, versions }) => {
    const ids = [...versions.values()].map(({ id }) => id);
    const main = versions.get(locales.default) ?? [...versions.values()][0]!;
    return { source: postSource(Math.min(...ids)), model, versions, main };
  });
}
