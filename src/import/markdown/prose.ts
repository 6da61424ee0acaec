/** Links, and code of templates, in a Markdown text: outside of code blocks and code spans. */

/** Part of a text that is a link's address. */
export interface Destination {
  readonly start: number;
  readonly end: number;
  readonly address: string;
  /** The text between the brackets of a picture; undefined for other links. */
  readonly alt?: string | undefined;
}

/** A piece of a text: [start, end). */
type Range = readonly [start: number, end: number];

/** The parts of a text that are not code, in order. */
export function proseOf(text: string): Range[] {
  const ranges: Range[] = [];
  let fence: { readonly mark: string; readonly length: number } | undefined;
  let start = 0;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next + 1;
    const mark = fenceIn(text, at, end);
    if (fence) {
      if (mark && mark.mark === fence.mark && mark.length >= fence.length && mark.isBare) {
        fence = undefined;
        start = end;
      }
    } else if (mark) {
      addProse(text, start, at, ranges);
      fence = mark;
    }
    at = end;
  }
  if (!fence) addProse(text, start, text.length, ranges);
  return ranges;
}

/** Fences may stand in lists and quotes, so any indentation is accepted. */
function fenceIn(
  text: string,
  start: number,
  end: number,
): { mark: string; length: number; isBare: boolean } | undefined {
  let at = start;
  while (at < end && (text[at] === " " || text[at] === "\t" || text[at] === ">")) at++;
  const mark = text[at];
  if (mark !== "`" && mark !== "~") return undefined;
  let length = 0;
  while (text[at + length] === mark) length++;
  if (length < 3) return undefined;
  const rest = text.slice(at + length, end);
  return mark === "`" && rest.includes("`") ? undefined : { mark, length, isBare: rest.trim() === "" };
}

/** Leaves out code spans: from a run of backticks to the next of the same length. */
function addProse(text: string, start: number, end: number, ranges: Range[]): void {
  let from = start;
  let closers: Map<number, number> | undefined;
  for (let at = text.indexOf("`", start); at >= 0 && at < end;) {
    let length = 0;
    while (text[at + length] === "`") length++;
    // The last run of each length is known, so that unclosed ones do not take quadratic time.
    closers ??= lastRuns(text, start, end);
    const isClosed = (closers.get(length) ?? -1) > at;
    const close = isClosed ? closingRun(text, at + length, end, length) : -1;
    if (close >= 0) {
      if (at > from) ranges.push([from, at]);
      from = close + length;
      at = text.indexOf("`", from);
    } else at = text.indexOf("`", at + length);
  }
  if (end > from) ranges.push([from, end]);
}

function lastRuns(text: string, start: number, end: number): Map<number, number> {
  const last = new Map<number, number>();
  for (let at = text.indexOf("`", start); at >= 0 && at < end;) {
    let length = 0;
    while (text[at + length] === "`") length++;
    last.set(length, at);
    at = text.indexOf("`", at + length);
  }
  return last;
}

function closingRun(text: string, from: number, end: number, wanted: number): number {
  for (let at = text.indexOf("`", from); at >= 0 && at < end;) {
    let length = 0;
    while (text[at + length] === "`") length++;
    if (length === wanted) return at;
    at = text.indexOf("`", at + length);
  }
  return -1;
}

const HTML_ADDRESSES = [/\b(?:href|src|poster)="([^"<>\n]+)"/gi, /\b(?:href|src|poster)='([^'<>\n]+)'/gi];
const DEFINITION = /^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:[ \t]*<?([^\s<>]+)/gm;

