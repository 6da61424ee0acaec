/** Template helpers for content other than pages: menus, content blocks, articles, tags, meta instances. */
import nunjucks from "nunjucks";
import type { Id } from "../model/page/page.ts";
import { richText } from "./rich-text.ts";
import { runQuery, type TemplateThis } from "./template-view.ts";
import { renderTemplate, type TemplateEnvironment } from "./templates.ts";

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
  environment.addGlobal("instances", function (this: TemplateThis, key: unknown) {
    return typeof key === "string" ? runQuery(this, "instances", key) : [];
  });
  environment.addFilter("html", (html: unknown) => new nunjucks.runtime.SafeString(richText(String(html ?? ""))));
}

/** The URL of a menu node; null if it has none. */
function nodeUrl(node: unknown): unknown {
  return (node as { link?: { url?: unknown } } | null | undefined)?.link?.url ?? null;
}

/** A block that does not exist is empty; reading does not create it. */
const contentBlock = (self: TemplateThis, page: Id | null, identifier: string): unknown =>
  runQuery(self, "block", page, identifier) ?? { id: null, content: "" };
