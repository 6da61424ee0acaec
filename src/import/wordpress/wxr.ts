/** A WordPress export (WXR, versions 1.0 to 1.2) as plain data: what the file says, without any interpretation. */
import { CmsError } from "../../errors.ts";
import { own } from "../../model/input/json.ts";
import type { SourceId, SourcePlace } from "../imported-site.ts";
import { withoutHiddenBlocks } from "./blocks.ts";
import { childOf, readXmlElements, elementText, type XmlElement } from "./xml-elements.ts";

export interface WordPressExport {
  readonly title: string;
  /** Address of the site, without its final slash. */
  readonly link: string;
  /** As in `en-US`; "" for none. */
  readonly language: string;
  readonly authors: readonly WordPressAuthor[];
  /** The terms of all taxonomies: `category`, `post_tag`, `nav_menu`, `language` ... */
  readonly terms: readonly WordPressTerm[];
  readonly items: readonly WordPressItem[];
  /** Places of entities that XML does not have. */
  readonly unknownEntities: readonly SourcePlace[];
}

export interface WordPressAuthor {
  readonly id: number;
  readonly login: string;
  readonly display: string;
  readonly first: string;
  readonly last: string;
}

export interface WordPressTerm {
  /** Name of the file. */
  readonly file: string;
  readonly line: number;
  readonly id: number;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  /** Slug of the term above; "" for none. */
  readonly parent: string;
  readonly description: string;
}

