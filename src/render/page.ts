/** A page as HTML: its template, and the context the template sees (decisions.md 43). */
import { publicSettings } from "../config.ts";
import { CmsError, messageOf } from "../errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { Page } from "../model/page.ts";
import { contentTypeOf } from "../model/content-type.ts";
import { findPageModel } from "../store/content/records/page-models.ts";
import { kindOf, templateOf } from "../store/content/indexes/page-models.ts";
import { pagePayload, type Payload } from "../views/page.ts";
import type { View } from "../views/view.ts";
import { askContent, type Ask } from "./answers.ts";
import type { RequestFacts } from "./request.ts";
import { ASK, VIEW } from "./template-view.ts";
import { renderTemplate, type Templates } from "./templates.ts";

/** What is shown of one page. */
export interface Shown {
  readonly payload: Payload;
  readonly template: string;
  readonly page_model: { readonly class: string; readonly module: string };
  /** The module that adds to the context of the page's model. */
  readonly inject: string | null;
}

export const shownOf = (view: View, page: Page, payload = pagePayload(view, page)): Shown => ({
  payload,
  template: templateOf(view.content, view.config, page),
  page_model: { class: kindOf(page).name, module: contentTypeOf(page.model).app_label },
  inject: findPageModel(view.content, page.model)?.inject_context ?? null,
});

/** @param draft the pending draft's payload, where the reader is an editor looking at one */
export const renderPageHtml = (
  templates: Templates,
  view: View,
  page: Page,
  request?: RequestFacts,
  draft?: JsonObject,
): Promise<string> => renderShown(templates, view, shownOf(view, page), request, { draft });

export async function renderShown(
  templates: Templates,
  view: View,
  shown: Shown,
  request?: RequestFacts,
  { draft, ask = askContent }: { readonly draft?: JsonObject | undefined; readonly ask?: Ask } = {},
): Promise<string> {
  const base = {
    ...siteContext(view, request, ask),
    page: shown.payload,
    page_model: shown.page_model,
    ...(draft && Object.keys(draft).length > 0 && { draft_data: draft }),
  };
  const injected = templates.inject || shown.inject !== null ? await inject(templates, shown, request, base) : {};
  return renderTemplate(templates.environment, shown.template, { ...base, ...injected });
}

/** What the site adds to every page's context, then what the page's model adds. */
async function inject(
  templates: Templates,
  shown: Shown,
  request: RequestFacts | undefined,
  base: object,
): Promise<object> {
  try {
    const added = (await templates.inject?.(request, base)) ?? {};
    const own =
      shown.inject !== null ? await (await templates.injectOf(shown.inject))(request, { ...base, ...added }) : {};
    return { ...added, ...own };
  } catch (error) {
    throw new CmsError(
      "broken",
      `The context of page ${String(shown.payload.id)} cannot be made: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** A template for no page in particular, such as `404.html`. */
export const renderSiteHtml = (
  templates: Templates,
  view: View,
  template: string,
  request?: RequestFacts,
  ask = askContent,
): string => renderTemplate(templates.environment, template, siteContext(view, request, ask));

const siteContext = (view: View, request: RequestFacts | undefined, ask: Ask): object => ({
  [VIEW]: view,
  [ASK]: ask,
  lang: view.lang,
  languages: view.config.LANGUAGES,
  menus: ask(view, "menus"),
  settings: publicSettings(view.config),
  ...(request && { request }),
});
