/**
 * The text of a post in parts: blocks of WordPress whose words, pictures and links are known, and the text between them.
 *
 * A part is read strictly. HTML and attributes that only say how it looks are left to the templates of the site; what is
 * neither known nor a look is told, so that nothing is lost.
 */
import { decodeEntities, htmlTokens, type HtmlToken } from "../../model/text/html-tokens.ts";
import { own, type JsonObject } from "../../model/input/json.ts";
import type { ImportedSection, ImportedValue, ImportedValues, ImportedWords, SourceId } from "../imported-site.ts";
import { attributeOf } from "../texts/html-tags.ts";
import { blockComments } from "./blocks.ts";

export interface SectionReading {
  /** A piece of HTML in the format of the import, with its links. */
  words(html: string): ImportedWords;
  /** An address as texts have it. */
  address(written: string): string;
  /** The attachment at an address. */
  media(written: string): SourceId | undefined;
  /** The alternative text that an attachment has by itself. */
  altOf(source: SourceId): string;
  /** The line of a position; they are asked for in ascending order. */
  lineAt(position: number): number;
}

interface Node {
  readonly name: string;
  readonly attributes: JsonObject;
  readonly start: number;
  end: number;
  /** What is between its comments. */
  readonly innerStart: number;
  innerEnd: number;
  readonly children: Node[];
}

interface Source extends SectionReading {
  readonly html: string;
}

/** The parts of a text; undefined for one without blocks, and where their comments do not fit together. */
export function sectionsOf(html: string, reading: SectionReading): readonly ImportedSection[] | undefined {
  const nodes = treeOf(html);
  if (!nodes || nodes.length === 0) return undefined;
  const source = { ...reading, html };
  const sections: ImportedSection[] = [];
  let done = 0;
  const addText = (end: number): void => {
    const words = reading.words(html.slice(done, end));
    if (words.text !== "") sections.push({ shown: "The text", forms: [], words });
  };
  for (const node of nodes) {
    addText(node.start);
    sections.push(sectionOf(node, source));
    done = node.end;
  }
  addText(html.length);
  return sections;
}

const DEPTH_MAX = 50;

function treeOf(html: string): readonly Node[] | undefined {
  const root: Node[] = [];
  const open: Node[] = [];
  for (const { name, attributes, isClosing, isWhole, start, end } of blockComments(html)) {
    const siblings = open.at(-1)?.children ?? root;
    if (isClosing) {
      const node = open.pop();
      if (node?.name !== name) return undefined;
      node.innerEnd = start;
      node.end = end;
      continue;
    }
    const node: Node = { name, attributes, start, end, innerStart: end, innerEnd: end, children: [] };
    siblings.push(node);
    if (!isWhole && open.push(node) > DEPTH_MAX) return undefined;
  }
  return open.length === 0 ? root : undefined;
}

type Reader = (node: Node, source: Source) => readonly ImportedValues[] | undefined;

function sectionOf(node: Node, source: Source): ImportedSection {
  const { name, attributes } = node;
  const line = source.lineAt(node.start);
  const words = source.words(source.html.slice(node.start, node.end));
  const shown = `The block ${name}`;
  const reader = own(READERS, name);
  if (!reader) return { shown, line, forms: [], words };
  const forms = reader(node, source);
  const other = Object.keys(attributes).find((key) => !LOOKS.has(key));
  const untold = other === undefined ? (forms ? undefined : "HTML that is not known") : `the attribute "${other}"`;
  const inner = name === "group" && untold === undefined ? sectionsIn(forms?.[0]?.content) : undefined;
  return { ...{ type: name, shown, line, words, untold }, forms: forms ?? [], inner };
}

const sectionsIn = (value: ImportedValue | undefined): readonly ImportedSection[] | undefined =>
  value !== undefined && "sections" in value ? value.sections : undefined;

/** Attributes that say how a block looks, or that its HTML has, too. */
const LOOKS: ReadonlySet<string> = new Set(
  (
    "align textAlign verticalAlignment layout style className backgroundColor textColor gradient customGradient overlayColor " +
    "customOverlayColor dimRatio isUserOverlayColor focalPoint minHeight minHeightUnit contentPosition isDark hasParallax " +
    "isRepeated tagName sizeSlug width height scale aspectRatio linkTarget linkDestination linkTo columns imageCrop fontSize " +
    "fontFamily borderColor isStackedOnMobile mediaPosition mediaWidth imageFill mediaSizeSlug lightbox shadow lock metadata " +
    "templateLock allowedBlocks id ids url alt mediaId mediaType mediaLink href rel level backgroundType placeholder caption"
  ).split(" "),
);

