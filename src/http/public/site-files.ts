/**
 * The files for search engines, feed readers and the search of the site, as `cms build` writes them.
 *
 * They are made once for a content, until the next moment at which a page changes by schedule. What is kept has no
 * origin, since clients can name any number of hosts: it is filled in as a text is sent.
 */
import { siteAddressOf, type Config } from "../../config.ts";
import { siteSearchFiles } from "../../library/site-search.ts";
import { PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import { ContentMemo } from "../../views/content-memo.ts";
import { textHash } from "../../views/manifest/json-digest.ts";
import { SEARCH_FOLDER } from "../../views/search/site-files.ts";
import { FEED, feedContent, feedPath, feedText, type FeedContent } from "../../views/site-files/feed.ts";
import { ROBOTS, robotsText, SITEMAP_MAX, sitemaps } from "../../views/site-files/sitemap.ts";
import { escapeXml } from "../../views/site-files/xml.ts";
import { notModified } from "../request/conditional.ts";
import { publicView } from "../app/call.ts";
import { etag, textPieces, textReply, type Headers, type Reply } from "../request/reply.ts";
import type { Call } from "../app/route.ts";

/** A text with `ORIGIN` for the origin. */
interface SiteFile {
  readonly text: string;
  readonly hash: string;
  readonly bytes: number;
  readonly origins: number;
}

const SITEMAPS = new ContentMemo<ReadonlyMap<string, SiteFile>>();
const SEARCHES = new ContentMemo<ReadonlyMap<string, string>>();
const FEEDS = new ContentMemo<FeedContent>();

/** Addresses are percent-encoded, so they do not contain it. */
const ORIGIN = "\x7f";
/** These files are read by other machines, in development too. */
const publishedOrigin = (config: Config): string | null => config.BASE_URL && siteAddressOf(config);

const NO_CACHE: Headers = { "cache-control": "no-cache" };

/** @param name the path without its first slash @returns undefined for a name of none of them */
export async function siteFileReply(call: Call, name: string): Promise<Reply | undefined> {
  if (name === ROBOTS) return fileOf("text/plain", robotsText(publishedOrigin(call.ctx.config)));
  if (name.endsWith(FEED)) return feedReply(call, name);
  if (name.startsWith(SEARCH_FOLDER) && call.ctx.config.SITE_SEARCH) return searchFileReply(call, name);
  const [, part] = /^sitemap(?:-([1-9]\d{0,5}))?\.xml$/.exec(name) ?? [undefined, ""];
  if (part === "" || Number(part ?? 1) > partsMax(call)) return undefined;
  const view = publicView(call);
  const files = await SITEMAPS.get(view, "", async () => {
    const texts = await sitemaps({ ...view, origin: ORIGIN });
    return new Map([...texts].map(([each, text]) => [each, siteFile(text)]));
  });
  const file = files.get(name);
  return file && sitemapReply(call, file);
}

/** The most sitemaps that there can be. */
function partsMax({ ctx: { store, locales } }: Call): number {
  const pages = PAGE_KINDS.reduce((sum, kind) => sum + store.current.table(kind).byId.size, 0);
  return Math.max(1, Math.ceil((pages * locales.codes.length) / SITEMAP_MAX));
}

const siteFile = (text: string): SiteFile => ({
  text,
  hash: textHash(text),
  bytes: Buffer.byteLength(text),
  origins: text.split(ORIGIN).length - 1,
});

function sitemapReply(call: Call, { text, hash, bytes, origins }: SiteFile): Reply {
  const origin = escapeXml(publishedOrigin(call.ctx.config) ?? call.origin);
  const headers = {
    "content-type": "application/xml; charset=utf-8",
    ...NO_CACHE,
    etag: etag(textHash(`${hash} ${origin}`)),
    "content-length": String(bytes + origins * (Buffer.byteLength(origin) - ORIGIN.length)),
  };
  const known = notModified(call.headers, headers);
  if (known) return known;
  return textReply(call.method === "HEAD" ? undefined : filled(text, origin), headers);
}

function* filled(text: string, origin: string): Iterable<string> {
  for (const piece of textPieces(text)) yield piece.replaceAll(ORIGIN, origin);
}

/** @returns undefined where no language with articles has its feed */
async function feedReply(call: Call, name: string): Promise<Reply | undefined> {
  const { locales, config } = call.ctx;
  const lang = locales.codes.find((each) => feedPath(locales, each) === name);
  if (lang === undefined) return undefined;
  const view = publicView(call);
  const content = await FEEDS.get(view, lang, () => feedContent({ ...view, lang, origin: "" }, config.FEED.ITEMS));
  const text = feedText(content, {
    name: config.SITE_NAME,
    ...{ locales, lang, origin: publishedOrigin(config) ?? call.origin },
  });
  return text === undefined ? undefined : fileOf("application/atom+xml", text);
}

/** @returns undefined for what is no file of the search */
async function searchFileReply(call: Call, name: string): Promise<Reply | undefined> {
  const text = (await SEARCHES.get(publicView(call), "", () => siteSearchFiles(publicView(call)))).get(name);
  if (text === undefined) return undefined;
  const isNamedByContent = name.endsWith(".json") && !name.endsWith("/pieces.json");
  const headers = {
    "content-type": `${name.endsWith(".js") ? "text/javascript" : "application/json"}; charset=utf-8`,
    "cache-control": isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache",
    etag: etag(textHash(text)),
  };
  const known = notModified(call.headers, headers);
  return known ?? { status: 200, headers, body: text };
}

const fileOf = (type: string, body: string): Reply => ({
  status: 200,
  headers: { "content-type": `${type}; charset=utf-8`, ...NO_CACHE },
  body,
});
