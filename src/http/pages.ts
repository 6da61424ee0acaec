/** Pages and articles: create, read, change, and every lifecycle action, the same for each kind of page. */
import {
  createPage,
  discardPageDraft,
  publishPage,
  restorePage,
  savePageDraft,
  schedulePage,
  trashPage,
  updatePage,
} from "../actions/pages.ts";
import { reorderPages } from "../actions/page-order.ts";
import { deletePage, deletePages } from "../actions/page-removal.ts";
import { listRevisions, readRevision, requireRevisions, revertToRevision } from "../actions/revisions.ts";
import { invalid, notFound } from "../errors.ts";
import { discardDraft, overlayDraft, saveDraft } from "../model/draft.ts";
import { parseInstant, type Instant } from "../model/instant.ts";
import type { SaveMode } from "../model/sent-fields.ts";
import { isObject, own, type Json } from "../model/json.ts";
import { readPageChange } from "../model/page-input.ts";
import { ARTICLE_MODEL, PAGE_MODEL, type Page } from "../model/page.ts";
import { NOT_AN_OBJECT, REQUIRED } from "../model/input-errors.ts";
import type { Kind } from "../store/content/record-type.ts";
import { findPageModel } from "../store/content/records/page-models.ts";
import { ARTICLES, PAGES } from "../store/content/records/pages.ts";
import { kindOf } from "../store/content/indexes/page-models.ts";
import type { Author, Written } from "../store/write/store.ts";
import { PAGE_LIST } from "../views/page-list.ts";
import { pagePayload } from "../views/page.ts";
import type { View } from "../views/view.ts";
import { revisionPayload } from "../views/revision.ts";
import { MOMENT, listOf, record, ref, TEXT, told, ID } from "../schema/json-schema.ts";
import { autosaveRoutes } from "./autosave.ts";
import { previewPage } from "./html.ts";
import type { Operation } from "./openapi/operation.ts";
import { html, json, PRIVATE, type Reply } from "./reply.ts";
import { authorOf, permitted, refuseUnknown, resource, writtenReply, type ResourceSchemas } from "./resource.ts";
import type { Access, Call, Route } from "./route.ts";

interface PageResource {
  /** First segment of the paths. */
  readonly path: string;
  readonly kind: Kind<Page>;
  /** The name in permissions. */
  readonly name: string;
  readonly schemas: ResourceSchemas;
  /** The model of pages created here; absent: the body names it. */
  readonly model?: string;
  /** Whether the path names a custom page model, and has its pages only (decisions.md 55). */
  readonly isOfNamedModel?: true;
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
  /** The rule of the upstream system can be read either way: staff that may change or that may add (contract.md 3.3). */
  const editors: Access = { staff: true, any: [`cms.change_${name}`, `cms.add_${name}`] };
  const staff: Access = { staff: true };
  const access = permitted(name);
  const tells = operationsOf(schemas);
  const handlers = handlersOf(pages);
  const edit = (action: string, handle: Route["handle"], operation: Operation): Route => ({
    method: "POST",
    path: `${path}/:id/${action}`,
    access: editors,
    handle,
    operation,
  });
  const look = (at: string, handle: Route["handle"], operation: Operation, ...types: readonly string[]): Route => ({
    method: "GET",
    path: `${path}/:id/${at}`,
    access: staff,
    handle,
    operation,
    ...(types.length > 0 && { types }),
  });
  const draft = (method: "PATCH" | "PUT", mode: SaveMode): Route => ({
    method,
    path: `${path}/:id/draft`,
    access: editors,
    handle: handlers.saveDraft(mode),
    operation: method === "PUT" ? tells.replaceDraft : tells.changeDraft,
  });
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
    {
      method: "POST",
      path: `${path}/update_order`,
      access: access.add,
      handle: handlers.updateOrder,
      operation: tells.updateOrder,
    },
    draft("PATCH", "merge"),
    draft("PUT", "replace"),
    edit("discard-draft", handlers.discardDraft, tells.discardDraft),
    edit("publish", handlers.publish, tells.publish),
    edit("schedule", handlers.schedule, tells.schedule),
    edit("trash", handlers.trash, tells.trash),
    edit("restore", handlers.restore, tells.restore),
    edit("revert/:version", handlers.revert, tells.revert),
    ...autosaveRoutes(path, editors, handlers.idOf),
    look("revisions", handlers.revisions, tells.revisions),
    look("revisions/:version", handlers.revision, tells.revision),
    look("revisions/:version/render", handlers.renderRevision, tells.renderRevision, "text/html"),
    look("preview", handlers.preview, tells.preview),
    {
      method: "POST",
      path: `${path}/:id/preview`,
      access: staff,
      handle: handlers.previewTyped,
      operation: tells.previewTyped,
    },
    look("render", handlers.render, tells.render, "text/html"),
    {
      method: "POST",
      path: `${path}/:id/render`,
      access: staff,
      types: ["text/html"],
      handle: handlers.renderTyped,
      operation: tells.renderTyped,
    },
  ];
}

