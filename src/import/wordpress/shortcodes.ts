/**
 * Shortcodes: `[caption id="attachment_5"]...[/caption]`. WordPress replaces those that a plugin or a theme has registered
 * when it shows a text; an export has them as they were typed.
 */
import { firstWhere } from "../../model/text/bisect.ts";
import { trimEnd } from "../../model/text/trim.ts";
import { CODE_ELEMENTS, endOfKept, keptRanges, type KeptRange } from "../texts/html-ranges.ts";

export interface Shortcode {
  /** In lower case. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** undefined for one without a closing tag. */
  readonly content: string | undefined;
  readonly start: number;
  /** After its opening tag. */
  readonly opened: number;
  readonly end: number;
}

/** In characters, of the attributes. */
const ATTRIBUTES_MAX = 2000;
const CLOSING = /\[\/([a-z][\w-]*)\]/gi;

/**
 * The shortcodes of a text, outside of tags and code; those in a known one are part of its content. What stands in double
 * brackets is text, and so is a word in brackets without attributes and closing tag, as `[sic]`, unless `known` has it.
 */
export function* shortcodesIn(text: string, known: (name: string) => boolean): Generator<Shortcode> {
  let at = text.indexOf("[");
  if (at < 0) return;
  const kept = keptRanges(text, CODE_ELEMENTS);
  const closings = closingsIn(text, kept);
  while (at >= 0) {
    const skipped = endOfKept(kept, at);
    const found = skipped === undefined ? shortcodeAt(text, at, closings, known) : undefined;
    if (found) yield found;
    const next = found && (known(found.name) ? found.end : found.opened);
    at = text.indexOf("[", next ?? skipped ?? at + 1);
  }
}

function shortcodeAt(
  text: string,
  start: number,
  closings: ReadonlyMap<string, readonly number[]>,
  known: (name: string) => boolean,
): Shortcode | undefined {
  if (text[start - 1] === "[") return undefined;
  const name = nameAt(text, start);
  if (name === undefined) return undefined;
  const from = start + 1 + name.length;
  const close = text.slice(from, from + ATTRIBUTES_MAX).indexOf("]");
  if (close < 0) return undefined;
  const written = text.slice(from, from + close);
  if (written !== "" && !/^[\s/]/.test(written)) return undefined;
  const end = from + close + 1;
  if (text[end] === "]" || text[end] === "(") return undefined; // an escaped one, or a link of Markdown
  const attributes = attributesIn(written);
  const ending = written.endsWith("/") ? undefined : closingAfter(closings.get(name), end);
  if (ending === undefined) {
    const isOne = attributes.size > 0 || written.endsWith("/") || known(name);
    return isOne ? { name, attributes, content: undefined, start, opened: end, end } : undefined;
  }
  return { name, attributes, content: text.slice(end, ending), start, opened: end, end: ending + name.length + 3 };
}

const NAME = /[a-z][\w-]*/iy;

function nameAt(text: string, start: number): string | undefined {
  NAME.lastIndex = start + 1;
  return NAME.exec(text)?.[0].toLowerCase();
}

/** The positions of the closing tags that are text, by name. */
function closingsIn(text: string, kept: readonly KeptRange[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { 1: name = "", index } of text.matchAll(CLOSING)) {
    if (endOfKept(kept, index) !== undefined) continue;
    const known = found.get(name.toLowerCase());
    if (known) known.push(index);
    else found.set(name.toLowerCase(), [index]);
  }
  return found;
}

/** The first position after another, in a sorted list. */
const closingAfter = (positions: readonly number[] = [], after: number): number | undefined =>
  positions[firstWhere(positions.length, (index) => positions[index]! >= after)];

function attributesIn(written: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let from = 0;
  for (let sign = written.indexOf("="); sign >= 0; sign = written.indexOf("=", from)) {
    let start = sign;
    while (start > from && NAME_PART.test(written.charAt(start - 1))) start--;
    const quote = written.charAt(sign + 1);
    const isQuoted = quote === '"' || quote === "'";
    const settingAt = sign + (isQuoted ? 2 : 1);
    const end = isQuoted ? written.indexOf(quote, settingAt) : endOfWord(written, settingAt);
    if (end < 0) break;
    const name = written.slice(start, sign).toLowerCase();
    if (name !== "")
      found.set(name, isQuoted ? written.slice(settingAt, end) : trimEnd(written.slice(settingAt, end), "/"));
    from = Math.max(end, sign + 1);
  }
  return found;
}

const NAME_PART = /[\w-]/;

function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && !/[\s"']/.test(text.charAt(end))) end++;
  return end;
}
