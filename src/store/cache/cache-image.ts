/**
 * The image in a content cache: the files that its records were parsed from, and look-ups over the records. A start
 * uses both as they are. Without an image it reads the summaries of all records to build them.
 */
import type { Oid, Path } from "../repo.ts";
import { StoredMap, type Column, type StoredKeys } from "../maps/stored-map.ts";
import {
  hashedKeys,
  makeHashTable,
  EMPTY_PIECE,
  numberPieces,
  PIECE_COUNT,
  TextColumnWriter,
  type ColumnReader,
  type Piece,
} from "./columns.ts";

/** Texts or numbers, each with a number or several. */
export type LookupKey = string | number;
export type LookupValue = number | readonly number[];

export interface CachedLookup {
  readonly name: string;
  /** Each key once; all of them texts, or all of them numbers. */
  readonly entries: Iterable<readonly [LookupKey, LookupValue]>;
  /** Whether the keys are in ascending order. */
  readonly isSorted: boolean;
}

export interface ContentImage {
  /** How many records it is of. */
  readonly count: number;
  readonly files: Iterable<readonly [Path, Oid]>;
  readonly lookups: Iterable<CachedLookup>;
}

export interface StoredImage {
  readonly paths: StoredKeys<Path>;
  /** By the place of the path. */
  readonly oids: Column<Oid>;
  readonly lookups: ReadonlyMap<string, StoredMap<LookupKey, LookupValue>>;
}

/** The part of an image that is stored as JSON instead of columns. */
export interface ImageHead {
  readonly lookups: LookupHead[];
}

interface LookupHead {
  readonly name: string;
  readonly isSorted: boolean;
  readonly isNumeric: boolean;
  /** The values that are several numbers, by their place. */
  readonly several: readonly (readonly [place: number, numbers: readonly number[]])[];
}

/** @param head receives the part that is stored as JSON */
export function* encodeImage({ files, lookups }: ContentImage, seed: number, head: ImageHead): Generator<Piece> {
  const [paths, oids] = [new TextColumnWriter(), new TextColumnWriter()];
  for (const [path, oid] of files) {
    paths.add(path);
    oids.add(oid);
    if (paths.length % PIECE_COUNT === 0) yield EMPTY_PIECE;
  }
  yield* paths.pieces();
  yield* makeHashTable(paths, seed);
  yield* oids.pieces();
  for (const lookup of lookups) yield* encodeLookup(lookup, seed, head.lookups);
}

/** Reads the columns in the order in which `encodeImage` writes them. */
export function decodeImage(head: ImageHead, reader: ColumnReader, seed: number): StoredImage {
  return {
    paths: hashedKeys<Path>(reader.text(), reader.integers(), seed),
    oids: reader.text(),
    lookups: new Map(head.lookups.map((lookup) => [lookup.name, decodeLookup(lookup, reader, seed)])),
  };
}

function* encodeLookup(lookup: CachedLookup, seed: number, heads: LookupHead[]): Generator<Piece> {
  const texts = new TextColumnWriter();
  const numbers: number[] = [];
  const values: number[] = [];
  const several: [number, readonly number[]][] = [];
  for (const [key, value] of lookup.entries) {
    if (typeof key === "number") numbers.push(key);
    else texts.add(key);
    if (typeof value !== "number") several.push([values.length, value]);
    values.push(typeof value === "number" ? value : Number.NaN);
    if (values.length % PIECE_COUNT === 0) yield EMPTY_PIECE;
  }
  const isNumeric = numbers.length > 0;
  heads.push({ name: lookup.name, isSorted: lookup.isSorted, isNumeric, several });
  yield* isNumeric ? numberPieces(Float64Array.from(numbers)) : texts.pieces();
  yield* makeHashTable<LookupKey>(isNumeric ? numbers : texts, seed);
  yield* numberPieces(Float64Array.from(values));
}

function decodeLookup(
  { isSorted, isNumeric, several }: LookupHead,
  reader: ColumnReader,
  seed: number,
): StoredMap<LookupKey, LookupValue> {
  const column = isNumeric ? reader.numbers() : reader.text();
  const keys = hashedKeys<LookupKey>(column, reader.integers(), seed);
  const values = reader.numbers();
  const lists = new Map(several);
  return new StoredMap<LookupKey, LookupValue>({
    keys,
    valueAt: (place) => lists.get(place) ?? values[place]!,
    isSorted,
  });
}
