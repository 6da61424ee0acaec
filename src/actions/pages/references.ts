/** Removes references to deleted records, in the commit that deletes them. */
import { LINK_TARGET, type Reference } from "../../model/fields/definition.ts";
import type { Id, Page } from "../../model/page/page.ts";
import { linkTargetsIn, withoutReferences, type DeletedRecords } from "../../model/records/references.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import { allPages, kindOf } from "../../store/content/indexes/pages-by-model.ts";
import type { Tx } from "../../store/write/transaction.ts";

/**
 * Removes references to deleted records from all pages and drafts. `date_updated_at` does not change. A transaction blocks
 * all other requests, so await `loadRecords` before it.
 */
export function clearReferences(tx: Tx, deleted: DeletedRecords): void {
  for (const page of allPages(tx)) {
    const cleared = withoutReferences(page, deleted, findPageModel(tx, page.model)?.parent_page_field);
    if (cleared !== page) tx.put(kindOf(page), cleared);
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
