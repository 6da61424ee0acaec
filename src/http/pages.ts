/** Pages and articles for editors: create, read, change, and every lifecycle action, the same for each kind of page. */
import {
  createPage,
  deletePage,
  deletePages,
  discardPageDraft,
  publishPage,
  reorderPages,
  restorePage,
  savePageDraft,
  schedulePage,
  trashPage,
  updatePage,
} from "../actions/pages.ts";
import { listRevisions, requireRevisions, revertToRevision } from "../actions/revisions.ts";
import { invalid, notFound } from "../errors.ts";
import { overlayDraft } from "../model/draft.ts";
import { parseInstant, type Instant } from "../model/instant.ts";
import { isObject, own, type Json } from "../model/json.ts";
import { ARTICLE_MODEL, fieldsOf, PAGE_FIELDS, PAGE_MODEL, type Page } from "../model/page.ts";
import { NOT_AN_OBJECT } from "../model/input-errors.ts";
import type { Kind } from "../store/content/record-type.ts";
import { findPageModel } from "../store/content/records/page-models.ts";
import { ARTICLES, PAGES } from "../store/content/records/pages.ts";
import { kindOf } from "../store/content/indexes/page-models.ts";
import type { Author, Written } from "../store/write/store.ts";
import { PAGE_LIST } from "../views/page-list.ts";
import { pagePayload } from "../views/page.ts";
import { revisionPayload } from "../views/revision.ts";
import { previewPage } from "./html.ts";
import { html, json, PRIVATE, type Reply } from "./reply.ts";
import {
  authorOf,
  permitted,
  refuseUnknown,
  resource,
  writtenReply,
  type Resource,
  type SaveMode,
} from "./resource.ts";
import type { Access, Call, Route } from "./route.ts";

interface PageResource {
  /** First segment of the paths. */
  readonly path: string;
  readonly kind: Kind<Page>;
  /** As permissions name it. */
  readonly name: string;
  /** The model of pages made here; undefined where the body says. */
  readonly model?: string;
  /** Whether the path names a custom page model, of which alone the pages are (decisions.md 55). */
  readonly isOfNamedModel?: true;
}

export const pageRoutes: readonly Route[] = [
  ...routesOf({ path: "pages", kind: PAGES, name: "page" }),
  ...routesOf({ path: "articles", kind: ARTICLES, name: "article", model: ARTICLE_MODEL }),
  ...routesOf({ path: "models/:model", kind: PAGES, name: "page", isOfNamedModel: true }),
];

