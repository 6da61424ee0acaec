/**
 * Paragraphs of texts of the classic editor, which are stored without their tags: WordPress makes them from blank lines when it
 * shows the text.
 */
import { htmlTokens, VOID_ELEMENTS, type HtmlToken } from "../../model/text/html-tokens.ts";
import { trimEnd } from "../../model/text/trim.ts";
import { CODE_ELEMENTS, keptRanges } from "../texts/html-ranges.ts";

/** Elements between which text stands in paragraphs. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hr iframe legend li main menu nav ol p pre script section style summary svg table tbody td tfoot th thead tr ul"
  ).split(" "),
);
/** Blocks in which text becomes paragraphs. */
const FLOW = new Set("article aside blockquote div footer header main section".split(" "));
/** Blocks in which a line ends where it does in the text. */
const LINES = new Set("p li dd dt h1 h2 h3 h4 h5 h6 address figcaption summary".split(" "));
/** Elements whose lines stay as they are. */
const AS_IT_IS = new Set(["pre", "script", "style", "svg", "table", "iframe"]);

/**
 * The text with its paragraphs and line breaks; tags, comments and code stay as they are.
 *
 * Like that of WordPress, but for the many exceptions it makes for malformed HTML.
 */
export function withParagraphs(html: string): string {
  const tokens = htmlTokens(html);
  const open: string[] = [];
  const parts: string[] = [];
  let done = 0;
  const flush = (end: number): void => {
    const around = open.at(-1);
    const piece = html.slice(done, end);
    const isFlow = around === undefined || FLOW.has(around);
    parts.push(isFlow ? paragraphsOf(piece) : LINES.has(around) ? broken(piece) : piece);
  };
  let nested = 0;
  for (const { name, isClosing, start, end } of tokens) {
    if (!BLOCK_ELEMENTS.has(name)) continue;
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
    else if (!VOID_ELEMENTS.has(name)) open.push(name);
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
  const chunks: string[] = [];
  let start = 0;
  for (const [from, to] of blankLines(piece)) {
    chunks.push(piece.slice(start, from));
    start = to;
  }
  const texts = [...chunks, piece.slice(start)].map((chunk) => chunk.trim()).filter((chunk) => chunk !== "");
  if (texts.length === 0) return piece.replace(/\s+/g, "\n");
  // A comment by itself is no paragraph.
  return `\n${texts.map((text) => (isComment(text) ? text : `<p>${broken(text)}</p>`)).join("\n\n")}\n`;
}

const isComment = (text: string): boolean => text.startsWith("<!--") && text.indexOf("-->") === text.length - 3;

/** The places of blank lines outside of tags and of inline elements that end later: a paragraph cannot end within those. */
function blankLines(piece: string): readonly (readonly [from: number, to: number])[] {
  const within = elementsIn(htmlTokens(piece));
  const found: (readonly [number, number])[] = [];
  let at = 0;
  for (const { 0: line, index } of piece.matchAll(BLANKS)) {
    while (at < within.length && within[at]![1] <= index) at++;
    if ((within[at]?.[0] ?? Infinity) >= index) found.push([index, index + line.length]);
  }
  return found;
}

const BLANKS = /\n[ \t]*\n/g;

/** The outermost elements that have both tags, and single tags: [start, end), in order. */
function elementsIn(tokens: readonly HtmlToken[]): readonly (readonly [start: number, end: number])[] {
  const open = new Map<string, number[]>();
  const ranges: [number, number][] = [];
  const add = (start: number, end: number): void => {
    while ((ranges.at(-1)?.[0] ?? -1) >= start) ranges.pop();
    ranges.push([start, end]);
  };
  for (const { name, isClosing, start, end } of tokens) {
    const starts = open.get(name);
    add(isClosing ? (starts?.pop() ?? start) : start, end);
    if (isClosing || name === "" || VOID_ELEMENTS.has(name)) continue;
    if (starts) starts.push(start);
    else open.set(name, [start]);
  }
  return ranges;
}

/** With a break at the end of each line but the last. */
function broken(text: string): string {
  const [first, last] = [text.length - text.trimStart().length, text.trimEnd().length];
  const parts: string[] = [];
  let done = 0;
  let isBroken = false;
  for (const range of [...keptRanges(text, UNBROKEN), undefined]) {
    const end = range?.start ?? text.length;
    for (let at = text.indexOf("\n", done); at >= 0 && at < end; at = text.indexOf("\n", done)) {
      const line = trimEnd(text.slice(done, at), " \t");
      const isBreak = at >= first && at < last && !(isBroken && line === "");
      parts.push(line, isBreak ? "<br />\n" : "\n");
      done = at + 1;
      isBroken = false;
    }
    parts.push(text.slice(done, range?.end ?? text.length));
    isBroken = range?.name === "br";
    done = range?.end ?? done;
  }
  return parts.join("");
}

/** Within inline code WordPress breaks lines, too. */
const UNBROKEN: ReadonlySet<string> = new Set([...CODE_ELEMENTS].filter((name) => !/^(?:code|kbd|samp)$/.test(name)));
