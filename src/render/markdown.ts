/** Markdown in content as HTML. What it costs is bounded, since pages are made anew for every visitor. */
import MarkdownIt from "markdown-it";

/**
 * Characters that may begin or end something, line ends included. A text of prose has one in twenty to fifty; one that
 * consists of brackets keeps the parser at it for seconds, and the whole server with it.
 */
const MARKUP_MAX = 20_000;
const MARKUP = /[[\]()!*_`~|<>&\\\n]/g;
/** Address and title of a link definition, which every use of it repeats. */
const DEFINITION_MAX = 2000;

/** Raw HTML in content stays text: content is data, and data is escaped. */
const PARSER = new MarkdownIt({ html: false, linkify: false, typographer: false });

interface Definitions {
  readonly references?: Record<string, { readonly href: string; readonly title?: string }>;
}

// Between the blocks, which define links, and the texts in them, which use them.
PARSER.core.ruler.before("inline", "bounded_definitions", ({ env }: { env: Definitions }) => {
  const { references = {} } = env;
  for (const [name, { href, title = "" }] of Object.entries(references))
    if (href.length + title.length > DEFINITION_MAX) delete references[name];
});

/** A text with more markup than any reader wants is shown as it was written. */
export function markdownHtml(text: string): string {
  let count = 0;
  for (const _ of text.matchAll(MARKUP))
    if (++count > MARKUP_MAX) return `<pre>${PARSER.utils.escapeHtml(text)}</pre>\n`;
  return PARSER.render(text);
}
