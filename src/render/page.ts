/** A page as HTML: its template, and the context the template sees. */
import { publicSettings } from "../config.ts";
import { CmsError, messageOf } from "../errors.ts";
import { contentTypeOf } from "../model/page/content-type.ts";
import { isEmpty, type JsonObject } from "../model/input/json.ts";
import type { Page } from "../model/page/page.ts";
import { kindOf, paginateOf, templateOf } from "../store/content/indexes/pages-by-model.ts";
import { findPageModel } from "../store/records/page-models.ts";
import { addressPayload, listError } from "../views/page/pagination.ts";
import type { Payload, View } from "../views/view.ts";
import { belowBasePath } from "./base-path.ts";
import type { TemplateRequest } from "./inject.ts";
import { NOT_FOUND, renderedTemplate } from "./headless.ts";
import { queryContent, type RunQuery } from "./template-queries.ts";
import { MARKS_FIELDS, RUN_QUERY, VIEW } from "./template-view.ts";
import { renderTemplate, type Templates } from "./templates.ts";

/** What one page is rendered from. */
export interface RenderInput {
  readonly payload: Payload;
  readonly template: string;
  readonly page_model: { readonly class: string; readonly module: string };
  /** Path of the module that adds to the context of the page's model. */
  readonly inject: string | null;
}

/** @throws CmsError `broken` in development, where the list of the page cannot be made; elsewhere the page has none then */
export function renderInput(view: View, page: Page, payload = addressPayload(view, page)): RenderInput {
  const paginate = view.config.usesRequestOrigin ? paginateOf(view.content, page) : undefined;
  const wrong = paginate && listError(view, paginate);
  if (wrong) throw new CmsError("broken", `The page has no list: ${wrong.key} of "paginate": ${wrong.message}`);
  return {
    payload,
    template: templateOf(view.content, view.config, page),
    page_model: { class: kindOf(page).name, module: contentTypeOf(page.model).app_label },
    inject: findPageModel(view.content, page.model)?.inject_context ?? null,
  };
}

export interface PageRenderOptions {
  /** The payload of the pending draft, for previews. */
  readonly draft?: JsonObject | undefined;
  readonly runQuery?: RunQuery;
  /** Whether `cms_field` marks the fields in the page, for the preview of the editor. */
  readonly marksFields?: boolean;
}

/**
 * Waits only for functions that add to the context.
 *
 * @throws CmsError `broken` when the template, or a function that adds to its context, fails; `not_found` for a page that
 *   another program renders
 */
export function renderPage(
  templates: Templates,
  view: View,
  input: RenderInput,
  request?: TemplateRequest,
  { draft, runQuery = queryContent, marksFields }: PageRenderOptions = {},
): string | Promise<string> {
  const template = renderedTemplate(view.config, templates, input.template);
  if (template === undefined)
    throw new CmsError("not_found", `Another program renders this page: there is no template "${input.template}".`);
  const context = siteContext(view, request, runQuery);
  context.page = input.payload;
  context.page_model = input.page_model;
  if (input.payload.pagination) context.pagination = input.payload.pagination;
  if (draft && !isEmpty(draft)) context.draft_data = draft;
  if (marksFields) context[MARKS_FIELDS] = true;
  const render = (added: object): string =>
    belowBasePath(renderTemplate(templates.environment, template, Object.assign(context, added)), view.config);
  if (templates.inject === null && input.inject === null) return render({});
  return inject(templates, input, request, context).then(render);
}

/** What the site's function adds to the context of every page, and then the function of the page's model. */
async function inject(
  templates: Templates,
  input: RenderInput,
  request: TemplateRequest | undefined,
  context: object,
): Promise<object> {
  try {
    const bySite = (await templates.inject?.(request, context)) ?? {};
    const byModel =
      input.inject === null ? {} : await (await templates.injectOf(input.inject))(request, { ...context, ...bySite });
    return { ...bySite, ...byModel };
  } catch (error) {
    throw new CmsError(
      "broken",
      `The context of page ${String(input.payload.id)} cannot be made: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** The page for paths that lead nowhere; without a template, a plain one. */
export const renderNotFound = (
  templates: Templates,
  view: View,
  request?: TemplateRequest,
  runQuery = queryContent,
): string =>
  templates.has(NOT_FOUND)
    ? belowBasePath(renderTemplate(templates.environment, NOT_FOUND, siteContext(view, request, runQuery)), view.config)
    : "<!doctype html><title>Not found</title><h1>Not found</h1>";

/** A new object for each rendering: what a template and functions that add to the context see. */
type Context = Record<string | symbol, unknown>;

function siteContext(view: View, request: TemplateRequest | undefined, runQuery: RunQuery): Context {
  const context: Context = {
    lang: view.lang,
    languages: view.config.LANGUAGES,
    menus: runQuery(view, "menus"),
    settings: publicSettings(view.config),
  };
  context[VIEW] = view;
  context[RUN_QUERY] = runQuery;
  if (request) context.request = request;
  return context;
}
