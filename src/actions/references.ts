/** References to records that are deleted: cleared in the commit that deletes them (decisions.md 62). */
import { LINK_TARGET, type Reference } from "../model/fields/definition.ts";
import type { Id, Page } from "../model/page.ts";
import { linkTargetsIn, withoutReferences, type Gone } from "../model/references.ts";
import type { Reader } from "../store/kind.ts";
import { findPageModel } from "../store/kinds/page-models.ts";
import { allOutlines, allPages, kindOf, pageOf } from "../store/page-kinds.ts";
import type { Tx } from "../store/transaction.ts";

/** Takes references to what is gone out of all pages and their drafts. Their stamps stay: nobody has changed them. */
export function clearReferences(tx: Tx, gone: Gone): void {
  for (const page of allPages(tx)) {
    const cleared = withoutReferences(page, gone, findPageModel(tx, page.model)?.parent_page_field);
    if (cleared !== page) tx.put(kindOf(page), cleared);
  }
}

/** Milliseconds of work after which other requests get their turn. */
const SLICE = 15;

/**
 * Has every page read, as `clearReferences` needs them. To be called before its transaction, which holds up all other
 * requests as long as it takes: most pages of a large site are not read before somebody asks for them.
 */
export async function readPages(reader: Reader): Promise<void> {
  let since = performance.now();
  for (const outline of allOutlines(reader)) {
    pageOf(outline);
    if (performance.now() - since < SLICE) continue;
    await new Promise((turn) => setImmediate(turn));
    since = performance.now();
  }
}

/** All links that a page holds, its drafts included. */
export function linksOf(page: Page | undefined): ReadonlySet<Id> {
  if (!page) return new Set();
  const data = Object.values(page.translations).map((text) => text.template_data);
  return linkTargetsIn([...data, ...Object.values(page.drafts).map((draft) => draft.payload)]);
}

type Exists = (reference: Reference) => boolean;

/** What `exists` says, and yes to links that were there before: what was read can be written back. */
export const orHeld = (exists: Exists, held: () => ReadonlySet<Id>): Exists => (reference) =>
  exists(reference) || (reference.model === LINK_TARGET && held().has(reference.id));
