/**
 * An index of texts in one language: which documents have the words of a query, the best first.
 *
 * Documents are added and removed, never changed. What was added becomes a part (`postings.ts`); parts are merged as they
 * become many, and removed documents leave the bytes with the next merge of all. Ranking is BM25 over words that weigh as
 * much as the fields they stand in. A document that a caller may not see counts for nothing, so that no rank tells of it.
 */
import { pace } from "../../time-slices.ts";
import {
  eachPosting,
  mergePostings,
  wordAt,
  placesBelow,
  positionsOf,
  PostingsBuilder,
  type Posting,
  type Postings,
} from "./postings.ts";
import type { SearchQuery, Wanted } from "./query.ts";
import type { Stem } from "./stemmer.ts";
import { mayMean } from "./words.ts";

export interface SearchedDocument {
  /** Whose document it is: a safe integer. The documents of one key are added together. */
  readonly key: number;
  /** In milliseconds since 1970, from when it may be seen by everyone; Infinity: never. */
  readonly publicFrom: number;
  /** As above: of two that fit as well, the newer comes first. */
  readonly updatedAt: number;
  /** Free for the caller: what the document is counted by. */
  readonly facts: number;
}

/** A field of a document. */
export interface SearchedField {
  readonly words: readonly string[];
  /** How much a word of it counts; 1 for that of a body. */
  readonly weight: number;
}

/** Whether a document may be found. */
export type MaySee = (facts: number, publicFrom: number) => boolean;

export interface FoundDocuments {
  /** Their numbers, ascending: those of one key follow each other. See `TextIndex.keyOf`. */
  readonly documents: readonly number[];
  /** By the number of a document. */
  readonly scores: Float32Array;
  /** The words of the index that were found, to be marked. */
  readonly words: ReadonlySet<string>;
}

/** Between the last word of a field and the first of the next: no phrase reaches across. */
const FIELD_GAP = 16;
/** How much a word counts that is not the very one. */
const STEM = 0.8;
const PREFIX = 0.5;
const TYPO = 0.4;
/** The most frequent words that begin as an unfinished one: so many, and so many bytes of postings in a part. */
const PREFIXES_MAX = 100;
const PREFIXES_SIZE = 128 * 1024;
/** Shorter unfinished words begin half of all words. */
const PREFIX_LENGTH = 2;
/** An index of more parts merges the small ones. */
const PARTS_MAX = 8;
/** Documents in a part while many are added. */
const PART_SIZE = 2048;
/** The small parts are merged with the largest one when they have grown to a quarter of it; so are removed documents. */
const MERGED_FROM = 0.25;

/** Columns of the table of documents. */
const ROW = 5;
const [KEY, PUBLIC_FROM, UPDATED_AT, FACTS, LENGTH] = [0, 1, 2, 3, 4] as const;
const NO_KEY = -1;

export class TextIndex {
  readonly #stem: Stem;
  #parts: readonly Postings[] = [];
  #open = new PostingsBuilder();
  #openSize = 0;
  #rows = new Float64Array(ROW * 64);
  #size = 0;
  #removed = 0;
  /** The first document of each key. */
  readonly #firstOf = new Map<number, number>();

  constructor(stem: Stem) {
    this.#stem = stem;
  }

