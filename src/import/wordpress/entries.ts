/** Posts and pages of an export as entries. */
import { objectOf, type JsonObject } from "../../model/input/json.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { ARTICLE_MODEL, type Byline } from "../../model/page/page.ts";
import type { Offsets } from "../../model/front-matter/foreign-moment.ts";
import type { TimeZone } from "../../model/time/time-zone.ts";
import type { ImportedEntry, ImportedText, Remark, SourceId } from "../imported-site.ts";
import { asHtml, type TextFormat } from "../texts/html-markdown.ts";
import { trimEnd } from "../../model/text/trim.ts";
import { plainTextOf } from "../../model/text/html-tokens.ts";
import { replaceAddresses } from "../texts/html-tags.ts";
import { sourceIn } from "../texts/source-links.ts";
import { customFields, searchFields, searchTitle } from "./custom-fields.ts";
import { LANGUAGE_TAXONOMIES } from "./languages.ts";
import { blocksOfPost, lineCounter, pieceHtml, postHtml, type PostParts } from "./post-html.ts";
import { pathOfItem, permalinkFor, type Post, type Posts } from "./posts.ts";
import { isGated, wasPublic, momentsOf, offsetsOfItem } from "./publication.ts";
import { plainWords, sectionsOf } from "./sections.ts";
import type { WordPressTags } from "./tags.ts";
import type { TextLinks } from "./text-links.ts";
import { metaOf, postSource, type WordPressAuthor, type WordPressItem, wholeNumber } from "./wxr.ts";

export interface WordPressReading {
  /** By login. */
  readonly authors: ReadonlyMap<string, WordPressAuthor>;
  readonly posts: Posts;
  readonly tags: WordPressTags;
  readonly links: TextLinks;
  readonly locales: Locales;
  /** The zone of the old site. */
  readonly zone: TimeZone | undefined;
  readonly file: string;
  readonly remarks: Remark[];
  readonly format: TextFormat;
}

export function wordPressEntries(reading: WordPressReading): readonly ImportedEntry[] {
  const hidden = new Map<string, number>();
  const entries = reading.posts.all.map((post) => entryOf(post, reading, hidden));
  if (hidden.size > 0) {
    const keys = [...hidden].slice(0, KEYS_TOLD).map(([key, count]) => `${key} (${count})`);
    const more = hidden.size > KEYS_TOLD ? `, and ${hidden.size - KEYS_TOLD} more` : "";
    const message = `Hidden custom fields are of plugins and may be private, so they are not imported: ${keys.join(", ")}${more}.`;
    reading.remarks.push({ file: reading.file, message });
  }
  return entries;
}

const KEYS_TOLD = 30;

function entryOf(post: Post, reading: WordPressReading, hidden: Map<string, number>): ImportedEntry {
  const { posts, tags, zone } = reading;
  const { main, model } = post;
  const versions = [...post.versions.values()];
  const isArticle = model === ARTICLE_MODEL;
  const moments = versions.map((item) => momentsOf(item, zone));
  const changed = moments.flatMap(({ changed: at }) => at ?? []).sort();
  const written = moments.flatMap(({ written: at }) => at ?? []).sort();
  const picture = pictureOf(main, posts);
  const shared = attachmentOf(metaOf(main, "_yoast_wpseo_opengraph-image-id"), posts);
  return {
    source: post.source,
    place: { file: main.file, line: main.line },
    model,
    parent: isArticle ? undefined : parentOf(main, reading),
    created: written[0],
    updated: changed.at(-1),
    offsets: Object.assign({}, ...versions.map((item) => offsetsOfItem(item, zone))) as Offsets,
    ordering: !isArticle && main.order > 0 ? main.order : undefined,
    tags: isArticle ? [...new Set(versions.flatMap((item) => tags.of(item)))] : undefined,
    author: isArticle ? authorOf(main, reading) : undefined,
    ogImage: shared ?? (isArticle ? undefined : picture),
    highlightImage: isArticle ? picture : undefined,
    isTrashed: versions.every(({ status }) => status === "trash") || undefined,
    texts: Object.fromEntries(
      [...post.versions].map(([lang, item]) => [lang, textOf(item, lang, post, reading, hidden)]),
    ),
  };
}

