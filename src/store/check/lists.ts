/** Lists with pages that cannot be made, and pages that take an address of one. */
import { listPlace } from "../../model/address/list-address.ts";
import type { Locales } from "../../model/language/locale.ts";
import { nameOf, permalinkIn } from "../../model/page/page.ts";
import type { Paginate } from "../../model/page/paginate.ts";
import { pageIndex } from "../content/indexes/page-index.ts";
import { allSummaries, kindOf } from "../content/indexes/pages-by-model.ts";
import { findPageModel, PAGE_MODELS } from "../records/page-models.ts";
import type { Reader } from "../records/record-type.ts";
import type { Check } from "./finding.ts";

/** Why a list cannot be made, and the key of `paginate` that has to change. */
export type FindListError = (
  at: { readonly content: Reader; readonly locales: Locales },
  paginate: Paginate,
) => { readonly key: string; readonly message: string } | undefined;

export const listFindings = (listError: FindListError): Check =>
  function* (content, locales) {
    for (const { id, name, paginate } of content.all(PAGE_MODELS)) {
      const error = paginate && listError({ content, locales }, paginate);
      if (error) {
        const message = `${error.message} Pages of the model "${name}" have no list.`;
        yield { kind: PAGE_MODELS, id, path: ["paginate", error.key], message };
      }
    }
    const index = pageIndex(content);
    for (const summary of allSummaries(content)) {
      for (const lang of locales.codes) {
        const permalink = permalinkIn(summary, lang);
        const place = permalink === null ? undefined : listPlace(locales, lang, permalink);
        const list = place && index.byPermalink(lang, place.list);
        if (!list || !findPageModel(content, list.model)?.paginate) continue;
        const message =
          `${permalink} is an address of the list of "${nameOf(list, locales)}" (page ${list.id}), ` +
          `whose page ${place.number} is not shown.`;
        const path = ["translations", lang, "permalink"];
        yield { kind: kindOf(summary), id: summary.id, path, severity: "warning", message };
      }
    }
  };
