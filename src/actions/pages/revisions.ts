/** The revisions of a page, and reverting to one of them. */
import { CmsError, notFound } from "../../errors.ts";
import { createsCycle } from "../../model/address/page-permalinks.ts";
import type { Lang } from "../../model/language/locale.ts";
import { textChanges, type TextChanges, type TextVersion } from "../../model/page/text-changes.ts";
import { sameJson } from "../../model/input/json.ts";
import {
  EMPTY_TEXT,
  globalsOf,
  nameOf,
  textOf,
  type Id,
  type Page,
  type PageGlobals,
  type PageText,
} from "../../model/page/page.ts";
import type { FileChange } from "../../store/history/history.ts";
import { pageAt, pageRevisions } from "../../store/revisions/page-history.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { findPage, findParent, getPage } from "../../store/content/indexes/pages-by-model.ts";
import { hasTarget } from "../../store/content/indexes/references.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { saveLive } from "./page-saving.ts";

/** @throws CmsError `disabled` when the setting REVISIONS is off */
export function requireRevisions({ config }: Context): void {
  if (!config.REVISIONS) throw new CmsError("disabled", "Revisions are turned off by the setting REVISIONS.");
}

/**
 * All commits that changed the page's live content, newest first, by the API or by hand.
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
 * @param languages whose texts alone are brought back; the default is everything, also what all languages share
 * @throws CmsError as `listRevisions`; `not_found` for a commit that is no revision of this page
 */
export async function revertToRevision(
  ctx: Context,
  by: Author,
  id: Id,
  version: string,
  languages?: readonly Lang[],
): Promise<Written<Page>> {
  const revision = await revisionOf(ctx, id, version);
  const then = await pageAt(ctx.store, revision, ctx.store.current, ctx.locales);
  const next = languages
    ? (_tx: Tx, before: Page): Page => ({ ...before, translations: textsThen(before, then, languages) })
    : (tx: Tx, before: Page): Page => revertPage(tx, before, then);
  return ctx.store.transact(by, (tx) => {
    const before = getPage(tx, id);
    const inLanguages = languages ? ` (${languages.join(", ")})` : "";
    tx.describe(`Revert "${nameOf(before, ctx.locales)}"${inLanguages} to ${revision.commit.slice(0, 10)}`, {
      "Cms-Action": "revert",
      "Cms-Page": id,
      "Cms-Revision": revision.commit,
    });
    return saveLive(ctx, tx, next(tx, before), before);
  });
}

/** A language stays as public as it is, unless the revision does not have it. */
function textsThen(before: Page, then: Page, languages: readonly Lang[]): Page["translations"] {
  const translations = { ...before.translations };
  for (const lang of languages) {
    const text = then.translations[lang];
    if (text && hasTexts(text)) translations[lang] = { ...text, published_at: textOf(before, lang).published_at };
    else delete translations[lang];
  }
  return translations;
}

/** Whether anything was written in a language; an address may be derived where nothing was. */
const hasTexts = (text: PageText): boolean =>
  !sameJson({ ...text, permalink: null, autopermalink: true, published_at: null }, { ...EMPTY_TEXT });

/**
 * The page at a revision, without drafts.
 *
 * @param version as for `revertToRevision`
 * @throws CmsError as `revertToRevision`; `conflict` when that version does not load
 */
export async function readRevision(ctx: Context, id: Id, version: string): Promise<Page> {
  return pageAt(ctx.store, await revisionOf(ctx, id, version), ctx.store.current, ctx.locales);
}

/** Where a page has more revisions, texts that are older than these have no moment. */
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
 * A former version of a page in place of the present one: all languages, publication dates and trash.
 * Drafts and aliases are kept; references to records that no longer exist are omitted.
 */
function revertPage(tx: Tx, before: Page, then: Page): Page {
  const { id, date_created, aliases, drafts } = before;
  const hasParent =
    then.parent_page !== null &&
    findParent(tx, then.parent_page, before) &&
    !createsCycle(id, then.parent_page, (each) => findPage(tx, each));
  const parent = hasParent ? then.parent_page : null;
  const owner = then.identifier === null ? undefined : pageIndex(tx).byIdentifier(then.model, then.identifier);
  const identifier = owner && owner.id !== id ? before.identifier : then.identifier;
  return { ...then, ...existingTargets(tx, then), id, identifier, parent_page: parent, date_created, aliases, drafts };
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