/** A term that an item has. */
export interface ItemTerm {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

/** A post, page, attachment, entry of a menu, or anything else that WordPress stores as a post. */
export interface WordPressItem {
  /** Name of the file. */
  readonly file: string;
  readonly line: number;
  readonly id: number;
  /** `post`, `page`, `attachment`, `nav_menu_item` ... */
  readonly type: string;
  /** `publish`, `future`, `draft`, `pending`, `private`, `trash`, `inherit` ... */
  readonly status: string;
  readonly title: string;
  readonly link: string;
  readonly slug: string;
  /** Login of the author. */
  readonly creator: string;
  readonly content: string;
  /** Whether blocks were left out of it, since their author has hidden them. */
  readonly hasHiddenBlocks: boolean;
  /** Where `content` begins in the file. */
  readonly contentLine: number;
  readonly excerpt: string;
  /** In the zone of the site, `2024-03-01 10:00:00`; zeros for none. */
  readonly date: string;
  /** In UTC. */
  readonly dateGmt: string;
  readonly modified: string;
  readonly modifiedGmt: string;
  /** 0 for none. */
  readonly parent: number;
  readonly order: number;
  readonly isProtected: boolean;
  readonly isSticky: boolean;
  readonly attachmentUrl: string;
  readonly terms: readonly ItemTerm[];
  /** In the order of the file; keys may repeat. */
  readonly meta: readonly (readonly [key: string, value: string])[];
  /** How many comments of readers it has. */
  readonly comments: number;
}

/**
 * @param name of the file, for messages
 * @throws CmsError `invalid` with file and line
 */
export async function readWordPressExport(file: string, name: string): Promise<WordPressExport> {
  const top = new Map<string, string>();
  const authors: WordPressAuthor[] = [];
  const terms: WordPressTerm[] = [];
  const items: WordPressItem[] = [];
  const unknownEntities: SourcePlace[] = [];
  await readXmlElements(file, name, {
    entity: (line) => void unknownEntities.push({ file: name, line }),
    take(element) {
      const readTerm = own(TERMS, element.name);
      if (element.name === "item") items.push({ file: name, ...itemOf(element) });
      else if (element.name === "wp:author") authors.push(authorOf(element));
      else if (readTerm) terms.push({ file: name, ...readTerm(element) });
      else if (element.children.length === 0 && !top.has(element.name)) top.set(element.name, element.text.trim());
    },
  });
  if (!top.has("wp:wxr_version"))
    throw new CmsError("invalid", `${name}: This is no WordPress export: it has no wp:wxr_version.`);
  return {
    title: top.get("title") ?? "",
    link: (top.get("wp:base_blog_url") || top.get("link") || "").replace(/\/$/, ""),
    language: top.get("language") ?? "",
    authors,
    terms,
    items,
    unknownEntities,
  };
}

const authorOf = (element: XmlElement): WordPressAuthor => ({
  id: numberIn(element, "wp:author_id"),
  login: elementText(element, "wp:author_login"),
  display: elementText(element, "wp:author_display_name"),
  first: elementText(element, "wp:author_first_name"),
  last: elementText(element, "wp:author_last_name"),
});

const TERMS: { readonly [element: string]: (element: XmlElement) => Omit<WordPressTerm, "file"> } = {
  "wp:category": (element) => ({
    ...commonOf(element),
    taxonomy: "category",
    slug: elementText(element, "wp:category_nicename"),
    name: elementText(element, "wp:cat_name"),
    parent: elementText(element, "wp:category_parent"),
    description: elementText(element, "wp:category_description"),
  }),
  "wp:tag": (element) => ({
    ...commonOf(element),
    taxonomy: "post_tag",
    slug: elementText(element, "wp:tag_slug"),
    name: elementText(element, "wp:tag_name"),
    parent: "",
    description: elementText(element, "wp:tag_description"),
  }),
  "wp:term": (element) => ({
    ...commonOf(element),
    taxonomy: elementText(element, "wp:term_taxonomy"),
    slug: elementText(element, "wp:term_slug"),
    name: elementText(element, "wp:term_name"),
    parent: elementText(element, "wp:term_parent"),
    description: elementText(element, "wp:term_description"),
  }),
};

const commonOf = (element: XmlElement): Pick<WordPressTerm, "line" | "id"> => ({
  line: element.line,
  id: numberIn(element, "wp:term_id"),
});

function itemOf(element: XmlElement): Omit<WordPressItem, "file"> {
  const content = childOf(element, "content:encoded");
  const shown = withoutHiddenBlocks(content?.text ?? "");
  return {
    line: element.line,
    id: numberIn(element, "wp:post_id"),
    type: elementText(element, "wp:post_type"),
    status: elementText(element, "wp:status"),
    title: elementText(element, "title"),
    link: elementText(element, "link"),
    slug: elementText(element, "wp:post_name"),
    creator: elementText(element, "dc:creator"),
    content: shown,
    hasHiddenBlocks: shown !== (content?.text ?? ""),
    contentLine: content?.line ?? element.line,
    excerpt: elementText(element, "excerpt:encoded"),
    date: elementText(element, "wp:post_date"),
    dateGmt: elementText(element, "wp:post_date_gmt"),
    modified: elementText(element, "wp:post_modified"),
    modifiedGmt: elementText(element, "wp:post_modified_gmt"),
    parent: numberIn(element, "wp:post_parent"),
    order: numberIn(element, "wp:menu_order"),
    isProtected: elementText(element, "wp:post_password") !== "",
    isSticky: elementText(element, "wp:is_sticky") === "1",
    attachmentUrl: elementText(element, "wp:attachment_url") || fileAddress(elementText(element, "guid")),
    terms: element.children
      .filter(({ name }) => name === "category")
      .map(({ attributes, text }) => ({
        taxonomy: attributes.domain ?? "category",
        slug: attributes.nicename ?? "",
        name: text.trim(),
      })),
    meta: element.children
      .filter(({ name }) => name === "wp:postmeta")
      .map((meta) => [elementText(meta, "wp:meta_key"), childOf(meta, "wp:meta_value")?.text ?? ""] as const),
    comments: element.children.filter(
      (child) => child.name === "wp:comment" && !["spam", "trash"].includes(elementText(child, "wp:comment_approved")),
    ).length,
  };
}

/** What identifies an attachment is the address of its file; of other posts it is one with their number. */
const fileAddress = (guid: string): string => (/^https?:\/\/[^\s?#]+\.[a-z\d]{2,5}$/i.test(guid) ? guid : "");

const numberIn = (element: XmlElement, name: string): number => wholeNumber(elementText(element, name));

/** The last value of a key of an item; undefined without one. */
export const metaOf = ({ meta }: WordPressItem, key: string): string | undefined =>
  meta.findLast(([name]) => name === key)?.[1];

/** Ids of posts and terms are counted apart. */
export const postSource = (id: number): SourceId => `wordpress:post:${id}`;

/** The number that a text of an export is: an id, or a place in an order; 0 for any other text. */
export function wholeNumber(text: string | null | undefined): number {
  const written = text?.trim() ?? "";
  return written.length <= 15 && /^\d+$/.test(written) ? Number(written) : 0;
}
