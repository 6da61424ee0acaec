/** Template helpers for what stands beside pages: menus, content blocks, articles, tags. */
import nunjucks from "nunjucks";
import type { Id } from "../model/page.ts";
import { asks, contextOf, type TemplateThis } from "./template-view.ts";
import { renderTemplate, type TemplateEnvironment } from "./templates.ts";

const MENU_TEMPLATE = "defaults/parts/menu.html";

export function addContentHelpers(environment: TemplateEnvironment): void {
  environment.addGlobal("render_menu", function (this: TemplateThis, key: unknown, template: unknown = MENU_TEMPLATE) {
    const menu = asks(this, "menus")[String(key)];
    if (!menu) return "";
    // Templates are trusted; what they print of data they escape themselves.
    return new nunjucks.runtime.SafeString(renderTemplate(environment, String(template), { ...contextOf(this), menu }));
  });
  environment.addGlobal("get_menus", function (this: TemplateThis, ...keys: unknown[]) {
    const menus = asks(this, "menus");
    return keys.length === 0 ? menus : Object.fromEntries(keys.map((key) => [String(key), menus[String(key)] ?? null]));
  });
  environment.addFilter("node_url", nodeUrl as never);
  environment.addGlobal("node_url", nodeUrl);
  environment.addFilter("filter_content", function (this: TemplateThis, page: unknown, identifier: unknown) {
    return contentBlock(this, (page as { id?: Id } | null | undefined)?.id ?? null, String(identifier));
  } as never);
  environment.addGlobal("content_block", function (this: TemplateThis, identifier: unknown) {
    return contentBlock(this, null, String(identifier));
  });
  environment.addGlobal("articles", function (this: TemplateThis, tag?: unknown) {
    const id = typeof tag === "number" ? tag : (tag as { id?: unknown } | null | undefined)?.id;
    if (id === undefined) return asks(this, "articles", null);
    return typeof id === "number" ? asks(this, "articles", id) : [];
  });
  environment.addGlobal("tags", function (this: TemplateThis) {
    return asks(this, "tags");
  });
}

/** A menu node's URL; null where it has none. */
function nodeUrl(node: unknown): unknown {
  return (node as { link?: { url?: unknown } } | null | undefined)?.link?.url ?? null;
}

/** With empty content where there is none: reading makes nothing. */
const contentBlock = (self: TemplateThis, page: Id | null, identifier: string): unknown =>
  asks(self, "block", page, identifier) ?? { id: null, content: "" };
