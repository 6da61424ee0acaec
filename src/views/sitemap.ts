/** The sitemap: every public page in every language, each with its alternates. */
import type { Lang } from "../model/locale.ts";
import { isPublic } from "../model/lifecycle.ts";
import { textOf, type Page } from "../model/page.ts";
import { pageIndex } from "../store/page-index.ts";
import { allPages } from "../store/page-kinds.ts";
import { routerlink, type View } from "./view.ts";

/** At most so many URLs stand in one sitemap by the protocol; the pages that changed last go first. */
export const SITEMAP_MAX = 50_000;

/** @param view with an origin: the protocol wants absolute URLs */
export function sitemap(view: View): string {
  const newestFirst = [...allPages(view.content)].sort((a, b) => (a.date_updated_at < b.date_updated_at ? 1 : a.date_updated_at > b.date_updated_at ? -1 : a.id - b.id));
  const urls = newestFirst
    .flatMap((page) => {
      const languages = view.locales.codes.filter((lang) => isServed(view, page, lang));
      const alternates = languages.length > 1 ? languages.map((lang) => alternate(lang, view.origin + routerlink(view, page, lang))).join("") : "";
      return languages.map(
        (lang) =>
          `<url><loc>${escapeXml(view.origin + routerlink(view, page, lang))}</loc><lastmod>${page.date_updated_at.slice(0, 10)}</lastmod>` +
          `<changefreq>daily</changefreq><priority>0.5</priority>${alternates}</url>`,
      );
    })
    .slice(0, SITEMAP_MAX);
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n' +
    `${urls.join("\n")}\n</urlset>\n`
  );
}

/** Public, and the one that answers at its permalink. */
function isServed(view: View, page: Page, lang: Lang): boolean {
  const { permalink } = textOf(page, lang);
  return permalink !== null && isPublic(page, lang, view.now) && pageIndex(view.content).byPermalink(lang, permalink)?.id === page.id;
}

const alternate = (lang: string, href: string): string => `<xhtml:link rel="alternate" hreflang="${escapeXml(lang)}" href="${escapeXml(href)}"/>`;

const escapeXml = (text: string): string =>
  text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);
