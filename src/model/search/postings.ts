/**
 * An immutable part of an index: which documents have a word, how much it weighs in them, and where it is.
 *
 * The words are sorted, and what is known of each is packed into bytes: for every document, ascending, its number as the
 * difference from the one before (from -1), and the weight. The positions are apart, since only phrases need them: twice the
 * difference from the one before, and one more where another one follows.
 */
import { firstWhere } from "../text/bisect.ts";

/** The most that a word counts in a document. */
const WEIGHT_MAX = 255;

export interface Postings {
  readonly words: readonly string[];
  /** Where the documents and the positions of each word begin; one more than words. */
  readonly starts: Uint32Array;
  readonly documents: Uint8Array;
  readonly placesFrom: Uint32Array;
  readonly places: Uint8Array;
}

/** Bytes that grow. */
class Bytes {
  #bytes = new Uint8Array(16);
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

  /** Until more is written. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  #grow(least: number): void {
    const grown = new Uint8Array(Math.max(least, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }
}

/** Writes postings word by word, in the order of the words. */
class Writer {
  readonly #words: string[] = [];
  readonly #starts: number[] = [];
  readonly #placesFrom: number[] = [];
  readonly documents = new Bytes();
  readonly places = new Bytes();

  begin(word: string): void {
    this.#words.push(word);
    this.#starts.push(this.documents.length);
    this.#placesFrom.push(this.places.length);
  }

  finish(): Postings {
    return {
      words: this.#words,
      starts: Uint32Array.from([...this.#starts, this.documents.length]),
      documents: this.documents.written().slice(),
      placesFrom: Uint32Array.from([...this.#placesFrom, this.places.length]),
      places: this.places.written().slice(),
    };
  }
}

/** What is known of a word so far. */
interface Growing {
  readonly documents: Bytes;
  readonly places: Bytes;
  last: number;
}

/** Collects documents in ascending order. */
export class PostingsBuilder {
  readonly #words = new Map<string, Growing>();
  /** How many words of documents there are. */
  size = 0;

  /** @param positions of the word in the document, ascending from 1 @param weight of all of them together, a whole number */
  add(doc: number, word: string, weight: number, positions: readonly number[]): void {
    let known = this.#words.get(word);
    if (!known) {
      known = { documents: new Bytes(), places: new Bytes(), last: -1 };
      // Joined, since a part of a text keeps all of it in memory.
      this.#words.set(` ${word}`.slice(1), known);
    }
    known.documents.number(doc - known.last);
    known.documents.byte(Math.min(WEIGHT_MAX, weight));
    known.last = doc;
    let last = 0;
    for (let nth = 0; nth < positions.length; nth++) {
      known.places.number(((positions[nth]! - last) << 1) | (nth + 1 < positions.length ? 1 : 0));
      last = positions[nth]!;
    }
    this.size++;
  }

  finish(): Postings {
    const writer = new Writer();
    for (const word of [...this.#words.keys()].sort()) {
      const { documents, places } = this.#words.get(word)!;
      writer.begin(word);
      writer.documents.append(documents.written());
      writer.places.append(places.written());
    }
    return writer.finish();
  }
}

/** Goes through the documents of a word, and where it is asked for them, through its positions in each. */
export class Cursor {
  readonly #documents: Uint8Array;
  readonly #places: Uint8Array;
  readonly #end: number;
  #at: number;
  #placesAt: number;
  /** Documents passed whose positions were not all read. */
  #passed = 0;
  #isMore = false;
  /** The present document; -1 before the first one, Infinity after the last. */
  doc = -1;
  weight = 0;
  /** The present place of the word in it, from 1; 0 before the first one, Infinity after the last. */
  position = 0;

  constructor({ starts, documents, placesFrom, places }: Postings, word: number) {
    [this.#documents, this.#places] = [documents, places];
    [this.#at, this.#end] = [starts[word]!, starts[word + 1]!];
    this.#placesAt = placesFrom[word]!;
  }

  next(): void {
    if (this.#isMore) this.#passed++;
    if (this.#at >= this.#end) {
      this.doc = Infinity;
      return;
    }
    // Read in place: this is where a search spends its time.
    let byte = this.#documents[this.#at++]!;
    let difference = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = this.#documents[this.#at++]!;
      difference |= (byte & 127) << shift;
    }
    this.doc += difference;
    this.weight = this.#documents[this.#at++]!;
    this.position = 0;
    this.#isMore = true;
  }

  nextPosition(): void {
    for (; this.#passed > 0; this.#passed--) while (this.#pass());
    if (!this.#isMore) {
      this.position = Infinity;
      return;
    }
    let [byte, value] = [128, 0];
    for (let shift = 0; byte > 127; shift += 7) {
      byte = this.#places[this.#placesAt++]!;
      value |= (byte & 127) << shift;
    }
    this.position += value >>> 1;
    this.#isMore = (value & 1) === 1;
  }

  /** The bytes of all positions in the present document, which count as read. */
  positions(): Uint8Array {
    for (; this.#passed > 0; this.#passed--) while (this.#pass());
    const from = this.#placesAt;
    while (this.#pass());
    this.#isMore = false;
    return this.#places.subarray(from, this.#placesAt);
  }

  /** Passes a position. @returns whether there is another one in its document */
  #pass(): boolean {
    let byte = this.#places[this.#placesAt++]!;
    const isMore = (byte & 1) === 1;
    while (byte > 127) byte = this.#places[this.#placesAt++]!;
    return isMore;
  }
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
  const writer = new Writer();
  const at = parts.map(() => 0);
  for (;;) {
    let word: string | undefined;
    for (const [n, { words }] of parts.entries()) {
      const next = words[at[n]!];
      if (next !== undefined && (word === undefined || next < word)) word = next;
    }
    if (word === undefined) return writer.finish();
    let last = -1;
    for (const [n, part] of parts.entries()) {
      if (part.words[at[n]!] !== word) continue;
      const cursor = new Cursor(part, at[n]!++);
      for (cursor.next(); cursor.doc !== Infinity; cursor.next()) {
        const number = numberOf(cursor.doc);
        if (number < 0) continue;
        if (last < 0) writer.begin(word);
        writer.documents.number(number - last);
        writer.documents.byte(cursor.weight);
        writer.places.append(cursor.positions());
        last = number;
      }
    }
    const waiting = rest();
    if (waiting) await waiting;
  }
}
