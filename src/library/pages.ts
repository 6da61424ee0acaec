/** Pages and articles: reads, writes and every transition, each write at most one commit. */
import {
  createPage,
  discardPageDraft,
  publishPage,
  restorePage,
  savePageDraft,
  schedulePage,
  trashPage,
  updatePage,
} from "../actions/pages/pages.ts";
import { deletePage } from "../actions/pages/page-removal.ts";
import { listRevisions, revertToRevision } from "../actions/pages/revisions.ts";
import { invalid } from "../errors.ts";
import { overlayDraft } from "../model/page/draft.ts";
import type { JsonObject } from "../model/input/json.ts";
import { ARTICLE_MODEL, PAGE_MODEL, type Id, type Page } from "../model/page/page.ts";
import type { SaveMode } from "../model/input/sent-fields.ts";
import { filterPages, type PageConditions } from "../model/page/page-filters.ts";
import { renderInput, renderPage } from "../render/page.ts";
import type { Kind } from "../store/records/record-type.ts";
import { findPageModel } from "../store/records/page-models.ts";
import { ARTICLES, PAGES } from "../store/records/pages.ts";
import type { Author, Written } from "../store/write/store.ts";
import { PAGE_LIST } from "../views/page/page-list.ts";
import { pagePayload } from "../views/page/page.ts";
import { revisionPayload } from "../views/moments/revision.ts";
import type { Payload } from "../views/view.ts";
import type { SiteContext } from "./context.ts";
import type { ArticleInput, PageInput } from "./inputs.ts";
import {
  authorOf,
  langOf,
  momentOf,
  viewOf,
  type ListOptions,
  type ReadOptions,
  type WriteOptions,
} from "./options.ts";
import type { ArticlePayload, PagePayload, RevisionPayload } from "./payloads.ts";
import { readers, writtenPayload, type Readers, type RecordSpec } from "./records.ts";

export interface UpdateOptions extends WriteOptions {
  /** `merge` (default) merges objects in `meta` and `template_data` key by key, `replace` replaces them. */
  readonly mode?: SaveMode;
}

export interface PageListOptions extends ListOptions {
  /** Conditions on status, drafts and trash: `{ status: "PUB", draft: true }`. All must hold. */
  readonly where?: PageConditions;
}

export interface DraftOptions extends UpdateOptions {
  /** When the draft goes live by itself; null: not by itself; left out: as before. */
  readonly scheduledFor?: Date | string | null;
}

export interface ScheduleOptions extends WriteOptions {
  /** Whether the pending draft of a language that was never public goes live with it; without this it stays pending. */
  readonly withDraft?: boolean;
}

export interface RevertOptions extends WriteOptions {
  /** Whose texts alone are restored, as public as they are now; left out: everything, in all languages. */
  readonly languages?: readonly string[];
}

export interface Scheduled<P> {
  readonly page: P;
  /** Set when there was nothing to schedule. */
  readonly warning?: string;
}

/**
 * The operations on pages.
 *
 * Drafts, publication and scheduling concern one language, `options.lang`; the trash concerns all. Every method with
 * an id throws CmsError `not_found`, every write `invalid` with messages by field, `stale` for an old
 * `options.version`, and `unavailable` while the repository cannot be written.
 */
export interface Pages<Input, P> extends Readers<P, PageListOptions> {
  /** Creates a page, hidden unless a `published_at` is among the values. @param options.model a custom page model */
  create(values: Input, options: WriteOptions & { readonly model?: string }): Promise<P>;
  /** Changes live values. Pending drafts stay as they are. */
  update(id: Id, values: Input, options: UpdateOptions): Promise<P>;
  /** Saves values as the pending draft of a language; the live page does not change. */
  saveDraft(id: Id, values: Input, options: DraftOptions): Promise<P>;
  discard(id: Id, options: WriteOptions): Promise<P>;
  /** Applies the pending draft, if there is one, and makes the language public now. */
  publish(id: Id, options: WriteOptions & { readonly comment?: string }): Promise<P>;
  /** Makes a language, or its pending draft, public at a future moment. @param at null cancels that */
  schedule(id: Id, at: Date | string | null, options: ScheduleOptions): Promise<Scheduled<P>>;
  /** Hides a language. */
  unpublish(id: Id, options: WriteOptions): Promise<P>;
  trash(id: Id, options: WriteOptions): Promise<P>;
  /** Takes a page out of the trash. */
  restore(id: Id, options: WriteOptions): Promise<P>;
  /** Deletes a page with its descendants; the history keeps them. */
  delete(id: Id, options: WriteOptions): Promise<void>;
  /** The commits that changed the live page, newest first. @throws CmsError `disabled` without the setting REVISIONS */
  revisions(id: Id): Promise<readonly RevisionPayload[]>;
  /** Restores a revision in a new commit. @param revision a commit id, or at least 4 digits of one */
  revert(id: Id, revision: string, options: RevertOptions): Promise<P>;
  /** The page as it would be with its pending draft published. */
  preview(id: Id, options?: ReadOptions): Promise<P>;
  /** The live page as HTML, whether public or not. @throws CmsError `broken` naming the template that fails */
  render(id: Id, options?: ReadOptions): Promise<string>;
}

