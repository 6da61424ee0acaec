/**
 * Releases that cannot be published as they are: pages that do not exist, items that change one page. Threads and reviews
 * about pages that do not exist: a page takes its own with it, unless its file was removed by hand.
 */
import { REPEATED, repeatedItems, stateOf } from "../../model/page/release.ts";
import type { Reader } from "../records/record-type.ts";
import { findPage, findPageSummary } from "../content/indexes/pages-by-model.ts";
import { REVIEWS } from "../records/people/reviews.ts";
import { THREADS } from "../records/people/threads.ts";
import { RELEASES } from "../records/releases.ts";
import type { Finding } from "./finding.ts";

export function* releaseFindings(content: Reader): Generator<Finding> {
  for (const release of content.all(RELEASES)) {
    if (stateOf(release) === "published") continue;
    const repeated = repeatedItems(release.items);
    for (const [at, { page }] of release.items.entries()) {
      const found = { kind: RELEASES, id: release.id, path: ["items", at, "page"], severity: "warning" as const };
      if (page !== null && !findPage(content, page))
        yield { ...found, message: `There is no page ${page}: the release cannot be published.` };
      else if (repeated.has(at)) yield { ...found, message: REPEATED };
    }
  }
}

export function* peopleFindings(content: Reader): Generator<Finding> {
  const missing = (page: number): string | undefined =>
    findPageSummary(content, page) ? undefined : `There is no page ${page}: nobody sees this.`;
  for (const { id, page } of content.all(THREADS)) {
    const message = missing(page);
    if (message) yield { kind: THREADS, id, path: ["page"], severity: "warning", message };
  }
  for (const { id, items } of content.all(REVIEWS)) {
    for (const [at, { page }] of items.entries()) {
      const message = missing(page);
      if (message) yield { kind: REVIEWS, id, path: ["items", at, "page"], severity: "warning", message };
    }
  }
}