function textOf(
  item: WordPressItem,
  lang: Lang,
  post: Post,
  reading: WordPressReading,
  hidden: Map<string, number>,
): ImportedText {
  const { posts, locales, zone } = reading;
  noteOn(item, reading);
  const path = pathOfItem(item, posts.site);
  const search = searchFields(item);
  const excerpt = plainTextOf(item.excerpt);
  const description = search.description ?? (excerpt === "" ? undefined : excerpt);
  const title = plainTextOf(item.title);
  return {
    fields: {
      ...search,
      ...(title !== "" && { title }),
      ...(description !== undefined && { description }),
    },
    permalink: path === undefined ? undefined : permalinkFor(path, lang, locales),
    published: isGated(item) ? undefined : momentsOf(item, zone).published,
    body: bodyOf(item, lang, reading),
    sections: post.model === ARTICLE_MODEL ? undefined : sectionsIn(item, lang, reading),
    data: dataOf(item, post, search.description === undefined ? "" : excerpt, reading, hidden),
    addresses: path === undefined ? undefined : [path, ...formerPaths(item, path), ...partPaths(item, path)],
  };
}

function bodyOf(item: WordPressItem, lang: Lang, reading: WordPressReading): string {
  const { posts, links, remarks, format } = reading;
  const { html, notes } = postHtml(item, partsOf(posts));
  for (const note of notes) remarks.push({ file: item.file, ...note });
  const missing = new Set<string>();
  const linked = replaceAddresses(html, (address) => {
    const found = links.rewrite(address, lang);
    if (found !== "missing") return found;
    missing.add(address);
    return links.absolute(address);
  });
  for (const address of [...missing].slice(0, MISSING_TOLD))
    remarks.push({
      file: item.file,
      line: item.line,
      message: `"${item.title}" links to ${address}, which is not in the export.`,
    });
  const formatted = format(linked);
  for (const note of formatted.notes) remarks.push({ file: item.file, line: item.contentLine, message: note });
  return formatted.text;
}

/** The same in parts; what is told of it is told of the body. */
function sectionsIn(item: WordPressItem, lang: Lang, { posts, links, format }: WordPressReading) {
  const parts = partsOf(posts);
  const address = (written: string): string => {
    const found = links.rewrite(written, lang);
    return found === "missing" ? links.absolute(written) : (found ?? written);
  };
  const isPart = { ...parts, block: () => undefined };
  return sectionsOf(blocksOfPost(item, parts), {
    words(html) {
      const piece = pieceHtml(html, isPart);
      const { text } = format(replaceAddresses(piece, address));
      return { text, isHtml: format === asHtml, plain: plainWords(piece) };
    },
    address,
    media(written) {
      const source = sourceIn(address(written));
      return source !== undefined && posts.attachments.has(Number(source.split(":").at(-1))) ? source : undefined;
    },
    altOf: (source) => parts.picture(Number(source.split(":").at(-1)))?.alt ?? "",
    lineAt: lineCounter(item.content, item.contentLine),
  });
}

/** Addresses told of one text. */
const MISSING_TOLD = 20;

const partsOf = ({ blocks, attachments }: Posts): PostParts => ({
  block: (id) => blocks.get(id)?.content,
  picture(id) {
    const item = attachments.get(id);
    const alt = item && (metaOf(item, "_wp_attachment_image_alt") ?? "");
    return item && { url: item.attachmentUrl, alt: alt ?? "", caption: item.excerpt };
  },
});

