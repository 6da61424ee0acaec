/**
 * An index of texts in one language: which documents have the words of a query, the best first.
 *
 * Documents are added and removed, never changed. What was added becomes a part (`postings.ts`); parts are merged as they
 * become many, and removed documents leave the bytes with the next merge of all. Ranking is BM25 over words that weigh as
 * much as the fields they stand in. A document that a caller may not see counts for nothing, so that no rank tells of it.
 */
import { pace } from "../../time-slices.ts";
import { keepPhrases } from "./phrases.ts";
import { Cursor, mergePostings, placesBelow, PostingsBuilder, wordAt, type Postings } from "./postings.ts";
import type { SearchQuery } from "./query.ts";
import type { Stem } from "./stemmer.ts";
import { mayMean, wordsOf } from "./words.ts";

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
  readonly text: string;
  /** How much a word of it counts; 1 for that of a body. */
  readonly weight: number;
}

/** Whether a document may be found. @param doc its number, see `TextIndex.factsOf` */
export type MaySee = (doc: number) => boolean;

export interface FoundDocuments {
  /** By the number of a document: 1 where it was found. Those of one key follow each other. */
  readonly matched: Float32Array;
  /** By the number of a document that was found; a higher one is better. */
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
/** Words of documents in a part while many are added. */
const PART_SIZE = 256 * 1024;
/** The small parts are merged with the largest one when they have grown to a quarter of it; so are removed documents. */
const MERGED_FROM = 0.25;

/** Columns of the table of documents. */
const ROW = 5;
const [KEY, PUBLIC_FROM, UPDATED_AT, FACTS, LENGTH] = [0, 1, 2, 3, 4] as const;
const NO_KEY = -1;

const NOTHING: FoundDocuments = { matched: new Float32Array(), scores: new Float32Array(), words: new Set() };

/** What each document has of a wanted word. */
interface Weighed {
  readonly weights: Float32Array;
  /** How many have some of it. */
  readonly documents: number;
  /** The words of the index that stand for it. */
  readonly words: readonly string[];
}

export class TextIndex {
  readonly #stem: Stem;
  #parts: readonly Postings[] = [];
  #open = new PostingsBuilder();
  #rows = new Float64Array(ROW * 64);
  #size = 0;
  #removed = 0;
  /** The arrays of the last search. */
  readonly #arrays: Float32Array[] = [];
  #arraysUsed = 0;
  /** The first document of each key. */
  readonly #firstOf = new Map<number, number>();

  constructor(stem: Stem) {
    this.#stem = stem;
  }

