/**
 * The words of a text as a search compares them: folded to lower case without accents, `perché` as `perche`.
 *
 * Chinese, Japanese and Korean have no spaces between words: each two neighbouring characters count as a word. The search of
 * built sites divides texts and queries with this file in browsers.
 */

export interface Token {
  /** Folded. */
  readonly word: string;
  /** Where it is in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
/** Accents; the marks of Japanese letters make other letters. */
const MARKS = /(?:(?![\u3099\u309A])\p{M})+/gu;
/** Letters that are no letter with an accent. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" },
};
const SPECIAL = /[ßæœøłđðþı]/g;
/** In characters. What is longer is no word, but a key or an address; its beginning is found. */
const WORD_MAX = 32;
const SPACE = 32;

/** A word or a text without the differences that a search ignores. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return isAscii(lower)
    ? lower
    : lower
        .normalize("NFKD")
        .replace(MARKS, "")
        .normalize("NFC")
        .replace(SPECIAL, (letter) => PLAIN[letter]!);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Letters and digits, by character code. */
const ASCII_LETTERS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);
/** Dashes, quotation marks and spaces beyond ASCII. */
const isPunctuation = (code: number): boolean =>
  (code >= 0x2010 && code <= 0x205e) || code === 0xa0 || code === 0xab || code === 0xbb;

/** The words that `tokensOf` has, for indexing: those in plain letters take a quarter of the time. */
export function wordsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const found: string[] = [];
  let start = -1;
  let isAscii = true;
  for (let at = 0; at <= lower.length; at++) {
    const code = at < lower.length ? lower.charCodeAt(at) : SPACE;
    const isOther = code > 127 && !isPunctuation(code);
    if (isOther || ASCII_LETTERS[code] === 1) {
      if (start < 0) start = at;
      if (isOther) isAscii = false;
    } else if (start >= 0) {
      if (isAscii) found.push(lower.slice(start, Math.min(at, start + WORD_MAX)));
      else for (const { word } of tokensOf(lower.slice(start, at))) found.push(word);
      start = -1;
      isAscii = true;
    }
  }
  return found;
}

/** The words of a text, in their order. */
export function* tokensOf(text: string): Generator<Token> {
  for (const { 0: found, index } of text.matchAll(WORDS)) {
    if (isAscii(found)) {
      yield { word: found.toLowerCase().slice(0, WORD_MAX), start: index, end: index + found.length };
      continue;
    }
    let done = 0;
    for (const { 0: run, index: at } of found.matchAll(UNSPACED)) {
      if (at > done) yield tokenOf(found.slice(done, at), index + done);
      yield* pairsOf(run, index + at);
      done = at + run.length;
    }
    if (done < found.length) yield tokenOf(found.slice(done), index + done);
  }
}

const tokenOf = (part: string, start: number): Token => ({
  word: fold(part).slice(0, WORD_MAX),
  start,
  end: start + part.length,
});

/** A single character is a word of its own. */
function* pairsOf(run: string, start: number): Generator<Token> {
  const characters = [...run];
  let at = start;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? "";
    if (next !== "" || characters.length === 1) yield tokenOf(character + next, at);
    at += character.length;
  }
}

/**
 * Whether two folded words are the same but for one letter that is missing, too many, or another one, or two that are
 * exchanged.
 */
export function differByOneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const rest = (text: string, skipped: number): string => text.slice(start + skipped);
  if (a.length > b.length) return rest(a, 1) === rest(b, 0);
  if (a.length < b.length) return rest(a, 0) === rest(b, 1);
  return (
    rest(a, 1) === rest(b, 1) || (a[start] === b[start + 1] && a[start + 1] === b[start] && rest(a, 2) === rest(b, 2))
  );
}

/** A word that is at least so long may have a typo. */
const TYPO_LENGTH = 5;
/** A longer form of a word has at most so many letters more. */
const ENDING = 3;

const isLongerForm = (long: string, short: string): boolean =>
  short.length >= TYPO_LENGTH - 1 && long.length - short.length <= ENDING && long.startsWith(short);

/** Whether a word may stand for another one that nothing has: with one typo, or with a longer or shorter end. */
export const mayMean = (wanted: string, word: string): boolean =>
  wanted.length >= TYPO_LENGTH &&
  (differByOneTypo(wanted, word) || isLongerForm(wanted, word) || isLongerForm(word, wanted));
