/** How HTML becomes Markdown: the options and rules of turndown that imports and the editor in browsers have in common. */
import type TurndownService from "turndown";

export const TURNDOWN_OPTIONS = {
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  emDelimiter: "*",
  hr: "---",
} as const satisfies TurndownService.Options;

/** Elements of which Markdown has no form: a link to what they show stands in their place. */
export const EMBEDDED: ReadonlySet<string> = new Set(["iframe", "video", "audio", "embed", "object"]);

/** Rules for struck text, embedded media and tables; scripts and styles are left out. */
export function addTurndownRules(service: TurndownService): void {
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
      const cells = [...row.childNodes].filter((child) => /^t[hd]$/i.test(child.nodeName)).length;
      return `${text}|\n${isFirstRow(row) ? `${"| --- ".repeat(cells)}|\n` : ""}`;
    },
  });
  service.addRule("table-part", { filter: ["thead", "tbody", "tfoot"], replacement: (text) => text });
  service.addRule("table", { filter: "table", replacement: (text) => `\n\n${text.trim()}\n\n` });
}

/** What the rules ask of a node, of a browser's or of turndown's own parser. */
interface Queryable {
  readonly nodeName: string;
  readonly childNodes: Iterable<Queryable>;
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
