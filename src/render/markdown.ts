/** Markdown in content as HTML. Its cost is bounded, because pages are rendered for every request. */
import MarkdownIt from "markdown-it";

/**
 * Characters that may start or end markup, line ends included. Prose has one per 20 to 50 characters. The parser would
 * need seconds for a text of brackets only, and block all other requests.
 */
const MARKUP_MAX = 20_000;
const MARKUP = /[[\]()!*_`~|<>&\\\n]/g;
/** In characters: URL and title of a link definition, which are copied to every use of it. */
const DEFINITION_MAX = 2000;

/** Raw HTML in content is escaped. */
const PARSER = new MarkdownIt({ html: false, linkify: false, typographer: false });

interface Definitions {
  readonly references?: Record<string, { readonly href: string; readonly title?: string }>;
}

// After the block rules, which define links, and before the inline rules, which use them.
PARSER.core.ruler.before("inline", "bounded_definitions", ({ env }: { env: Definitions }) => {
  const { references = {} } = env;
  for (const [name, { href, title = "" }] of Object.entries(references))
    if (href.length + title.length > DEFINITION_MAX) delete references[name];
});

/** A text with more than `MARKUP_MAX` such characters is shown as plain text. */
export function markdownHtml(text: string): string {
  let count = 0;
  for (const _ of text.matchAll(MARKUP))
    if (++count > MARKUP_MAX) return `<pre>${PARSER.utils.escapeHtml(text)}</pre>\n`;
  return PARSER.render(text);
}
