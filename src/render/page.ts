/** A page as HTML: its template, and the context the template sees (decisions.md 43). */
import { publicSettings } from "../config.ts";
import { CmsError, messageOf } from "../errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { Page } from "../model/page.ts";
import { contentTypeOf } from "../model/content-type.ts";
import { findPageModel } from "../store/kinds/page-models.ts";
import { kindOf, templateOf } from "../store/page-kinds.ts";
import { menusByKey } from "../views/menu.ts";
import { pagePayload } from "../views/page.ts";
import type { View } from "../views/view.ts";
import type { RequestFacts } from "./request.ts";
import { VIEW } from "./template-view.ts";
import { renderTemplate, type Templates } from "./templates.ts";

/** @param draft the pending draft's payload, where the reader is an editor looking at one */
export async function renderPageHtml(templates: Templates, view: View, page: Page, request?: RequestFacts, draft?: JsonObject): Promise<string> {
  const base = {
    ...siteContext(view, request),
    page: pagePayload(view, page),
    page_model: { class: kindOf(page).name, module: contentTypeOf(page.model).app_label },
    ...(draft && Object.keys(draft).length > 0 && { draft_data: draft }),
  };
  const injected = await inject(templates, view, page, request, base);
  return renderTemplate(templates.environment, templateOf(view.content, view.config, page), { ...base, ...injected });
}

/** What the site adds to every page's context, then what the page's model adds. */
async function inject(templates: Templates, view: View, page: Page, request: RequestFacts | undefined, base: object): Promise<object> {
  const module = findPageModel(view.content, page.model)?.inject_context;
  try {
    const added = (await templates.inject?.(request, base)) ?? {};
    const own = module ? await (await templates.injectOf(module))(request, { ...base, ...added }) : {};
    return { ...added, ...own };
  } catch (error) {
    throw new CmsError("broken", `The context of page ${page.id} cannot be made: ${messageOf(error)}`, { cause: error });
  }
}

/** A template for no page in particular, such as `404.html`. */
export const renderSiteHtml = (templates: Templates, view: View, template: string, request?: RequestFacts): string =>
  renderTemplate(templates.environment, template, siteContext(view, request));

const siteContext = (view: View, request: RequestFacts | undefined): object => ({
  [VIEW]: view,
  lang: view.lang,
  languages: view.config.LANGUAGES,
  menus: menusByKey(view),
  settings: publicSettings(view.config),
  ...(request && { request }),
});
