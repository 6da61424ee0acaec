/** The Atom feed (RFC 4287) of the newest articles in a language. */
import { publicPath, type Lang, type Locales } from "../../model/language/locale.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import { ARTICLE_MODEL, type PageSummary } from "../../model/page/page.ts";
import { isObject } from "../../model/input/json.ts";
import { allSummaries, pageOf } from "../../store/content/indexes/pages-by-model.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { pagePayload } from "../page/page.ts";
import { servedPath } from "../page/route.ts";
import type { Payload, View } from "../view.ts";
import { escapeXml } from "./xml.ts";

/** What a feed is made from. */
export interface FeedContent {
  /** The public home page in the language, whose title is the feed's. */
  readonly home: Payload | null;
  /** Newest first. */
  readonly articles: readonly Payload[];
}

export const FEED = "feed.xml";

/** The path of a language's feed, relative to the root of the site: `feed.xml`, `it/feed.xml`. */
export const feedPath = (locales: Locales, lang: Lang): string => publicPath(locales, lang, `/${FEED}`, false).slice(1);

/** @param view its surface is `public` @param count of articles, at most */
export function feedContent(view: View, count: number): FeedContent {
  const { content, lang, now } = view;
  const at = ({ translations }: PageSummary): string => translations[lang]?.published_at ?? "";
  const newest = allSummaries(content)
    .filter((summary) => summary.model === ARTICLE_MODEL && isPublic(summary, lang, now))
    .sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : b.id - a.id));
  const articles: Payload[] = [];
  for (const summary of newest) {
    if (articles.length >= count) break;
    if (servedPath(view, summary, lang) !== undefined) articles.push(pagePayload(view, pageOf(summary)));
  }
  const home = pageIndex(content).byPermalink(lang, "/");
  return { home: home && isPublic(home, lang, now) ? pagePayload(view, home) : null, articles };
}

interface FeedPlace {
  /** The name of the site, where it is not the title of the home page. */
  readonly name: string | null;
  readonly locales: Locales;
  readonly lang: Lang;
  /** Scheme and host in front of all addresses; the format requires one. */
  readonly origin: string;
}

/** @returns undefined without articles */
export function feedText(
  { home, articles }: FeedContent,
  { name, locales, lang, origin }: FeedPlace,
): string | undefined {
  if (articles.length === 0) return undefined;
  const title = name ?? (textAt(home, "title") || (origin === "" ? FEED : new URL(origin).host));
  const self = `${origin}/${feedPath(locales, lang)}`;
  const updated = articles
    .map((article) => textAt(article, "date_updated_at"))
    .sort((a, b) => timeOf(b) - timeOf(a))[0]!;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(lang)}">\n` +
    element("title", title) +
    (textAt(home, "description") && element("subtitle", textAt(home, "description"))) +
    element("id", self) +
    `<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>\n` +
    `<link rel="alternate" type="text/html" href="${escapeXml(origin + (textAt(home, "routerlink") || "/"))}"/>\n` +
    element("updated", updated) +
    `<author>${element("name", title).trim()}</author>\n` +
    `${articles.map((article) => entry(article, origin)).join("")}</feed>\n`
  );
}

function entry(article: Payload, origin: string): string {
  const address = origin + textAt(article, "routerlink");
  const author = authorOf(article);
  const tags = Array.isArray(article.tags) ? article.tags : [];
  return (
    `<entry>\n${element("title", textAt(article, "title") || address)}${element("id", address)}` +
    `<link rel="alternate" type="text/html" href="${escapeXml(address)}"/>\n` +
    element("published", textAt(article, "published_at")) +
    element("updated", textAt(article, "date_updated_at")) +
    (author && `<author>${element("name", author).trim()}</author>\n`) +
    tags.map((tag: unknown) => `<category term="${escapeXml(textAt(tag, "name"))}"/>\n`).join("") +
    `${element("summary", textAt(article, "description"))}</entry>\n`
  );
}

function authorOf({ author }: Payload): string {
  const name = `${textAt(author, "first_name")} ${textAt(author, "last_name")}`.trim();
  return name || textAt(author, "username");
}

const textAt = (record: unknown, key: string): string => {
  const value = isObject(record) ? record[key] : undefined;
  return typeof value === "string" ? value : "";
};

const timeOf = (moment: string): number => Date.parse(moment);

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>\n`;
