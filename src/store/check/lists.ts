/** Lists with pages that cannot be made, and pages that take an address of one. */
import { listPlaces, type NamedPlace } from "../../model/address/list-address.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { nameOf, permalinkIn, type Id, type Page } from "../../model/page/page.ts";
import type { Paginate } from "../../model/page/paginate.ts";
import { pageIndex } from "../content/indexes/page-index.ts";
import { allSummaries, kindOf, paginateOf } from "../content/indexes/pages-by-model.ts";
import { PAGE_MODELS } from "../records/page-models.ts";
import type { AnyKind, Reader } from "../records/record-type.ts";
import type { Check, Finding } from "./finding.ts";

/** Why a list cannot be made, and the key of `paginate` that has to change. */
export type FindListError = (
  at: { readonly content: Reader; readonly locales: Locales },
  paginate: Paginate,
) => { readonly key: string; readonly message: string } | undefined;

/** The place of a list that a permalink is the address of, if the list has as many items and such a group. */
export function listedPlace(
  content: Reader,
  locales: Locales,
  lang: Lang,
  permalink: string,
): (NamedPlace & { readonly page: Page }) | undefined {
  for (const place of listPlaces(locales, lang, permalink)) {
    const page = pageIndex(content).byPermalink(lang, place.list);
    const paginate = page && paginateOf(content, page);
    if (paginate && (!place.group || place.group.each === paginate.each)) return { ...place, page };
  }
  return undefined;
}

export const listFindings = (listError: FindListError): Check =>
  function* (content, locales) {
    const wrong = (kind: AnyKind, id: Id, paginate: Paginate | undefined, effect: string): Finding[] => {
      const error = paginate && listError({ content, locales }, paginate);
      return error ? [{ kind, id, path: ["paginate", error.key], message: `${error.message} ${effect}` }] : [];
    };
    for (const { id, name, paginate } of content.all(PAGE_MODELS))
      yield* wrong(PAGE_MODELS, id, paginate ?? undefined, `Pages of the model "${name}" have no list.`);
    for (const summary of allSummaries(content)) {
      if (summary.paginate)
        yield* wrong(kindOf(summary), summary.id, paginateOf(content, summary), "The page has no list.");
      for (const lang of locales.codes) {
        const permalink = permalinkIn(summary, lang);
        const place = permalink === null ? undefined : listedPlace(content, locales, lang, permalink);
        if (!place) continue;
        const { page, number, group } = place;
        const message =
          `${permalink} is an address of the list of "${nameOf(page, locales)}" (page ${page.id}), ` +
          `whose page ${number}${group ? ` of ${group.slug}` : ""} is not shown.`;
        const path = ["translations", lang, "permalink"];
        yield { kind: kindOf(summary), id: summary.id, path, severity: "warning", message };
      }
    }
  };
