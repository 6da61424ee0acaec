/** The files of a static site that belong to no page: redirects, sitemaps, feeds, headers, robots.txt and the page for 404. */
import { siteAddressOf } from "../config.ts";
import type { Locales } from "../model/language/locale.ts";
import { NOT_FOUND } from "../render/headless.ts";
import { renderNotFound } from "../render/page.ts";
import { feedPath, feedText } from "../views/site-files/feed.ts";
import { ROBOTS, robotsText, sitemapNames } from "../views/site-files/sitemap.ts";
import type { BuildInput, BuildOptions } from "./input.ts";
import { folderAbove } from "./output/output-path.ts";
import type { Output } from "./output/output.ts";
import { requestFor, settled } from "./page-files.ts";
import { failureOf, type Failure } from "./report.ts";
import { redirectFiles } from "./redirect-files.ts";
import { builtSitemaps, headersText } from "./site-file-texts.ts";
import type { MediaFile, Source } from "./sources/source.ts";
import type { BuiltPage, State } from "./state/state.ts";

/** The files a build writes beside its pages and media. @param pages how many there are at most */
export const siteNames = (
  { html, redirects }: BuildOptions,
  source: Pick<Source, "redirects">,
  locales: Locales,
  pages: number,
): string[] => [
  ...redirectFiles(source.redirects, redirects).keys(),
  ...(html
    ? [NOT_FOUND, ROBOTS, "_headers", ...sitemapNames(pages), ...locales.codes.map((lang) => feedPath(locales, lang))]
    : []),
];

export interface WrittenFiles {
  /** All files that belong to no page, media among them. */
  readonly files: State["files"];
  /** How many files changed. */
  readonly written: number;
}

interface SiteContext {
  readonly input: BuildInput;
  readonly options: BuildOptions;
  readonly output: Output;
  /** The pages of this build, and the last build's state. */
  readonly pages: readonly BuiltPage[];
  readonly before: State | undefined;
  /** The media and files of `static/` in the output, by path. */
  readonly copied: ReadonlyMap<string, MediaFile>;
  /** Whether a file is the site's own, so that it is left alone. */
  isForeign(path: string): boolean;
}

/** Does not write the media, and does not count them as written. */
export async function writeSiteFiles(context: SiteContext, failures: Failure[]): Promise<WrittenFiles> {
  const { output, before, pages, copied, isForeign } = context;
  const files: Record<string, State["files"][string]> = {};
  for (const [path, { version }] of copied) files[path] = [output.files.sizeOf(path), version];
  const sitemaps = before && isSameSitemap(before.pages, pages) ? unchangedSitemaps(before, output) : undefined;
  let written = 0;
  for (const [path, text] of await siteTexts(context, sitemaps === undefined, failures)) {
    if (copied.has(path) || copied.has(folderAbove(path)) || (isForeign(path) && !output.files.holds(path, text)))
      continue;
    try {
      if (output.files.put(path, text)) written++;
      files[path] = [Buffer.byteLength(text)];
    } catch (error) {
      failures.push(failureOf(error, `/${path}`, null));
    }
  }
  return { files: Object.assign(files, sitemaps), written };
}

async function siteTexts(
  { input: { config, templates, source, extra }, options: { html, redirects }, pages, copied }: SiteContext,
  withSitemaps: boolean,
  failures: Failure[],
): Promise<Map<string, string>> {
  const { locales } = config;
  const texts = new Map<string, string>([
    ...redirectFiles(source.redirects, redirects, config.BASE_PATH),
    ...(extra ?? []),
  ]);
  if (!html) return texts;
  if (withSitemaps)
    for (const [name, text] of builtSitemaps(pages, locales, siteAddressOf(config))) texts.set(name, text);
  for (const lang of locales.codes) {
    const feed = feedText(source.feed(lang, config.FEED.ITEMS), {
      name: config.SITE_NAME,
      ...{ locales, lang, origin: siteAddressOf(config) },
    });
    if (feed !== undefined) texts.set(feedPath(locales, lang), feed);
  }
  texts.set(ROBOTS, robotsText(config.BASE_URL && siteAddressOf(config)));
  const mediaFolder = config.MEDIA.URL.slice(1);
  const mediaPaths = Array.from(copied).flatMap(([at, { path }]) => (at.startsWith(mediaFolder) ? [path] : []));
  texts.set("_headers", headersText(config, mediaPaths));
  try {
    const known = requestFor(config, locales.default, `/${NOT_FOUND}`);
    const request = known && { ...known, path: "" };
    const view = source.view(locales.default);
    texts.set(NOT_FOUND, await settled(source, () => renderNotFound(templates, view, request, source.ask)));
  } catch (error) {
    failures.push(failureOf(error, `/${NOT_FOUND}`, locales.default));
  }
  return texts;
}

/** Whether all that sitemaps contain is unchanged. */
const isSameSitemap = (before: readonly BuiltPage[], now: readonly BuiltPage[]): boolean =>
  before.length === now.length &&
  before.every((page, at) =>
    (["path", "language_code", "id", "updated"] as const).every((name) => page[name] === now[at]![name]),
  );

/** The sitemaps of the last build, where their files are unchanged. */
function unchangedSitemaps({ files }: State, { found, unsure }: Output): State["files"] | undefined {
  const sitemaps = Object.entries(files).filter(
    ([path, [, version]]) => version === undefined && /^sitemap(-\d+)?\.xml$/.test(path),
  );
  const areUnchanged =
    sitemaps.length > 0 && sitemaps.every(([path, [size]]) => found.get(path) === size && !unsure.has(path));
  return areUnchanged ? Object.fromEntries(sitemaps) : undefined;
}
