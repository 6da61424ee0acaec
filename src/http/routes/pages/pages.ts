/** Pages and articles: create, read, change, and every lifecycle action, the same for each kind of page. */
import { createPage, updatePage } from "../../../actions/pages/pages.ts";
import { deletePage, deletePages } from "../../../actions/pages/page-removal.ts";
import { invalid } from "../../../errors.ts";
import { isObject, own } from "../../../model/input/json.ts";
import { ARTICLE_MODEL, PAGE_MODEL, type Page } from "../../../model/page/page.ts";
import { kindOf } from "../../../store/content/indexes/pages-by-model.ts";
import { findPageModel } from "../../../store/records/page-models.ts";
import { ARTICLES, PAGES } from "../../../store/records/pages.ts";
import { autosaveRoutes } from "./autosave.ts";
import type { Operation } from "../../openapi/operation.ts";
import { customModelOf, openPageHandlers, type PagePaths } from "./page-handlers.ts";
import { USE_LINKS } from "../../../schema/components/media.ts";
import * as s from "../../../schema/json-schema.ts";
import { addressRoute } from "./page-tree.ts";
import { presenceRoutes } from "./presence.ts";
import { PATHS } from "../../public/routers.ts";
import { permitted, resource, type ResourceSchemas } from "../../app/resource.ts";
import { get, patch, post, put, type Access, type Call, type Route } from "../../app/route.ts";

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
  const { one, many, payload, input } = schemas;
  const write = { answer: payload, isLocalized: true, isVersioned: true } as const;
  const draft = { ...write, body: input };
  const action = { ...write, body: s.record({}), isBodyOptional: true } as const;
  const data = { answer: payload, isLocalized: true } as const;
  const page = { answer: s.TEXT, type: "text/html", isLocalized: true } as const;
  const handlers = openPageHandlers(pages);
  const edit = (action: string, handle: Route["handle"], operation: Operation): Route =>
    post(`${path}/:id/${action}`, editors, handle, operation);
  const look = (at: string, handle: Route["handle"], operation: Operation): Route =>
    get(`${path}/:id/${at}`, staff, handle, operation);
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
    post(`${path}/update_order`, access.add, handlers.updateOrder, {
      summary: `Reorder ${many}`,
      description: "Moves the record `startId` to the place of `endId`.",
      body: s.record(
        {
          startId: s.ID,
          endId: s.ID,
          siblings: s.told("Whether only records with the same parent change their rank.", s.FLAG),
        },
        { optional: ["siblings"] },
      ),
      refusals: [404],
      answer: "Reordered",
    }),
    patch(`${path}/:id/draft`, editors, handlers.saveDraft("merge"), {
      ...draft,
      summary: `Change the draft of ${one}`,
      description: "Merged into the pending draft.",
    }),
    put(`${path}/:id/draft`, editors, handlers.saveDraft("replace"), {
      ...draft,
      summary: `Replace the draft of ${one}`,
      description: "In place of the pending draft.",
    }),
    edit("discard-draft", handlers.discardDraft, { ...action, summary: `Discard the draft of ${one}` }),
    edit("publish", handlers.publish, {
      ...write,
      summary: `Publish ${one}`,
      description: "Publishes the active language now; its pending draft is applied.",
      body: s.record(
        { comment: s.told("For the history; what is not a text is kept as JSON.", s.ANYTHING) },
        { optional: "all" },
      ),
      isBodyOptional: true,
    }),
    edit("schedule", handlers.schedule, {
      ...write,
      summary: `Schedule ${one}`,
      description:
        "A language that was never public goes live at that moment; of a public one, the pending draft is applied then.",
      body: s.record(
        {
          publish_at: s.told("null: what is scheduled is cancelled, and the draft stays pending.", s.orNull(s.MOMENT)),
          with_draft: s.told(
            "Whether the draft of a language that was never public is applied then, too.",
            s.orNull(s.FLAG),
          ),
        },
        { optional: ["with_draft"] },
      ),
    }),
    edit("trash", handlers.trash, {
      ...action,
      summary: `Move ${one} to the trash`,
      description: "Hides it in every language.",
    }),
    edit("restore", handlers.restore, { ...action, summary: `Restore ${one} from the trash` }),
    edit("revert/:version", handlers.revert, {
      ...write,
      summary: `Revert ${one} to a revision`,
      body: s.record(
        {
          languages: s.told(
            "Whose texts alone are brought back, as public as they are now. Without it: everything, in all languages.",
            s.listOf(s.text("en")),
          ),
        },
        { optional: "all" },
      ),
      isBodyOptional: true,
      refusals: [501],
    }),
    ...autosaveRoutes(path, editors, handlers.idOf),
    ...presenceRoutes(path, editors, kind, handlers.idOf),
    addressRoute(path, editors, schemas.input, handlers.idOf),
    look("revisions", handlers.revisions, {
      summary: `List the revisions of ${one}`,
      answer: s.listOf(s.ref("Revision")),
      refusals: [501],
    }),
    look("revisions/:version", handlers.revision, {
      summary: `Read ${one} as it was at a revision`,
      description: "Without drafts; references are resolved to the present records.",
      ...data,
      refusals: [409, 501],
    }),
    look("revisions/:version/render", handlers.renderRevision, {
      summary: `Preview ${one} as HTML, as it was at a revision`,
      ...page,
      refusals: [409, 501],
    }),
    look("text-changes", handlers.textChanges, {
      summary: `Read when each text of ${one} was changed last, by language`,
      description:
        "By the names of the fields, those of data as `template_data.lead`. Of a page with over 50 revisions, texts that are older have none.",
      answer: s.byName(s.byName(s.MOMENT, "By field."), "By language."),
      refusals: [501],
    }),
    look("uses", handlers.uses, {
      summary: `List the records that name ${one}`,
      description: "Pages below it, references and links in data, menus, and links in texts; drafts included.",
      answer: s.record({ links: USE_LINKS }),
    }),
    look("preview", handlers.preview, {
      summary: `Preview ${one} as data`,
      description: "With the pending draft of the active language.",
      query: [PATHS],
      ...data,
    }),
    post(`${path}/:id/preview`, staff, handlers.previewTyped, {
      summary: `Preview ${one} as data, with values that are not saved`,
      query: [PATHS],
      body: input,
      ...data,
    }),
    post(`${path}/:id/live-preview`, staff, handlers.keep, {
      summary: `Keep values of ${one} that are not saved, for a preview elsewhere`,
      description:
        "For a minute. With the key, `pages-router-preview` shows the page so without an account; `page` is what it answers.",
      query: [PATHS],
      body: input,
      answer: s.record({ key: s.TEXT, page: s.ref("AnyPreviewPage") }),
      isLocalized: true,
    }),
    look("render", handlers.render, {
      summary: `Preview ${one} as HTML`,
      description: "With its template; the pending draft is `draft_data`.",
      ...page,
    }),
    post(`${path}/:id/render`, staff, handlers.renderTyped, {
      summary: `Preview ${one} as HTML, with values that are not saved`,
      body: input,
      ...page,
    }),
  ];
}

/** The model that the body of a new page names. @throws CmsError `invalid` for one that does not exist */
function modelIn(call: Call, body: unknown): string {
  const model = isObject(body) ? own(body, "model") : undefined;
  if (model === undefined || model === null || model === "" || model === PAGE_MODEL) return PAGE_MODEL;
  if (typeof model === "string" && findPageModel(call.ctx.store.current, model)) return model;
  throw invalid({ model: [`There is no page model "${String(model)}".`] });
}
