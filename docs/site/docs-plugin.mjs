/** Markdown of the documentation: headings with anchors as forges make them, tables that scroll on narrow screens. */
import MarkdownIt from "markdown-it";

/** The anchor of a heading. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const parser = new MarkdownIt({ html: false });
const { escapeHtml } = parser.utils;

parser.core.ruler.push("anchors", ({ tokens }) => {
  for (const [at, token] of tokens.entries())
    if (token.type === "heading_open") token.attrSet("id", anchorOf(tokens[at + 1].content));
});
parser.renderer.rules.heading_close = (tokens, at) => {
  const opened = tokens[at - 2];
  const label = escapeHtml(`Link to ${tokens[at - 1].content}`);
  return `<a class="anchor" href="#${opened.attrGet("id")}" aria-label="${label}">#</a></${tokens[at].tag}>\n`;
};
/** In characters: shorter code is not broken at its hyphens. */
const UNBROKEN_MAX = 24;
parser.renderer.rules.code_inline = (tokens, at) => {
  const { content } = tokens[at];
  return `<code${content.length <= UNBROKEN_MAX ? ' class="unbroken"' : ""}>${escapeHtml(content)}</code>`;
};
parser.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
parser.renderer.rules.table_close = () => "</table></div>\n";
parser.renderer.rules.fence = (tokens, at) =>
  `<pre tabindex="0"><code>${escapeHtml(tokens[at].content).replace(/(^|\s)(# .*|\/\/ .*)$/gm, '$1<span class="comment">$2</span>')}</code></pre>\n`;

export default {
  name: "docs",
  filters: {
    /** The pages before and after the one at an address, in the order of a menu. */
    docs_steps(groups, url) {
      const nodes = groups.flatMap((group) => group.nodes);
      const at = nodes.findIndex(({ link }) => link.url === url);
      return { previous: nodes[at - 1], next: nodes[at + 1] };
    },
    docs_html: (text) => parser.render(String(text)),
    /** The headings of the second level, each with `id` and `title`. */
    docs_outline: (text) =>
      parser.parse(String(text), {}).flatMap((token, at, all) => {
        if (token.type !== "heading_open" || token.tag !== "h2") return [];
        const { content } = all[at + 1];
        return [{ id: token.attrGet("id"), title: content.replaceAll("`", "") }];
      }),
  },
};
