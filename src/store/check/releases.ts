/** Releases that cannot be published as they are: pages that do not exist, items that change one page. */
import { REPEATED, repeatedItems, stateOf } from "../../model/page/release.ts";
import type { Reader } from "../records/record-type.ts";
import { findPage } from "../content/indexes/pages-by-model.ts";
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
