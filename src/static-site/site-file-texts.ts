/** Texts of files for search engines and for the host of a static site. */
import type { Config } from "../config.ts";
import { keptBy } from "../memo.ts";
import { placeOfText } from "../model/address/list-address.ts";
import { encodePath, type Locales } from "../model/language/locale.ts";
import { typeByName } from "../model/media/media-type.ts";
import { COMMON_HEADERS, MEDIA_HEADERS, pageHeaders, REVALIDATED, type HeaderFields } from "../render/page-headers.ts";
import { sitemapFiles, sitemapUrls, type SitemapPage } from "../views/site-files/sitemap.ts";
import type { BuiltPage } from "./state/state.ts";

/** Text by file name. */
export type SiteFiles = ReadonlyMap<string, string>;

/** The sitemap of the built pages: one file, or an index with several. */
export function builtSitemaps(pages: readonly BuiltPage[], locales: Locales, origin: string): SiteFiles {
  const byPlace = new Map<string, BuiltPage[]>();
  for (const page of pages) if (page.updated !== "") keptBy(byPlace, `${page.id} ${page.place}`, () => []).push(page);
  const listed = Array.from(byPlace.values(), (translations): SitemapPage => {
    const { id, place, updated } = translations[0]!;
    const urls = locales.codes.flatMap((lang) =>
      translations
        .filter(({ language_code }) => language_code === lang)
        .map(({ path }) => ({ lang, url: encodePath(path) })),
    );
    return { id, place: placeOfText(place), updated, urls };
  });
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