const READERS: { readonly [name: string]: Reader } = {
  image: (node, source) => formsOf(pictureIn(innerOf(node, source), source)),
  gallery: (node, source) => formsOf(listIn(node, source, "images", "image")),
  buttons: (node, source) => formsOf(listIn(node, source, "buttons", "button")),
  columns: (node, source) => formsOf(listIn(node, source, "columns", "column")),
  group: (node, source) => formsOf(heldIn(node, source)),
  cover(node, source) {
    const found = strictly(gapsOf(node, source), "div span img", "");
    const picture = found?.tags.find(({ name }) => name === "img");
    const src = picture ? attributeOf(picture, "src") : node.attributes.url;
    if (!found) return undefined;
    const image = typeof src === "string" ? { image: fileAt(src, source), ...altIn(picture, src, source) } : {};
    // Read once for both forms: covers inside of covers would double the work at each level.
    const sections = node.children.map((child) => sectionOf(child, source));
    const [first] = node.children;
    const title = first?.name === "heading" ? headingIn(innerOf(first, source)) : undefined;
    // A cover has a title and a text, or whatever it holds.
    const parted = title && { ...image, title: title.text!, ...contentIn(sections.slice(1)) };
    return [...(parted ? [parted] : []), { ...image, ...contentIn(sections) }];
  },
  "media-text"(node, source) {
    const gaps = gapsOf(node, source);
    const end = gaps.indexOf("</figure>") + "</figure>".length;
    const picture = pictureIn(gaps.slice(gaps.indexOf("<figure"), end), source);
    return picture && strictly(gaps, "div figure img a", "") && [{ ...picture, ...contentOf(node.children, source) }];
  },
  quote(node, source) {
    const isOld = node.children.length === 0;
    const html = isOld ? innerOf(node, source) : gapsOf(node, source);
    const start = html.search(/<cite[\s>]/);
    const end = start < 0 ? -1 : html.indexOf("</cite>", start);
    const citation = end < 0 ? "" : html.slice(html.indexOf(">", start) + 1, end);
    const rest = end < 0 ? html : html.slice(0, start) + html.slice(end + "</cite>".length);
    const found = strictly(rest, "blockquote", isOld ? "blockquote" : "");
    const { content } = contentOf(node.children, source);
    const text = isOld ? { words: source.words(found?.within.get("blockquote") ?? "") } : content;
    return found && text && [{ text, ...lineIn("citation", citation, source) }];
  },
  heading(node, source) {
    const values = headingIn(innerOf(node, source));
    const { level } = node.attributes;
    return (
      values && [typeof level === "number" ? { ...values, level: { plain: String(level), isNamed: true } } : values]
    );
  },
};

const formsOf = (values: ImportedValues | undefined): readonly ImportedValues[] | undefined => values && [values];

const innerOf = ({ innerStart, innerEnd }: Node, { html }: Source): string => html.slice(innerStart, innerEnd);

/** The HTML of a block without that of the blocks in it. */
function gapsOf({ innerStart, innerEnd, children }: Node, { html }: Source): string {
  const ends = [innerStart, ...children.map(({ end }) => end)];
  const starts = [...children.map(({ start }) => start), innerEnd];
  return ends.map((from, at) => html.slice(from, starts[at])).join("");
}

/** The values of a block that holds others of one name. */
function listIn(node: Node, source: Source, name: string, type: string): ImportedValues | undefined {
  const found = strictly(gapsOf(node, source), "figure div", "figcaption");
  const items = node.children.map((child) => {
    const isKnown = child.name === type && Object.keys(child.attributes).every((key) => LOOKS.has(key));
    return isKnown ? ITEMS[type]?.(child, source) : undefined;
  });
  if (!found || items.length === 0 || !items.every((values) => values !== undefined)) return undefined;
  const caption = lineIn("caption", found.within.get("figcaption") ?? "", source);
  return { [name]: { items: items.map((values) => ({ type, values })) }, ...caption };
}

const ITEMS: { readonly [name: string]: (node: Node, source: Source) => ImportedValues | undefined } = {
  image: (node, source) => pictureIn(innerOf(node, source), source),
  column: heldIn,
  button(node, source) {
    const found = strictly(innerOf(node, source), "div", "a");
    const link = found?.tags.find(({ name }) => name === "a");
    const href = link && attributeOf(link, "href");
    const address: ImportedValues = href === undefined ? {} : { link: { address: source.address(href) } };
    return link && { ...lineIn("text", found?.within.get("a") ?? "", source), ...address };
  },
};

/** The blocks in another one, as its content. */
const contentOf = (nodes: readonly Node[], source: Source): ImportedValues =>
  contentIn(nodes.map((node) => sectionOf(node, source)));

