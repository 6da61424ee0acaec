/** `localized_url`, as a filter and as a function. */
import { runQuery, VIEW, type TemplateThis } from "../template-view.ts";
import type { TemplateEnvironment } from "../templates.ts";

export function addLinkHelpers(environment: TemplateEnvironment): void {
  const localized = function (this: TemplateThis, permalink: unknown): unknown {
    return localizedUrl((path) => runQuery(this, "link", path), permalink, this.ctx);
  };
  environment.addFilter("localized_url", localized);
  environment.addGlobal("localized_url", localized);
}

/**
 * The URL, in the active language, of the page with a bare permalink; absolute if there is a request with an origin.
 * Any other value is returned unchanged.
 */
function localizedUrl(
  find: (path: string) => string | null,
  permalink: unknown,
  { request: { url = "" } = {}, [VIEW]: view }: TemplateThis["ctx"],
): unknown {
  if (typeof permalink !== "string" || !permalink.startsWith("/") || permalink.startsWith("//")) return permalink;
  const [, path = "", tail = ""] = /^([^?#]*)(.*)$/s.exec(permalink) ?? [];
  const link = find(path);
  if (link === null) return permalink;
  return (URL.canParse(url) ? new URL((view?.config.BASE_PATH ?? "") + link, url).href : link) + tail;
}
