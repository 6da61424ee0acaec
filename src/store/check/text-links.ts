/** Links and pictures in Markdown and HTML, and fixed addresses of typed links, whose target on this site, or the anchor on its page, does not exist. They are warnings, as other references that lead nowhere. */
import { decoded, splitLang, type Lang, type Locales } from "../../model/language/locale.ts";
import { isOrWillBePublic } from "../../model/page/lifecycle.ts";
import type { Page } from "../../model/page/page.ts";
import { permalinkOf } from "../../model/address/permalink.ts";
import { mediaIndex } from "../content/indexes/media-index.ts";
import { pageIndex } from "../content/indexes/page-index.ts";
import type { Reader } from "../records/record-type.ts";
import { MEDIA } from "../records/media/media.ts";
import { REDIRECTS } from "../records/redirects.ts";
import { anchorsOf } from "./anchors.ts";
import { contentTexts, inText, type ContentText } from "./texts/content-texts.ts";
import type { Finding } from "./finding.ts";
import { listedPlace } from "./lists.ts";
import { addressesIn, onThisSite, type ReadMarkdown } from "./texts/text-markup.ts";

/** Answered by the service or by the host, not by content. */
const OUTSIDE = /^\/(?:api|admin|static|healthz|readyz|metrics)(?:\/|$)/;
/** A file, such as `/sitemap.xml`. */
const FILE = /\.[a-z0-9]{1,5}$/i;

/** Files that are made by builds and plugins, or by the host. */
const MADE = /(?:\.(?:xml|txt|json|webmanifest)|\/404\.html|^\/search\/cms-search\.js)$/i;

/** Where links lead beside pages. */
export interface Places {
  /** The setting `MEDIA.URL`, with its final slash. */
  readonly mediaUrl: string;
  /** Addresses of the files of `static/`; without them any file may be there, as on a site that is rendered elsewhere. */
  readonly files?: ReadonlySet<string>;
}

/** Where links lead, and what reads them. */
export interface Surroundings extends Places {
  readonly readMarkdown: ReadMarkdown;
  /** Texts of all templates; without any the site is rendered elsewhere, where anchors may be made by other rules. */
  readonly templates?: readonly string[];
}

export function* textLinkFindings(content: Reader, locales: Locales, surroundings: Surroundings): Generator<Finding> {
  const judge = judgeOf(content, locales, surroundings);
  const { templates = [], readMarkdown } = surroundings;
  const anchors = templates.length > 0 ? anchorsOf(content, locales, templates, readMarkdown) : undefined;
  for (const each of contentTexts(content)) {
    // Links that differ by query or fragment only may have the same problem.
    const found = new Map<string, string>();
    const add = (message: string, address: string): void => {
      if (!found.has(message)) found.set(message, address);
    };
    for (const address of each.isAddress ? onThisSite([each.text]) : addressesIn(each.text, readMarkdown)) {
      const { path, fragment } = partsOf(address);
      // Markdown encodes the addresses that it reads.
      const written = each.text.includes(address) ? address : decoded(address);
      const target = path === "" ? ownPage(each) : judge(path);
      if ("message" in target) add(`${path}: ${target.message}`, written);
      else if (target.page && !isPageTop(fragment)) {
        if (anchors && !anchors.has(fragment, target.page, target.lang, each))
          add(`${path}#${fragment}: There is no heading or element with this id.`, written);
      }
    }
    for (const [message, address] of found) yield inText(each, { message, address, severity: "warning" });
  }
}

/** Path and fragment of an address, decoded; the path is "" for a link within the page. */
export function partsOf(address: string): { readonly path: string; readonly fragment: string } {
  const hash = address.indexOf("#");
  const [before, fragment] = hash < 0 ? [address, ""] : [address.slice(0, hash), address.slice(hash + 1)];
  return { path: decoded(before.split("?", 1)[0]!), fragment: decoded(fragment) };
}

/** Fragments that need no element: the top of the page, and text that the browser looks for (`#:~:text=`). */
const isPageTop = (fragment: string): boolean => /^(?:top$|:~:|$)/i.test(fragment);

interface Judgement {
  readonly message: string;
}

/** Where an address leads that is not dead; without `page` to something else than a page, such as a file. */
interface Target {
  readonly page: Page | null;
  readonly lang: Lang;
}

/** A text without a page, or of all languages, may be shown anywhere. */
const ownPage = ({ page, lang }: ContentText): Target => ({ page: lang === null ? null : page, lang: lang ?? "" });

/** Judges paths: what is wrong with one, or where it leads. */
export function judgeOf(
  content: Reader,
  locales: Locales,
  { mediaUrl, files: staticPaths }: Places,
): (path: string) => Judgement | Target {
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
  return (path) => {
    const { lang, rest } = splitLang(locales, path);
    const elsewhere: Target = { page: null, lang };
    if (path.startsWith(mediaUrl) && path !== mediaUrl) {
      const file = path.slice(mediaUrl.length);
      if (files.has(file) || media.ownerOf(file) || media.movedFrom(file)) return elsewhere;
      return { message: "There is no such file in media/." };
    }
    const permalink = permalinkOf(rest);
    const page = pageAt(lang, permalink) ?? listedPlace(content, locales, lang, permalink)?.page;
    if (page && isOrWillBePublic(page, lang)) return { page, lang };
    if (redirects.has(`${lang} ${permalink}`) || OUTSIDE.test(path)) return elsewhere;
    if (page) return { message: "The page is not published, so visitors find nothing there." };
    if (FILE.test(path) && staticPaths && !MADE.test(path) && !staticPaths.has(path))
      return { message: "There is no such file in static/." };
    return FILE.test(path) ? elsewhere : { message: "There is no page at this address." };
  };
}
