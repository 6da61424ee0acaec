/** What the actions on pages do with a request. */
import {
  discardPageDraft,
  publishPage,
  restorePage,
  savePageDraft,
  schedulePage,
  trashPage,
} from "../../../actions/pages/pages.ts";
import { readClientChange } from "../../../actions/pages/page-saving.ts";
import { reorderPages } from "../../../actions/pages/page-order.ts";
import {
  listRevisions,
  pageTextChanges,
  readRevision,
  requireRevisions,
  revertToRevision,
} from "../../../actions/pages/revisions.ts";
import { invalid, notFound, refuseInvalid } from "../../../errors.ts";
import { discardDraft, overlayDraft, saveDraft } from "../../../model/page/draft.ts";
import { parseInstant, type Instant } from "../../../model/time/instant.ts";
import { noSuchTemplate, REQUIRED, requireObject } from "../../../model/input/input-errors.ts";
import { own, type Json } from "../../../model/input/json.ts";
import { findLang, splitSuffixed, type Lang } from "../../../model/language/locale.ts";
import { readPageChange } from "../../../model/page/page-input.ts";
import { sentTexts } from "../../../model/input/translated-input.ts";
import { TEXT_FIELDS, type Page } from "../../../model/page/page.ts";
import type { SaveMode } from "../../../model/input/sent-fields.ts";
import type { Kind } from "../../../store/records/record-type.ts";
import { loadUses, pageUses } from "../../../store/content/indexes/record-uses.ts";
import { templateOf } from "../../../store/content/indexes/pages-by-model.ts";
import { findPageModel } from "../../../store/records/page-models.ts";
import type { Author, Written } from "../../../store/write/store.ts";
import { pagePayload } from "../../../views/page/page.ts";
import { PAGE_LIST } from "../../../views/page/page-list.ts";
import { revisionPayload } from "../../../views/moments/revision.ts";
import type { View } from "../../../views/view.ts";
import { pageHeaders, previewPolicy } from "../../../render/page-headers.ts";
import { addressPayload } from "../../../views/page/pagination.ts";
import { previewPage } from "../../public/html.ts";
import { KEY_PARAMETER, keptPreviewsOf } from "../../public/kept-previews.ts";
import { pathsIfAsked } from "../../public/routers.ts";
import { html, json, type Reply } from "../../request/reply.ts";
import { actionBody, authorOf, refuseUnknown, writtenReply } from "../../app/resource.ts";
import type { Call } from "../../app/route.ts";

/** Which pages the paths of a resource have. */
export interface PagePaths {
  readonly kind: Kind<Page>;
  /** Whether the path names a custom page model, and has its pages only. */
  readonly isOfNamedModel?: true;
}

const TEXT_NAMES: ReadonlySet<string> = new Set(TEXT_FIELDS.map(({ name }) => name));

export function openPageHandlers(paths: PagePaths) {
  const pages = openPages(paths);
  const { served, filterOf, idOf } = pages;
  return { served, filterOf, idOf, ...writes(pages), ...revisions(pages), ...previews(pages) };
}

type Pages = ReturnType<typeof openPages>;

/** The pages of a resource, and the page that a path names. */
function openPages(paths: PagePaths) {
  const { kind } = paths;
  const served = { kind, queryable: PAGE_LIST, show: (view: View, page: Page) => pagePayload(view, page) };
  /** Which pages the path has. */
  const filterOf = (call: Call): ((page: Page) => boolean) => {
    const only = customModelOf(paths, call);
    return (page) => only === undefined || page.model === only;
  };
  /** @throws CmsError `not_found` */
  const pageOf = (call: Call): Page => {
    const page = call.ctx.store.current.get(kind, call.id());
    if (!filterOf(call)(page)) throw notFound(kind.name);
    return page;
  };
  return { served, filterOf, pageOf, idOf: (call: Call): number => pageOf(call).id };
}

/** A write to the page in the path, answered with the page that it stored. */
const write =
  ({ served, idOf }: Pages, verb: (call: Call, id: number) => Promise<Written<Page>>) =>
  async (call: Call): Promise<Reply> =>
    writtenReply(call, served, await verb(call, idOf(call)));

/** A write whose body may have only these keys. */
const action = (
  pages: Pages,
  verb: (call: Call, id: number, sent: Awaited<ReturnType<typeof actionBody>>) => Promise<Written<Page>>,
  ...keys: readonly string[]
) => write(pages, async (call, id) => verb(call, id, await actionBody(call, ...keys)));

const authorIn = ({ served }: Pages, call: Call): Author => authorOf(call, served.kind, call.id());

