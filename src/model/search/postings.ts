/**
 * An immutable part of an index: which documents have a word, how much it weighs in them, and where it is.
 *
 * The words are sorted, and what is known of each is packed into bytes: for every document, ascending, its number as the
 * difference from the one before, the weight, and the positions as differences. Where there are several positions, which
 * the highest bit of the weight says, their length in bytes is before them.
 */
import { firstWhere } from "../text/bisect.ts";

/** The most that a word counts in a document. */
const WEIGHT_MAX = 127;
const SEVERAL = 128;

export interface Postings {
  readonly words: readonly string[];
  /** Where the bytes of each word begin; one more than words. */
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
}

/** One document that has a word. */
export interface Posting {
  doc: number;
  weight: number;
  /** In `Postings.bytes`: the packed positions. */
  from: number;
  to: number;
}

/** Bytes that grow. */
class Bytes {
  #bytes = new Uint8Array(64);
  length = 0;

  number(value: number): void {
    while (value > 127) {
      this.byte((value & 127) | 128);
      value >>>= 7;
    }
    this.byte(value);
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(this.length + 1);
    this.#bytes[this.length++] = value;
  }

  append(other: Uint8Array): void {
    if (this.length + other.length > this.#bytes.length) this.#grow(this.length + other.length);
    this.#bytes.set(other, this.length);
    this.length += other.length;
  }

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  #grow(least: number): void {
    const grown = new Uint8Array(Math.max(least, this.#bytes.length * 2));
    grown.set(this.written);
    this.#bytes = grown;
  }
}

interface Growing {
  readonly bytes: Bytes;
  last: number;
}

/** Collects documents in ascending order. */
export class PostingsBuilder {
  readonly #words = new Map<string, Growing>();
  size = 0;

  /** @param positions of the word in the document, ascending @param weight of all of them together, a whole number */
  add(doc: number, word: string, weight: number, positions: readonly number[]): void {
    let known = this.#words.get(word);
    // A part of a text keeps all of it in memory: a joined one does not.
    if (!known) this.#words.set(` ${word}`.slice(1), (known = { bytes: new Bytes(), last: 0 }));
    const { bytes } = known;
    const before = bytes.length;
    bytes.number(doc - known.last);
    known.last = doc;
    const isSeveral = positions.length > 1;
    bytes.byte(Math.min(WEIGHT_MAX, weight) | (isSeveral ? SEVERAL : 0));
    let last = 0;
    if (isSeveral) {
      let length = 0;
      for (const at of positions) {
        length += lengthOf(at - last);
        last = at;
      }
      bytes.number(length);
      last = 0;
    }
    for (const at of positions) {
      bytes.number(at - last);
      last = at;
    }
    this.size += bytes.length - before;
  }

  finish(): Postings {
    const words = [...this.#words.keys()].sort();
    const starts = new Uint32Array(words.length + 1);
    const bytes = new Uint8Array(this.size);
    for (const [n, word] of words.entries()) {
      const { written } = this.#words.get(word)!.bytes;
      bytes.set(written, starts[n]);
      starts[n + 1] = starts[n]! + written.length;
    }
    return { words, starts, bytes };
  }
}

const lengthOf = (value: number): number => (value < 128 ? 1 : value < 16384 ? 2 : value < 2097152 ? 3 : 4);

/** Calls `take` with each document of a word: the same object each time. */
export function eachPosting({ starts, bytes }: Postings, word: number, take: (posting: Posting) => void): void {
  const end = starts[word + 1]!;
  const posting: Posting = { doc: 0, weight: 0, from: 0, to: 0 };
  let doc = 0;
  for (let at = starts[word]!; at < end;) {
    // Read in place: this is where a search spends its time.
    let byte = bytes[at++]!;
    let difference = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      difference |= (byte & 127) << shift;
    }
    posting.doc = doc += difference;
    const weight = bytes[at++]!;
    posting.weight = weight & WEIGHT_MAX;
    let length = 0;
    if (weight > WEIGHT_MAX) {
      byte = SEVERAL;
      for (let shift = 0; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        length |= (byte & 127) << shift;
      }
    } else while (bytes[at + length++]! > 127);
    posting.from = at;
    at += length;
    posting.to = at;
    take(posting);
  }
}

/** The positions of a word in a document. */
export function positionsOf({ bytes }: Postings, { from, to }: Posting): number[] {
  const found: number[] = [];
  let position = 0;
  for (let at = from; at < to;) {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    found.push((position += value));
  }
  return found;
}

/** The index of a word; -1 where it is not there. */
export function wordAt({ words }: Postings, word: string): number {
  const at = firstWhere(words.length, (place) => words[place]! >= word);
  return words[at] === word ? at : -1;
}

/** The indexes of the words that begin with a text. */
export function placesBelow({ words }: Postings, prefix: string): readonly [from: number, to: number] {
  const from = firstWhere(words.length, (place) => words[place]! >= prefix);
  const after = firstWhere(words.length - from, (place) => !words[from + place]!.startsWith(prefix));
  return [from, from + after];
}

/**
 * The documents of some parts, one after the other, as one part. The parts are not changed.
 *
 * @param numberOf the number of a document in the new part, ascending as before; -1 leaves it out
 * @param rest awaited between words
 */
export async function mergePostings(
  parts: readonly Postings[],
  numberOf: (doc: number) => number,
  rest: () => Promise<void> | undefined,
): Promise<Postings> {
  const kept: string[] = [];
  const starts = [0];
  const merged = new Bytes();
  const places = parts.map(() => 0);
  for (;;) {
    let word: string | undefined;
    for (const [n, { words }] of parts.entries()) {
      const next = words[places[n]!];
      if (next !== undefined && (word === undefined || next < word)) word = next;
    }
    if (word === undefined) break;
    let last = 0;
    const before = merged.length;
    for (const [n, part] of parts.entries()) {
      if (part.words[places[n]!] !== word) continue;
      eachPosting(part, places[n]!++, ({ doc, weight, from, to }) => {
        const number = numberOf(doc);
        if (number < 0) return;
        merged.number(number - last);
        last = number;
        const packed = part.bytes.subarray(from, to);
        const isSingle = packed.findIndex((byte) => byte < 128) === packed.length - 1;
        merged.byte(isSingle ? weight : weight | SEVERAL);
        if (!isSingle) merged.number(packed.length);
        merged.append(packed);
      });
    }
    if (merged.length > before) {
      kept.push(word);
      starts.push(merged.length);
    }
    const waiting = rest();
    if (waiting) await waiting;
  }
  return { words: kept, starts: Uint32Array.from(starts), bytes: merged.written.slice() };
}
