/** Template queries on a running service: results from its pages and, with a token, from its other records. */
import { setup } from "../../errors.ts";
import { isObject, objectOf, own, type JsonObject } from "../../model/input/json.ts";
import { encodePath, splitLang, type Locales } from "../../model/language/locale.ts";
import { trimEnd } from "../../model/text/trim.ts";
import { isFirstPlace } from "../../model/address/list-address.ts";
import { permalinkOf } from "../../model/address/permalink.ts";
import { linkedDefinitions, type BlockType } from "../../model/fields/blocks.ts";
import { localisedData, type Definitions } from "../../model/records/schema.ts";
import type { PagesQuery } from "../../render/template-queries.ts";
import type { Client } from "./server-client.ts";
import type { ServerPage, ServerPages } from "./server-pages.ts";
import type { Dependency } from "../state/state.ts";

export interface ServerAnswers {
  /** The result; undefined when `fetch` has to be called first. */
  find(dependency: Dependency): unknown;
  fetch(dependency: Dependency): Promise<void>;
  /** The result of a query for pages; undefined for other queries. */
  pageList(dependency: Dependency): readonly ServerPage[] | undefined;
}

export interface ServerAnswerOptions {
  readonly client: Client;
  readonly known: ServerPages;
  readonly locales: Locales;
  readonly mediaUrl: string;
  /** Removes the origin from media URLs. */
  readonly relative: (value: unknown) => unknown;
  /** Keys of menus in the site's templates: without a token menus cannot be listed. */
  readonly menuKeys: readonly string[];
}

export function serverAnswers(options: ServerAnswerOptions): ServerAnswers {
  const fetched = new Map<string, unknown>();
  const { inLang, pageList, link, pageAt, moved } = pageQueries(options);
  const payloadOf = (page: ServerPage): JsonObject => JSON.parse(options.known.text(page)) as JsonObject;
  const groupsOf = (page: ServerPage | undefined): readonly JsonObject[] => {
    const pagination = page ? own(payloadOf(page), "pagination") : undefined;
    return isObject(pagination ?? null) ? ((pagination as JsonObject).groups as readonly JsonObject[]) : [];
  };
  return {
    pageList,
    find(dependency) {
      const [query, lang, first] = dependency;
      const pages = pageList(dependency);
      if (pages) return pages.map(payloadOf);
      if (query === "link") return link(lang, String(first));
      if (query === "moved") return moved(String(first));
      if (query === "page_at") {
        const page = pageAt(lang, String(first));
        return page ? payloadOf(page) : null;
      }
      if (query === "list_groups" || query === "group_link") {
        const groups = groupsOf(pageAt(lang, String(first)));
        return query === "list_groups" ? groups : (groups.find(({ key }) => key === dependency[3])?.address ?? null);
      }
      const own = query === "block" && first !== null ? inLang(lang).find((page) => page.id === first) : undefined;
      if (!own) return fetched.get(JSON.stringify(dependency));
      const blocks = payloadOf(own).contents;
      const identifier = String(dependency[3]);
      return isObject(blocks) && Object.hasOwn(blocks, identifier) ? blocks[identifier] : null;
    },
    async fetch(dependency) {
      const [query, lang, first, second] = dependency;
      fetched.set(JSON.stringify(dependency), await FETCH[query]!({ ...options, lang, inLang, pageAt }, first, second));
    },
  };
}