function routesOf({ path, kind, name, model, isOfNamedModel }: PageResource): Route[] {
  /** Staff, and of staff those who may change or add pages: either reading of upstream's rule passes (contract.md 3.3). */
  const editors: Access = { staff: true, any: [`cms.change_${name}`, `cms.add_${name}`] };
  const staff: Access = { staff: true };
  const access = permitted(name);
  const record = { name: kind.name, fields: fieldsOf(PAGE_FIELDS, model ?? PAGE_MODEL) };

  /** The custom model in the path; undefined where it names none. @throws CmsError `not_found` for an unknown one */
  const modelOf = (call: Call): string | undefined => (isOfNamedModel ? namedModel(call) : undefined);
  /** Whether a page can be found here. */
  const isMeant = (call: Call): ((page: Page) => boolean) => {
    const only = modelOf(call);
    return (page) => only === undefined || page.model === only;
  };
  /** The page in the path. @throws CmsError `not_found` */
  const pageOf = (call: Call): Page => {
    const page = call.ctx.store.current.get(kind, call.id());
    if (!isMeant(call)(page)) throw notFound(kind.name);
    return page;
  };
  const idOf = (call: Call): number => pageOf(call).id;
  const author = (call: Call): Author => authorOf(call, kind, call.id());
  const served: Resource<Page> = { kind, queryable: PAGE_LIST, show: (view, page) => pagePayload(view, page) };
  /** A write that answers with the page as it left it. */
  const write =
    (verb: (call: Call, id: number) => Promise<Written<Page>>) =>
    async (call: Call): Promise<Reply> =>
      writtenReply(call, served, await verb(call, idOf(call)));
  /** The same of an action, whose body has only the keys that are named. */
  const act = (verb: (call: Call, id: number, body: Json) => Promise<Written<Page>>, ...keys: readonly string[]) =>
    write(async (call, id) => {
      const body = (await call.body()) as Json;
      refuseUnknown(call, body, ...keys);
      return verb(call, id, body);
    });

  const updateOrder = async (call: Call): Promise<Reply> => {
    const body = objectBody(await call.body());
    refuseUnknown(call, body, "startId", "endId");
    return json(
      (await reorderPages(call.ctx, call.author(), kind, idIn(body, "startId"), idIn(body, "endId"), isMeant(call)))
        .value,
    );
  };
  const saveDraft = (mode: SaveMode) =>
    write(async (call, id) =>
      savePageDraft(call.ctx, author(call), id, call.lang, objectBody(await call.body()), mode),
    );
  const publish = act(
    (call, id, body) => publishPage(call.ctx, author(call), id, call.lang, commentIn(body)),
    "comment",
  );
  const schedule = async (call: Call): Promise<Reply> => {
    const body = objectBody(await call.body());
    refuseUnknown(call, body, "publish_at");
    const at = momentIn(body);
    const { value, snapshot } = await schedulePage(call.ctx, author(call), idOf(call), call.lang, at);
    const { page, warning } = value;
    const answered = writtenReply(call, served, { value: page, snapshot });
    if (warning === undefined) return answered;
    call.ctx.env.log.warn(warning);
    return { ...answered, headers: { ...answered.headers, warning: `299 - "${warning.replace(/["\\]/g, "'")}"` } };
  };
  const revisions = async (call: Call): Promise<Reply> => {
    requireRevisions(call.ctx);
    const accounts = await call.ctx.accounts.store.list();
    return json((await listRevisions(call.ctx, idOf(call))).map(revisionPayload(accounts)));
  };
  const revertPage = act((call, id) => revertToRevision(call.ctx, author(call), id, call.params.version!));
  /** Switched off is switched off, whether or not there is such a page (decisions.md 66). */
  const revert = (call: Call): Promise<Reply> => {
    requireRevisions(call.ctx);
    return revertPage(call);
  };
  const preview = (call: Call): Reply => {
    const page = pageOf(call);
    return json(pagePayload(call.view("editor"), overlayDraft(page, call.lang, call.ctx.locales)), 200, PRIVATE);
  };
  const render = async (call: Call): Promise<Reply> =>
    html(await previewPage(call, call.view("preview"), pageOf(call)), 200, PRIVATE);

  return [
    ...resource<Page>({
      ...served,
      queryable: PAGE_LIST,
      path,
      access,
      record,
      idOf,
      ...(isOfNamedModel && { includes: isMeant }),
      create: (call, by, body) =>
        createPage(call.ctx, by, body, call.lang, model ?? modelOf(call) ?? modelIn(call, body)),
      update: ({ ctx, lang }, by, id, body, mode) => updatePage(ctx, by, id, body, lang, mode),
      remove: ({ ctx }, by, id) => deletePage(ctx, by, id),
      removeMany: (call, by, ids) => {
        const isHere = isMeant(call);
        return deletePages(call.ctx, by, ids, (page) => kindOf(page) === kind && isHere(page));
      },
    }),
    { method: "POST", path: `${path}/update_order`, access: access.add, handle: updateOrder },
    { method: "PATCH", path: `${path}/:id/draft`, access: editors, record, handle: saveDraft("merge") },
    { method: "PUT", path: `${path}/:id/draft`, access: editors, record, handle: saveDraft("replace") },
    {
      method: "POST",
      path: `${path}/:id/discard-draft`,
      access: editors,
      handle: act((call, id) => discardPageDraft(call.ctx, author(call), id, call.lang)),
    },
    { method: "POST", path: `${path}/:id/publish`, access: editors, handle: publish },
    { method: "POST", path: `${path}/:id/schedule`, access: editors, handle: schedule },
    {
      method: "POST",
      path: `${path}/:id/trash`,
      access: editors,
      handle: act((call, id) => trashPage(call.ctx, author(call), id)),
    },
    {
      method: "POST",
      path: `${path}/:id/restore`,
      access: editors,
      handle: act((call, id) => restorePage(call.ctx, author(call), id)),
    },
    { method: "GET", path: `${path}/:id/revisions`, access: staff, handle: revisions },
    { method: "POST", path: `${path}/:id/revert/:version`, access: editors, handle: revert },
    { method: "GET", path: `${path}/:id/preview`, access: staff, handle: preview },
    { method: "GET", path: `${path}/:id/render`, access: staff, types: ["text/html"], handle: render },
  ];
}

/** The custom page model the path names. @throws CmsError `not_found` */
function namedModel({ ctx, params }: Call): string {
  const model = findPageModel(ctx.store.current, params.model!);
  if (!model) throw notFound("PageModel");
  return model.name;
}

/** The page model a new page asks for. @throws CmsError `invalid` for one the site does not have */
function modelIn(call: Call, body: unknown): string {
  const model = isObject(body) ? own(body, "model") : undefined;
  if (model === undefined || model === null || model === "" || model === PAGE_MODEL) return PAGE_MODEL;
  if (typeof model === "string" && findPageModel(call.ctx.store.current, model)) return model;
  throw invalid({ model: [`There is no page model "${String(model)}".`] });
}

/** The comment of a publish; what is no text is shown as JSON (contract.md 7.4). */
function commentIn(body: unknown): string {
  const comment = isObject(body) ? own(body, "comment") : undefined;
  if (comment === undefined || comment === null) return "";
  return typeof comment === "string" ? comment : JSON.stringify(comment);
}

/** @throws CmsError `invalid`, with a text in place of a list: the schedule action alone answers so (contract.md 1.4) */
function momentIn(body: { readonly [key: string]: Json }): Instant {
  const asked = own(body, "publish_at");
  if (asked === undefined || asked === null || asked === "") throw invalid({ publish_at: "This field is required." });
  const at = parseInstant(asked);
  if (!at) throw invalid({ publish_at: "Invalid datetime." });
  return at;
}

function idIn(body: { readonly [key: string]: Json }, key: string): number {
  const value = own(body, key);
  const id = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (!Number.isInteger(id))
    throw invalid({ [key]: [value === undefined ? "This field is required." : "A valid integer is required."] });
  return id as number;
}

function objectBody(body: unknown): { readonly [key: string]: Json } {
  if (isObject(body)) return body;
  throw invalid({ non_field_errors: [NOT_AN_OBJECT(body)] });
}
