/** Texts of files for search engines and for the host of a static site. */
import type { Config } from "../config.ts";
import { keptBy } from "../memo.ts";
import { placeOfText } from "../model/address/list-address.ts";
import { encodePath, type Locales } from "../model/language/locale.ts";
import { typeByName } from "../model/media/media-type.ts";
import { COMMON_HEADERS, MEDIA_HEADERS, pageHeaders, REVALIDATED, type HeaderFields } from "../render/page-headers.ts";
import { sitemapFiles, sitemapUrls, type SitemapPage } from "../views/site-files/sitemap.ts";
import type { PageColumns } from "./state/state.ts";

/** Text by file name. */
export type SiteFiles = ReadonlyMap<string, string>;

/** The sitemap of the built pages: one file, or an index with several. */
export function builtSitemaps(
  { path, place, language_code, id, updated }: Pick<PageColumns, "path" | "place" | "language_code" | "id" | "updated">,
  locales: Locales,
  origin: string,
): SiteFiles {
  const byPlace = new Map<string, Omit<SitemapPage, "updated" | "urls"> & { readonly translations: number[] }>();
  for (const [at, each] of id.entries()) {
    if (updated[at] === "") continue;
    const key = `${each} ${place[at]!}`;
    keptBy(byPlace, key, () => ({ id: each, place: placeOfText(place[at]!), translations: [] })).translations.push(at);
  }
  const listed = [...byPlace.values()].map(({ translations, ...rest }): SitemapPage => ({
    ...rest,
    updated: updated[translations[0]!]!,
    urls: locales.codes.flatMap((lang) =>
      translations.filter((at) => language_code[at] === lang).map((at) => ({ lang, url: encodePath(path[at]!) })),
    ),
  }));
  return sitemapFiles(sitemapUrls(listed, origin), origin);
}

/** @param media paths below the media URL */
export function headersText(config: Config, media: readonly string[]): string {
  const section = (path: string, headers: HeaderFields): string =>
    `${path}\n${Object.entries(headers)
      .map(([name, value]) => `  ${name}: ${value}\n`)
      .join("")}`;
  return [
    section(`${config.BASE_PATH}/*`, pageHeaders(config)),
    section(`${config.BASE_PATH}${config.MEDIA.URL}*`, { "cache-control": REVALIDATED }),
    ...media.flatMap((path) => {
      const { delivery } = typeByName(path);
      const headers = { ...COMMON_HEADERS, ...MEDIA_HEADERS[delivery] };
      return delivery === "inline" ? [] : [section(config.BASE_PATH + config.MEDIA.URL + encodePath(path), headers)];
    }),
  ].join("\n");
}
