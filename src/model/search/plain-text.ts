/**
 * What a reader sees of a text in Markdown or HTML: for searches, which need no exact reading of either. Both functions take
 * linear time on every text.
 */
import { decodeHTML } from "entities";

const TAGS = /<(?:!--[^<>]*--|\/?[a-zA-Z][^<>]*)>/g;
const LINK_TARGETS = /\]\([^()\s]*(?:\s"[^"()]*")?\)/g;
const MARKS = /[*`~[\]|\\]+|^[#>]+|\s[#>]+|_{2,}|!(?=\[)/g;

/** A text without what has other words than those that are read: tags, and the addresses of links. */
export function searchableText(text: string): string {
  const untagged = text.includes("<") ? text.replace(TAGS, " ") : text;
  const unlinked = untagged.includes("](") ? untagged.replace(LINK_TARGETS, "] ") : untagged;
  return unlinked.includes("&") ? decodeHTML(unlinked) : unlinked;
}

/** What `searchableText` returns, as one line without the marks of Markdown. */
export const plainText = (text: string): string => text.replace(MARKS, " ").replace(/\s+/g, " ").trim();
