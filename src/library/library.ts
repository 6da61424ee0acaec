/**
 * The library: typed operations on a site, for programs that embed it.
 *
 * Thin wrappers around the actions and views that the HTTP API uses, so both have the same rules, payloads and errors.
 * All failures that a caller can handle are a `CmsError` with `code` and `fields`.
 */
import { sweepDue } from "../actions/pages/sweep.ts";
import { notFound } from "../errors.ts";
import type { SiteContext } from "./context.ts";
import { judgedSite } from "./judged-site.ts";
import { openMedia, type Media } from "./media.ts";
import {
  openBlockTypes,
  openMetaInstances,
  openMetaTypes,
  type BlockTypes,
  type MetaInstances,
  type MetaTypes,
} from "./meta.ts";
import type { WriteOptions } from "./options.ts";
import { openArticles, openPages, type Pages } from "./pages.ts";
import type { ArticleInput, PageInput } from "./inputs.ts";
import type { ArticlePayload, PagePayload } from "./payloads.ts";
import {
  openRouter,
  readManifest,
  renderPublicPath,
  type Manifest,
  type Rendered,
  type RenderOptions,
  type Router,
} from "./router.ts";
import { openContents, openMenus, openTags, type Contents, type Menus, type Tags } from "./structure.ts";
import { openUsers, type Users } from "./users.ts";

export interface Library {
  /**
   * The same as an account has it, now: what it may not view is not found, and what it may not do is refused (`forbidden`).
   * Without it, a program may do everything.
   *
   * @throws CmsError `not_found` without such an account, or for a disabled one
   */
  as(username: string): Promise<Library>;
  readonly pages: Pages<PageInput, PagePayload>;
  readonly articles: Pages<ArticleInput, ArticlePayload>;
  readonly tags: Tags;
  readonly menus: Menus;
  readonly contents: Contents;
  readonly media: Media;
  readonly blockTypes: BlockTypes;
  readonly metaTypes: MetaTypes;
  readonly metaInstances: MetaInstances;
  readonly users: Users;
  readonly router: Router;
  /**
   * What a browser gets at a public path.
   *
   * @param path decoded, with its leading slash
   * @throws CmsError `broken` naming the template that fails
   */
  render(path: string, options?: RenderOptions): Promise<Rendered>;
  /** Every public page in every language with a hash of its payload, and all redirects. */
  manifest(): Promise<Manifest>;
  /**
   * Publishes all due drafts, one commit each. Drafts that are no longer valid stay pending, and are logged.
   *
   * @returns how many were published and how many were not
   */
  publishDue(options: Pick<WriteOptions, "by">): Promise<{ readonly published: number; readonly failed: number }>;
}

export const openLibrary = (ctx: SiteContext): Library => ({
  async as(username) {
    const account = await ctx.accounts.store.findByName(username);
    if (!account?.is_active) throw notFound("User");
    return openLibrary(judgedSite(ctx, () => account));
  },
  pages: openPages(ctx),
  articles: openArticles(ctx),
  tags: openTags(ctx),
  menus: openMenus(ctx),
  contents: openContents(ctx),
  media: openMedia(ctx),
  blockTypes: openBlockTypes(ctx),
  metaTypes: openMetaTypes(ctx),
  metaInstances: openMetaInstances(ctx),
  users: openUsers(ctx),
  router: openRouter(ctx),
  render: (path, options) => renderPublicPath(ctx, path, options),
  manifest: () => readManifest(ctx),
  async publishDue({ by }) {
    const { published, failed, releases } = await sweepDue(ctx, by, "Scheduled publish");
    return {
      published: published.length + releases.published.length,
      failed: failed.length + releases.failed.length,
    };
  },
});