/** The addresses of links and pictures, of definitions, and of HTML attributes, in order. */
export function destinationsIn(text: string, prose: readonly Range[]): Destination[] {
  const found: Destination[] = [];
  const hasPictures = text.includes("![");
  let isInOrder = true;
  for (const [start, end] of prose) {
    for (let at = text.indexOf("](", start); at >= 0 && at + 2 < end; at = text.indexOf("](", at + 2)) {
      const destination = inlineDestination(text, at + 2, end);
      // The key of a literal before those of a spread object: V8 adds it in a tenth of the time.
      if (destination) found.push({ alt: hasPictures ? altBefore(text, start, at) : undefined, ...destination });
    }
    const part = text.slice(start, end);
    if (/=["']/.test(part))
      for (const match of HTML_ADDRESSES.flatMap((pattern) => [...part.matchAll(pattern)])) {
        const address = match[1]!;
        const to = start + match.index + match[0].length - 1;
        found.push({ start: to - address.length, end: to, address });
        isInOrder = false;
      }
    if (part.includes("]:"))
      for (const match of part.matchAll(DEFINITION)) {
        const from = start + match.index + match[0].length - match[1]!.length;
        found.push({ start: from, end: from + match[1]!.length, address: match[1]! });
        isInOrder = false;
      }
  }
  return isInOrder ? found : found.sort((a, b) => a.start - b.start);
}

/** In characters; a longer one is none. An unclosed one is not searched to the end of the text, as each after it would be. */
const DESTINATION_MAX = 2000;

/** As CommonMark has it. */
const PARENTHESES_MAX = 32;

/** -1 where there is none before `end`. */
function indexWithin(text: string, wanted: string, from: number, end: number): number {
  const found = text.slice(from, end).indexOf(wanted);
  return found < 0 ? -1 : from + found;
}

/** `<a b>`, or a run without white space in which parentheses are balanced. */
function inlineDestination(text: string, from: number, end: number): Destination | undefined {
  let start = from;
  while (start < end && (text[start] === " " || text[start] === "\n")) start++;
  const limit = Math.min(end, start + DESTINATION_MAX);
  if (text[start] === "<") {
    const close = indexWithin(text, ">", start, limit);
    return close < 0 ? undefined : { start: start + 1, end: close, address: text.slice(start + 1, close) };
  }
  // Code of a template may have spaces: `{{< ref "a.md" >}}`.
  let depth = 0;
  let at = start;
  for (; at < limit; at++) {
    const character = text[at];
    if (character === "{" && (text[at + 1] === "{" || text[at + 1] === "%")) {
      const close = indexWithin(text, "}", at, limit);
      if (close < 0) break;
      at = close;
      continue;
    }
    if (character === " " || character === "\n" || character === "\t") break;
    if (character === "(" && ++depth > PARENTHESES_MAX) return undefined;
    if (character === ")" && depth-- === 0) break;
  }
  return at > start && at - start < DESTINATION_MAX ? { start, end: at, address: text.slice(start, at) } : undefined;
}

/** @param close the offset of the bracket that closes the text */
function altBefore(text: string, start: number, close: number): string | undefined {
  // No further back than the bracket before, so that a text of many links takes linear time.
  const from = close > start ? Math.max(start, text.lastIndexOf("]", close - 1) + 1) : start;
  const part = text.slice(from, close);
  const open = part.lastIndexOf("![");
  return open < 0 ? undefined : part.slice(open + 2);
}

/** Syntax that other programs add to Markdown, which is shown as it is written, by the line that has it and the line before. */
const EXTENSIONS: readonly (readonly [what: string, isIn: (line: string, before: string) => boolean])[] = [
  ["A footnote", (line) => /^\\?\[\^[^\]\s]+\]:/.test(line)],
  ["An attribute in braces", (line) => /\{::?[^{}]*\}|^\{[.#][^{}]*\}$|^#.*\{[#.][^{}]*\}$/.test(line)],
  ["An abbreviation", (line) => /^\*\[[^\]]{1,99}\]:/.test(line)],
  ["Mathematics", (line) => line.includes("$$")],
  ["Markdown within HTML", (line) => /<[a-z][^<>]*\smarkdown=/i.test(line)],
  ["An emoji code", (line) => /(?:^|\s):[a-z][a-z0-9_+-]{1,30}:(?:$|[\s.,!?)])/.test(line)],
  ["A definition list", (line, before) => /^: {1,3}\S/.test(line) && before !== ""],
];

/** The first of each kind. */
export function extensionsIn(
  text: string,
  prose: readonly Range[],
): { readonly start: number; readonly what: string }[] {
  const missing = new Set(EXTENSIONS);
  return prose.flatMap(([from, end]) => {
    // A line may have begun before a code span.
    let start = text.lastIndexOf("\n", from - 1) + 1;
    let before = "";
    return text
      .slice(start, end)
      .split("\n")
      .flatMap((line) => {
        const found = [...missing].filter(([, isIn]) => isIn(line.trim(), before));
        for (const each of found) missing.delete(each);
        const at = start;
        start += line.length + 1;
        before = line.trim();
        return found.map(([what]) => ({ start: at, what }));
      });
  });
}

/** Code of a template: a shortcode, a tag or an expression. */
export interface TemplateCode {
  readonly start: number;
  readonly code: string;
}

const TEMPLATE_CODE = /\{\{[^{}]+\}\}|\{%[^{}%]+%\}|^(?:import|export) .+|<[A-Z][\w.]*(?=[\s/>])/gm;

/** @param isMdx whether components and imports are code, too */
export function templateCodeIn(text: string, prose: readonly Range[], isMdx: boolean): TemplateCode[] {
  if (!isMdx && !text.includes("{{") && !text.includes("{%")) return [];
  return prose.flatMap(([start, end]) =>
    [...text.slice(start, end).matchAll(TEMPLATE_CODE)].flatMap((match) =>
      isMdx || match[0].startsWith("{") ? [{ start: start + match.index, code: match[0] }] : [],
    ),
  );
}
