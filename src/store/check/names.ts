/** References by a permalink that a page had formerly: they hold until another page has it. */
import type { Locales } from "../../model/locale.ts";
import { isReferenceName } from "../../model/reference-name.ts";
import { nameOf, textOf } from "../../model/page.ts";
import { findPage } from "../content/indexes/page-models.ts";
import { formerNamesOf } from "../content/names/resolved-record.ts";
import type { Snapshot } from "../content/snapshot.ts";
import type { Finding } from "./finding.ts";

export function* nameFindings(content: Snapshot, locales: Locales): Generator<Finding> {
  for (const holder of content.names.values()) {
    for (const { field, name, id } of formerNamesOf(content, locales, holder)) {
      const page = findPage(content, id);
      const now = page && textOf(page, locales.default).permalink;
      yield {
        kind: holder.kind,
        id: holder.id,
        path: [field],
        severity: "warning",
        message: `${name} is a former permalink of "${page ? nameOf(page, locales) : id}"${isReferenceName(now) ? `, which is at ${now}` : ""}.`,
      };
    }
  }
}