function writes(pages: Pages) {
  const { served, filterOf, idOf } = pages;
  const author = (call: Call): Author => authorIn(pages, call);
  return {
    saveDraft: (mode: SaveMode) =>
      write(pages, async (call, id) => {
        const body = objectBody(await call.body());
        return savePageDraft(call.ctx, author(call), id, body, { lang: draftLang(call, body), mode });
      }),
    discardDraft: action(pages, (call, id) => discardPageDraft(call.ctx, author(call), id, call.lang)),
    publish: action(
      pages,
      (call, id, { comment }) => publishPage(call.ctx, author(call), id, call.lang, commentOf(comment)),
      "comment",
    ),
    trash: action(pages, (call, id) => trashPage(call.ctx, author(call), id)),
    restore: action(pages, (call, id) => restorePage(call.ctx, author(call), id)),
    async schedule(call: Call): Promise<Reply> {
      const body = objectBody(await call.body());
      refuseUnknown(call, body, "publish_at", "with_draft");
      const at = publishAtIn(body);
      const isWithDraft = flagIn(body, "with_draft");
      const by = author(call);
      const { value, snapshot } = await schedulePage(call.ctx, by, idOf(call), call.lang, { at, isWithDraft });
      const { page, warning } = value;
      const answered = await writtenReply(call, served, { value: page, snapshot });
      if (warning === undefined) return answered;
      call.ctx.env.log.warn(warning);
      return { ...answered, headers: { ...answered.headers, warning: `299 - "${warning.replace(/["\\]/g, "'")}"` } };
    },
    async updateOrder(call: Call): Promise<Reply> {
      const body = objectBody(await call.body());
      refuseUnknown(call, body, "startId", "endId", "siblings");
      const [start, end] = [idIn(body, "startId"), idIn(body, "endId")];
      const order = { kind: served.kind, start, end, siblings: flagIn(body, "siblings"), isIncluded: filterOf(call) };
      return json((await reorderPages(call.ctx, call.author(), order)).value);
    },
  };
}

function revisions(pages: Pages) {
  const pageThen = async (call: Call): Promise<Page> => {
    requireRevisions(call.ctx);
    return readRevision(call.ctx, pages.idOf(call), call.params.version ?? "");
  };
  const revertPage = action(
    pages,
    (call, id, { languages }) =>
      revertToRevision(call.ctx, authorIn(pages, call), id, call.params.version ?? "", languagesOf(call, languages)),
    "languages",
  );
  return {
    async revisions(call: Call): Promise<Reply> {
      requireRevisions(call.ctx);
      const accounts = await call.ctx.accounts.store.list();
      return json((await listRevisions(call.ctx, pages.idOf(call))).map(revisionPayload(accounts)));
    },
    async uses(call: Call): Promise<Reply> {
      const page = pages.pageOf(call);
      const { store, config, locales } = call.ctx;
      const { current } = store;
      await loadUses(current, config.MEDIA.URL);
      return json({ links: pageUses(current, page, config.MEDIA.URL, locales) });
    },
    textChanges: async (call: Call): Promise<Reply> => json(await pageTextChanges(call.ctx, pages.idOf(call))),
    revision: async (call: Call): Promise<Reply> => dataReply(call, await pageThen(call)),
    renderRevision: async (call: Call): Promise<Reply> => htmlReply(call, await pageThen(call)),
    /** Disabled revisions are 501 also for a page that does not exist. */
    revert(call: Call): Promise<Reply> {
      requireRevisions(call.ctx);
      return revertPage(call);
    },
  };
}

function previews({ pageOf }: Pages) {
  /**
   * The page as it would read with its draft and the values in the body published; nothing is stored.
   *
   * @throws CmsError `invalid` as saving them as a draft would
   */
  const typedPage = async (call: Call): Promise<Page> => {
    const { lang, ctx } = call;
    const page = pageOf(call);
    const body = objectBody(await call.body());
    refuseInvalid(readClientChange(ctx, body, lang, page).unknown ?? {});
    const typed = saveDraft(page, lang, body, ctx.env.now(), { mode: "merge" });
    if (typed.drafts[lang]) readPageChange(typed.drafts[lang].payload, ctx.locales, lang, page.model);
    const shown = discardDraft(overlayDraft(typed, lang, ctx.locales), lang);
    const { template } = shown;
    const known = [page.template, templateOf(ctx.store.current, ctx.config, { ...page, template: null })];
    if (template && !known.includes(template) && !ctx.hasTemplate(template))
      throw invalid({ template: [noSuchTemplate(template)] });
    return shown;
  };
  /** The page in the path, or as it is kept under the key of the request. */
  const shownPage = (call: Call): Page => {
    const page = pageOf(call);
    const kept = keptPreviewsOf(call.ctx.store).find(call.url.searchParams.get(KEY_PARAMETER) ?? "", call.now);
    return kept?.page.id === page.id && kept.lang === call.lang ? kept.page : page;
  };
  return {
    preview: (call: Call): Reply => previewReply(call, overlayDraft(pageOf(call), call.lang, call.ctx.locales)),
    previewTyped: async (call: Call): Promise<Reply> => previewReply(call, await typedPage(call)),
    keep: async (call: Call): Promise<Reply> => {
      const page = await typedPage(call);
      const { length } = JSON.stringify(await call.body());
      const key = keptPreviewsOf(call.ctx.store).add(page, call.lang, { store: call.ctx.store, now: call.now, length });
      const view = call.view("preview");
      return json({ key, page: pathsIfAsked(call, view, page, addressPayload(view, page)) });
    },
    render: async (call: Call): Promise<Reply> => htmlReply(call, shownPage(call)),
    renderTyped: async (call: Call): Promise<Reply> => htmlReply(call, await typedPage(call)),
  };
}

