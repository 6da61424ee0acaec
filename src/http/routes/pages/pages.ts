/** Pages and articles: create, read, change, and every lifecycle action, the same for each kind of page. */
import { createPage, updatePage } from "../../../actions/pages/pages.ts";
import { deletePage, deletePages } from "../../../actions/pages/page-removal.ts";
import { invalid } from "../../../errors.ts";
import { isObject, own } from "../../../model/input/json.ts";
import { ARTICLE_MODEL, PAGE_MODEL, type Page } from "../../../model/page/page.ts";
import type { SaveMode } from "../../../model/input/sent-fields.ts";
import { kindOf } from "../../../store/content/indexes/page-models.ts";
import { findPageModel } from "../../../store/records/page-models.ts";
import { ARTICLES, PAGES } from "../../../store/records/pages.ts";
import { autosaveRoutes } from "./autosave.ts";
import type { Operation } from "../../openapi/operation.ts";
import { customModelOf, openPageHandlers, type PagePaths } from "./page-handlers.ts";
import { pageOperations } from "./page-operations.ts";
import { addressRoute } from "./page-tree.ts";
import { presenceRoutes } from "./presence.ts";
import { permitted, resource, type ResourceSchemas } from "../../request/resource.ts";
import { post, route, type Access, type Call, type Route } from "../../request/route.ts";

interface PageResource extends PagePaths {
  /** First segment of the paths. */
  readonly path: string;
  /** The name in permissions. */
  readonly name: string;
  readonly schemas: ResourceSchemas;
  /** The model of pages created here; absent: the body names it. */
  readonly model?: string;
}

const PAGE = { one: "a page", many: "pages", payload: "AnyPage", input: "AnyPageInput" };
const ARTICLE = { one: "an article", many: "articles", payload: "Article", input: "ArticleInput" };
const OF_MODEL = { ...PAGE, one: "a page of a page model", many: "pages of a page model" };

export const pageRoutes: readonly Route[] = [
  ...routesOf({ path: "pages", kind: PAGES, name: "page", schemas: PAGE }),
  ...routesOf({ path: "articles", kind: ARTICLES, name: "article", schemas: ARTICLE, model: ARTICLE_MODEL }),
  ...routesOf({ path: "models/:model", kind: PAGES, name: "page", schemas: OF_MODEL, isOfNamedModel: true }),
];

function routesOf(pages: PageResource): Route[] {
  const { path, kind, name, schemas, model, isOfNamedModel } = pages;
  /** The rule of the upstream system can be read either way: staff that may change or that may add. */
  const editors: Access = { staff: true, any: [`cms.change_${name}`, `cms.add_${name}`] };
  const staff: Access = { staff: true };
  const access = permitted(name);
  const tells = pageOperations(schemas);
  const handlers = openPageHandlers(pages);
  const edit = (action: string, handle: Route["handle"], operation: Operation): Route =>
    post(`${path}/:id/${action}`, editors, handle, operation);
  const look = (at: string, handle: Route["handle"], operation: Operation, ...types: readonly string[]): Route => ({
    method: "GET",
    path: `${path}/:id/${at}`,
    access: staff,
    handle,
    operation,
    ...(types.length > 0 && { types }),
  });
  const draft = (method: "PATCH" | "PUT", mode: SaveMode): Route =>
    route(
      method,
      `${path}/:id/draft`,
      editors,
      handlers.saveDraft(mode),
      method === "PUT" ? tells.replaceDraft : tells.changeDraft,
    );
  return [
    ...resource<Page>({
      ...handlers.served,
      path,
      access,
      schemas,
      idOf: handlers.idOf,
      ...(isOfNamedModel && { includes: handlers.filterOf }),
      create: (ctx, by, body, lang, call) =>
        createPage(ctx, by, body, lang, model ?? customModelOf(pages, call) ?? modelIn(call, body)),
      update: updatePage,
      remove: deletePage,
      removeMany: (ctx, by, ids, call) => {
        const isIncluded = handlers.filterOf(call);
        return deletePages(ctx, by, ids, (page) => kindOf(page) === kind && isIncluded(page));
      },
    }),
    post(`${path}/update_order`, access.add, handlers.updateOrder, tells.updateOrder),
    draft("PATCH", "merge"),
    draft("PUT", "replace"),
    edit("discard-draft", handlers.discardDraft, tells.discardDraft),
    edit("publish", handlers.publish, tells.publish),
    edit("schedule", handlers.schedule, tells.schedule),
    edit("trash", handlers.trash, tells.trash),
    edit("restore", handlers.restore, tells.restore),
    edit("revert/:version", handlers.revert, tells.revert),
    ...autosaveRoutes(path, editors, handlers.idOf),
    ...presenceRoutes(path, editors, kind, handlers.idOf),
    addressRoute(path, editors, schemas.input, handlers.idOf),
    look("revisions", handlers.revisions, tells.revisions),
    look("revisions/:version", handlers.revision, tells.revision),
    look("revisions/:version/render", handlers.renderRevision, tells.renderRevision, "text/html"),
    look("text-changes", handlers.textChanges, tells.textChanges),
    look("preview", handlers.preview, tells.preview),
    post(`${path}/:id/preview`, staff, handlers.previewTyped, tells.previewTyped),
    look("render", handlers.render, tells.render, "text/html"),
    post(`${path}/:id/render`, staff, handlers.renderTyped, tells.renderTyped, { types: ["text/html"] }),
  ];
}

/** The model that the body of a new page names. @throws CmsError `invalid` for one that does not exist */
function modelIn(call: Call, body: unknown): string {
  const model = isObject(body) ? own(body, "model") : undefined;
  if (model === undefined || model === null || model === "" || model === PAGE_MODEL) return PAGE_MODEL;
  if (typeof model === "string" && findPageModel(call.ctx.store.current, model)) return model;
  throw invalid({ model: [`There is no page model "${String(model)}".`] });
}
