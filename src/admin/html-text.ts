import { parsedPage } from "./parsed-page.ts";

/** The words of an HTML text, on one line: for lists, in which it is not rendered. */
export const wordsOfHtml = (html: string): string =>
  // A space for each tag, so that paragraphs do not run into each other.
  (parsedPage(html.replaceAll("<", " <")).body.textContent ?? "").replace(/\s+/g, " ").trim();
