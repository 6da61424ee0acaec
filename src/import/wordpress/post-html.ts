/**
 * The text of a post as HTML: without the comments of the block editor, with paragraphs where it was written in the classic
 * editor, and with the shortcodes of WordPress itself replaced as WordPress replaces them.
 */
import { own } from "../../model/input/json.ts";
import { encodeAttribute } from "../../model/text/html-tokens.ts";
import { CODE_ELEMENTS, keptRanges, replaceBetween, type KeptRange } from "../texts/html-ranges.ts";
import { htmlTags } from "../texts/html-tags.ts";
import { asHtmlBlocks } from "../texts/html-in-markdown.ts";
import { blockComments, hasBlocks, blockId, withoutBlockComments, type BlockComment } from "./blocks.ts";
import { BLOCK_ELEMENTS, withParagraphs } from "./paragraphs.ts";
import { shortcodesIn, type Shortcode } from "./shortcodes.ts";
import type { WordPressItem } from "./wxr.ts";

/** What texts refer to by id. */
export interface PostParts {
  /** The text of a reusable block. */
  block(id: number): string | undefined;
  picture(id: number): Picture | undefined;
}

export interface Picture {
  readonly url: string;
  readonly alt: string;
  readonly caption: string;
}

export interface PostHtml {
  readonly html: string;
  /** What is not replaced, or was left out; each with its line in the export. */
  readonly notes: readonly { readonly line: number; readonly message: string }[];
}

/** Blocks that hold other blocks or text, or whose HTML is nothing but their comment; without them nothing is missing. */
const HARMLESS_BLOCKS: ReadonlySet<string> = new Set([
  "block",
  "more",
  "nextpage",
  "spacer",
  "separator",
  "template-part",
]);
/** In characters: reusable blocks must not multiply a text. */
const EXPANDED_MAX = 4_000_000;
/** The text of a post. */
export function postHtml(item: WordPressItem, parts: PostParts): PostHtml {
  const notes = notesOn(item, parts);
  const plain = withoutBlockComments(item.content.replaceAll("\r\n", "\n"), blockText(parts));
  const linked = withLinks(withShortcodes(plain, parts));
  return {
    html: asHtmlBlocks((hasBlocks(item.content) ? linked : withParagraphs(linked)).trim(), BLOCK_ELEMENTS),
    notes,
  };
}

/** A piece of a post as HTML, which is of the block editor. */
export const pieceHtml = (html: string, parts: PostParts): string =>
  withLinks(withShortcodes(withoutBlockComments(html, blockText(parts)), parts)).trim();

/** The text of a post with its comments of blocks, and those of reusable blocks in their places. */
export function blocksOfPost({ content }: WordPressItem, { block }: PostParts): string {
  const html = content.replaceAll("\r\n", "\n");
  let room = EXPANDED_MAX;
  let result = "";
  let done = 0;
  for (const comment of blockComments(html)) {
    const ref = comment.name === "block" && comment.isWhole ? blockId(comment, "ref") : undefined;
    const text = ref === undefined ? undefined : block(ref);
    if (text === undefined || text.length > room) continue;
    room -= text.length;
    result += html.slice(done, comment.start) + text;
    done = comment.end;
  }
  return result + html.slice(done);
}

/** What stands in the place of comments: the text of a reusable block, of any other nothing. */
function blockText({ block }: PostParts): (comment: BlockComment) => string {
  let room = EXPANDED_MAX;
  return (comment) => {
    const ref = comment.name === "block" && comment.isWhole ? blockId(comment, "ref") : undefined;
    const text = ref === undefined ? undefined : block(ref);
    if (text === undefined || text.length > room) return "";
    room -= text.length;
    // A block within it is left out, so that none contains itself.
    return withoutBlockComments(text, () => "");
  };
}

const KNOWN: { readonly [name: string]: (code: Shortcode, parts: PostParts) => string | undefined } = {
  caption: captioned,
  wp_caption: captioned,
  gallery: ({ attributes }, { picture }) => {
    const ids = (attributes.get("ids") ?? attributes.get("include") ?? "").split(",").slice(0, GALLERY_MAX).map(Number);
    const pictures = ids.flatMap((id) => picture(id) ?? []);
    return pictures.length === 0 ? undefined : `<div class="gallery">\n${pictures.map(figure).join("\n")}\n</div>`;
  },
  embed: ({ content = "" }) => (isAddress(content.trim()) ? linkTo(content.trim()) : undefined),
  audio: (code) => player("audio", code, ["src", "mp3", "ogg", "m4a", "wav"]),
  video: (code) => player("video", code, ["src", "mp4", "webm", "ogv", "m4v"]),
};
const GALLERY_MAX = 500;

const isKnown = (name: string): boolean => own(KNOWN, name) !== undefined;

