/** Threads and reviews about pages that do not exist: a page takes its own with it, unless its file was removed by hand. */
import { findPageSummary } from "../content/indexes/pages-by-model.ts";
import { REVIEWS } from "../records/people/reviews.ts";
import { THREADS } from "../records/people/threads.ts";
import type { Reader } from "../records/record-type.ts";
import type { Finding } from "./finding.ts";

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
