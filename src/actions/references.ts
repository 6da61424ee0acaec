/** Removes references to deleted records, in the commit that deletes them (decisions.md 62). */
import { LINK_TARGET, type Reference } from "../model/fields/definition.ts";
import type { Id, Page } from "../model/page.ts";
import { linkTargetsIn, withoutReferences, type DeletedRecords } from "../model/references.ts";
import type { Reader } from "../store/content/record-type.ts";
import { findPageModel } from "../store/content/records/page-models.ts";
import { allSummaries, allPages, kindOf, pageOf } from "../store/content/indexes/page-models.ts";
import { openPace } from "../time-slices.ts";
import type { Tx } from "../store/write/transaction.ts";

/** Removes references to deleted records from all pages and drafts. `date_updated_at` does not change. */
export function clearReferences(tx: Tx, deleted: DeletedRecords): void {
  for (const page of allPages(tx)) {
    const cleared = withoutReferences(page, deleted, findPageModel(tx, page.model)?.parent_page_field);
    if (cleared !== page) tx.put(kindOf(page), cleared);
  }
}

/**
 * Loads every page, as `clearReferences` needs them. Call it before the transaction, which blocks all other requests:
 * most pages of a large site are loaded only on first use.
 */
export async function readPages(reader: Reader): Promise<void> {
  const pace = openPace();
  for (const summary of allSummaries(reader)) {
    pageOf(summary);
    await pace();
  }
}

/** Ids of all pages that a page links to, drafts included. */
export function linksOf(page: Page | undefined): ReadonlySet<Id> {
  if (!page) return new Set();
  const data = Object.values(page.translations).map((text) => text.template_data);
  return linkTargetsIn([...data, ...Object.values(page.drafts).map((draft) => draft.payload)]);
}

type Exists = (reference: Reference) => boolean;

/** `exists`, and true for links that are stored already, so that a payload can be written back. */
export const orAlreadyLinked =
  (exists: Exists, held: () => ReadonlySet<Id>): Exists =>
  (reference) =>
    exists(reference) || (reference.model === LINK_TARGET && held().has(reference.id));
