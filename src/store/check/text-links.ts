/** Links and pictures in Markdown and HTML whose target on this site does not exist. */
import { splitLang, type Lang, type Locales } from "../../model/locale.ts";
import { textOf, type Page } from "../../model/page.ts";
import { permalinkOf } from "../../model/permalink.ts";
import type { Severity } from "../../model/problem.ts";
import { mediaIndex } from "../content/indexes/media-index.ts";
import { pageIndex } from "../content/indexes/page-index.ts";
import type { Reader } from "../content/record-type.ts";
import { MEDIA } from "../content/records/media.ts";
import { REDIRECTS } from "../content/records/redirects.ts";
import { contentTexts, decoded, inText } from "./content-texts.ts";
import type { Finding } from "./finding.ts";

/** Addresses that begin with one slash. In Markdown a title may follow; an HTML attribute may have no quotes. */
const ADDRESSES = [/\]\(<?(\/(?!\/)[^\s<>()"']{0,2000})/g, /\b(?:href|src|poster)=["']?(\/(?!\/)[^\s<>"']{0,2000})/gi];
/** Answered by the service or by the host, not by content. */
const OUTSIDE = /^\/(?:api|admin|static|healthz|readyz|metrics)(?:\/|$)/;
/** A file, such as `/sitemap.xml`. */
const FILE = /\.[a-z0-9]{1,5}$/i;

/** @param mediaUrl the setting `MEDIA.URL`, with its final slash */
export function* textLinkFindings(content: Reader, locales: Locales, mediaUrl: string): Generator<Finding> {
  const judge = judgeOf(content, locales, mediaUrl);
  for (const each of contentTexts(content)) {
    for (const address of addressesIn(each.text)) {
      const found = judge(address);
      if (found) yield inText(each, `${address}: ${found.message}`, found.severity);
    }
  }
}

/** Each once, without query and fragment. */
export const addressesIn = (text: string): ReadonlySet<string> =>
  new Set(ADDRESSES.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!.split(/[?#]/, 1)[0]!)));

interface Judgement {
  readonly message: string;
  readonly severity: Severity;
}

/** What is wrong with an address; undefined for one that leads somewhere. */
function judgeOf(content: Reader, locales: Locales, mediaUrl: string): (address: string) => Judgement | undefined {
  const media = mediaIndex(content);
  const files = new Set(content.all(MEDIA).flatMap(({ file, facts }) => (facts ? [file] : [])));
  const pages = pageIndex(content);
  const redirects = new Set(
    content
      .all(REDIRECTS)
      .flatMap(({ rows }) => rows.map(({ from, language = locales.default }) => `${language} ${from}`)),
  );
  const pageAt = (lang: Lang, permalink: string): Page | undefined =>
    pages.byPermalink(lang, permalink) ?? pages.byAlias(lang, permalink);
  return (address) => {
    const path = decoded(address);
    if (path.startsWith(mediaUrl) && path !== mediaUrl) {
      const file = path.slice(mediaUrl.length);
      if (files.has(file) || media.ownerOf(file) || media.movedFrom(file)) return undefined;
      return { message: "There is no such file in media/.", severity: "error" };
    }
    const { lang, rest } = splitLang(locales, path);
    const permalink = permalinkOf(rest);
    const page = pageAt(lang, permalink);
    if (page && isPublished(page, lang)) return undefined;
    if (redirects.has(`${lang} ${permalink}`) || OUTSIDE.test(path)) return undefined;
    if (page) return { message: "The page is not published, so visitors find nothing there.", severity: "warning" };
    return FILE.test(path) ? undefined : { message: "There is no page at this address.", severity: "error" };
  };
}

const isPublished = (page: Page, lang: Lang): boolean => !page.deleted_at && textOf(page, lang).published_at !== null;
