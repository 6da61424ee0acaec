/**
 * Paragraphs of texts of the classic editor, which are stored without their tags: WordPress makes them from blank lines when it
 * shows the text.
 */
import { trimEnd } from "../../model/trim.ts";
import { htmlTags } from "../html-tags.ts";

const BLOCKS = new Set(
  (
    "address article aside blockquote dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hr iframe legend li main menu nav ol p pre script section style summary svg table tbody td tfoot th thead tr ul"
  ).split(" "),
);
/** Blocks in which text becomes paragraphs. */
const FLOW = new Set("article aside blockquote div footer header main section".split(" "));
const VOID = new Set(["hr"]);
/** Elements whose lines stay as they are. */
const AS_IT_IS = new Set(["pre", "script", "style", "svg", "table", "iframe"]);

/**
 * The text with its paragraphs and line breaks. Text between blocks is wrapped; that within headings, lists and tables is left.
 *
 * Like that of WordPress, but for the many exceptions it makes for malformed HTML.
 */
export function withParagraphs(text: string): string {
  const html = text.replaceAll("\r\n", "\n");
  const open: string[] = [];
  const parts: string[] = [];
  let done = 0;
  const flush = (end: number): void => {
    const piece = html.slice(done, end);
    const around = open.at(-1);
    parts.push(around === undefined || FLOW.has(around) ? paragraphsOf(piece) : around === "p" ? broken(piece) : piece);
    done = end;
  };
  let nested = 0;
  for (const { name, isClosing, start, end } of htmlTags(html)) {
    if (!BLOCKS.has(name)) continue;
    const around = open.at(-1);
    if (around !== undefined && AS_IT_IS.has(around)) {
      if (name === around) nested += isClosing ? -1 : 1;
      if (nested >= 0) continue;
    }
    nested = 0;
    flush(start);
    parts.push(html.slice(start, end));
    done = end;
    if (isClosing) close(open, name);
    else if (!VOID.has(name)) open.push(name);
  }
  flush(html.length);
  return parts.join("");
}

/** Ends the innermost element of a name, and those within it. */
function close(open: string[], name: string): void {
  for (let at = open.length - 1; at >= 0 && at >= open.length - SEARCHED; at--) {
    if (open[at] !== name) continue;
    open.length = at;
    return;
  }
}

/** A closing tag without its opening one must not cost more, however deep a text nests. */
const SEARCHED = 50;

/** Chunks between blank lines, each a paragraph. */
function paragraphsOf(piece: string): string {
  const chunks = piece
    .split(/\n[ \t]*\n/)
    .map((chunk) => chunk.trim())
    .filter((chunk) => chunk !== "");
  return chunks.length === 0
    ? piece.replace(/\s+/g, "\n")
    : `\n${chunks.map((chunk) => `<p>${broken(chunk)}</p>`).join("\n\n")}\n`;
}

/** With a break at the end of each line but the last. */
function broken(text: string): string {
  const lines = text.split("\n").map((line) => trimEnd(line, " \t"));
  return lines
    .map((line, at) => (at === lines.length - 1 ? line : /<br ?\/?>$/i.test(line) ? `${line}\n` : `${line}<br />\n`))
    .join("");
}