  /** In bytes, without what the engine needs for each word. */
  get bytes(): number {
    return this.#parts.reduce(
      (sum, { bytes, starts }) => sum + bytes.length + starts.byteLength,
      this.#rows.byteLength,
    );
  }

  add(document: SearchedDocument, fields: Iterable<SearchedField>): void {
    const words = new Map<string, { weight: number; readonly positions: number[] }>();
    let position = 0;
    let length = 0;
    for (const { words: own, weight } of fields) {
      for (const word of own) {
        const known = words.get(word);
        if (known) {
          known.weight += weight;
          known.positions.push(position++);
        } else words.set(word, { weight, positions: [position++] });
        length++;
      }
      position += FIELD_GAP;
    }
    const doc = this.#newRow();
    this.#rows.set([document.key, document.publicFrom, document.updatedAt, document.facts, length], doc * ROW);
    if (!this.#firstOf.has(document.key)) this.#firstOf.set(document.key, doc);
    for (const [word, { weight, positions }] of words) this.#open.add(doc, word, weight, positions);
    if (++this.#openSize >= PART_SIZE) this.#close();
  }

  /** Removes the documents of a key. */
  remove(key: number): void {
    const first = this.#firstOf.get(key);
    if (first === undefined) return;
    this.#firstOf.delete(key);
    for (let doc = first; doc < this.#size && this.#cell(doc, KEY) === key; doc++) {
      this.#rows[doc * ROW + KEY] = NO_KEY;
      this.#removed++;
    }
  }

  /** To be awaited after documents were added or removed, before the next search. */
  async settle(): Promise<void> {
    this.#close();
    if (this.#parts.length <= PARTS_MAX && this.#removed <= MERGED_FROM * this.#size) return;
    const [largest, ...others] = this.#parts;
    const small = others.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (largest && this.#removed <= MERGED_FROM * this.#size && small < MERGED_FROM * largest.bytes.length)
      this.#parts = [largest, await mergePostings(others, (doc) => doc, pace)];
    else await this.#mergeAll();
  }

  async #mergeAll(): Promise<void> {
    const numbers = new Int32Array(this.#size);
    let kept = 0;
    for (let doc = 0; doc < this.#size; doc++) numbers[doc] = this.#cell(doc, KEY) === NO_KEY ? -1 : kept++;
    this.#parts = [await mergePostings(this.#parts, (doc) => numbers[doc]!, pace)];
    const rows = new Float64Array(ROW * Math.max(64, kept));
    this.#firstOf.clear();
    for (let doc = 0; doc < this.#size; doc++) {
      const number = numbers[doc]!;
      if (number < 0) continue;
      rows.set(this.#rows.subarray(doc * ROW, doc * ROW + ROW), number * ROW);
      if (!this.#firstOf.has(rows[number * ROW]!)) this.#firstOf.set(rows[number * ROW]!, number);
    }
    this.#rows = rows;
    this.#size = kept;
    this.#removed = 0;
  }

  #close(): void {
    if (this.#openSize === 0) return;
    this.#parts = [...this.#parts, this.#open.finish()];
    this.#open = new PostingsBuilder();
    this.#openSize = 0;
  }

  #newRow(): number {
    if ((this.#size + 1) * ROW > this.#rows.length) {
      const grown = new Float64Array(this.#rows.length * 2);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    return this.#size++;
  }

  #cell(doc: number, column: number): number {
    return this.#rows[doc * ROW + column]!;
  }

  /**
   * To be awaited before the index is changed: other requests are answered between two words.
   *
   * @param maySee is asked of every document of the index
   */
  async search({ wanted, unwanted }: SearchQuery, maySee: MaySee): Promise<FoundDocuments> {
    const words = new Set<string>();
    const scores = new Float32Array(this.#size);
    const { visible, count, length } = this.#visible(maySee);
    const nothing = { documents: [], scores, words: new Set<string>() };
    if (wanted.length === 0 || count === 0) return nothing;
    const matched = new Uint8Array(this.#size);
    for (const [nth, each] of wanted.entries()) {
      await pace();
      const { weights, found } = this.#weightsOf(each, visible);
      let documents = 0;
      for (let doc = 0; doc < weights.length; doc++) if (weights[doc]! > 0) documents++;
      if (documents === 0) return nothing;
      for (const word of found) words.add(word);
      const rarity = Math.log(1 + (count - documents + 0.5) / (documents + 0.5));
      for (let doc = 0; doc < weights.length; doc++) {
        const weight = weights[doc]!;
        if (weight === 0 || matched[doc] !== nth) continue;
        const long = 0.6 + (0.4 * this.#cell(doc, LENGTH) * count) / length;
        scores[doc]! += (rarity * weight * 2.2) / (weight + 1.2 * long);
        matched[doc] = nth + 1;
      }
    }
    for (const each of unwanted) {
      await pace();
      const { weights } = this.#weightsOf({ words: each, isPrefix: false }, visible, false);
      for (let doc = 0; doc < weights.length; doc++) if (weights[doc]! > 0) matched[doc] = 0;
    }
    const documents: number[] = [];
    for (let doc = 0; doc < this.#size; doc++) if (matched[doc] === wanted.length) documents.push(doc);
    return { documents, scores, words };
  }

  /** @param doc a number in `FoundDocuments`, as long as the index is not changed */
  keyOf(doc: number): number {
    return this.#cell(doc, KEY);
  }

  factsOf(doc: number): number {
    return this.#cell(doc, FACTS);
  }

  publicFromOf(doc: number): number {
    return this.#cell(doc, PUBLIC_FROM);
  }

  updatedAtOf(doc: number): number {
    return this.#cell(doc, UPDATED_AT);
  }

  /** Which documents may be found, how many these are, and how many words they have together. */
  #visible(maySee: MaySee) {
    const visible = new Uint8Array(this.#size);
    let [count, length] = [0, 0];
    for (let doc = 0; doc < this.#size; doc++) {
      if (this.#cell(doc, KEY) === NO_KEY || !maySee(this.#cell(doc, FACTS), this.#cell(doc, PUBLIC_FROM))) continue;
      visible[doc] = 1;
      count++;
      length += this.#cell(doc, LENGTH);
    }
    return { visible, count, length: Math.max(1, length) };
  }

  /** How much each document has of a word or a phrase. */
  #weightsOf({ words, isPrefix }: Wanted, visible: Uint8Array, mayDiffer = true) {
    const weights = new Float32Array(this.#size);
    if (words.length > 1) {
      for (const part of this.#parts) addPhrase(part, words, visible, weights);
      return { weights, found: words };
    }
    const [word = ""] = words;
    const add = (places: (part: Postings) => Iterable<readonly [place: number, factor: number]>): string[] => {
      const found: string[] = [];
      for (const part of this.#parts)
        for (const [place, factor] of places(part)) {
          let isFound = false;
          eachPosting(part, place, ({ doc, weight }) => {
            if (visible[doc] === 0) return;
            weights[doc]! += weight * factor;
            isFound = true;
          });
          if (isFound) found.push(part.words[place]!);
        }
      return found;
    };
    const found = add((part) => this.#likeWords(part, word, isPrefix));
    if (found.length > 0 || !mayDiffer) return { weights, found };
    return { weights, found: add((part) => mistyped(part, word)) };
  }

  /** The word itself, those with its stem, and those that begin with it. */
  #likeWords(part: Postings, word: string, isPrefix: boolean): ReadonlyMap<number, number> {
    const places = new Map<number, number>();
    if (isPrefix && (word.length >= PREFIX_LENGTH || word > "\u{2e80}")) {
      const [from, to] = placesBelow(part, word);
      const all = Array.from({ length: to - from }, (_, n) => from + n);
      const size = (place: number): number => part.starts[place + 1]! - part.starts[place]!;
      let left = PREFIXES_SIZE;
      for (const place of all.sort((a, b) => size(b) - size(a)).slice(0, PREFIXES_MAX))
        if (size(place) <= left || places.size === 0) {
          places.set(place, PREFIX);
          left -= size(place);
        }
    }
    const stem = this.#stem(word);
    // A stem differs from its words at their ends: `bakeri` of `bakery`.
    const [from, to] = placesBelow(part, stem.slice(0, Math.max(3, stem.length - 1)));
    for (let place = from; place < to; place++) if (this.#stem(part.words[place]!) === stem) places.set(place, STEM);
    const own = wordAt(part, word);
    if (own >= 0) places.set(own, 1);
    return places;
  }
}

/** A word with one typo still begins or ends as it should: two letters that were exchanged may be on both sides of the middle. */
function* mistyped(part: Postings, word: string): Generator<readonly [number, number]> {
  const half = word.length >> 1;
  const [from, to] = placesBelow(part, word.slice(0, half - 1));
  const ending = word.slice(half);
  for (let place = 0; place < part.words.length; place++) {
    const each = part.words[place]!;
    const isNear = (place >= from && place < to) || each.endsWith(ending);
    if (isNear && mayMean(word, each)) yield [place, TYPO];
  }
}

/** Adds what documents have of words that stand one after the other. */
function addPhrase(part: Postings, words: readonly string[], visible: Uint8Array, weights: Float32Array): void {
  const places = words.map((word) => wordAt(part, word));
  if (places.includes(-1)) return;
  const size = (nth: number): number => part.starts[places[nth]! + 1]! - part.starts[places[nth]!]!;
  const [rarest, ...others] = places.map((_, nth) => nth).sort((a, b) => size(a) - size(b));
  /** By document, where the phrase may begin. */
  let begins = new Map<number, { readonly at: readonly number[]; readonly weight: number }>();
  const beginsOf = (posting: Posting, nth: number): number[] => positionsOf(part, posting).map((at) => at - nth);
  eachPosting(part, places[rarest!]!, (posting) => {
    if (visible[posting.doc] === 1) begins.set(posting.doc, { at: beginsOf(posting, rarest!), weight: posting.weight });
  });
  for (const nth of others) {
    const left: typeof begins = new Map();
    eachPosting(part, places[nth]!, (posting) => {
      const known = begins.get(posting.doc);
      if (!known) return;
      const here = new Set(beginsOf(posting, nth));
      const at = known.at.filter((each) => here.has(each));
      if (at.length > 0) left.set(posting.doc, { at, weight: Math.min(known.weight, posting.weight) });
    });
    begins = left;
  }
  for (const [doc, { weight }] of begins) weights[doc]! += weight * words.length;
}
