/** Rules of roles that hold nowhere, since there is no such section or model. */
import { STRUCTURE } from "../../model/access/role.ts";
import { PERMISSIONS } from "../../model/account/permission.ts";
import type { Locales } from "../../model/language/locale.ts";
import { pageIndex } from "../content/indexes/page-index.ts";
import { findPageSummary, pageModels } from "../content/indexes/pages-by-model.ts";
import { ROLES } from "../records/people/roles.ts";
import type { Reader } from "../records/record-type.ts";
import type { Finding } from "./finding.ts";

/** The models that rules may name beside those of permissions and of pages. */
const FURTHER = [...STRUCTURE, "redirect", "release"];

export function* roleFindings(content: Reader, locales: Locales): Generator<Finding> {
  const pages = pageIndex(content);
  const isSection = (below: string | number): boolean =>
    typeof below === "number"
      ? findPageSummary(content, below) !== undefined
      : Boolean(pages.summaryByPermalink(locales.default, below) ?? pages.byAlias(locales.default, below));
  const models = new Set([...PERMISSIONS.map((each) => each.content_type.model), ...pageModels(content), ...FURTHER]);
  for (const { id, roles } of content.all(ROLES)) {
    for (const [name, { rules }] of Object.entries(roles)) {
      for (const [at, { below, models: named = [] }] of rules.entries()) {
        const found = { kind: ROLES, id, severity: "warning" as const };
        const path = ["roles", name, "rules", at];
        if (below !== undefined && !isSection(below))
          yield { ...found, path: [...path, "below"], message: `There is no page ${below}: the rule holds nowhere.` };
        for (const [nth, model] of named.entries())
          if (!models.has(model))
            yield { ...found, path: [...path, "models", nth], message: `There is no model ${model}.` };
      }
    }
  }
}
