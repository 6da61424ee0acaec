/** Filters and functions that templates have. Those that need the reader's standpoint take it from the context. */
import MarkdownIt from "markdown-it";
import nunjucks from "nunjucks";
import { splitLang } from "../model/locale.ts";
import { isPublic } from "../model/lifecycle.ts";
import { findPage } from "../store/page-kinds.ts";
import { pageIndex } from "../store/page-index.ts";
import { pagePayload, type Payload } from "../views/page.ts";
import { routerlink, type View } from "../views/view.ts";
import { addContentHelpers } from "./content-helpers.ts";
import { addMediaHelpers } from "./media-helpers.ts";
import { addMetaHelpers } from "./meta-helpers.ts";
import { viewOf, type TemplateThis } from "./template-view.ts";
import type { TemplateEnvironment } from "./templates.ts";

// Raw HTML in content stays text: content is data, and data is escaped.
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

export function addHelpers(environment: TemplateEnvironment): TemplateEnvironment {
  const localized = function (this: TemplateThis, permalink: unknown): unknown {
    return localizedUrl(viewOf(this), permalink, this.ctx.request?.url);
  };
  environment.addFilter("markdown", (text: unknown) => new nunjucks.runtime.SafeString(markdown.render(String(text ?? ""))));
  environment.addFilter("localized_url", localized as never);
  environment.addGlobal("localized_url", localized);
  environment.addGlobal("pages_of", function (this: TemplateThis, page: unknown) {
    return pagesOf(viewOf(this), page);
  });
  addContentHelpers(environment);
  addMediaHelpers(environment);
  addMetaHelpers(environment);
  return environment;
}

/**
 * The active language's URL of the page a bare permalink names, absolute when a request is known (interface.md, Bare
 * permalink strings). What names no page is returned as it came.
 */
export function localizedUrl(view: View, permalink: unknown, requestUrl?: string): unknown {
  if (typeof permalink !== "string" || !permalink.startsWith("/") || permalink.startsWith("//")) return permalink;
  const [, path = "", tail = ""] = /^([^?#]*)(.*)$/s.exec(permalink) ?? [];
  const { lang, rest } = splitLang(view.locales, path);
  const bare = rest.replace(/\/+$/, "") || "/";
  const index = pageIndex(view.content);
  const candidates = [lang, view.lang, view.locales.default];
  const page = candidates.map((each) => index.byPermalink(each, bare)).find(Boolean) ?? candidates.map((each) => index.byAlias(each, bare)).find(Boolean);
  const link = page && routerlink(view, page);
  if (link == null) return permalink;
  return (requestUrl ? new URL(link, requestUrl).href : link) + tail;
}

/** The public children of a page, in their order, as page payloads. */
function pagesOf(view: View, page: unknown): Payload[] {
  const id = (page as { id?: unknown } | null | undefined)?.id;
  if (typeof id !== "number" || !findPage(view.content, id)) return [];
  return pageIndex(view.content)
    .children(id)
    .filter((child) => isPublic(child, view.lang, view.now))
    .map((child) => pagePayload(view, child));
}

