/** Where in a stored text the words are that were clicked where the site shows them. */

import type { ShownWords } from "../../bridge/messages.ts";

/** How many characters before and after the place are looked for: the text as it is stored has marks that are not shown. */
const REACHES: readonly (readonly [before: number, after: number])[] = [
  [24, 24],
  [12, 12],
  [0, 16],
  [16, 0],
];

/** Where the caret goes, or what is selected. @returns undefined where the text does not have the words */
export function selectionAtWords(stored: string, words: ShownWords): readonly [start: number, end: number] | undefined {
  const start = placeOfWords(stored, words);
  if (start === undefined) return undefined;
  const { text, at, length = 0 } = words;
  return [start, stored.startsWith(text.slice(at, at + length), start) ? start + length : start];
}

/** @returns undefined where the text does not have the words */
export function placeOfWords(stored: string, { text, at }: ShownWords): number | undefined {
  for (const [before, after] of REACHES) {
    const start = Math.max(0, at - before);
    const around = text.slice(start, at + after);
    const found = around.trim().length < WORDS_MIN ? -1 : stored.indexOf(around);
    if (found >= 0 && stored.indexOf(around, found + 1) < 0) return found + at - start;
  }
  return placeOfWord(stored, text, at);
}

/** In characters: fewer are found by chance. */
const WORDS_MIN = 6;

/** The word at the place, which stands in the stored text as often as in the shown one. */
function placeOfWord(stored: string, text: string, at: number): number | undefined {
  let start = at;
  while (start > 0 && at - start < 40 && /[\p{L}\p{N}]/u.test(text[start - 1]!)) start--;
  const word = /^[\p{L}\p{N}]{1,80}/u.exec(text.slice(start, start + 80))?.[0];
  if (word === undefined) return undefined;
  let found = -1;
  for (let place = text.indexOf(word); place >= 0 && place <= start; place = text.indexOf(word, place + 1)) {
    found = stored.indexOf(word, found + 1);
    if (found < 0) return undefined;
  }
  return found < 0 ? undefined : found + at - start;
}
