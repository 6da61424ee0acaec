/** The revisions of a page, and reverting to one of them. */
import { CmsError, notFound } from "../errors.ts";
import { createsCycle } from "../model/addresses.ts";
import { textChanges, type TextChanges, type TextVersion } from "../model/text-changes.ts";
import { globalsOf, nameOf, type Id, type Page, type PageGlobals } from "../model/page.ts";
import type { FileChange } from "../store/history/history.ts";
import { pageAt, pageRevisions } from "../store/history/page-history.ts";
import { pageIndex } from "../store/content/indexes/page-index.ts";
import { findPage, getPage, kindOf } from "../store/content/indexes/page-models.ts";
import { hasTarget } from "../store/content/indexes/references.ts";
import type { Author, Written } from "../store/write/store.ts";
import type { Tx } from "../store/write/transaction.ts";
import type { Context } from "./context.ts";
import { saveLive } from "./page-saving.ts";

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
  const revision = await revisionOf(ctx, id, version);
  return revertPage(ctx, by, id, await pageAt(ctx.store, revision, ctx.store.current, ctx.locales), revision.commit);
}

/**
 * The page at a revision, without drafts.
 *
 * @param version as for `revertToRevision`
 * @throws CmsError as `revertToRevision`; `conflict` when that version does not load
 */
export async function readRevision(ctx: Context, id: Id, version: string): Promise<Page> {
  return pageAt(ctx.store, await revisionOf(ctx, id, version), ctx.store.current, ctx.locales);
}

/** Of a page with more revisions, texts that are older than these have no moment. */
const REVISIONS_COMPARED = 50;

/**
 * When each text of the page was changed last, by language. Revisions whose file does not load are left out.
 *
 * @throws CmsError as `listRevisions`
 */
export async function pageTextChanges(ctx: Context, id: Id): Promise<TextChanges> {
  const revisions = await listRevisions(ctx, id);
  const versions: TextVersion[] = [];
  for (const revision of revisions.slice(0, REVISIONS_COMPARED)) {
    const page = await pageAt(ctx.store, revision, ctx.store.current, ctx.locales).catch(undefinedIfBroken);
    if (page) versions.push({ page, at: revision.at });
  }
  return textChanges(versions, revisions.length <= REVISIONS_COMPARED);
}

function undefinedIfBroken(error: unknown): undefined {
  if (!(error instanceof CmsError) || error.code !== "conflict") throw error;
}

async function revisionOf(ctx: Context, id: Id, version: string): Promise<FileChange> {
  const revisions = await listRevisions(ctx, id);
  const commit = await ctx.store.repo.resolveCommit(version.toLowerCase());
  const revision = revisions.find((change) => change.commit === commit);
  if (!revision) throw notFound("Revision");
  return revision;
}

/**
 * Restores a former version of a page, in a new commit: all languages, publication dates and trash (contract.md 7.9).
 * Drafts and aliases are kept; references to records that no longer exist are omitted.
 *
 * @param then see `pageAt`
 * @param commit id of the revision, for the commit message
 * @throws CmsError `invalid` when another page now has a manual permalink of that version
 */
function revertPage(ctx: Context, by: Author, id: Id, then: Page, commit: string): Promise<Written<Page>> {
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    const hasParent =
      then.parent_page !== null &&
      tx.find(kindOf(before), then.parent_page) &&
      !createsCycle(id, then.parent_page, (each) => findPage(tx, each));
    const parent = hasParent ? then.parent_page : null;
    const owner = then.identifier === null ? undefined : pageIndex(tx).byIdentifier(then.model, then.identifier);
    const identifier = owner && owner.id !== id ? before.identifier : then.identifier;
    const { date_created, aliases, drafts } = before;
    const target: Page = {
      ...then,
      ...existingTargets(tx, then),
      id,
      identifier,
      parent_page: parent,
      date_created,
      aliases,
      drafts,
    };
    tx.describe(`Revert "${nameOf(before, ctx.locales)}" to ${commit.slice(0, 10)}`, {
      "Cms-Action": "revert",
      "Cms-Page": id,
      "Cms-Revision": commit,
    });
    return saveLive(ctx, tx, target, before);
  });
}

/** The values of the fields with references, without those to records that do not exist. */
function existingTargets(tx: Tx, page: Page): Partial<PageGlobals> {
  const exists = hasTarget(tx);
  return Object.fromEntries(
    globalsOf(page).flatMap(([{ name, target: model }, value]): (readonly [string, unknown])[] => {
      if (model === undefined) return [];
      const found = [value].flat().filter((id) => typeof id === "number" && exists({ model, id }));
      return [[name, Array.isArray(value) ? found : (found[0] ?? null)]];
    }),
  );
}
