/**
 * Values of many records one after the other in one piece of memory, so that a start reads them without making an
 * object of each.
 */
import type { Column, StoredKeys } from "../maps/stored-map.ts";
import { findPlace, hashOf, newHashTable, putPlace, type HashTable } from "./hash-table.ts";

/** Makes each text when it is asked for. */
export class TextColumn implements Column<string> {
  readonly #ends: Uint32Array;
  readonly #bytes: Buffer;

  /** @param ends where each text ends, in bytes */
  constructor(ends: Uint32Array, bytes: Buffer) {
    this.#ends = ends;
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#ends.length;
  }

  at(place: number): string {
    return this.#bytes.toString("utf8", place === 0 ? 0 : this.#ends[place - 1]!, this.#ends[place]);
  }
}

/** A text column while it is made. */
export class TextColumnWriter implements Column<string> {
  readonly #texts: string[] = [];
  readonly #ends: number[] = [];
  #end = 0;

  get length(): number {
    return this.#texts.length;
  }

  add(text: string): void {
    this.#texts.push(text);
    this.#end += Buffer.byteLength(text);
    this.#ends.push(this.#end);
  }

  at(place: number): string {
    return this.#texts[place]!;
  }

  *pieces(): Generator<Piece> {
    yield Uint32Array.from(this.#ends);
    yield END_OF_COLUMN;
    for (let at = 0; at < this.#texts.length; at += PIECE_COUNT)
      yield Buffer.from(this.#texts.slice(at, at + PIECE_COUNT).join(""));
    yield END_OF_COLUMN;
  }
}

export function* numberPieces(numbers: Uint32Array | Float64Array): Generator<Piece> {
  yield numbers;
  yield END_OF_COLUMN;
}

/** So many texts are in a piece: those of all at once would block the event loop. */
export const PIECE_COUNT = 1000;

/** A part of a column, or the mark after its last part. */
export type Piece = Uint8Array | Uint32Array | Float64Array | typeof END_OF_COLUMN;
const END_OF_COLUMN = Symbol("end of a column");

/** A piece without bytes: between two pieces the writer of the file may yield to the event loop. */
export const EMPTY_PIECE = new Uint8Array();

/** What typed arrays are aligned to. */
const ALIGNMENT = 8;

/**
 * The bytes of columns, in pieces.
 *
 * @param lengths gets the length of each column, in bytes
 */
export function* encodeColumns(pieces: Iterable<Piece>, lengths: number[]): Generator<Uint8Array> {
  let length = 0;
  for (const piece of pieces) {
    if (piece === END_OF_COLUMN) {
      yield new Uint8Array(fillerOf(length));
      lengths.push(length);
      length = 0;
    } else {
      yield piece instanceof Uint8Array ? piece : new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
      length += piece.byteLength;
    }
  }
}

const fillerOf = (length: number): number => (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;

/** Reads the columns that `encodeColumns` has made, one after the other. */
export class ColumnReader {
  readonly #bytes: Uint8Array;
  readonly #lengths: Iterator<number, undefined>;
  #at = 0;

  constructor(bytes: Uint8Array, lengths: readonly number[]) {
    this.#bytes = bytes.byteOffset % ALIGNMENT === 0 ? bytes : Uint8Array.from(bytes);
    this.#lengths = lengths.values();
  }

  text(): TextColumn {
    const ends = this.integers();
    const { buffer, byteOffset, byteLength } = this.#next();
    return new TextColumn(ends, Buffer.from(buffer, byteOffset, byteLength));
  }

  /** Integers from 0 to 2^32 - 1. */
  integers(): Uint32Array {
    const { buffer, byteOffset, byteLength } = this.#next();
    return new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);
  }

  numbers(): Float64Array {
    const { buffer, byteOffset, byteLength } = this.#next();
    return new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
  }

  #next(): Uint8Array {
    const length = this.#lengths.next().value ?? 0;
    const column = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length + fillerOf(length);
    return column;
  }
}

/** A column whose keys are found by their hashes. Of equal keys, the last one is found. */
export function hashedKeys<K extends string | number>(
  column: Column<K | undefined>,
  table: HashTable,
  seed: number,
): StoredKeys<K> {
  return {
    length: column.length,
    at: (place) => column.at(place)!,
    placeOf: (key) => findPlace(table, hashOf(key, seed), (place) => column.at(place) === key),
  };
}

/** The hash table of a column, for `hashedKeys`. Yields between steps, so that it can be made in slices. */
export function* makeHashTable<K extends string | number>(
  column: Column<K | undefined>,
  seed: number,
): Generator<Piece> {
  const table = newHashTable(column.length);
  for (let place = 0; place < column.length; place++) {
    const key = column.at(place)!;
    putPlace(table, hashOf(key, seed), place, (other) => column.at(other) === key);
    if (place % PIECE_COUNT === 0) yield EMPTY_PIECE;
  }
  yield* numberPieces(table);
}
