/** Markdown in content as HTML. Its cost is bounded, because pages are rendered for every request. */
import MarkdownIt from "markdown-it";
import { hasDangerousScheme } from "../model/address/schemes.ts";
import { headingIds } from "../model/address/heading-ids.ts";
import { textOfTokens } from "../model/text/markdown-text.ts";
import type { MarkdownParts } from "../store/check/texts/text-markup.ts";
import { safeHtml } from "./safe-html.ts";

/**
 * Characters that may start or end markup, line ends included. Prose has one per 20 to 50 characters. The parser would
 * need seconds for a text of brackets only, and block all other requests.
 */
const MARKUP_MAX = 20_000;
const MARKUP = /[[\]()!*_`~|<>&\\\n]/g;
/** In characters: URL and title of a link definition, which are copied to every use of it. */
const DEFINITION_MAX = 2000;

/** A picture within the text itself, which runs no code. */
const PICTURE = /^data:image\/(?:gif|png|jpeg|webp);/i;

interface Definitions {
  readonly references?: Record<string, { readonly href: string; readonly title?: string }>;
}

type Token = ReturnType<MarkdownIt["parse"]>[number];

function newParser(): MarkdownIt {
  // What this makes of raw HTML goes through `safeHtml`.
  const parser = new MarkdownIt({ html: true, linkify: false, typographer: false });
  parser.validateLink = (address) => !hasDangerousScheme(address) || PICTURE.test(address.trim());
  // After the block rules, which define links, and before the inline rules, which use them.
  parser.core.ruler.before("inline", "bounded_definitions", ({ env }: { env: Definitions }) => {
    const { references = {} } = env;
    for (const [name, { href, title = "" }] of Object.entries(references))
      if (href.length + title.length > DEFINITION_MAX) delete references[name];
  });
  parser.core.ruler.after("inline", "heading_ids", ({ tokens }) => {
    const headings = tokens.flatMap((token, at) => (token.type === "heading_open" ? [{ token, at }] : []));
    const ids = headingIds(headings.map(({ at }) => textOfTokens(tokens[at + 1]?.children ?? [], false)));
    for (const [index, { token }] of headings.entries()) if (ids[index]) token.attrSet("id", ids[index]);
  });
  parser.core.ruler.after("inline", "captions", ({ tokens, Token }) => {
    for (const [at, { type, hidden }] of tokens.entries())
      if (type === "paragraph_open" && !hidden)
        withCaption(tokens, at, (name, nesting) => new Token(name, name, nesting));
  });
  // The descriptions of pictures; the parser's own function passes entities, escapes and code over.
  parser.renderer.renderInlineAsText = (tokens) => textOfTokens(tokens, true);
  return parser;
}

/** A picture that is all of its paragraph has its title as a caption. @param at of the start of the paragraph */
function withCaption(tokens: readonly Token[], at: number, make: (name: string, nesting: -1 | 0 | 1) => Token): void {
  const [open, inline, close] = [tokens[at]!, tokens[at + 1]!, tokens[at + 2]!];
  const children = inline.children ?? [];
  const [picture, ...others] = children.filter(({ type }) => type !== "link_open" && type !== "link_close");
  const title = picture?.type === "image" ? picture.attrGet("title") : null;
  if (!picture || !title || others.length > 0) return;
  picture.attrs = picture.attrs!.filter(([name]) => name !== "title");
  open.tag = close.tag = "figure";
  const caption = make("text", 0);
  caption.content = title;
  children.push(make("figcaption", 1), caption, make("figcaption", -1));
}

const PARSER = newParser();

/** Keeps apart what is text and what an entity or an escape stands for: `&lt;a` is not HTML. */
const READER = newParser().disable("text_join");

/** A text that begins with a tag. */
const HTML_TEXT = /^\s*<[a-z]/i;
const HTML_TOKENS: ReadonlySet<string> = new Set(["html_block", "html_inline"]);

/** A text with more than `MARKUP_MAX` such characters is shown as plain text, or as HTML where it begins with a tag. */
export function markdownHtml(text: string): string {
  if (hasTooMuchMarkup(text))
    return HTML_TEXT.test(text) ? safeHtml(text) : `<pre>${PARSER.utils.escapeHtml(text)}</pre>\n`;
  const env = {};
  const tokens = PARSER.parse(text, env);
  const html = PARSER.renderer.render(tokens, PARSER.options, env);
  return tokens.some(hasHtml) ? safeHtml(html) : html;
}

const hasHtml = ({ type, children }: Token): boolean => HTML_TOKENS.has(type) || (children?.some(hasHtml) ?? false);

/** The links, headings and text of Markdown, for `cms check`: as `markdownHtml` shows them. */
export function markdownParts(text: string): MarkdownParts {
  if (hasTooMuchMarkup(text)) return { headings: [], addresses: [], prose: text };
  const tokens = READER.parse(text, {});
  const inline = tokens.flatMap(({ children }) => children ?? []);
  const valuesOf = (type: string, attribute: string, among: readonly Token[]): string[] =>
    among.flatMap((token) => (token.type === type ? (token.attrGet(attribute) ?? []) : []));
  return {
    headings: valuesOf("heading_open", "id", tokens),
    addresses: [...valuesOf("link_open", "href", inline), ...valuesOf("image", "src", inline)],
    prose: tokens.map((token) => (token.children ?? [token]).map(sourceOf).join("")).join("\n"),
  };
}

/** An inline token as it was written; "" for code and for the addresses of links. */
function sourceOf({ type, content, markup }: Token): string {
  if (type === "text" || HTML_TOKENS.has(type)) return content;
  if (type === "softbreak" || type === "hardbreak") return "\n";
  return type === "code_inline" || type === "image" ? "" : markup;
}

function hasTooMuchMarkup(text: string): boolean {
  let count = 0;
  for (const _ of text.matchAll(MARKUP)) if (++count > MARKUP_MAX) return true;
  return false;
}
