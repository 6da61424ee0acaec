/** The revisions of a page, and reverting to one of them. */
import { CmsError, notFound } from "../errors.ts";
import type { Id, Page } from "../model/page.ts";
import type { FileChange } from "../store/history/history.ts";
import { pageAt, pageRevisions } from "../store/history/page-history.ts";
import { getPage } from "../store/content/indexes/page-models.ts";
import type { Author, Written } from "../store/write/store.ts";
import type { Context } from "./context.ts";
import { revertPage } from "./pages.ts";

/** @throws CmsError `disabled` when the setting REVISIONS is off */
export function requireRevisions({ config }: Context): void {
  if (!config.REVISIONS) throw new CmsError("disabled", "Revisions are turned off by the setting REVISIONS.");
}

/**
 * All commits that changed the page's live content, newest first, by the API or by hand (decisions.md 12).
 *
 * @throws CmsError `disabled` when the setting REVISIONS is off, `not_found` for no such page
 */
export async function listRevisions(ctx: Context, id: Id): Promise<readonly FileChange[]> {
  requireRevisions(ctx);
  getPage(ctx.store.current, id);
  return pageRevisions(ctx.store, ctx.history, ctx.store.current, id);
}

/**
 * Brings the page back to a revision, as a new commit.
 *
 * @param version a commit id, in full or an unambiguous beginning of at least 4 digits
 * @throws CmsError as `listRevisions`; `not_found` for a commit that is no revision of this page
 */
export async function revertToRevision(ctx: Context, by: Author, id: Id, version: string): Promise<Written<Page>> {
  const revisions = await listRevisions(ctx, id);
  const commit = await ctx.store.repo.resolveCommit(version.toLowerCase());
  const revision = revisions.find((change) => change.commit === commit);
  if (!revision) throw notFound("Revision");
  return revertPage(ctx, by, id, await pageAt(ctx.store, revision, ctx.locales), revision.commit);
}
