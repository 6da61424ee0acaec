/** A WordPress export as a site: posts as articles, pages, categories and tags as tags, attachments as media, menus. */
import { basename } from "node:path";
import { findLang, type Locales } from "../../model/language/locale.ts";
import type { TimeZone } from "../../model/time/time-zone.ts";
import type { Downloads } from "../sources/download.ts";
import type { TextFormat } from "../texts/html-markdown.ts";
import type { ImportedRedirect, ImportedSite, Remark } from "../imported-site.ts";
import { mediaIn, mediaRedirects } from "./attachments.ts";
import { wordPressEntries } from "./entries.ts";
import { menusIn } from "./menus.ts";
import { postsIn } from "./posts.ts";
import { basePath, dateRedirects, tagsIn, type TagAddresses } from "./tags.ts";
import { textLinks } from "./text-links.ts";
import { oneExport } from "./parts.ts";
import { readWordPressExport, type WordPressExport } from "./wxr.ts";

export interface WordPressSource {
  /** The export, or its first part. */
  readonly file: string;
  /** Its other parts: WordPress divides large exports, and so do people by year or type. */
  readonly parts?: readonly string[] | undefined;
  /** The folder `wp-content/uploads` of the old site. */
  readonly uploads?: string | undefined;
  readonly downloads: Downloads;
  /** A folder for fetched files, which the caller removes. */
  readonly temporary: string;
  /** The zone of the old site, for moments that are not in UTC. */
  readonly zone: TimeZone | undefined;
  readonly format: TextFormat;
  readonly addresses: TagAddresses;
}

/** @throws CmsError `invalid` with file and line where the file is no export, or damaged */
export async function readWordPress(options: WordPressSource, locales: Locales): Promise<ImportedSite> {
  const { addresses, zone, format } = options;
  const file = basename(options.file);
  const parts = await inTurn([options.file, ...(options.parts ?? [])], (each) =>
    readWordPressExport(each, basename(each)),
  );
  const told: Remark[] = [];
  const source = oneExport(parts, told);
  const remarks: Remark[] = [...told, ...remarksOn(source, locales, file)];
  const posts = postsIn(source, locales, remarks);
  const links = textLinks(source, posts, addresses, locales);
  const tags = tagsIn({ source, posts, addresses, locales, file, remarks });
  const authors = new Map(source.authors.map((author) => [author.login, author]));
  const attachments = { ...options, posts, locales, zone, uploads: options.uploads };
  return {
    entries: wordPressEntries({ authors, posts, tags, links, locales, zone, file, remarks, format }),
    tags: tags.all,
    media: mediaIn(attachments),
    menus: menusIn({ terms: source.terms, posts, links, addresses, locales, remarks }),
    redirects: [
      ...tags.redirects,
      ...dateRedirects(posts, source.link, addresses, locales),
      ...mediaRedirects(attachments),
      feedRedirect(source, file),
    ],
    remarks,
  };
}

async function inTurn<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const found: R[] = [];
  for (const item of items) found.push(await read(item));
  return found;
}

const feedRedirect = ({ link }: WordPressExport, file: string): ImportedRedirect => ({
  place: { file },
  from: `${basePath(link)}/feed`,
  to: "/feed.xml",
});

/** What is not carried of the whole export. */
function* remarksOn(source: WordPressExport, locales: Locales, file: string): Generator<Remark> {
  const commented = source.items.filter(({ comments }) => comments > 0);
  const comments = commented.reduce((sum, item) => sum + item.comments, 0);
  if (comments > 0) {
    const message = `Comments of readers are not imported: ${comments}, of ${commented.length} posts; these are the first.`;
    yield { file: commented[0]!.file, line: commented[0]!.line, message };
  }
  const { language } = source;
  if (language !== "" && !findLang(locales, language) && !findLang(locales, language.split("-")[0]!)) {
    const message = `The export is in ${language}, which is no language of the site: its texts are in ${locales.default}, unless they say another.`;
    yield { file, message };
  }
  for (const place of source.unknownEntities.slice(0, ENTITIES_TOLD))
    yield { ...place, message: "An entity that XML does not have stays in the text as it is." };
  const isPlain = source.items.some(
    ({ type, status, link }) => type === "post" && status === "publish" && /[?&]p=\d/.test(link),
  );
  if (isPlain) {
    const message =
      "Addresses of posts are queries, as in /?p=12: those cannot redirect. Permalinks are made from titles.";
    yield { file, message };
  }
}

const ENTITIES_TOLD = 20;
