/** HTML of an old site as Markdown. */
import type TurndownService from "turndown";
import { messageOf } from "../errors.ts";
import { htmlTags } from "./html-tags.ts";

/** How the texts of an old site are stored: as they are, or as Markdown. */
export type TextFormat = (html: string) => FormattedText;

export interface FormattedText {
  readonly text: string;
  /** Sentences about what the form cannot have. */
  readonly notes: readonly string[];
}

export const asHtml: TextFormat = (html) => ({ text: html, notes: [] });

/** Deeper and longer texts stay HTML: the time of turndown grows with the product of both. */
const DEPTH_MAX = 100;
const LENGTH_MAX = 1_000_000;

/** Elements of which Markdown has no form: a link to what they show stands in their place. */
const EMBEDDED = new Set(["iframe", "video", "audio", "embed", "object"]);
/** Elements that only a page with scripts and forms has. */
const LEFT_OUT = new Set(["script", "style", "form", "noscript"]);
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** Loads turndown, which only imports need. */
export async function markdownFormat(): Promise<TextFormat> {
  const { default: Turndown } = await import("turndown");
  const service = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  addRules(service);
  return (html) => {
    if (html.length > LENGTH_MAX || nestsTooDeep(html))
      return { text: html, notes: ["The text is too long or nests too deep for Markdown: it stays HTML."] };
    try {
      return { text: service.turndown(html), notes: notesOn(html) };
    } catch (error) {
      return {
        text: html,
        notes: [`The text stays HTML, since it cannot be turned into Markdown: ${messageOf(error)}`],
      };
    }
  };
}

function addRules(service: TurndownService): void {
  service.remove(["script", "style", "noscript"] as never);
  service.addRule("struck", {
    filter: ["del", "s"],
    replacement: (text) => (text.trim() === "" ? text : `~~${text}~~`),
  });
  service.addRule("embedded", {
    filter: (node) => EMBEDDED.has(node.nodeName.toLowerCase()),
    replacement(_, node) {
      const element = node as unknown as Queryable;
      const address = element.getAttribute("src") ?? element.querySelector("source")?.getAttribute("src") ?? "";
      return address === "" ? "" : `\n\n[${address.replaceAll(/[[\]]/g, "")}](${address})\n\n`;
    },
  });
  service.addRule("cell", { filter: ["th", "td"], replacement: (text) => `| ${cellText(text)} ` });
  service.addRule("row", {
    filter: "tr",
    replacement(text, node) {
      const row = node as unknown as Queryable;
      const cells = row.childNodes.filter((child) => /^t[hd]$/i.test(child.nodeName)).length;
      return `${text}|\n${isFirstRow(row) ? `${"| --- ".repeat(cells)}|\n` : ""}`;
    },
  });
  service.addRule("table-part", { filter: ["thead", "tbody", "tfoot"], replacement: (text) => text });
  service.addRule("table", { filter: "table", replacement: (text) => `\n\n${text.trim()}\n\n` });
}

/** What the rules ask of the nodes of turndown's parser. */
interface Queryable {
  readonly nodeName: string;
  readonly childNodes: readonly Queryable[];
  readonly parentNode: Queryable | null;
  readonly previousSibling: Queryable | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Queryable | null;
}

const cellText = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ")
    .replaceAll("|", "\\|");

/** Markdown has a header in every table: the first row, whatever it is. */
function isFirstRow(row: Queryable): boolean {
  const part = row.parentNode;
  if (!part || hasElementBefore(row)) return false;
  return /^table$/i.test(part.nodeName) || !hasElementBefore(part, /^(?:thead|tbody|tr)$/i);
}

function hasElementBefore(node: Queryable, name = /^\w+$/): boolean {
  for (let before = node.previousSibling; before; before = before.previousSibling)
    if (name.test(before.nodeName)) return true;
  return false;
}

function nestsTooDeep(html: string): boolean {
  let depth = 0;
  for (const { name, isClosing } of htmlTags(html)) {
    if (VOID.has(name)) continue;
    depth += isClosing ? -1 : 1;
    if (depth > DEPTH_MAX) return true;
    if (depth < 0) depth = 0;
  }
  return false;
}

function notesOn(html: string): string[] {
  const found = new Set<string>();
  for (const { name, isClosing } of htmlTags(html))
    if (!isClosing && (EMBEDDED.has(name) || LEFT_OUT.has(name))) found.add(name);
  return [...found].map((name) =>
    EMBEDDED.has(name)
      ? `Markdown has no <${name}>: a link stands in its place.`
      : `Markdown has no <${name}>: it is left out.`,
  );
}
