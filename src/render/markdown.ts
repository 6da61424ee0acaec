/** Markdown in content as HTML. Its cost is bounded, because pages are rendered for every request. */
import MarkdownIt from "markdown-it";
import { headingIds } from "../model/heading-ids.ts";
import type { MarkdownParts } from "../store/check/text-markup.ts";

/**
 * Characters that may start or end markup, line ends included. Prose has one per 20 to 50 characters. The parser would
 * need seconds for a text of brackets only, and block all other requests.
 */
const MARKUP_MAX = 20_000;
const MARKUP = /[[\]()!*_`~|<>&\\\n]/g;
/** In characters: URL and title of a link definition, which are copied to every use of it. */
const DEFINITION_MAX = 2000;

interface Definitions {
  readonly references?: Record<string, { readonly href: string; readonly title?: string }>;
}

type Token = ReturnType<MarkdownIt["parse"]>[number];

function newParser(): MarkdownIt {
  // Raw HTML in content is escaped.
  const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
  // After the block rules, which define links, and before the inline rules, which use them.
  parser.core.ruler.before("inline", "bounded_definitions", ({ env }: { env: Definitions }) => {
    const { references = {} } = env;
    for (const [name, { href, title = "" }] of Object.entries(references))
      if (href.length + title.length > DEFINITION_MAX) delete references[name];
  });
  parser.core.ruler.after("inline", "heading_ids", ({ tokens }) => {
    const headings = tokens.flatMap((token, at) => (token.type === "heading_open" ? [{ token, at }] : []));
    const ids = headingIds(headings.map(({ at }) => plainText(tokens[at + 1]?.children ?? [])));
    for (const [index, { token }] of headings.entries()) if (ids[index]) token.attrSet("id", ids[index]);
  });
  return parser;
}

/** What a reader sees of the inline tokens of a heading: no markup, and of a picture nothing. */
const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content }) => (type === "softbreak" || type === "hardbreak" ? " " : type === "image" ? "" : content))
    .join("");

const PARSER = newParser();

/** Keeps apart what is text and what an entity or an escape stands for: `&lt;a` is not HTML. */
const READER = newParser().disable("text_join");

/** A text with more than `MARKUP_MAX` such characters is shown as plain text. */
export const markdownHtml = (text: string): string =>
  hasTooMuchMarkup(text) ? `<pre>${PARSER.utils.escapeHtml(text)}</pre>\n` : PARSER.render(text);

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
    prose: tokens.map(({ children }) => (children ?? []).map(sourceOf).join("")).join("\n"),
  };
}

/** An inline token as it was written; "" for code and for the addresses of links. */
function sourceOf({ type, content, markup }: Token): string {
  if (type === "text") return content;
  if (type === "softbreak" || type === "hardbreak") return "\n";
  return type === "code_inline" || type === "image" ? "" : markup;
}

function hasTooMuchMarkup(text: string): boolean {
  let count = 0;
  for (const _ of text.matchAll(MARKUP)) if (++count > MARKUP_MAX) return true;
  return false;
}
