/**
 * HTML that editors wrote, as a page may show it.
 *
 * Everything is escaped first, and only then do the tags that cannot do harm become tags again, letter by letter as
 * they stand here. What comes out is made of text and of those, whatever went in.
 */

const TAGS =
  "p|br|hr|h2|h3|h4|ul|ol|li|dl|dt|dd|strong|b|em|i|s|u|sub|sup|small|code|pre|blockquote|q|table|thead|tbody|tr|th|td";
const PLAIN = new RegExp(`&lt;(/?)(${TAGS})\\s*(/?)&gt;`, "gi");
const ANCHOR = /&lt;a\s/gi;
const END = "&gt;";
const HREF = "href=&quot;";
/** Absolute with a scheme that does nothing but lead somewhere, or on this site. */
const ADDRESS = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#)[^\s\\<]*$/i;

const ESCAPES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Entities stay entities. Scripts, styles, comments and unknown tags are shown as the text they are. */
export function richText(html: string): string {
  const escaped = html
    .replace(/&(?!(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});)/gi, "&amp;")
    .replace(/[<>"']/g, (character) => ESCAPES[character]!);
  return withLinks(escaped.replace(PLAIN, "<$1$2$3>")).replace(/&lt;\/a\s*&gt;/gi, "</a>");
}

/** Of links only the address is kept. The text is walked once: what stands before a tag's end is not looked at again. */
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

/** The address of an escaped tag; undefined when it has none, or one that is not let through. */
function addressIn(tag: string): string | undefined {
  const start = tag.indexOf(HREF);
  const end = start < 0 ? -1 : tag.indexOf("&quot;", start + HREF.length);
  const address = tag.slice(start + HREF.length, end);
  return end >= 0 && !address.includes("&lt;") && ADDRESS.test(address) ? address : undefined;
}
