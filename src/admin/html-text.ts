import { parsedPage } from "./parsed-page.ts";

/**
 * The words of an HTML text, on one line: for lists, in which it is not rendered.
 *
 * Only what is left without its tags is parsed, for its entities: an attribute of a parsed element that runs code would be
 * blocked by the editor's Content-Security-Policy, and reported.
 */
export const wordsOfHtml = (html: string): string =>
  // A space for each tag, so that paragraphs do not run into each other.
  (parsedPage(html.replace(/<[^<>]*>/g, " ").replaceAll("<", "&lt;")).body.textContent ?? "")
    .replace(/\s+/g, " ")
    .trim();

/** The words of a Markdown text that may have HTML in it, on one line. */
export const plainWords = (value: string): string =>
  value
    .replaceAll(/<[^<>]*>|[*_#>`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