function contentIn(sections: readonly ImportedSection[]): ImportedValues {
  const parts = sections.map(({ words }) => words).filter(({ text }) => text !== "");
  const joined = { text: parts.map(({ text }) => text).join("\n\n"), isHtml: parts.every(({ isHtml }) => isHtml) };
  return sections.length === 0 ? {} : { content: { sections, words: parts.length === 1 ? parts[0]! : joined } };
}

/** The content of a block that only holds others. */
function heldIn(node: Node, source: Source): ImportedValues | undefined {
  const found = strictly(gapsOf(node, source), "div section main article aside header footer", "");
  return found && contentOf(node.children, source);
}

function pictureIn(html: string, source: Source): ImportedValues | undefined {
  const found = strictly(html, "figure div img a", "figcaption");
  const [picture, other] = found?.tags.filter(({ name }) => name === "img") ?? [];
  const [link, another] = found?.tags.filter(({ name, isClosing }) => name === "a" && !isClosing) ?? [];
  const src = picture && attributeOf(picture, "src");
  if (src === undefined || other || another) return undefined;
  const href = link && attributeOf(link, "href");
  // A link to the picture itself shows it larger.
  const isOwn = href !== undefined && source.media(href) !== undefined && source.media(href) === source.media(src);
  return {
    image: fileAt(src, source),
    ...altIn(picture, src, source),
    ...lineIn("caption", found?.within.get("figcaption") ?? "", source),
    ...(href !== undefined && !isOwn && { link: { address: source.address(href) } }),
  };
}

function fileAt(src: string, source: Source): ImportedValue {
  const media = source.media(src);
  return media === undefined ? { address: source.address(src) } : { media };
}

/** An alternative text, unless the file has the same. */
function altIn(picture: HtmlToken | undefined, src: string, source: Source): ImportedValues {
  const alt = (picture && attributeOf(picture, "alt")) ?? "";
  const media = source.media(src);
  return alt === "" || (media !== undefined && source.altOf(media) === alt)
    ? {}
    : { alt: { plain: alt, isNamed: true } };
}

/** Words that are part of a line: without tags they are plain. */
function lineIn(name: string, html: string, source: Source): ImportedValues {
  if (html.trim() === "") return {};
  const plain = html.includes("<") ? undefined : decodeEntities(html).trim();
  return { [name]: { words: { ...source.words(html), plain } } };
}

/** The words of a heading without markup. */
function headingIn(html: string): ImportedValues | undefined {
  const plain = plainWords(html, /^h[1-6]$/);
  return plain === undefined || hasUntold(htmlTokens(html)) ? undefined : { text: { plain } };
}

interface Found {
  readonly tags: readonly HtmlToken[];
  /** What is in elements that may have any content, by name. */
  readonly within: ReadonlyMap<string, string>;
}

/**
 * The tags of HTML that has no text outside of certain elements; undefined for any other.
 *
 * @param empty names of elements around them @param full names of elements with any content, each there once at most
 */
function strictly(html: string, empty: string, full: string): Found | undefined {
  const [around, holding] = [empty.split(" "), full.split(" ")];
  const tokens = htmlTokens(html);
  const tags: HtmlToken[] = [];
  const within = new Map<string, string>();
  let done = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const { name } = token;
    if (html.slice(done, token.start).trim() !== "") return undefined;
    done = token.end;
    if (name === "") continue;
    tags.push(token);
    if (holding.includes(name) && !token.isClosing) {
      let depth = 1;
      while (depth > 0 && ++at < tokens.length) if (tokens[at]!.name === name) depth += tokens[at]!.isClosing ? -1 : 1;
      if (depth > 0 || within.has(name)) return undefined;
      within.set(name, html.slice(token.end, tokens[at]!.start));
      done = tokens[at]!.end;
    } else if (!around.includes(name)) return undefined;
  }
  return html.slice(done).trim() === "" && !hasUntold(tags) ? { tags, within } : undefined;
}

/** Attributes of tags that say how they look, and those that are values. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    "class style width height srcset sizes loading decoding fetchpriority target rel role aria-hidden tabindex " +
    "src alt href cite"
  ).split(" "),
);

const hasUntold = (tags: readonly HtmlToken[]): boolean =>
  tags.some(({ attributes }) => attributes.some(({ name }) => !KNOWN.has(name) && !name.startsWith("data-")));

/** The words of HTML that has no markup but one element; undefined for any other. @param element the names it may have */
export function plainWords(html: string, element = /^p$/): string | undefined {
  const text = html.trim();
  const [open, close, more] = htmlTokens(text);
  const isOne = open && close?.isClosing && !more && open.name === close.name && element.test(open.name);
  if (!isOne || open.start !== 0 || close.end !== text.length) return undefined;
  return decodeEntities(text.slice(open.end, close.start)).trim();
}