function withShortcodes(text: string, parts: PostParts): string {
  let result = "";
  let done = 0;
  for (const code of shortcodesIn(text, isKnown)) {
    const replaced = own(KNOWN, code.name)?.(code, parts);
    if (replaced === undefined) continue;
    result += text.slice(done, code.start) + replaced;
    done = code.end;
  }
  result += text.slice(done);
  return result.includes("[[") ? replaceBetween(result, keptRanges(result, NO_ELEMENTS), unescaped) : result;
}

const NO_ELEMENTS: ReadonlySet<string> = new Set();

/** `[[gallery]]` is how a text names a shortcode, also in code; other words in double brackets are as they are. */
const unescaped = (piece: string): string =>
  piece.replace(ESCAPED, (whole, code: string) => (isKnown(/[\w-]+/.exec(code)![0].toLowerCase()) ? code : whole));

const ESCAPED = /\[(\[\/?[a-z][^[\]]*\])\]/gi;

function captioned({ attributes, content = "" }: Shortcode, parts: PostParts): string | undefined {
  const tags = htmlTags(content);
  const at = tags.findIndex(({ name }) => name === "img");
  if (at < 0) return undefined;
  // After the picture, and the link around it.
  const after = tags[at + 1];
  const end = after?.isClosing && after.name === "a" ? after.end : tags[at]!.end;
  const text = withShortcodes((attributes.get("caption") ?? content.slice(end)).trim(), parts);
  return `<figure>${content.slice(0, end).trim()}${text === "" ? "" : `<figcaption>${text}</figcaption>`}</figure>`;
}

const figure = ({ url, alt, caption }: Picture): string =>
  `<figure><img src="${encodeAttribute(url)}" alt="${encodeAttribute(alt)}" />${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}</figure>`;

function player(element: string, { attributes }: Shortcode, names: readonly string[]): string | undefined {
  const address = names.map((name) => attributes.get(name)).find((value) => value !== undefined && value !== "");
  return address === undefined ? undefined : `<${element} controls src="${encodeAttribute(address)}"></${element}>`;
}

/** A line that is an address is shown by WordPress as what is there, such as a film. */
const withLinks = (html: string): string =>
  /https?:/i.test(html)
    ? replaceBetween(html, keptRanges(html, LINKED), (piece, before, after) => {
        const lines = piece.split("\n");
        const isWhole = (at: number): boolean =>
          (at > 0 || endsLine(before)) && (at < lines.length - 1 || endsLine(after)) && isAddress(lines[at]!.trim());
        return lines.map((line, at) => (isWhole(at) ? linkTo(line.trim()) : line)).join("\n");
      })
    : html;

const LINKED: ReadonlySet<string> = new Set([...CODE_ELEMENTS, "a"]);
const endsLine = (range: KeptRange | undefined): boolean => range === undefined || BLOCK_ELEMENTS.has(range.name);

const isAddress = (text: string): boolean =>
  text.length <= ADDRESS_MAX && /^https?:\/\/[^\s<>"']+$/i.test(text) && URL.canParse(text);
const ADDRESS_MAX = 2000;

const linkTo = (address: string): string => {
  const href = encodeAttribute(address.replaceAll("&amp;", "&"));
  return `<a href="${href}">${href}</a>`;
};

/** Told of one text. */
const NOTES_MAX = 100;

function notesOn({ content, contentLine }: WordPressItem, parts: PostParts): PostHtml["notes"] {
  const lineAt = lineCounter(content, contentLine);
  const notes: { line: number; message: string }[] = [];
  const note = (line: number, message: string): void =>
    void (notes.length < NOTES_MAX && notes.push({ line, message }));
  for (const code of shortcodesIn(content, isKnown)) {
    if (own(KNOWN, code.name)?.(code, parts) !== undefined) continue;
    note(lineAt(code.start), `The shortcode [${code.name}] is not known here: it stays in the text as it is.`);
  }
  const lineOfBlock = lineCounter(content, contentLine);
  for (const block of blockComments(content)) {
    if (!block.isWhole) continue;
    const ref = block.name === "block" ? blockId(block, "ref") : undefined;
    if (ref === undefined ? HARMLESS_BLOCKS.has(block.name) : parts.block(ref) !== undefined) continue;
    const message =
      ref === undefined
        ? `The block ${block.name} has no text of its own: it is left out.`
        : `The reusable block ${ref} is not in the export, or not public: it is left out.`;
    note(lineOfBlock(block.start), message);
  }
  return notes;
}

/** The line of a position; positions must ascend, so that each character is read once. */
export function lineCounter(text: string, first: number): (position: number) => number {
  let line = first;
  let next = text.indexOf("\n");
  return (position) => {
    for (; next >= 0 && next < position; next = text.indexOf("\n", next + 1)) line++;
    return line;
  };
}