/** The operations on pages beyond those of every resource. */
function operationsOf({ one, many, payload, input }: ResourceSchemas) {
  const write = { answer: payload, isLocalized: true, isVersioned: true } as const;
  const draft = { ...write, body: input };
  return {
    updateOrder: {
      summary: `Reorder ${many}`,
      description: "Moves the record `startId` to the place of `endId`.",
      body: record({ startId: ID, endId: ID }),
      answer: "Reordered",
    },
    changeDraft: { ...draft, summary: `Change the draft of ${one}`, description: "Merged into the pending draft." },
    replaceDraft: { ...draft, summary: `Replace the draft of ${one}`, description: "In place of the pending draft." },
    discardDraft: { ...write, summary: `Discard the draft of ${one}`, body: record({}), isBodyOptional: true },
    publish: {
      ...write,
      summary: `Publish ${one}`,
      description: "Publishes the active language now; its pending draft is applied.",
      body: record({ comment: told("For the history.", TEXT) }, { optional: "all" }),
      isBodyOptional: true,
    },
    schedule: {
      ...write,
      summary: `Schedule ${one}`,
      description:
        "A language that was never public goes live at that moment; of a public one, the pending draft is applied then.",
      body: record({ publish_at: MOMENT }),
    },
    trash: {
      ...write,
      summary: `Move ${one} to the trash`,
      description: "Hides it in every language.",
      body: record({}),
      isBodyOptional: true,
    },
    restore: { ...write, summary: `Restore ${one} from the trash`, body: record({}), isBodyOptional: true },
    revert: {
      ...write,
      summary: `Revert ${one} to a revision`,
      body: record({}),
      isBodyOptional: true,
      refusals: [501],
    },
    revisions: { summary: `List the revisions of ${one}`, answer: listOf(ref("Revision")), refusals: [501] },
    revision: {
      summary: `Read ${one} as it was at a revision`,
      description: "Without drafts; references are resolved to the present records.",
      answer: payload,
      isLocalized: true,
      refusals: [409, 501],
    },
    renderRevision: {
      summary: `Preview ${one} as HTML, as it was at a revision`,
      answer: TEXT,
      type: "text/html",
      isLocalized: true,
      refusals: [409, 501],
    },
    previewTyped: {
      summary: `Preview ${one} as data, with values that are not saved`,
      body: input,
      answer: payload,
      isLocalized: true,
    },
    renderTyped: {
      summary: `Preview ${one} as HTML, with values that are not saved`,
      body: input,
      answer: TEXT,
      type: "text/html",
      isLocalized: true,
    },
    preview: {
      summary: `Preview ${one} as data`,
      description: "With the pending draft of the active language.",
      answer: payload,
      isLocalized: true,
    },
    render: {
      summary: `Preview ${one} as HTML`,
      description: "With its template; the pending draft is `draft_data`.",
      answer: TEXT,
      type: "text/html",
      isLocalized: true,
    },
  } satisfies Record<string, Operation>;
}

