/**
 * HTML that editors wrote, as a page may show it.
 *
 * Everything is escaped first, and only then do the tags that cannot do harm become tags again, letter by letter as
 * they stand here. What comes out is made of text and of those, whatever went in.
 */

const TAGS = "p|br|hr|h2|h3|h4|ul|ol|li|dl|dt|dd|strong|b|em|i|s|u|sub|sup|small|code|pre|blockquote|q|table|thead|tbody|tr|th|td";
const PLAIN = new RegExp(`&lt;(/?)(${TAGS})\\s*(/?)&gt;`, "gi");
/** Of links only the address is kept: absolute with a scheme that does nothing but lead somewhere, or on this site. */
const LINK = /&lt;a\s(?:(?!&gt;|href=).){0,500}href=&quot;((?:https?:\/\/|mailto:|tel:|\/(?!\/|\\)|#)(?:(?!&quot;|&lt;|&gt;)[^\s\\]){0,2000})&quot;(?:(?!&gt;).){0,500}&gt;/gi;

const ESCAPES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Entities stay entities. Scripts, styles, comments and unknown tags are shown as the text they are. */
export function richText(html: string): string {
  const escaped = html.replace(/&(?!(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});)/gi, "&amp;").replace(/[<>"']/g, (character) => ESCAPES[character]!);
  return escaped.replace(PLAIN, "<$1$2$3>").replace(LINK, '<a href="$1">').replace(/&lt;\/a\s*&gt;/gi, "</a>");
}