const dataReply = (call: Call, page: Page): Reply => json(pagePayload(call.view("editor"), page));

function previewReply(call: Call, page: Page): Reply {
  const view = call.view("editor");
  return json(pathsIfAsked(call, view, page, pagePayload(view, page)));
}

async function htmlReply(call: Call, page: Page): Promise<Reply> {
  const policy = pageHeaders(call.ctx.config)["content-security-policy"];
  const isFramed = policy !== undefined && call.url.searchParams.has(KEY_PARAMETER);
  const shown = await previewPage(call, call.view("preview"), page);
  return isFramed ? html(shown, 200, { "content-security-policy": previewPolicy(policy) }) : html(shown);
}

/**
 * The language whose draft a body goes into: the active one, as the interface has it, also for texts of other languages.
 *
 * A body that has texts of one other language alone, on a request whose query names none, is refused, since its draft would
 * be one that no editor expects. Clients of the upstream system expect it in the language that the texts name.
 *
 * @throws CmsError `invalid`
 */
function draftLang({ ctx: { locales }, url, lang, lenient }: Call, body: { readonly [key: string]: Json }): Lang {
  if (url.searchParams.has("language") || url.searchParams.has("language_code")) return lang;
  const sent = [...sentTexts(body, locales, lang, TEXT_NAMES).byLang].filter(([, texts]) => texts.size > 0);
  const [only = lang] = sent.length === 1 ? sent.map(([code]) => code) : [];
  if (only === lang || lenient) return only;
  const key =
    own(body, "translations") === undefined
      ? Object.keys(body).find((name) => splitSuffixed(locales, name))
      : undefined;
  throw invalid({
    [key ?? "translations"]: [
      `The texts are of the language ${only}, the draft would be that of ${lang}: name the language with ?language=${only}.`,
    ],
  });
}

/** The custom page model in the path; undefined where paths name none. @throws CmsError `not_found` */
export function customModelOf({ isOfNamedModel }: PagePaths, { ctx, params }: Call): string | undefined {
  if (!isOfNamedModel) return undefined;
  const model = findPageModel(ctx.store.current, params.model ?? "");
  if (!model) throw notFound("PageModel");
  return model.name;
}

/** The comment of a publication; a value that is not a text is stored as JSON. */
function commentOf(comment: Json = null): string {
  if (comment === null) return "";
  return typeof comment === "string" ? comment : JSON.stringify(comment);
}

/** null cancels. @throws CmsError `invalid` with a text, not a list of messages, unlike all other errors */
function publishAtIn(body: { readonly [key: string]: Json }): Instant | null {
  const asked = own(body, "publish_at");
  if (asked === null) return null;
  if (asked === undefined || asked === "") throw invalid({ publish_at: REQUIRED });
  const at = parseInstant(asked);
  if (!at) throw invalid({ publish_at: "Invalid datetime." });
  return at;
}

/** undefined: all. @throws CmsError `invalid` */
function languagesOf({ ctx }: Call, sent: Json | undefined): readonly Lang[] | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (!Array.isArray(sent) || sent.length === 0) throw invalid({ languages: ["Expected a list of languages."] });
  return sent.map((code: Json) => {
    const lang = typeof code === "string" ? findLang(ctx.locales, code) : undefined;
    if (lang === undefined) throw invalid({ languages: [`There is no language "${String(code)}".`] });
    return lang;
  });
}

function flagIn(body: { readonly [key: string]: Json }, key: string): boolean {
  const flag = own(body, key) ?? false;
  if (typeof flag !== "boolean") throw invalid({ [key]: ["Must be true or false."] });
  return flag;
}

function idIn(body: { readonly [key: string]: Json }, key: string): number {
  const value = own(body, key);
  const id = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (!Number.isInteger(id))
    throw invalid({ [key]: [value === undefined ? REQUIRED : "A valid integer is required."] });
  return id as number;
}

function objectBody(body: unknown): { readonly [key: string]: Json } {
  requireObject(body);
  return body;
}