function handlersOf(pages: PageResource) {
  const { kind } = pages;
  const served = { kind, queryable: PAGE_LIST, show: (view: View, page: Page) => pagePayload(view, page) };
  /** Which pages the path has. */
  const filterOf = (call: Call): ((page: Page) => boolean) => {
    const only = customModelOf(pages, call);
    return (page) => only === undefined || page.model === only;
  };
  /** The page in the path. @throws CmsError `not_found` */
  const pageOf = (call: Call): Page => {
    const page = call.ctx.store.current.get(kind, call.id());
    if (!filterOf(call)(page)) throw notFound(kind.name);
    return page;
  };
  const idOf = (call: Call): number => pageOf(call).id;
  const author = (call: Call): Author => authorOf(call, kind, call.id());
  /** A write, answered with the page that it stored. */
  const write =
    (verb: (call: Call, id: number) => Promise<Written<Page>>) =>
    async (call: Call): Promise<Reply> =>
      writtenReply(call, served, await verb(call, idOf(call)));
  /** A write whose body may have only these keys. */
  const action = (verb: (call: Call, id: number, body: Json) => Promise<Written<Page>>, ...keys: readonly string[]) =>
    write(async (call, id) => {
      const body = (await call.body()) as Json;
      refuseUnknown(call, body, ...keys);
      return verb(call, id, body);
    });
  /**
   * The page as it would read with its draft and the values in the body published; nothing is stored.
   *
   * @throws CmsError `invalid` as saving them as a draft would
   */
  const typedPage = async (call: Call): Promise<Page> => {
    const { lang, ctx } = call;
    const page = pageOf(call);
    const typed = saveDraft(page, lang, objectBody(await call.body()), "merge", ctx.env.now());
    if (typed.drafts[lang]) readPageChange(typed.drafts[lang].payload, ctx.locales, lang, page.model);
    return discardDraft(overlayDraft(typed, lang, ctx.locales), lang);
  };
  const pageThen = async (call: Call): Promise<Page> => {
    requireRevisions(call.ctx);
    return readRevision(call.ctx, idOf(call), call.params.version ?? "");
  };
  const revertPage = action((call, id) => revertToRevision(call.ctx, author(call), id, call.params.version ?? ""));
  return {
    served,
    filterOf,
    idOf,
    saveDraft: (mode: SaveMode) =>
      write(async (call, id) =>
        savePageDraft(call.ctx, author(call), id, call.lang, objectBody(await call.body()), { mode }),
      ),
    discardDraft: action((call, id) => discardPageDraft(call.ctx, author(call), id, call.lang)),
    publish: action((call, id, body) => publishPage(call.ctx, author(call), id, call.lang, commentIn(body)), "comment"),
    trash: action((call, id) => trashPage(call.ctx, author(call), id)),
    restore: action((call, id) => restorePage(call.ctx, author(call), id)),
    async schedule(call: Call): Promise<Reply> {
      const body = objectBody(await call.body());
      refuseUnknown(call, body, "publish_at");
      const at = momentIn(body);
      const { value, snapshot } = await schedulePage(call.ctx, author(call), idOf(call), call.lang, at);
      const { page, warning } = value;
      const answered = await writtenReply(call, served, { value: page, snapshot });
      if (warning === undefined) return answered;
      call.ctx.env.log.warn(warning);
      return { ...answered, headers: { ...answered.headers, warning: `299 - "${warning.replace(/["\\]/g, "'")}"` } };
    },
    async updateOrder(call: Call): Promise<Reply> {
      const body = objectBody(await call.body());
      refuseUnknown(call, body, "startId", "endId");
      const [start, end] = [idIn(body, "startId"), idIn(body, "endId")];
      return json((await reorderPages(call.ctx, call.author(), kind, start, end, filterOf(call))).value);
    },
    async revisions(call: Call): Promise<Reply> {
      requireRevisions(call.ctx);
      const accounts = await call.ctx.accounts.store.list();
      return json((await listRevisions(call.ctx, idOf(call))).map(revisionPayload(accounts)));
    },
    async revision(call: Call): Promise<Reply> {
      return json(pagePayload(call.view("editor"), await pageThen(call)), 200, PRIVATE);
    },
    async renderRevision(call: Call): Promise<Reply> {
      return html(await previewPage(call, call.view("preview"), await pageThen(call)), 200, PRIVATE);
    },
    /** Disabled revisions are 501 also for a page that does not exist (decisions.md 66). */
    revert(call: Call): Promise<Reply> {
      requireRevisions(call.ctx);
      return revertPage(call);
    },
    preview(call: Call): Reply {
      const page = pageOf(call);
      return json(pagePayload(call.view("editor"), overlayDraft(page, call.lang, call.ctx.locales)), 200, PRIVATE);
    },
    async previewTyped(call: Call): Promise<Reply> {
      return json(pagePayload(call.view("editor"), await typedPage(call)), 200, PRIVATE);
    },
    render: async (call: Call): Promise<Reply> =>
      html(await previewPage(call, call.view("preview"), pageOf(call)), 200, PRIVATE),
    async renderTyped(call: Call): Promise<Reply> {
      return html(await previewPage(call, call.view("preview"), await typedPage(call)), 200, PRIVATE);
    },
  };
}

/** The custom page model in the path; undefined where paths name none. @throws CmsError `not_found` */
function customModelOf({ isOfNamedModel }: PageResource, { ctx, params }: Call): string | undefined {
  if (!isOfNamedModel) return undefined;
  const model = findPageModel(ctx.store.current, params.model ?? "");
  if (!model) throw notFound("PageModel");
  return model.name;
}

/** The model that the body of a new page names. @throws CmsError `invalid` for one that does not exist */
function modelIn(call: Call, body: unknown): string {
  const model = isObject(body) ? own(body, "model") : undefined;
  if (model === undefined || model === null || model === "" || model === PAGE_MODEL) return PAGE_MODEL;
  if (typeof model === "string" && findPageModel(call.ctx.store.current, model)) return model;
  throw invalid({ model: [`There is no page model "${String(model)}".`] });
}

/** The comment of a publication; a value that is not a text is stored as JSON (contract.md 7.4). */
function commentIn(body: unknown): string {
  const comment = isObject(body) ? own(body, "comment") : undefined;
  if (comment === undefined || comment === null) return "";
  return typeof comment === "string" ? comment : JSON.stringify(comment);
}

/** @throws CmsError `invalid` with a text, not a list of messages, unlike all other errors (contract.md 1.4) */
function momentIn(body: { readonly [key: string]: Json }): Instant {
  const asked = own(body, "publish_at");
  if (asked === undefined || asked === null || asked === "") throw invalid({ publish_at: REQUIRED });
  const at = parseInstant(asked);
  if (!at) throw invalid({ publish_at: "Invalid datetime." });
  return at;
}

function idIn(body: { readonly [key: string]: Json }, key: string): number {
  const value = own(body, key);
  const id = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (!Number.isInteger(id))
    throw invalid({ [key]: [value === undefined ? REQUIRED : "A valid integer is required."] });
  return id as number;
}

function objectBody(body: unknown): { readonly [key: string]: Json } {
  if (isObject(body)) return body;
  throw invalid({ non_field_errors: [NOT_AN_OBJECT(body)] });
}
