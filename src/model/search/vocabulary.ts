/** The words of texts by number, in the order in which they were first read: an index compares numbers, not strings. */
import { tokensOf, WORD_MAX } from "./words.ts";

const [SEPARATES, LETTER, OTHER] = [0, 1, 2] as const;
const ASCII = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/.test(String.fromCharCode(code)) ? LETTER : SEPARATES,
);
const SPACE = 32;
/** Dashes, quotation marks and spaces beyond ASCII. */
const isPunctuation = (code: number): boolean =>
  (code >= 0x2010 && code <= 0x205e) || code === 0xa0 || code === 0xab || code === 0xbb;

export class Vocabulary {
  readonly words: string[] = [];
  /** By word, and by what was read as one: `perche` and `perché`. */
  readonly #numbers = new Map<string, number>();

  /** Appends the numbers of the words that `tokensOf` finds. */
  read(text: string, numbers: number[]): void {
    const lower = text.toLowerCase();
    let start = -1;
    let isAscii = true;
    for (let at = 0; at <= lower.length; at++) {
      const code = at < lower.length ? lower.charCodeAt(at) : SPACE;
      const kind = code < 128 ? ASCII[code] : isPunctuation(code) ? SEPARATES : OTHER;
      if (kind !== SEPARATES) {
        if (start < 0) start = at;
        if (kind === OTHER) isAscii = false;
      } else if (start >= 0) {
        const run = lower.slice(start, isAscii ? Math.min(at, start + WORD_MAX) : at);
        const number = this.#numbers.get(run);
        if (number === undefined) this.#readNew(run, numbers);
        else numbers.push(number);
        start = -1;
        isAscii = true;
      }
    }
  }

  /** @param word folded */
  numberOf(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.words.push(word) - 1;
      this.#numbers.set(word, number);
    }
    return number;
  }

  #readNew(run: string, numbers: number[]): void {
    const before = numbers.length;
    // Joined, since a part of a text keeps all of it in memory.
    for (const { word } of tokensOf(` ${run}`)) numbers.push(this.numberOf(` ${word}`.slice(1)));
    if (numbers.length === before + 1) this.#numbers.set(` ${run}`.slice(1), numbers[before]!);
  }
}