/** Queries that the listed pages answer. */
function pageQueries({ known, locales, mediaUrl }: ServerAnswerOptions) {
  // No query finds the further pages of a list.
  const pages = known.pages.filter(({ place }) => !place || isFirstPlace(place));
  const byLang = new Map(locales.codes.map((lang) => [lang, pages.filter((page) => page.language_code === lang)]));
  const byPermalink = new Map(pages.map((page) => [`${page.language_code} ${page.permalink}`, page]));
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const inLang = (lang: string): readonly ServerPage[] => byLang.get(lang) ?? [];
  const children = childrenOf(pages);
  const pageList = ([query, lang, first]: Dependency): readonly ServerPage[] | undefined => {
    if (query === "pages_of") return children.get(`${lang} ${String(first)}`) ?? [];
    if (query !== "articles") return undefined;
    const articles = inLang(lang).filter(
      (page) => page.related === "cms_article" && (first === null || page.tags.includes(Number(first))),
    );
    return articles.sort((a, b) => (a.published < b.published ? 1 : a.published > b.published ? -1 : b.id - a.id));
  };
  const pageNamed = (lang: string, path: string): ServerPage | undefined => {
    const named = splitLang(locales, path);
    const bare = permalinkOf(named.rest);
    const langs = [named.lang, lang, locales.default];
    return langs.map((each) => byPermalink.get(`${each} ${bare}`)).find(Boolean) ?? former(bare, langs);
  };
  const link = (lang: string, path: string): string | null => pageNamed(lang, path)?.links[lang] ?? null;
  const pageAt = (lang: string, path: string): ServerPage | undefined => {
    const id = pageNamed(lang, path)?.id;
    return id === undefined ? undefined : inLang(lang).find((page) => page.id === id);
  };
  /** The page that a former permalink redirects to with 301. The manifest does not distinguish configured redirects. */
  const former = (bare: string, langs: readonly string[]): ServerPage | undefined => {
    const froms = langs.map((lang) => `${lang === locales.default ? "" : `/${lang}`}${bare}`);
    const row = known.manifest.redirects.find(
      ({ from, status }) => status === 301 && froms.includes(from.replace(/\/$/, "")),
    );
    return row && byPath.get(row.to);
  };
  const redirects = new Map<string, string>(
    known.manifest.redirects
      .map(({ from, to, status }): [string, string] => [trimEnd(from, "/"), status === 301 ? to : ""])
      .reverse(),
  );
  const moved = (path: string): string | null => {
    if (byPath.has(path)) return null;
    const bare = trimEnd(path, "/");
    const { lang, rest } = splitLang(locales, path);
    const to = redirects.get(bare) ?? byPermalink.get(`${lang} ${permalinkOf(rest)}`)?.path ?? "";
    return byPath.has(to) || to.startsWith(mediaUrl) ? encodePath(to) : null;
  };
  return { inLang, pageList, link, pageAt, moved };
}

/** By language and id of their parent, in the order in which they are listed. */
function childrenOf(pages: readonly ServerPage[]): ReadonlyMap<string, readonly ServerPage[]> {
  const children = new Map<string, ServerPage[]>();
  for (const page of pages) {
    if (page.parent === null) continue;
    const key = `${page.language_code} ${page.parent}`;
    const siblings = children.get(key);
    if (siblings) siblings.push(page);
    else children.set(key, [page]);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => a.ordering - b.ordering || b.id - a.id);
  return children;
}

interface FetchContext extends ServerAnswerOptions {
  readonly lang: string;
  /** The public pages of a language. */
  readonly inLang: (lang: string) => readonly ServerPage[];
  readonly pageAt: (lang: string, path: string) => ServerPage | undefined;
}

