/** What the buttons above a Markdown text change: each takes away what it gives. */
import { commonmarkLanguage } from "@codemirror/lang-markdown";
import { ChangeSet, type ChangeSpec } from "@codemirror/state";
import { linkMarkdown } from "../../../model/text/markdown-links.ts";
import { trimEnd, trimStart } from "../../../model/text/trim.ts";

export type Format = Emphasis | LineFormat;
type Emphasis = "bold" | "italic";
type LineFormat = "heading" | "list" | "numbered" | "quote";

export interface Selected {
  readonly anchor: number;
  readonly head: number;
}

export interface Formatted {
  readonly changes: ChangeSet;
  readonly selection: Selected;
}

interface Part {
  readonly from: number;
  readonly to: number;
}

const WORD = /[\p{L}\p{N}]/u;

/** A line: signs of quotes with its indentation, the sign of a heading or item, and the text. */
const LINE = /^([ \t]*(?:>[ \t]*)*)((?:(?:#{1,6}|[-*+]|\d{1,9}[.)])(?:[ \t]+|(?=\r?$)))?(?:\[[ xX]\][ \t]+)?)(.*)$/s;

/** @param text whose lines end with line feeds */
export function formatted(text: string, selected: Selected, format: Format): Formatted {
  if (format === "bold" || format === "italic") return emphasised(text, selected, format);
  return linesFormatted(text, selected, format);
}

const partOf = ({ anchor, head }: Selected): Part => ({ from: Math.min(anchor, head), to: Math.max(anchor, head) });

/** The selection stays on the text that it was on: signs that are put at its ends stay outside. */
function changed(text: string, specs: readonly ChangeSpec[], { anchor, head }: Selected): Formatted {
  const changes = ChangeSet.of(specs, text.length);
  const { from, to } = partOf({ anchor, head });
  const [start, end] = [changes.mapPos(from, 1), changes.mapPos(to, from === to ? 1 : -1)];
  return { changes, selection: anchor <= head ? { anchor: start, head: end } : { anchor: end, head: start } };
}

interface Line extends Part {
  readonly quote: string;
  readonly sign: string;
  readonly rest: string;
}

/** The selected lines. One whose start is the end of the selection does not look selected. */
function linesIn(text: string, { from, to }: Part): Line[] {
  const lines: Line[] = [];
  let start = text.lastIndexOf("\n", from - 1) + 1;
  do {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const [, quote = "", sign = "", rest = ""] = LINE.exec(text.slice(start, end)) ?? [];
    lines.push({ from: start, to: end, quote, sign, rest });
    start = end + 1;
  } while (start < to);
  return lines;
}

const isBlank = ({ quote, sign, rest }: Line): boolean => (quote + sign + rest).trim() === "";

const SIGNS = {
  heading: { is: /^#/, next: () => "## " },
  list: { is: /^[-*+]/, next: () => "- " },
  numbered: { is: /^\d/, next: (at: number) => `${at + 1}. ` },
} as const;

function linesFormatted(text: string, selected: Selected, format: LineFormat): Formatted {
  const all = linesIn(text, partOf(selected));
  const filled = all.filter((line) => !isBlank(line));
  const lines = filled.length > 0 ? filled : all;
  if (format === "quote") {
    const isQuote = ({ quote }: Line): boolean => quote.includes(">");
    const specs = lines.every(isQuote)
      ? all.filter(isQuote).map(({ from, quote }): ChangeSpec => {
          const at = from + quote.indexOf(">");
          return { from: at, to: at + (quote.slice(at - from).startsWith("> ") ? 2 : 1) };
        })
      : // Blank lines between them belong to the quote.
        all.filter((line) => !isQuote(line)).map(({ from }): ChangeSpec => ({ from, insert: "> " }));
    return changed(text, specs, selected);
  }
  const { is, next } = SIGNS[format];
  const isOff = lines.every(({ sign }) => is.test(sign));
  const specs = lines.flatMap(({ from, quote, sign }, at): ChangeSpec[] => {
    const to = from + quote.length + sign.length;
    if (isOff) return [{ from: quote.includes(">") ? from + quote.length : from, to }];
    return is.test(sign) ? [] : [{ from: from + quote.length, to, insert: next(at) }];
  });
  /** A caret before the sign of its line goes to the text. */
  const behindSign = (place: number): number =>
    lines.reduce((at, { from, quote, sign }) => {
      const end = from + quote.length + sign.length;
      return from <= at && at < end ? end : at;
    }, place);
  return changed(text, specs, { anchor: behindSign(selected.anchor), head: behindSign(selected.head) });
}

interface Marked extends Part {
  /** The places of its signs. */
  readonly opened: Part;
  readonly closed: Part;
}

/** Parts with a format, as CommonMark reads the text. */
function markedParts(text: string, name: "StrongEmphasis" | "Emphasis" | "Link"): Marked[] {
  const found: Marked[] = [];
  commonmarkLanguage.parser.parse(text).iterate({
    enter({ node, from, to }) {
      // The parser takes any text in brackets for a link.
      if (node.name !== name || (name === "Link" && !node.getChild("URL"))) return;
      const [opened, closed] = [node.firstChild!, name === "Link" ? node.getChildren("LinkMark")[1]! : node.lastChild!];
      found.push({ from, to, opened: { from, to: opened.to }, closed: { from: closed.from, to } });
    },
  });
  return found;
}

/** What of each selected line can be marked: its text, without signs and spaces around. Of a caret, the word around it. */
function textParts(text: string, { from, to }: Part): Part[] {
  if (from === to) {
    let [begin, end] = [from, to];
    while (WORD.test(text[begin - 1] ?? "")) begin--;
    while (WORD.test(text[end] ?? "")) end++;
    return begin < from && to < end ? [{ from: begin, to: end }] : [];
  }
  return linesIn(text, { from, to }).flatMap((line) => {
    const start = Math.max(from, line.from + line.quote.length + line.sign.length);
    const part = text.slice(start, Math.min(to, line.to));
    const inner = part.trim();
    const begin = start + part.indexOf(inner);
    return inner === "" ? [] : [{ from: begin, to: begin + inner.length }];
  });
}

const isIn = ({ from, to }: Part, around: Part): boolean => around.from <= from && to <= around.to;

/** Underscores mark no part of a word. */
function signAround(text: string, { from, to }: Part, format: Emphasis): string {
  if (format === "bold") return "**";
  return WORD.test(text[from - 1] ?? "") || WORD.test(text[to] ?? "") ? "*" : "_";
}

function emphasised(text: string, selected: Selected, format: Emphasis): Formatted {
  const { from, to } = partOf(selected);
  const marked = markedParts(text, format === "bold" ? "StrongEmphasis" : "Emphasis");
  if (from === to) {
    const empty = emptyMarks(text, from, format);
    if (empty) return changed(text, empty, selected);
    const around = marked.findLast((each) => isIn({ from, to }, each));
    if (around) {
      const rest = text.slice(from, around.closed.from);
      // Who typed a marked text goes on behind it.
      if (from > around.opened.to && /^[*_]*$/.test(rest))
        return changed(text, [], { anchor: around.to, head: around.to });
      return changed(text, [around.opened, around.closed], selected);
    }
    const left = leftBehindSpace(text, from, format);
    if (left) return left;
  }
  const parts = textParts(text, { from, to });
  if (parts.length === 0) {
    const sign = signAround(text, { from, to }, format);
    const changes = ChangeSet.of([{ from, insert: sign + sign }], text.length);
    return { changes, selection: { anchor: from + sign.length, head: from + sign.length } };
  }
  const around = parts.map((part) => marked.findLast((each) => isIn(part, each)));
  if (around.every((each) => each !== undefined)) {
    const specs = [...new Set(around)].flatMap((each) => {
      const own = parts.filter((_, at) => around[at] === each);
      return unmarked(text, each, { from: own[0]!.from, to: own.at(-1)!.to });
    });
    return changed(text, specs, selected);
  }
  const specs = parts.flatMap((part, at) => {
    if (around[at]) return [];
    const inside = marked.filter((each) => each.from < part.to && part.from < each.to);
    const begin = Math.min(part.from, ...inside.map((each) => each.from));
    const end = Math.max(part.to, ...inside.map((each) => each.to));
    const sign = signAround(text, { from: begin, to: end }, format);
    return [
      { from: begin, insert: sign },
      ...inside.flatMap(({ opened, closed }): ChangeSpec[] => [opened, closed]),
      { from: end, insert: sign },
    ];
  });
  return changed(text, specs, selected);
}

/** Takes the marks from a part of what they are around; what is left and right of it keeps its own. */
function unmarked(text: string, { opened, closed }: Marked, { from, to }: Part): ChangeSpec[] {
  const left = trimEnd(text.slice(opened.to, from), " \t\n\r*_");
  const right = trimStart(text.slice(to, closed.from), " \t\n\r*_");
  const sign = text.slice(opened.from, opened.to);
  return [
    left === "" ? { from: opened.from, to: opened.to } : { from: opened.to + left.length, insert: sign },
    right === "" ? { from: closed.from, to: closed.to } : { from: closed.from - right.length, insert: sign },
  ];
}

/** The marks around a caret that have no text between them: no parser takes them for marks. */
function emptyMarks(text: string, at: number, format: Emphasis): ChangeSpec[] | undefined {
  for (let reach = 0; "*_".includes(text[at + reach] || " ");) {
    const sign = text[at + reach]!;
    let count = 0;
    while (text[at + reach + count] === sign && text[at - 1 - reach - count] === sign) count++;
    if (count === 0) return undefined;
    if (format === "bold" ? count >= 2 : count % 2 === 1) {
      const length = format === "bold" ? 2 : 1;
      return [
        { from: at - reach - length, to: at - reach },
        { from: at + reach, to: at + reach + length },
      ];
    }
    reach += count;
  }
  return undefined;
}

/** Who typed a marked text with a space at its end goes on behind both: the mark would be none after a space. */
function leftBehindSpace(text: string, at: number, format: Emphasis): Formatted | undefined {
  const sign = (format === "bold" ? /^(?:\*\*|__)/ : /^[*_](?![*_])/).exec(text.slice(at, at + 2))?.[0];
  const typed = trimEnd(text.slice(0, at), " \t");
  if (sign === undefined || typed.length === at) return undefined;
  const name = format === "bold" ? "StrongEmphasis" : "Emphasis";
  if (!markedParts(typed + sign, name).some(({ to }) => to === typed.length + sign.length)) return undefined;
  const specs = [
    { from: typed.length, insert: sign },
    { from: at, to: at + sign.length },
  ];
  return changed(text, specs, { anchor: at, head: at });
}

/** The link that a selection is in, with its address; undefined in none. */
export function linkAround(text: string, selected: Selected): { readonly address: string } | undefined {
  const around = markedParts(text, "Link").find((each) => isIn(partOf(selected), each));
  return around && { address: text.slice(around.closed.from + "](".length, around.closed.to - ")".length) };
}

export interface LinkAddress {
  readonly address: string;
  /** What the link shows where no words are selected. */
  readonly name: string;
}

/** Makes a link of the selected words, or gives the link around them another address. @param link undefined takes it away */
export function linked(text: string, selected: Selected, link: LinkAddress | undefined): Formatted {
  const part = partOf(selected);
  const around = markedParts(text, "Link").find((each) => isIn(part, each));
  if (!link) return changed(text, around ? [around.opened, around.closed] : [], selected);
  const [words] = around ? [{ from: around.opened.to, to: around.closed.from }] : textParts(text, part);
  const written = linkMarkdown(words ? "" : link.name, link.address);
  const { from, to } = around ?? words ?? { from: part.to, to: part.to };
  const insert = words ? `[${text.slice(words.from, words.to)}${written.slice("[".length)}` : written;
  const place = from + insert.length;
  return { changes: ChangeSet.of([{ from, to, insert }], text.length), selection: { anchor: place, head: place } };
}
