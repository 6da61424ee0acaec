/** Template helpers for content other than pages: menus, content blocks, articles, tags, meta instances. */
import nunjucks from "nunjucks";
import { own, type JsonObject } from "../../model/input/json.ts";
import type { Id } from "../../model/page/page.ts";
import { META_TYPES } from "../../store/records/meta-types.ts";
import type { Payload } from "../../views/view.ts";
import { meant } from "../template-hints.ts";
import { groupsQueryError, pagesQueryError, type PagesQuery } from "../template-queries.ts";
import { isDevelopment, runQuery, viewOf, type TemplateThis } from "../template-view.ts";
import { renderTemplate, type TemplateEnvironment } from "../templates.ts";

const MENU_TEMPLATE = "defaults/parts/menu.html";

export function addContentHelpers(environment: TemplateEnvironment): void {
  environment.addGlobal("render_menu", function (this: TemplateThis, key: unknown, template: unknown = MENU_TEMPLATE) {
    const menu = runQuery(this, "menus")[String(key)];
    if (!menu) return "";
    // The rendered template has escaped all data it prints.
    return new nunjucks.runtime.SafeString(renderTemplate(environment, String(template), { ...this.ctx, menu }));
  });
  environment.addGlobal("get_menus", function (this: TemplateThis, ...keys: unknown[]) {
    const menus = runQuery(this, "menus");
    return keys.length === 0 ? menus : Object.fromEntries(keys.map((key) => [String(key), menus[String(key)] ?? null]));
  });
  environment.addFilter("node_url", nodeUrl);
  environment.addGlobal("node_url", nodeUrl);
  environment.addFilter("filter_content", function (this: TemplateThis, page: unknown, identifier: unknown) {
    return contentBlock(this, (page as { id?: Id } | null | undefined)?.id ?? null, String(identifier));
  });
  environment.addGlobal("content_block", function (this: TemplateThis, identifier: unknown) {
    return contentBlock(this, null, String(identifier));
  });
  environment.addGlobal("articles", function (this: TemplateThis, tag?: unknown) {
    const id = typeof tag === "number" ? tag : (tag as { id?: unknown } | null | undefined)?.id;
    if (id === undefined) return runQuery(this, "articles", null);
    return typeof id === "number" ? runQuery(this, "articles", id) : [];
  });
  environment.addGlobal("tags", function (this: TemplateThis) {
    return runQuery(this, "tags");
  });
  environment.addGlobal(
    "instances",
    function (this: TemplateThis, key: unknown, options?: { readonly sort?: unknown }) {
      const found = typeof key === "string" ? instancesOfKey(this, key) : [];
      const { sort } = options ?? {};
      return typeof sort === "string" && sort !== "" ? sortedBy(found, sort, viewOf(this).lang) : found;
    },
  );
  environment.addGlobal("instance", function (this: TemplateThis, key: unknown, identifier: unknown) {
    return instancesOfKey(this, String(key)).find((each) => each.identifier === identifier) ?? null;
  });
  environment.addGlobal("pages", function (this: TemplateThis, query?: unknown) {
    const read = readPagesQuery(query);
    if (isDevelopment(this)) {
      const wrong = typeof read === "string" ? read : pagesQueryError(viewOf(this), read);
      if (wrong !== undefined) throw new Error(`pages: ${wrong}`);
    }
    return typeof read === "string" ? [] : runQuery(this, "pages", JSON.stringify(read));
  });
  environment.addGlobal("page_at", function (this: TemplateThis, path: unknown) {
    return typeof path === "string" && path.startsWith("/") ? runQuery(this, "page_at", path) : null;
  });
  environment.addGlobal("list_groups", function (this: TemplateThis, path: unknown) {
    return runQuery(this, "list_groups", listPath(this, "list_groups", path));
  });
  environment.addGlobal("group_link", function (this: TemplateThis, path: unknown, group: unknown) {
    const list = listPath(this, "group_link", path);
    const key = typeof group === "number" ? group : (group as { id?: unknown } | null | undefined)?.id;
    return typeof key === "number" ? runQuery(this, "group_link", list, key) : null;
  });
}

/** The path of a page whose list has groups. */
function listPath(self: TemplateThis, name: string, path: unknown): string {
  const wrong = isDevelopment(self) ? groupsQueryError(viewOf(self), String(path)) : undefined;
  if (wrong !== undefined) throw new Error(`${name}: ${wrong}`);
  return String(path);
}

const PAGES_QUERY_KEYS = ["model", "below", "where", "sort", "limit"] as const;

/** What a template asks `pages` for, with every key; or what is wrong with it. */
function readPagesQuery(query: unknown): PagesQuery | string {
  const sent = (query ?? {}) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(sent).find(
    (key) => key !== "__keywords" && !PAGES_QUERY_KEYS.some((each) => each === key),
  );
  if (typeof sent !== "object" || unknown !== undefined)
    return `There is no key "${String(unknown ?? query)}".${meant(String(unknown), PAGES_QUERY_KEYS)}`;
  const read = Object.fromEntries(PAGES_QUERY_KEYS.map((key) => [key, sent[key] ?? null])) as unknown as PagesQuery;
  const wrong = PAGES_QUERY_KEYS.find((key) => {
    const value = read[key];
    return (
      value !== null && (key === "limit" ? !(Number.isInteger(value) && Number(value) >= 0) : typeof value !== "string")
    );
  });
  return wrong === undefined ? read : `"${wrong}" is ${wrong === "limit" ? "a whole number" : "a text"}.`;
}

function instancesOfKey(self: TemplateThis, key: string): readonly Payload[] {
  if (isDevelopment(self)) {
    const known = viewOf(self)
      .content.all(META_TYPES)
      .map((type) => type.key);
    if (!known.includes(key)) throw new Error(`There is no meta type "${key}".${meant(key, known)}`);
  }
  return runQuery(self, "instances", key);
}

/**
 * Instances in the order of a field of their data, numbers by size and texts as the language sorts them; those without a
 * value last. Equal ones keep their order.
 *
 * @param sort with a leading `-` for the reverse
 */
function sortedBy(found: readonly Payload[], sort: string, lang: string): readonly Payload[] {
  const [name, sign] = sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
  const { compare } = new Intl.Collator(lang, { numeric: true });
  const valueOf = (each: Payload): unknown =>
    name === "identifier" || name === "created_at" ? each[name] : own(each.data as JsonObject, name);
  return [...found].sort((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (isBlank(one) || isBlank(other)) return Number(isBlank(one)) - Number(isBlank(other));
    const order =
      typeof one === "number" && typeof other === "number" ? one - other : compare(String(one), String(other));
    return sign * order;
  });
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === "";

/** The URL of a menu node; null if it has none. */
function nodeUrl(node: unknown): unknown {
  return (node as { link?: { url?: unknown } } | null | undefined)?.link?.url ?? null;
}

/** A block that does not exist is empty; reading does not create it. */
const contentBlock = (self: TemplateThis, page: Id | null, identifier: string): unknown =>
  runQuery(self, "block", page, identifier) ?? { id: null, content: "" };