const FETCH: Readonly<Record<string, (context: FetchContext, first: unknown, second: unknown) => Promise<unknown>>> = {
  async menus({ client, menuKeys, lang }) {
    const keys = client.hasToken ? (await client.list("menus")).map(({ key }) => String(key)) : menuKeys;
    const menus = await Promise.all(
      [...new Set(keys)].map((key) =>
        client.json<JsonObject>(`menus-router/${encodeURIComponent(key)}?language=${lang}`),
      ),
    );
    const shown = menus.flatMap((menu) => (menu ? [menu] : [])).sort((a, b) => Number(a.id) - Number(b.id));
    return objectOf(shown.map(({ id, key, enabled, nodes }) => [String(key), { id, key, enabled, nodes }] as const));
  },
  async media({ client, relative, lang }, id) {
    needToken(client, "media");
    const found = await client.json<JsonObject>(`media/${Number(id)}?language=${lang}`);
    if (!found || found.deleted_at) return null;
    const {
      links: _links,
      is_image: _isImage,
      srcset: _srcset,
      translations: _translations,
      ...nested
    } = relative(found) as JsonObject;
    return nested;
  },
  async tags({ client, lang }) {
    needToken(client, "tags");
    return client.list(`tags?language=${lang}&sort=id`);
  },
  async instances({ client, relative, locales, lang, inLang }, key) {
    needToken(client, "meta instances");
    const [types, blockTypes] = await Promise.all([client.list("meta-types"), client.list("block-types")]);
    const type = types.find((each) => each.key === key);
    if (!type) return [];
    const sort = "created_at,path,id";
    const all = await client.list(`meta-instances?language=${lang}&sort=${sort}&fltr=meta_type=${String(type.id)}`);
    const linked = linkedDefinitions(blockTypes as unknown as readonly BlockType[]);
    const localised = (instance: JsonObject): JsonObject => {
      const schema = types.find(({ id }) => id === instance.meta_type)?.schema as unknown as Definitions | undefined;
      const data = instance.data as JsonObject;
      return schema ? { ...instance, data: localisedData(linked(schema), data, lang, locales.default) } : instance;
    };
    const visitor = { isPublic: idsOf(inLang(lang)), localised };
    return all.map((instance) => localised(asVisitor(relative(instance), visitor) as JsonObject));
  },
  async block_template({ client }, type) {
    if (!client.hasToken) return null;
    const found = (await client.list("block-types")).find(({ name }) => name === type);
    return (found?.template as string | undefined) || null;
  },
  async pages({ client, known, lang, inLang, pageAt }, asked) {
    needToken(client, "pages by their fields");
    const { model, below, where, sort, limit } = JSON.parse(String(asked)) as PagesQuery;
    const params = new URLSearchParams({ language: lang, fields: "id", ...(sort !== null && { sort }) });
    if (model !== null) params.append("fltr", `model=${model}`);
    if (where !== null) params.append("fltr", where);
    const shown = new Map(inLang(lang).map((page) => [page.id, page]));
    const top = below === null ? null : (pageAt(lang, below)?.id ?? NaN);
    const found = (await client.list(`pages?${params.toString()}`))
      .flatMap(({ id }) => shown.get(Number(id)) ?? [])
      .filter((page) => top === null || isBelow(page, top, shown));
    return found.slice(0, limit ?? undefined).map((page): unknown => JSON.parse(known.text(page)));
  },
  async block({ client, lang }, page, identifier) {
    needToken(client, "content blocks");
    const all = await client.list(`contents?language=${lang}`);
    const block = all.find((each) => each.object_id === page && each.identifier === identifier);
    return block ? { id: block.id, content: block.content } : null;
  },
};

function isBelow(page: ServerPage, top: number, shown: ReadonlyMap<number, ServerPage>): boolean {
  const passed = new Set([page.id]);
  for (let above = page.parent; above !== null && !passed.has(above); above = shown.get(above)?.parent ?? null) {
    if (above === top) return true;
    passed.add(above);
  }
  return false;
}

function needToken(client: Client, what: string): void {
  if (!client.hasToken)
    throw setup(
      `The templates ask for ${what}, which the service shows only with a staff token: give one with --token.`,
    );
}

const idsOf = (pages: readonly ServerPage[]): ((id: unknown) => boolean) => {
  const ids = new Set<unknown>(pages.map(({ id }) => id));
  return (id) => ids.has(id);
};

const PAGE_MODEL = /^(cms\.page|cms\.article|pages\..*)$/i;

interface Visitor {
  isPublic(id: unknown): boolean;
  /** An instance with its data in one language. */
  localised(instance: JsonObject): JsonObject;
}

/**
 * A payload for staff as visitors get it: without hidden pages and files in the trash, with empty links in their place, and
 * with the instances that it refers to in one language.
 */
function asVisitor(value: unknown, visitor: Visitor): unknown {
  const { isPublic, localised } = visitor;
  if (Array.isArray(value))
    return value.map((item) => asVisitor(item, visitor)).filter((item, at) => item !== null || value[at] === null);
  if (!isObject(value)) return value;
  if (value.link_type === "RE" && isObject(value.url_node) && !isPublic(value.url_node.id))
    return { ...value, url_node: null, url: null };
  if (value.model === "cms.Media" && value.deleted_at) return null;
  if (typeof value.model === "string" && PAGE_MODEL.test(value.model) && !isPublic(value.id)) return null;
  const shown = objectOf(Object.entries(value).map(([key, inner]) => [key, asVisitor(inner, visitor)] as const));
  return value.model === "cms.MetaInstance" ? localised(shown as JsonObject) : shown;
}
