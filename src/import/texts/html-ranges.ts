/** Parts of an HTML text that a change of its words leaves alone: tags, comments, and elements such as code. */
import { firstWhere } from "../../model/text/bisect.ts";
import { htmlTokens } from "../../model/text/html-tokens.ts";

export interface KeptRange {
  /** The name of the tag, or of the element that is kept as a whole; "" for a comment. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Elements whose characters are code or choices, in which a line break is no end of a line. */
export const CODE_ELEMENTS: ReadonlySet<string> = new Set(
  "pre code kbd samp script style textarea svg math select object audio video iframe template xmp".split(" "),
);

/** The ranges in order, none within another. @param whole elements that are kept with what is in them, where they end */
export function keptRanges(html: string, whole: ReadonlySet<string>): readonly KeptRange[] {
  const tokens = htmlTokens(html);
  const lastClosing = new Map<string, number>();
  for (const { name, isClosing, start } of tokens) if (isClosing) lastClosing.set(name, start);
  const ranges: KeptRange[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { name, isClosing, start } = tokens[at]!;
    if (whole.has(name) && !isClosing && (lastClosing.get(name) ?? -1) > start)
      for (let depth = 1; depth > 0 && at + 1 < tokens.length;) {
        const next = tokens[++at]!;
        if (next.name === name) depth += next.isClosing ? -1 : 1;
      }
    ranges.push({ name, start, end: tokens[at]!.end });
  }
  return ranges;
}

/** The end of the range in which a position is; undefined for one in none. */
export function endOfKept(ranges: readonly KeptRange[], position: number): number | undefined {
  const range = ranges[firstWhere(ranges.length, (index) => ranges[index]!.end > position)];
  return range && range.start <= position ? range.end : undefined;
}

/** The text with its pieces outside of the ranges replaced. */
export function replaceBetween(
  html: string,
  ranges: readonly KeptRange[],
  replace: (piece: string, before: KeptRange | undefined, after: KeptRange | undefined) => string,
): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at <= ranges.length; at++) {
    const next = ranges[at];
    const end = next?.start ?? html.length;
    if (end > done) parts.push(replace(html.slice(done, end), ranges[at - 1], next));
    if (next) parts.push(html.slice(next.start, next.end));
    done = next?.end ?? done;
  }
  return parts.join("");
}