  add(document: SearchedDocument, fields: Iterable<SearchedField>): void {
    const doc = this.#newRow();
    const words = new Map<string, { weight: number; readonly positions: number[] }>();
    let length = 0;
    let position = 1;
    for (const { text, weight } of fields) {
      for (const word of wordsOf(text)) {
        const known = words.get(word);
        if (known) {
          known.weight += weight;
          known.positions.push(position++);
        } else words.set(word, { weight, positions: [position++] });
        length++;
      }
      position += FIELD_GAP;
    }
    for (const [word, { weight, positions }] of words) this.#open.add(doc, word, weight, positions);
    this.#rows.set([document.key, document.publicFrom, document.updatedAt, document.facts, length], doc * ROW);
    if (!this.#firstOf.has(document.key)) this.#firstOf.set(document.key, doc);
    if (this.#open.size > PART_SIZE) this.#close();
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
    const size = ({ documents, places }: Postings): number => documents.length + places.length;
    const small = others.reduce((sum, part) => sum + size(part), 0);
    if (largest && this.#removed <= MERGED_FROM * this.#size && small < MERGED_FROM * size(largest))
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
    if (this.#open.size > 0) this.#parts = [...this.#parts, this.#open.finish()];
    this.#open = new PostingsBuilder();
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
   * Other requests are answered meanwhile. To be awaited before the index is changed, and its result used before the next
   * search.
   */
  async search({ wanted, unwanted }: SearchQuery, maySee: MaySee): Promise<FoundDocuments> {
    this.#arraysUsed = 0;
    const { visible: matched, count, length } = this.#visible(maySee);
    const scores = this.#numbers();
    const weighed: Weighed[] = [];
    for (const { words, isPrefix } of wanted)
      for (const word of words) {
        await pace();
        const each = words.length > 1 ? this.#weigh(matched, exactly(word)) : this.#weighLike(word, isPrefix, matched);
        if (each.documents === 0) return NOTHING;
        weighed.push(each);
      }
    if (weighed.length === 0) return NOTHING;
    for (const { weights } of weighed)
      for (let doc = 0; doc < this.#size; doc++) if (weights[doc] === 0) matched[doc] = 0;
    for (const { words } of wanted) if (words.length > 1) await keepPhrases(this.#parts, words, matched, true);
    for (const words of unwanted) {
      await pace();
      if (words.length > 1) await keepPhrases(this.#parts, words, matched, false);
      else {
        const { weights } = this.#weigh(matched, (part) => this.#likeWords(part, words[0]!, false));
        for (let doc = 0; doc < this.#size; doc++) if (weights[doc]! > 0) matched[doc] = 0;
      }
    }
    const lengthFactor = (0.48 * count) / length;
    for (const { weights, documents } of weighed) {
      await pace();
      const rarity = Math.log(1 + (count - documents + 0.5) / (documents + 0.5));
      for (let doc = 0; doc < this.#size; doc++) {
        if (matched[doc] === 0) continue;
        const weight = weights[doc]!;
        scores[doc]! += (rarity * weight * 2.2) / (weight + 0.72 + lengthFactor * this.#cell(doc, LENGTH));
      }
    }
    return { matched, scores, words: new Set(weighed.flatMap(({ words }) => words)) };
  }

  /** @param doc a number that `search` found, as long as the index is not changed */
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

  /** A zero for each document. New arrays of megabytes would have V8 collect all garbage after every few searches. */
  #numbers(): Float32Array {
    const nth = this.#arraysUsed++;
    if ((this.#arrays[nth]?.length ?? -1) < this.#size) this.#arrays[nth] = new Float32Array(this.#rows.length / ROW);
    return this.#arrays[nth]!.subarray(0, this.#size).fill(0);
  }

  /** Which documents may be found, how many these are, and how many words they have together. */
  #visible(maySee: MaySee) {
    const visible = this.#numbers();
    let [count, length] = [0, 0];
    for (let doc = 0; doc < this.#size; doc++) {
      if (this.#cell(doc, KEY) === NO_KEY || !maySee(doc)) continue;
      visible[doc] = 1;
      count++;
      length += this.#cell(doc, LENGTH);
    }
    return { visible, count, length: Math.max(1, length) };
  }

  #weighLike(word: string, isPrefix: boolean, visible: Float32Array): Weighed {
    const like = this.#weigh(visible, (part) => this.#likeWords(part, word, isPrefix));
    return like.documents > 0 ? like : this.#weigh(visible, (part) => mistyped(part, word));
  }

  /** How much each document has of some words. */
  #weigh(
    visible: Float32Array,
    wordsOf: (part: Postings) => Iterable<readonly [place: number, factor: number]>,
  ): Weighed {
    const weights = this.#numbers();
    const words: string[] = [];
    let documents = 0;
    for (const part of this.#parts)
      for (const [place, factor] of wordsOf(part)) {
        let isFound = false;
        const cursor = new Cursor(part, place);
        for (cursor.next(); cursor.doc !== Infinity; cursor.next()) {
          if (visible[cursor.doc] === 0) continue;
          if (weights[cursor.doc] === 0) documents++;
          weights[cursor.doc]! += cursor.weight * factor;
          isFound = true;
        }
        if (isFound) words.push(part.words[place]!);
      }
    return { weights, documents, words };
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

const exactly =
  (word: string) =>
  (part: Postings): readonly (readonly [number, number])[] => {
    const place = wordAt(part, word);
    return place < 0 ? [] : [[place, 1]];
  };

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
