/** How HTML becomes Markdown: the options and rules of turndown that imports and the editor in browsers have in common. */
import type TurndownService from "turndown";
import { targetOf } from "./markdown-links.ts";

export const TURNDOWN_OPTIONS = {
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  emDelimiter: "*",
  hr: "---",
} as const satisfies TurndownService.Options;

/** Elements of which Markdown has no form: a link to what they show stands in their place. */
export const EMBEDDED: ReadonlySet<string> = new Set(["iframe", "video", "audio", "embed", "object"]);

/** Marks that only HTML has. */
const HTML_MARKS = ["sup", "sub", "u", "ins", "mark", "kbd", "small"] as const;

/**
 * Rules for what turndown passes over. What Markdown has no form for stays HTML, which Markdown may contain; scripts and styles
 * are left out.
 */
export function addTurndownRules(service: TurndownService): void {
  service.remove(["script", "style", "noscript"] as never);
  const escape = service.escape.bind(service);
  service.escape = (text) => escapeHtml(escape(text));
  service.addRule("mark", {
    filter: HTML_MARKS as never,
    replacement(text, node) {
      const name = node.nodeName.toLowerCase();
      const id = (node as unknown as Queryable).getAttribute("id");
      return text.trim() === ""
        ? text
        : `<${name}${id ? ` id="${id.replaceAll('"', "&quot;")}"` : ""}>${text}</${name}>`;
    },
  });
  service.addRule("abbreviation", { filter: "abbr", replacement: (_, node) => htmlOf(node as unknown as Queryable) });
  service.addRule("plain-code", {
    filter: (node) => node.nodeName === "PRE" && !staysHtml(node as unknown as Queryable),
    replacement(_, node) {
      const element = node as unknown as Queryable;
      const language = /\blanguage-(\S+)/.exec(
        `${element.getAttribute("class") ?? ""} ${element.querySelector("code")?.getAttribute("class") ?? ""}`,
      )?.[1];
      const code = linesOf(element).replace(/\n$/, "");
      const longest = Math.max(2, ...[...code.matchAll(/^ {0,3}(`{3,})/gm)].map((match) => match[1]!.length));
      const fence = "`".repeat(longest + 1);
      return `\n\n${fence}${language ?? ""}\n${code}\n${fence}\n\n`;
    },
  });
  const picture = (image: Queryable, caption?: string): string => {
    const written = (name: string): string => (image.getAttribute(name) ?? "").replaceAll(/\s+/g, " ").trim();
    const [src, title] = [written("src"), caption ?? written("title")];
    if (src === "") return caption ?? "";
    const named = title === "" ? "" : ` "${escapeHtml(title.replaceAll("\\", "\\\\").replaceAll('"', '\\"'))}"`;
    return `![${service.escape(written("alt"))}](${targetOf(src)}${named})`;
  };
  service.addRule("picture", {
    filter: "img",
    replacement: (_, node) => picture(node as unknown as Queryable),
  });
  // A picture that stands alone has its caption as the title.
  service.addRule("captioned", {
    filter: (node) => captionOf(node as unknown as Queryable) !== undefined,
    replacement(_, node) {
      const figure = node as unknown as Queryable;
      return `\n\n${picture(figure.querySelector("img")!, captionOf(figure))}\n\n`;
    },
  });
  service.addRule("list", {
    filter: ["ul", "ol"],
    replacement(text, node) {
      const list = node as unknown as Queryable;
      const { parentNode: parent } = list;
      if (parent?.nodeName === "LI" && !elementAfter(list)) return `\n${text}`;
      // Two lists in a row would be one: a comment parts them.
      return `\n\n${elementBefore(list)?.nodeName === list.nodeName ? "<!-- -->\n\n" : ""}${text}\n\n`;
    },
  });
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
      return `${text}|\n${isFirstRow(row) ? `${"| --- ".repeat(cellsIn(row))}|\n` : ""}`;
    },
  });
  service.addRule("table-part", { filter: ["thead", "tbody", "tfoot"], replacement: (text) => text });
  service.addRule("table", { filter: "table", replacement: (text) => `\n\n${text.trim()}\n\n` });
  // The rule that was added last counts first.
  service.addRule("html", {
    filter: (node) => staysHtml(node as unknown as Queryable),
    replacement: (_, node) => `\n\n${htmlOf(node as unknown as Queryable)}\n\n`,
  });
}

/** The caption of a figure that is one picture and a text without marks; undefined for every other node. */
function captionOf(node: Queryable): string | undefined {
  if (node.nodeName !== "FIGURE") return undefined;
  const [image, caption] = [node.querySelector("img"), node.querySelector("figcaption")];
  const words = caption?.textContent?.replaceAll(/\s+/g, " ").trim();
  const isAlone =
    node.textContent?.replaceAll(/\s+/g, " ").trim() === words &&
    !/<(?!\/?(?:figure|figcaption|img)\b)/i.test(node.outerHTML);
  const isOne = image && [...node.outerHTML.matchAll(/<img\b/gi)].length === 1;
  return words && isAlone && isOne && !image.getAttribute("title") ? words : undefined;
}

/** What the rules ask of a node, of a browser's or of turndown's own parser. */
interface Queryable {
  readonly nodeName: string;
  readonly childNodes: Iterable<Queryable>;
  readonly parentNode: Queryable | null;
  readonly previousSibling: Queryable | null;
  readonly nextSibling: Queryable | null;
  readonly textContent: string | null;
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Queryable | null;
}

/** What would be an entity, a tag or struck text is the text that it is. */
const escapeHtml = (text: string): string =>
  text
    .replace(/&(?=#?\w{1,31};)/g, "&amp;")
    .replace(/<(?=[a-z/!?])/gi, "\\<")
    .replace(/~(?=~)/g, "\\~");

/** Lists, tables and preformatted texts of which Markdown would lose something. */
function staysHtml(node: Queryable): boolean {
  const has = (selector: string): boolean => Boolean(node.querySelector(selector));
  switch (node.nodeName) {
    case "DL":
    case "DETAILS":
      return true;
    case "OL":
      return node.getAttribute("reversed") !== null || !/^1?$/.test(node.getAttribute("type") ?? "");
    case "TABLE": {
      const first = node.querySelector("tr");
      // Markdown leaves out what a row has beyond the cells of the first one.
      const beyond = `tr > :nth-child(${1 + (first ? cellsIn(first) : 0)})`;
      return has(
        `[colspan], [rowspan], caption, table, ul, ol, pre, blockquote, h1, h2, h3, h4, h5, h6, p + p, ${beyond}`,
      );
    }
    case "PRE":
      return has("a, b, strong, em, i, u, del, s, mark, sup, sub, img");
    default:
      return false;
  }
}

/** An element as HTML that Markdown takes as one: without blank lines, which would end it. */
const htmlOf = ({ outerHTML }: Queryable): string =>
  outerHTML.replaceAll("\r", "").replaceAll(/\n(?=[ \t]*\n)/g, "&#10;");

/** The text of an element with its line breaks. */
function linesOf(node: Queryable): string {
  if (node.nodeName === "BR") return "\n";
  const children = [...node.childNodes];
  return children.length === 0 ? (node.textContent ?? "") : children.map(linesOf).join("");
}

function elementBefore(node: Queryable): Queryable | undefined {
  let before = node.previousSibling;
  while (before?.nodeName === "#text" && before.textContent?.trim() === "") before = before.previousSibling;
  return before ?? undefined;
}

function elementAfter(node: Queryable): boolean {
  for (let after = node.nextSibling; after; after = after.nextSibling) if (/^[a-z]/i.test(after.nodeName)) return true;
  return false;
}

const cellsIn = (row: Queryable): number =>
  [...row.childNodes].filter((child) => /^t[hd]$/i.test(child.nodeName)).length;

const cellText = (text: string): string =>
  text
    .trim()
    .replaceAll("  \n", "<br>")
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
