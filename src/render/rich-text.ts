/**
 * HTML from editors, made safe to print in a page.
 *
 * Everything is escaped first; then the listed harmless tags are restored, without attributes but a link's address and the
 * id of a heading as Markdown gives it. So the result has only text and those tags, for any input.
 */

import { escapeHtml } from "../model/text/html-tokens.ts";
import { OTHER_SCHEME } from "../model/address/schemes.ts";

const TAGS =
  "p|br|hr|h2|h3|h4|ul|ol|li|dl|dt|dd|strong|b|em|i|s|u|sub|sup|small|code|pre|blockquote|q|table|thead|tbody|tr|th|td";
const PLAIN = new RegExp(`&lt;(/?)(${TAGS})\\s*(/?)&gt;`, "gi");
/** An id of letters, numbers, `-` and `_`, as in `headingIds`. */
const HEADING = /&lt;(h[234]) id=&quot;([\p{L}\p{N}_-]+)&quot;&gt;/gu;
const ANCHOR = /&lt;a\s/gi;
const END = "&gt;";
const HREF = "href=&quot;";
/** URLs with a scheme that cannot run code, written without entities, and URLs on this site. */
// linear: it is anchored, and its last part takes each character once.
const ADDRESS = new RegExp(`^(?:https?:\\/\\/|${OTHER_SCHEME}|\\/(?![/\\\\])|#)[^\\s\\\\<]*$`, "i");

/** Entities are kept. Scripts, styles, comments and unknown tags are shown as text. */
export function richText(html: string): string {
  const escaped = html
    .replace(/&(?!(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});)/gi, "&amp;")
    .replace(/[<>"']/g, (character) => escapeHtml(character));
  return withLinks(escaped.replace(PLAIN, "<$1$2$3>").replace(HEADING, '<$1 id="$2">')).replace(
    /&lt;\/a\s*&gt;/gi,
    "</a>",
  );
}

/** Restores links, with `href` as their only attribute. Reads the text once, so the time is linear. */
function withLinks(escaped: string): string {
  let html = "";
  let done = 0;
  for (const { index } of escaped.matchAll(ANCHOR)) {
    if (index < done) continue;
    const end = escaped.indexOf(END, index);
    if (end < 0) break;
    const address = addressIn(escaped.slice(index, end));
    html +=
      escaped.slice(done, index) +
      (address === undefined ? escaped.slice(index, end + END.length) : `<a href="${address}">`);
    done = end + END.length;
  }
  return html + escaped.slice(done);
}

/** The URL of an escaped `<a>` tag; undefined when it has none, or an unsafe one. */
function addressIn(tag: string): string | undefined {
  const start = tag.indexOf(HREF);
  const end = start < 0 ? -1 : tag.indexOf("&quot;", start + HREF.length);
  const address = tag.slice(start + HREF.length, end);
  return end >= 0 && !address.includes("&lt;") && ADDRESS.test(address) ? address : undefined;
}