/** What has no field of its own. */
function dataOf(
  item: WordPressItem,
  { model }: Post,
  excerpt: string,
  { remarks }: WordPressReading,
  hidden: Map<string, number>,
): JsonObject | undefined {
  const fields = customFields(item);
  for (const key of fields.hidden) hidden.set(key, (hidden.get(key) ?? 0) + 1);
  for (const key of fields.tooLong)
    remarks.push({
      file: item.file,
      line: item.line,
      message: `The custom field ${key} is too long, and is not imported.`,
    });
  const isOwn = (taxonomy: string): boolean =>
    !LANGUAGE_TAXONOMIES.has(taxonomy) &&
    (model !== ARTICLE_MODEL || (taxonomy !== "category" && taxonomy !== "post_tag")) &&
    taxonomy !== "post_format";
  const taxonomies = new Map<string, string[]>();
  for (const { taxonomy, name } of item.terms.filter((term) => isOwn(term.taxonomy))) {
    const others = taxonomies.get(taxonomy);
    if (others) others.push(name);
    else taxonomies.set(taxonomy, [name]);
  }
  const format = item.terms.find(({ taxonomy }) => taxonomy === "post_format")?.slug.replace(/^post-format-/, "");
  const template = metaOf(item, "_wp_page_template")?.trim();
  const title = searchTitle(item);
  const data: JsonObject = {
    ...(Object.keys(fields.shown).length > 0 && { custom_fields: fields.shown }),
    ...(taxonomies.size > 0 && {
      taxonomies: objectOf(taxonomies),
    }),
    ...(excerpt !== "" && { excerpt }),
    ...(title !== undefined && { seo_title: title }),
    ...(format !== undefined && { post_format: format }),
    ...(item.isSticky && { sticky: true }),
    ...(template !== undefined && template !== "" && template !== "default" && { page_template: template }),
    ...(item.type !== "post" && item.type !== "page" && { post_type: item.type }),
  };
  return Object.keys(data).length > 0 ? data : undefined;
}

/** Why a post is not public, where its status alone does not say so. */
function noteOn(item: WordPressItem, { remarks }: WordPressReading): void {
  const say = (message: string): void =>
    void remarks.push({ file: item.file, line: item.line, message: `"${item.title}" ${message}` });
  if (item.hasHiddenBlocks) say("has hidden blocks: they are left out.");
  if (item.status === "private") say("is private: it is imported as a draft.");
  else if (item.isProtected) say("has a password, which pages here cannot have: it is imported as a draft.");
  else if (wasPublic(item) && momentsOf(item, undefined).written === undefined) say("has no date of publication.");
  else if (wasPublic(item) && isGated(item))
    say("has a shortcode that shows its text to some readers only: it is imported as a draft.");
  else if (item.status === "pending") say("waits for a review: it is imported as a draft.");
}

function parentOf(
  { parent, file, line, title }: WordPressItem,
  { posts, remarks }: WordPressReading,
): SourceId | undefined {
  if (parent === 0) return undefined;
  const found = posts.byId(parent);
  if (!found) remarks.push({ file, line, message: `The parent ${parent} of "${title}" is not in the export.` });
  return found?.post.source;
}

function authorOf({ creator }: WordPressItem, { authors }: WordPressReading): Byline | undefined {
  if (creator === "") return undefined;
  const author = authors.get(creator);
  const isNamed = author !== undefined && (author.first !== "" || author.last !== "");
  return {
    id: author && author.id > 0 ? author.id : 1,
    username: creator,
    first_name: (isNamed ? author.first : author?.display) ?? "",
    last_name: isNamed ? author.last : "",
  };
}

const pictureOf = (item: WordPressItem, posts: Posts): SourceId | undefined =>
  attachmentOf(metaOf(item, "_thumbnail_id"), posts);

function attachmentOf(written: string | undefined, { attachments }: Posts): SourceId | undefined {
  const id = wholeNumber(written);
  return attachments.has(id) ? postSource(id) : undefined;
}

/** Where it was before its slug was changed; WordPress redirects from there. */
const formerPaths = ({ meta }: WordPressItem, path: string): readonly string[] =>
  meta
    .filter(([key, slug]) => key === "_wp_old_slug" && slug.length <= 200 && /^[^/\s?#]+$/.test(slug.trim()))
    .map(([, slug]) => path.slice(0, path.lastIndexOf("/") + 1) + slug.trim());

/** The parts of a text that is divided have addresses of their own: `/a/2/`. */
const partPaths = ({ content }: WordPressItem, path: string): readonly string[] =>
  [...content.matchAll(/<!--nextpage-->/g)].slice(0, PARTS_MAX).map((_, at) => `${trimEnd(path, "/")}/${at + 2}`);
const PARTS_MAX = 100;
