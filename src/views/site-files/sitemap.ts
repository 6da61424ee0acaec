/** The sitemap of all public pages in all languages with their alternates, and robots.txt. */
import { keptBy } from "../../memo.ts";
import { placeText, type ListPlace } from "../../model/address/list-address.ts";
import { encodePath, type Lang } from "../../model/language/locale.ts";
import type { PageSummary } from "../../model/page/page.ts";
import { isNoindex } from "../../model/page/robots.ts";
import { allSummaries } from "../../store/content/indexes/pages-by-model.ts";
import { pace } from "../../time-slices.ts";
import { servedAddresses } from "../page/route.ts";
import type { View } from "../view.ts";
import { escapeXml } from "./xml.ts";

/** The maximum number of URLs in one sitemap, by the protocol. */
export const SITEMAP_MAX = 50_000;

/** The data of a page for sitemaps. URLs are root-relative. */
export interface SitemapPage {
  readonly id: number;
  /** Which page of its list it is; the first for a page without one. */
  readonly place: ListPlace;
  readonly updated: string;
  /** In the order of the languages. */
  readonly urls: readonly { readonly lang: Lang; readonly url: string }[];
}

/**
 * Text by file name, as `sitemapFiles`, made in slices.
 *
 * @param view must have an origin: the protocol requires absolute URLs
 */
export async function sitemaps(view: View): Promise<ReadonlyMap<string, string>> {
  const pages: SitemapPage[] = [];
  for (const page of allSummaries(view.content)) {
    await pace();
    pages.push(...sitemapPages(view, page));
  }
  const urls: string[] = [];
  for (const page of newestFirst(pages)) {
    await pace();
    urls.push(...urlElements(page, view.origin));
  }
  return sitemapFiles(urls, view.origin);
}

/** One sitemap, or several with an index, by file name. */
export function sitemapFiles(urls: readonly string[], origin: string): ReadonlyMap<string, string> {
  const [first, ...parts] = sitemapNames(urls.length);
  if (parts.length === 0) return new Map([[first, sitemapText(urls)]]);
  const files = parts.map((name, at): [string, string] => [
    name,
    sitemapText(urls.slice(at * SITEMAP_MAX, (at + 1) * SITEMAP_MAX)),
  ]);
  return new Map([[first, sitemapIndexText(parts.map((name) => `${origin}/${name}`))], ...files]);
}

/** The file names for a number of URLs: one sitemap, or an index followed by its sitemaps. */
export const sitemapNames = (urls: number): [string, ...string[]] => [
  "sitemap.xml",
  ...(urls > SITEMAP_MAX
    ? Array.from({ length: Math.ceil(urls / SITEMAP_MAX) }, (_, at) => `sitemap-${at + 1}.xml`)
    : []),
];

export const ROBOTS = "robots.txt";

/**
 * Allows everything: pages with `indexable: false` have a meta tag. The text is the same for every host, so it names
 * the sitemap only if `BASE_URL` is set, since the protocol requires an absolute URL.
 */
export const robotsText = (baseUrl: string | null): string =>
  `User-agent: *\nAllow: /\n${baseUrl === null ? "" : `\nSitemap: ${baseUrl}/sitemap.xml\n`}`;

/** One for each page of a list. */
function sitemapPages(view: View, page: PageSummary): readonly SitemapPage[] {
  if (isNoindex(page.robots)) return [];
  const byPlace = new Map<string, { readonly place: ListPlace; readonly urls: { lang: Lang; url: string }[] }>();
  for (const lang of view.locales.codes)
    for (const { path, place = { number: 1 } } of servedAddresses(view, page, lang))
      keptBy(byPlace, placeText(place), () => ({ place, urls: [] })).urls.push({ lang, url: encodePath(path) });
  return Array.from(byPlace.values(), (each) => ({ id: page.id, updated: page.date_updated_at, ...each }));
}

/** One `<url>` element per URL, the most recently changed pages first. */
export const sitemapUrls = (pages: readonly SitemapPage[], origin: string): string[] =>
  newestFirst(pages).flatMap((page) => urlElements(page, origin));

const newestFirst = (pages: readonly SitemapPage[]): SitemapPage[] =>
  [...pages].sort((a, b) =>
    a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id - b.id || inOrderOfPlaces(a.place, b.place),
  );

/** The whole list first. Keys of groups may be any numbers, and are the same in all languages. */
const inOrderOfPlaces = (a: ListPlace, b: ListPlace): number =>
  Number(a.group !== undefined) - Number(b.group !== undefined) ||
  (a.group ?? 0) - (b.group ?? 0) ||
  a.number - b.number;

function urlElements({ updated, urls }: SitemapPage, origin: string): string[] {
  const alternates = urls.length > 1 ? urls.map(({ lang, url }) => alternate(lang, origin + url)).join("") : "";
  return urls.map(
    ({ url }) =>
      `<url><loc>${escapeXml(origin + url)}</loc><lastmod>${updated.slice(0, 10)}</lastmod>` +
      `<changefreq>daily</changefreq><priority>0.5</priority>${alternates}</url>`,
  );
}

/** @param urls at most SITEMAP_MAX */
const sitemapText = (urls: readonly string[]): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n' +
  `${urls.join("\n")}\n</urlset>\n`;

/** A sitemap of sitemaps. @param urls absolute */
const sitemapIndexText = (urls: readonly string[]): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n' +
  `${urls.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>`).join("\n")}\n</sitemapindex>\n`;

const alternate = (lang: string, href: string): string =>
  `<xhtml:link rel="alternate" hreflang="${escapeXml(lang)}" href="${escapeXml(href)}"/>`;
