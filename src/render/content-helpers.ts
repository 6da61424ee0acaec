/** Template helpers for what stands beside pages: menus, content blocks, articles, tags. */
import nunjucks from "nunjucks";
import { isPublic } from "../model/lifecycle.ts";
import type { Id } from "../model/page.ts";
import { ARTICLES } from "../store/kinds/pages.ts";
import { TAGS } from "../store/kinds/tags.ts";
import { pageContents } from "../views/content.ts";
import { menusByKey } from "../views/menu.ts";
import { pagePayload, type Payload } from "../views/page.ts";
import { tagPayload } from "../views/tag.ts";
import type { View } from "../views/view.ts";
import { contextOf, viewOf, type TemplateThis } from "./template-view.ts";
import { renderTemplate, type TemplateEnvironment } from "./templates.ts";

const MENU_TEMPLATE = "defaults/parts/menu.html";

export function addContentHelpers(environment: TemplateEnvironment): void {
  environment.addGlobal("render_menu", function (this: TemplateThis, key: unknown, template: unknown = MENU_TEMPLATE) {
    const menu = menusByKey(viewOf(this))[String(key)];
    if (!menu) return "";
    // Templates are trusted; what they print of data they escape themselves.
    return new nunjucks.runtime.SafeString(renderTemplate(environment, String(template), { ...contextOf(this), menu }));
  });
  environment.addGlobal("get_menus", function (this: TemplateThis, ...keys: unknown[]) {
    const menus = menusByKey(viewOf(this));
    return keys.length === 0 ? menus : Object.fromEntries(keys.map((key) => [String(key), menus[String(key)] ?? null]));
  });
  environment.addFilter("node_url", nodeUrl as never);
  environment.addGlobal("node_url", nodeUrl);
  environment.addFilter("filter_content", function (this: TemplateThis, page: unknown, identifier: unknown) {
    return contentBlock(viewOf(this), (page as { id?: Id } | null | undefined)?.id ?? null, String(identifier));
  } as never);
  environment.addGlobal("content_block", function (this: TemplateThis, identifier: unknown) {
    return contentBlock(viewOf(this), null, String(identifier));
  });
  environment.addGlobal("articles", function (this: TemplateThis, tag?: unknown) {
    return publicArticles(viewOf(this), tag);
  });
  environment.addGlobal("tags", function (this: TemplateThis) {
    const view = viewOf(this);
    return view.content.all(TAGS).map((each) => tagPayload(view, each));
  });
}

/** A menu node's URL; null where it has none. */
function nodeUrl(node: unknown): unknown {
  return (node as { link?: { url?: unknown } } | null | undefined)?.link?.url ?? null;
}

/** A block of a page, or with null of the whole site, with empty content where there is none: reading makes nothing. */
function contentBlock(view: View, page: Id | null, identifier: string): { readonly id: Id | null; readonly content: string } {
  const blocks = pageContents(view, page);
  return (Object.hasOwn(blocks, identifier) ? blocks[identifier] : undefined) ?? { id: null, content: "" };
}

/** The public articles, newest first; with a tag (its id, or an object with one) those that bear it. */
function publicArticles(view: View, tag: unknown): Payload[] {
  const id = typeof tag === "number" ? tag : (tag as { id?: unknown } | null | undefined)?.id;
  const published = (lang: string) => (article: { readonly translations: { readonly [code: string]: { readonly published_at: string | null } } }): string =>
    article.translations[lang]?.published_at ?? "";
  const at = published(view.lang);
  return view.content
    .all(ARTICLES)
    .filter((article) => isPublic(article, view.lang, view.now) && (id === undefined || article.tags.includes(id as Id)))
    .sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : b.id - a.id))
    .map((article) => pagePayload(view, article));
}