export const openPages = (ctx: SiteContext): Pages<PageInput, PagePayload> =>
  pageOperations(ctx, PAGES, (model = PAGE_MODEL) => requireModel(ctx, model));

export const openArticles = (ctx: SiteContext): Pages<ArticleInput, ArticlePayload> =>
  pageOperations(ctx, ARTICLES, () => ARTICLE_MODEL);

function pageOperations<Input extends object, P extends Payload>(
  ctx: SiteContext,
  kind: Kind<Page>,
  modelOf: (asked: string | undefined) => string,
): Pages<Input, P> {
  const spec: RecordSpec<Page, PageListOptions> = {
    kind,
    queryable: PAGE_LIST,
    show: (view, page) => pagePayload(view, page),
    select: ({ where }, view) => where && ((all) => filterPages(all, where, view.lang, view.now)),
  };
  /** A write to a page of this kind, and the payload of the page that it stored. */
  const write = async (
    id: Id,
    options: WriteOptions,
    verb: (by: Author, lang: string) => Promise<Written<Page>>,
  ): Promise<P> => {
    ctx.store.current.get(kind, id);
    return writtenPayload(ctx, spec, await verb(authorOf(options, kind, id), langOf(ctx, options.lang)), options);
  };
  return {
    ...readers<Page, P, PageListOptions>(ctx, spec),
    async create(values, { model, ...options }) {
      const lang = langOf(ctx, options.lang);
      return writtenPayload(ctx, spec, await createPage(ctx, options.by, values, lang, modelOf(model)), options);
    },
    update: (id, values, { mode = "merge", ...options }) =>
      write(id, options, (by, lang) => updatePage(ctx, by, id, values, { lang, mode })),
    saveDraft: (id, values, { mode = "merge", scheduledFor, ...options }) =>
      write(id, options, (by, lang) => {
        const at = scheduledFor == null ? scheduledFor : momentOf(scheduledFor, "scheduled_for");
        return savePageDraft(ctx, by, id, values as JsonObject, { lang, mode, scheduledFor: at });
      }),
    discard: (id, options) => write(id, options, (by, lang) => discardPageDraft(ctx, by, id, lang)),
    publish: (id, { comment, ...options }) => write(id, options, (by, lang) => publishPage(ctx, by, id, lang, comment)),
    async schedule(id, at, { withDraft, ...options }) {
      let warning: string | undefined;
      const page = await write(id, options, async (by, lang) => {
        const moment = at === null ? null : momentOf(at, "publish_at");
        const { value, snapshot } = await schedulePage(ctx, by, id, lang, { at: moment, isWithDraft: withDraft });
        warning = value.warning;
        return { value: value.page, snapshot };
      });
      return { page, ...(warning !== undefined && { warning }) };
    },
    unpublish: (id, options) =>
      write(id, options, (by, lang) => updatePage(ctx, by, id, { published_at: null }, { lang, mode: "merge" })),
    trash: (id, options) => write(id, options, (by) => trashPage(ctx, by, id)),
    restore: (id, options) => write(id, options, (by) => restorePage(ctx, by, id)),
    async delete(id, options) {
      ctx.store.current.get(kind, id);
      await deletePage(ctx, authorOf(options, kind, id), id);
    },
    async revisions(id) {
      ctx.store.current.get(kind, id);
      const accounts = await ctx.accounts.store.list();
      return (await listRevisions(ctx, id)).map((change) => revisionPayload(accounts)(change) as RevisionPayload);
    },
    revert: (id, revision, { languages, ...options }) =>
      write(id, options, (by) => revertToRevision(ctx, by, id, revision, languages)),
    async preview(id, options) {
      const view = viewOf(ctx, "editor", options);
      return pagePayload(view, overlayDraft(view.content.get(kind, id), view.lang, ctx.locales)) as P;
    },
    async render(id, options) {
      const view = viewOf(ctx, "preview", options);
      const page = view.content.get(kind, id);
      const draft = page.drafts[view.lang]?.payload;
      return renderPage(ctx.templates, view, renderInput(view, page), undefined, { draft });
    },
  };
}

/** @throws CmsError `invalid` for a page model the site does not have */
function requireModel({ store }: SiteContext, model: string): string {
  if (model === PAGE_MODEL || findPageModel(store.current, model)) return model;
  throw invalid({ model: [`There is no page model "${model}".`] });
}
