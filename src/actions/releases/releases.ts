/** Writes to releases. */
import { CmsError, invalid, refuseInvalid, type ErrorNode, type FieldErrors } from "../../errors.ts";
import { noSuchTarget, REQUIRED } from "../../model/input/input-errors.ts";
import type { Id } from "../../model/input/id.ts";
import type { Instant } from "../../model/time/instant.ts";
import { readReleaseChange, refuseEmpty, stateOf, type Release } from "../../model/page/release.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { findRelease, getRelease } from "../../store/content/indexes/releases.ts";
import { RELEASES } from "../../store/records/releases.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { releaseTrailers } from "./release-publication.ts";

type Changed = Promise<Written<Release>>;

/** @throws CmsError `invalid` with the offending fields, those of items by position */
export function createRelease(ctx: Context, by: Author, body: unknown): Changed {
  const { name, ...change } = readReleaseChange(body, ctx.locales, ctx.unknownFields);
  if (name === undefined) throw invalid({ name: [REQUIRED] });
  return ctx.store.transact(by, (tx) => {
    const blank = { comment: "", publish_at: null, published_at: null, items: [] };
    const release: Release = { ...blank, id: tx.newId(), name, ...change };
    tx.describe(`Create release "${name}"`, releaseTrailers("create-release", release));
    return validateAndPut(tx, release, undefined);
  });
}

/**
 * Changes the sent values; items are replaced as a whole.
 *
 * @throws CmsError as `createRelease`; `conflict` for a release that is published
 */
export function updateRelease(ctx: Context, by: Author, id: Id, body: unknown): Changed {
  const change = readReleaseChange(body, ctx.locales, ctx.unknownFields);
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(RELEASES, id);
    const release = { ...before, ...change };
    tx.describe(`Change release "${release.name}"`, releaseTrailers("update-release", release));
    return validateAndPut(tx, release, before);
  });
}

/** Deletes the list of changes; the pages stay as they are. */
export function deleteRelease(ctx: Context, by: Author, id: Id): Promise<Written<void>> {
  return ctx.store.transact(by, (tx) => {
    const release = tx.get(RELEASES, id);
    tx.describe(`Delete release "${release.name}"`, releaseTrailers("delete-release", release));
    tx.remove(RELEASES, id);
  });
}

/**
 * Schedules a release for a moment; null takes the schedule back.
 *
 * @throws CmsError `conflict` for a release that is published, `invalid` for one without items
 */
export function scheduleRelease(ctx: Context, by: Author, name: string, at: Instant | null): Changed {
  return ctx.store.transact(by, (tx) => {
    const before = getRelease(tx, name);
    refuseEmpty(before);
    const body = at === null ? "Not scheduled any more." : `Scheduled for ${at}.`;
    tx.describe(`Schedule release "${name}"`, releaseTrailers("schedule-release", before), body);
    return validateAndPut(tx, { ...before, publish_at: at }, before);
  });
}

function validateAndPut(tx: Tx, release: Release, before: Release | undefined): Release {
  if (before && stateOf(before) === "published")
    throw new CmsError("conflict", `The release "${before.name}" is published: take it back before you change it.`);
  const owner = findRelease(tx, release.name);
  const errors: Record<string, ErrorNode> = {};
  if (owner && owner.id !== release.id) errors.name = ["release with this name already exists."];
  const known = new Set(before?.items.map(({ page }) => page));
  // A page that was deleted since may stay: otherwise the rest of the release could not be saved.
  const missing = release.items.map(({ page }) => !known.has(page) && !findPage(tx, page));
  if (missing.includes(true))
    errors.items = release.items.map(({ page }, at): FieldErrors =>
      missing[at] ? { page: [noSuchTarget(page)] } : {},
    );
  refuseInvalid(errors);
  return tx.put(RELEASES, release);
}

/** Removes items about deleted pages from releases that are not published, in the commit that deletes them. */
export function clearFromReleases(tx: Tx, pages: ReadonlySet<Id>): void {
  for (const release of tx.all(RELEASES)) {
    if (stateOf(release) === "published" || !release.items.some(({ page }) => pages.has(page))) continue;
    tx.put(RELEASES, { ...release, items: release.items.filter(({ page }) => !pages.has(page)) });
  }
}
