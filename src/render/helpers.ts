/** Filters and functions that templates have. Those that need the reader's standpoint take it from the context. */
import nunjucks from "nunjucks";
import { addContentHelpers } from "./content-helpers.ts";
import { addMediaHelpers } from "./media-helpers.ts";
import { markdownHtml } from "./markdown.ts";
import { addMetaHelpers } from "./meta-helpers.ts";
import { asks, type TemplateThis } from "./template-view.ts";
import type { TemplateEnvironment } from "./templates.ts";

export function addHelpers(environment: TemplateEnvironment): TemplateEnvironment {
  const localized = function (this: TemplateThis, permalink: unknown): unknown {
    return localizedUrl((path) => asks(this, "link", path), permalink, this.ctx.request?.url);
  };
  environment.addFilter(
    "markdown",
    (text: unknown) => new nunjucks.runtime.SafeString(markdownHtml(String(text ?? ""))),
  );
  environment.addFilter("localized_url", localized as never);
  environment.addGlobal("localized_url", localized);
  environment.addGlobal("pages_of", function (this: TemplateThis, page: unknown) {
    const id = (page as { id?: unknown } | null | undefined)?.id;
    return typeof id === "number" ? asks(this, "pages_of", id) : [];
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
export function localizedUrl(find: (path: string) => string | null, permalink: unknown, requestUrl?: string): unknown {
  if (typeof permalink !== "string" || !permalink.startsWith("/") || permalink.startsWith("//")) return permalink;
  const [, path = "", tail = ""] = /^([^?#]*)(.*)$/s.exec(permalink) ?? [];
  const link = find(path);
  if (link === null) return permalink;
  return (requestUrl ? new URL(link, requestUrl).href : link) + tail;
}
