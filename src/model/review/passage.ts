/**
 * A passage of a text, by its words and the text around them, so that it is found again after the text was edited.
 *
 * Nothing else is stored: an offset would be wrong after the first edit above it.
 */

export interface TextPassage {
  readonly text: string;
  /** The text directly before and after, up to `AROUND` characters. */
  readonly before: string;
  readonly after: string;
}

/** In UTF-16 units. */
export const PASSAGE_MAX = 500;
const AROUND = 40;
/** So much of the text on both sides must be there for a passage whose own words have changed. */
const AROUND_LEAST = 8;
/** Places that are compared; in a text that repeats the words more often the first of them count. */
const PLACES_MAX = 1000;

export interface TextPlace {
  readonly start: number;
  readonly end: number;
}

/** The passage between two offsets. A longer one than `PASSAGE_MAX` is cut. */
export function passageAt(value: string, start: number, end: number): TextPassage {
  const last = Math.min(end, start + PASSAGE_MAX);
  return {
    text: value.slice(start, last),
    before: value.slice(Math.max(0, start - AROUND), start),
    after: value.slice(last, last + AROUND),
  };
}

/**
 * Where a text has the passage: the same words, of several places the one with most of the same text around. Where the
 * words have changed, what is between the text before and the text after. undefined: the passage is gone.
 */
export function placeOfPassage(value: string, { text, before, after }: TextPassage): TextPlace | undefined {
  let best: (TextPlace & { readonly shared: number }) | undefined;
  let from = text === "" ? -1 : value.indexOf(text);
  for (let seen = 0; from >= 0 && seen < PLACES_MAX; seen++, from = value.indexOf(text, from + 1)) {
    const end = from + text.length;
    const shared =
      sharedEnd(value.slice(Math.max(0, from - AROUND), from), before) +
      sharedStart(value.slice(end, end + AROUND), after);
    if (!best || shared > best.shared) best = { start: from, end, shared };
  }
  return best ? { start: best.start, end: best.end } : placeBetween(value, text.length, before, after);
}

function placeBetween(value: string, length: number, before: string, after: string): TextPlace | undefined {
  const [head, tail] = [before.slice(-AROUND_LEAST), after.slice(0, AROUND_LEAST)];
  const isFirst = before.length < AROUND_LEAST;
  const isLast = after.length < AROUND_LEAST;
  if (isFirst && isLast) return undefined;
  const at = isFirst ? (value.startsWith(before) ? 0 : -1) : value.indexOf(head);
  if (at < 0) return undefined;
  const start = isFirst ? before.length : at + head.length;
  const end = isLast ? (value.endsWith(after) ? value.length - after.length : -1) : value.indexOf(tail, start);
  // A passage that has grown to several times its length is another text.
  return end > start && end - start <= 3 * length + AROUND ? { start, end } : undefined;
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function sharedEnd(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}
