/** The lists of posts of a year, a month and a day, which WordPress makes at addresses such as `/2024/01/`. */
import type { Locales } from "../../model/language/locale.ts";
import { ARTICLE_MODEL } from "../../model/page/page-field-table.ts";
import type { ImportedRedirect } from "../imported-site.ts";
import { pathOfItem, type Posts } from "./posts.ts";
import { wasPublic } from "./publication.ts";
import { basePath, type TagAddresses } from "./tags.ts";

/** They redirect to the page of the posts; those of days where posts have the day in their addresses. */
export function* dateRedirects(
  posts: Posts,
  link: string,
  addresses: TagAddresses,
  locales: Locales,
): Generator<ImportedRedirect> {
  const known = new Set<string>();
  for (const { model, versions } of posts.all)
    for (const [lang, item] of model === ARTICLE_MODEL ? versions : []) {
      const [year = "", month = "", day = ""] = item.date.slice(0, 10).split("-");
      const path = pathOfItem(item, posts.site);
      if (!wasPublic(item) || path === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(item.date.slice(0, 10))) continue;
      const at = path.indexOf(`/${year}/${month}/`);
      const prefix = lang === locales.default ? "" : `/${lang}`;
      const front = at < 0 ? `${basePath(link)}${prefix}` : path.slice(0, at);
      const hasDay = at >= 0 && path.startsWith(`/${year}/${month}/${day}/`, at);
      for (const from of [`/${year}`, `/${year}/${month}`, ...(hasDay ? [`/${year}/${month}/${day}`] : [])]) {
        const address = front + from;
        if (known.has(address) || posts.byPath(address)) continue;
        known.add(address);
        yield { place: { file: item.file, line: item.line }, from: address, to: `${prefix}${addresses.posts}` };
      }
    }
}
