/** The texts of files for search engines and for the host of a static site. */
import { pageHeaders, ALWAYS, BOXED, type HeaderFields } from "../render/page-headers.ts";
import type { Config } from "../config.ts";
import { encodePath, type Locales } from "../model/locale.ts";
import type { Manifest } from "../views/manifest.ts";
import { sitemapFiles, sitemapUrls, type SitemapPage } from "../views/sitemap.ts";
import type { PageColumns } from "./state/state.ts";

/** Text by file name. */
export type SiteFiles = ReadonlyMap<string, string>;

/** The sitemap of what was built, as `sitemapFiles` has it. */
export function builtSitemaps(
  { path, language_code, id, updated }: Pick<PageColumns, "path" | "language_code" | "id" | "updated">,
  locales: Locales,
  origin: string,
): SiteFiles {
  const byId = new Map<number, number[]>();
  for (const [at, each] of id.entries()) {
    if (updated[at] === "") continue;
    const same = byId.get(each);
    if (same) same.push(at);
    else byId.set(each, [at]);
  }
  const listed = [...byId].map(([each, same]): SitemapPage => ({
    id: each,
    updated: updated[same[0]!]!,
    urls: locales.codes.flatMap((lang) =>
      same.filter((at) => language_code[at] === lang).map((at) => ({ lang, url: encodePath(path[at]!) })),
    ),
  }));
  return sitemapFiles(sitemapUrls(listed, origin), origin);
}

/** @param nginx whether rules for nginx are wanted as well */
export function redirectFiles(redirects: Manifest["redirects"], nginx: boolean): SiteFiles {
  const rows = redirects.map(({ from, to, status }) => ({ from: encodePath(from), to: encodeTarget(to), status }));
  return new Map([
    ["_redirects", rows.map(({ from, to, status }) => `${from} ${to} ${status}\n`).join("")],
    ["redirects.json", `${JSON.stringify(redirects, null, 2)}\n`],
    ...(nginx ? [["redirects.nginx.conf", rows.map(nginxRule).join("")] as const] : []),
  ]);
}

/** Query and fragment stay what they are; nothing is left that ends a line or a field. */
const encodeTarget = (to: string): string => encodeURI(to).replaceAll("%25", "%");

/** For an `include` inside `server`. nginx compares decoded paths and takes `$` for a variable. */
const nginxRule = ({
  from,
  to,
  status,
}: {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}): string =>
  `location = ${quoted(decodeURIComponent(from))} { return ${status} ${quoted(to.replaceAll("$", "%24"))}; }\n`;

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** @param media paths below the media URL */
export function headersText(config: Config, media: readonly string[]): string {
  const boxed = media.filter((path) => !INERT.test(path));
  const section = (path: string, headers: HeaderFields): string =>
    `${path}\n${Object.entries(headers)
      .map(([name, value]) => `  ${name}: ${value}\n`)
      .join("")}`;
  return [
    section("/*", pageHeaders(config)),
    ...boxed.map((path) =>
      section(config.MEDIA.URL + encodePath(path), {
        "content-security-policy": BOXED,
        ...ALWAYS,
        ...(!/\.svg$/i.test(path) && { "content-disposition": "attachment" }),
      }),
    ),
  ].join("\n");
}

/** Types that cannot act on the site's origin, as the service has them. */
const INERT = /\.(avif|css|gif|ico|jpe?g|mp3|mp4|pdf|png|txt|webm|webp|woff2)$/i;
