/**
 * What a reader sees of a text in Markdown or HTML: for searches, which need no exact reading of either.
 *
 * Tags, the addresses of links and the marks of Markdown are left out, and runs of white space become one space. It takes
 * linear time on every text.
 */
import { decodeHTML } from "entities";

const TAGS = /<(?:!--[^<>]*--|\/?[a-zA-Z][^<>]*)>/g;
const LINK_TARGETS = /\]\([^()\s]*(?:\s"[^"()]*")?\)/g;
const MARKS = /[*`~[\]|\\]+|^[#>]+|\s[#>]+|_{2,}|!(?=\[)/g;

export function plainText(text: string): string {
  const untagged = text.includes("<") ? text.replace(TAGS, " ") : text;
  const unlinked = untagged.includes("](") ? untagged.replace(LINK_TARGETS, "] ") : untagged;
  const unmarked = unlinked.replace(MARKS, " ");
  const decoded = unmarked.includes("&") ? decodeHTML(unmarked) : unmarked;
  return decoded.replace(/\s+/g, " ").trim();
}
