/**
 * An immutable part of an index: which documents have a word, how much it weighs in them, and where it is.
 *
 * The words are sorted, and what is known of each is packed into bytes: for every document, ascending, its number as the
 * difference from the one before (from -1), and the weight. The positions are apart, since only phrases need them: twice the
 * difference from the one before, and one more where another one follows.
 */
import { firstWhere } from "../text/bisect.ts";
import { Vocabulary } from "./vocabulary.ts";

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
  #bytes = new Uint8Array(1024);
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

  append(other: Uint8Array, from: number, to: number): void {
    if (this.length + to - from > this.#bytes.length) this.#grow(this.length + to - from);
    for (let at = from; at < to; at++) this.#bytes[this.length++] = other[at]!;
  }

  written(): Uint8Array {
    return this.#bytes.slice(0, this.length);
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
  readonly #documents = new Bytes();
  readonly #placesFrom: number[] = [];
  readonly #places = new Bytes();
  #last = -1;

  /** @returns what its positions are to be written to */
  document(word: string, doc: number, weight: number): Bytes {
    if (this.#words.at(-1) !== word) {
      this.#words.push(word);
      this.#starts.push(this.#documents.length);
      this.#placesFrom.push(this.#places.length);
      this.#last = -1;
    }
    this.#documents.number(doc - this.#last);
    this.#documents.byte(weight);
    this.#last = doc;
    return this.#places;
  }

  finish(): Postings {
    return {
      words: this.#words,
      starts: Uint32Array.from([...this.#starts, this.#documents.length]),
      documents: this.#documents.written(),
      placesFrom: Uint32Array.from([...this.#placesFrom, this.#places.length]),
      places: this.#places.written(),
    };
  }
}

/** A field of a document. */
export interface SearchedField {
  readonly text: string;
  /** How much a word of it counts; 1 for that of a body. */
  readonly weight: number;
}

/** Between the last word of a field and the first of the next: no phrase reaches across. */
const FIELD_GAP = 16;
/** Numbers kept of each word of a document: those of both, the weight, and where its positions begin. */
const ENTRY = 4;
const NONE = -1;

/** Collects documents in ascending order. */
export class PostingsBuilder {
  readonly #vocabulary = new Vocabulary();
  /** By word: the first of its places in the present document. */
  readonly #firsts: number[] = [];
  /** By place: the next one with the same word. */
  #next = new Int32Array(1024);
  #entries = new Int32Array(ENTRY * 1024);
  /** How many words of documents there are. */
  size = 0;
  #places = new Bytes();

  /** @returns how many words it has */
  add(doc: number, fields: Iterable<SearchedField>): number {
    const words: number[] = [];
    /** By field: the place after its last word, and how much a word of it counts. */
    const ends: number[] = [];
    const weights: number[] = [];
    for (const { text, weight } of fields) {
      this.#vocabulary.read(text, words);
      ends.push(words.length);
      weights.push(weight);
    }
    const firsts = this.#firsts;
    while (firsts.length < this.#vocabulary.words.length) firsts.push(NONE);
    // The places of a word become a chain, made from the last place to the first.
    if (this.#next.length < words.length) this.#next = new Int32Array(2 * words.length);
    const next = this.#next;
    for (let place = words.length - 1; place >= 0; place--) {
      const word = words[place]!;
      next[place] = firsts[word]!;
      firsts[word] = place;
    }
    for (let place = 0; place < words.length; place++) {
      const word = words[place]!;
      if (firsts[word] !== place) continue;
      firsts[word] = NONE;
      const from = this.#places.length;
      let field = 0;
      let weight = 0;
      let last = 0;
      for (let at = place; at !== NONE; at = next[at]!) {
        while (at >= ends[field]!) field++;
        const position = 1 + at + field * FIELD_GAP;
        this.#places.number(((position - last) << 1) | (next[at] === NONE ? 0 : 1));
        last = position;
        weight += weights[field]!;
      }
      this.#enter(word, doc, Math.min(WEIGHT_MAX, weight), from);
    }
    return words.length;
  }

  #enter(word: number, doc: number, weight: number, placesFrom: number): void {
    const at = ENTRY * this.size++;
    if (at === this.#entries.length) {
      const grown = new Int32Array(2 * at);
      grown.set(this.#entries);
      this.#entries = grown;
    }
    this.#entries[at] = word;
    this.#entries[at + 1] = doc;
    this.#entries[at + 2] = weight;
    this.#entries[at + 3] = placesFrom;
  }

  /** What was added since the last call. */
  finish(): Postings {
    const { words } = this.#vocabulary;
    const entries = this.#entries;
    // Sorted by counting, which leaves those of a word in their order.
    const ends = new Uint32Array(words.length + 1);
    for (let nth = 0; nth < this.size; nth++) ends[entries[ENTRY * nth]! + 1]!++;
    for (let word = 0; word < words.length; word++) ends[word + 1]! += ends[word]!;
    const sorted: number[] = [];
    for (let word = 0; word < words.length; word++) if (ends[word]! < ends[word + 1]!) sorted.push(word);
    sorted.sort((a, b) => (words[a]! < words[b]! ? -1 : 1));
    const order = new Uint32Array(this.size);
    for (let nth = 0; nth < this.size; nth++) order[ends[entries[ENTRY * nth]!]!++] = nth;
    const places = this.#places.written();
    const writer = new Writer();
    for (const word of sorted)
      for (let at = word === 0 ? 0 : ends[word - 1]!; at < ends[word]!; at++) {
        const nth = order[at]!;
        const entry = ENTRY * nth;
        const to = nth + 1 < this.size ? entries[entry + ENTRY + 3]! : places.length;
        writer.document(words[word]!, entries[entry + 1]!, entries[entry + 2]!).append(places, entries[entry + 3]!, to);
      }
    this.size = 0;
    this.#places.length = 0;
    return writer.finish();
  }
}

/** Calls `take` with each document of a word. */
export function eachPosting(part: Postings, word: number, take: (doc: number, weight: number) => void): void {
  const { starts, documents } = part;
  const end = starts[word + 1]!;
  let doc = -1;
  for (let at = starts[word]!; at < end;) {
    // Read in place: this is where a search spends its time.
    let byte = documents[at++]!;
    doc += byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = documents[at++]!;
      doc += (byte & 127) << shift;
    }
    take(doc, documents[at++]!);
  }
}

/** Goes through the documents of a word, and through its positions in each. */
export class Cursor {
  readonly #part: Postings;
  readonly #end: number;
  #at: number;
  #placesAt: number;
  #isMore = false;
  /** The present document; -1 before the first one, Infinity after the last. */
  doc = -1;
  weight = 0;
  /** The present place of the word in it, from 1; 0 before the first one, Infinity after the last. */
  position = 0;

  constructor(part: Postings, word: number) {
    this.#part = part;
    [this.#at, this.#end] = [part.starts[word]!, part.starts[word + 1]!];
    this.#placesAt = part.placesFrom[word]!;
  }

  next(): void {
    this.#skipPositions();
    const { documents } = this.#part;
    if (this.#at >= this.#end) {
      this.doc = Infinity;
      return;
    }
    let byte: number;
    let shift = 0;
    do {
      byte = documents[this.#at++]!;
      this.doc += (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    this.weight = documents[this.#at++]!;
    this.position = 0;
    this.#isMore = true;
  }

  nextPosition(): void {
    if (!this.#isMore) {
      this.position = Infinity;
      return;
    }
    const { places } = this.#part;
    let [byte, value, shift] = [128, 0, 0];
    while (byte > 127) {
      byte = places[this.#placesAt++]!;
      value |= (byte & 127) << shift;
      shift += 7;
    }
    this.position += value >>> 1;
    this.#isMore = (value & 1) === 1;
  }

  /** Writes those that were not read. */
  copyPositions(to: Bytes): void {
    const from = this.#placesAt;
    this.#skipPositions();
    to.append(this.#part.places, from, this.#placesAt);
  }

  #skipPositions(): void {
    const { places } = this.#part;
    while (this.#isMore) {
      let byte = places[this.#placesAt++]!;
      this.#isMore = (byte & 1) === 1;
      while (byte > 127) byte = places[this.#placesAt++]!;
    }
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
    for (const [n, part] of parts.entries()) {
      if (part.words[at[n]!] !== word) continue;
      const cursor = new Cursor(part, at[n]!++);
      for (cursor.next(); cursor.doc !== Infinity; cursor.next()) {
        const number = numberOf(cursor.doc);
        if (number >= 0) cursor.copyPositions(writer.document(word, number, cursor.weight));
      }
    }
    const waiting = rest();
    if (waiting) await waiting;
  }
}
