/** Links and anchors in a text. It may be Markdown or HTML: only a template knows, so both are looked for. */

/** What a text is as Markdown. */
export interface MarkdownParts {
  /** The ids of its headings. */
  readonly headings: readonly string[];
  /** The addresses of its links and pictures, percent-encoded. */
  readonly addresses: readonly string[];
  /** Its text outside of code, in which HTML may be. */
  readonly prose: string;
}

export type ReadMarkdown = (text: string) => MarkdownParts;

/** Addresses on this site that begin with one slash, and fragments; an HTML attribute may have no quotes. */
const HTML_ADDRESS = /\b(?:href|src|poster)=["']?((?:\/(?!\/)|#)[^\s<>"']{0,2000})/gi;
const ON_THIS_SITE = /^(?:\/(?!\/)|#)/;
/** Without any of these a text has no link, and is not parsed. */
const MAY_LINK = /\]\(|\]:|\b(?:href|src|poster)=/i;
/** An HTML text: what Markdown takes for code by its indentation is not code there. */
const HTML_TEXT = /^\s*<[a-z]/i;
const HTML_ANCHOR = /\s(?:id|name)=["']?([^\s<>"']{1,2000})/gi;

/** The links and pictures outside of code that lead to this site, each once, as they are in an HTML page. */
export function addressesIn(text: string, read: ReadMarkdown): ReadonlySet<string> {
  if (!MAY_LINK.test(text)) return new Set();
  const { addresses, prose } = read(text);
  const inHtml = [...htmlOf(text, prose).matchAll(HTML_ADDRESS)].map(([, address]) => address!);
  return new Set([...onThisSite(addresses), ...inHtml]);
}

/** The addresses that lead to this site. */
export const onThisSite = (addresses: readonly string[]): readonly string[] =>
  addresses.filter((address) => ON_THIS_SITE.test(address));

/** The ids of headings and of HTML elements, and the names of HTML elements. */
export function anchorsIn(text: string, read: ReadMarkdown): readonly string[] {
  const { headings, prose } = read(text);
  return [...headings, ...[...htmlOf(text, prose).matchAll(HTML_ANCHOR)].map(([, anchor]) => anchor!)];
}

const htmlOf = (text: string, prose: string): string => (HTML_TEXT.test(text) ? text : prose);
