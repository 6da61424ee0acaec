/**
 * The format of the content cache, in its file and between processes:
 *
 *     record bodies (JSON) | index | format version | index length | CRC-32 of the three before
 *
 * with 4 bytes for each of the three numbers. The index has a CRC-32 of each body, which is checked when the body is
 * read: so a start reads and checks the index alone, a tenth of the bytes. It is at the end, so that bodies are written
 * one by one: at 100,000 pages they have 600 MB. The index is
 *
 *     columns (`columns.ts`) | head (JSON, see `Head`) | length of the head (4 bytes)
 */
import { randomInt } from "node:crypto";
import { endianness } from "node:os";
import { crc32 } from "node:zlib";
import type { FileContent } from "../codec/codec.ts";
import { decodeImage, encodeImage, type ContentImage, type ImageHead, type StoredImage } from "./cache-image.ts";
import { ColumnReader, encodeColumns, makeHashTable, numberPieces, TextColumnWriter, type Piece } from "./columns.ts";
import { StoredBody, type CacheSource } from "./cache-source.ts";
import { OpenRecords, type CachedRecord, type StoredRecords } from "./stored-records.ts";

export interface Cached {
  readonly files: readonly (readonly [key: string, content: FileContent])[];
  readonly records: StoredRecords;
  /** undefined where a start has to read every record. */
  readonly image: StoredImage | undefined;
}

interface Head {
  readonly settings: string;
  /** The byte order of the numbers in the columns: that of the machine that wrote them. */
  readonly byteOrder: string;
  /** The seed of the hash function. */
  readonly seed: number;
  readonly files: Cached["files"];
  /** A column has the index of each record's kind in this list. */
  readonly kinds: readonly string[];
  readonly image: ImageHead | undefined;
  /** The lengths of the columns, in bytes. */
  readonly lengths: readonly number[];
}

const FORMAT = 15;
const FOOT_BYTES = 12;
const HEAD_LENGTH_BYTES = 4;

export interface CacheEncoder {
  /** @returns its body: the cache begins with those of all records, in the order of these calls. @throws DamagedBody */
  add(record: CachedRecord): Uint8Array;
  /** The bodies that were added, from one of them on, as they are in the cache. */
  bodies(source: Pick<CacheSource, "read">, from: number): readonly StoredBody[];
  /** What follows the bodies, in pieces. */
  end(files: Cached["files"], image?: ContentImage): Iterable<Uint8Array>;
}

/** @param settings what else the content depends on, see invariant 3 of the cache */
export function openEncoder(settings: string): CacheEncoder {
  const seed = randomInt(2 ** 32);
  const kinds: string[] = [];
  const [bases, filesKeys, summaries] = [new TextColumnWriter(), new TextColumnWriter(), new TextColumnWriter()];
  const numbers: { kinds: number[]; isSelfContained: number[]; ids: number[]; lengths: number[]; crcs: number[] } = {
    kinds: [],
    isSelfContained: [],
    ids: [],
    lengths: [],
    crcs: [],
  };
  const starts: number[] = [];
  let end = 0;

  /** In the order in which `OpenRecords` reads them. */
  function* columns(): Generator<Piece> {
    yield* bases.pieces();
    yield* filesKeys.pieces();
    yield* summaries.pieces();
    for (const each of [numbers.kinds, numbers.isSelfContained, numbers.lengths, numbers.crcs])
      yield* numberPieces(Uint32Array.from(each));
    yield* numberPieces(Float64Array.from(numbers.ids));
    yield* makeHashTable(bases, seed);
    yield* makeHashTable(numbers.ids, seed);
  }

  function* index(files: Cached["files"], image: ContentImage | undefined): Generator<Uint8Array> {
    const lengths: number[] = [];
    yield* encodeColumns(columns(), lengths);
    const imageHead: ImageHead | undefined = image && { lookups: [] };
    if (image && imageHead) yield* encodeColumns(encodeImage(image, seed, imageHead), lengths);
    const head: Head = { settings, byteOrder: endianness(), seed, files, kinds, image: imageHead, lengths };
    const bytes = Buffer.from(JSON.stringify(head));
    yield bytes;
    const length = Buffer.alloc(HEAD_LENGTH_BYTES);
    length.writeUInt32LE(bytes.length);
    yield length;
  }

  return {
    add(record) {
      const body = record.body();
      starts.push(end);
      end += body.length;
      if (!kinds.includes(record.kind)) kinds.push(record.kind);
      numbers.kinds.push(kinds.indexOf(record.kind));
      bases.add(record.base);
      filesKeys.add(record.filesKey);
      numbers.isSelfContained.push(Number(record.isSelfContained));
      numbers.ids.push(record.summary.id);
      numbers.lengths.push(body.length);
      numbers.crcs.push(crc32(body));
      summaries.add(JSON.stringify(record.summary));
      return body;
    },
    bodies: (source, from) =>
      starts
        .slice(from)
        .map((start, at) => new StoredBody(source, start, numbers.lengths[from + at]!, numbers.crcs[from + at]!)),
    *end(files, image) {
      let length = 0;
      let crc = 0;
      for (const piece of index(files, image)) {
        length += piece.length;
        // For an empty buffer zlib returns 0, not the CRC so far.
        if (piece.length > 0) crc = crc32(piece, crc);
        yield piece;
      }
      const foot = Buffer.alloc(FOOT_BYTES);
      foot.writeUInt32LE(FORMAT, 0);
      foot.writeUInt32LE(length, 4);
      foot.writeUInt32LE(crcWithFoot(crc, foot), 8);
      yield foot;
    },
  };
}

/** The CRC-32 of the index and the first two numbers of the foot. @param crc that of the index */
const crcWithFoot = (crc: number, foot: Buffer): number => crc32(foot.subarray(0, 8), crc);

/** undefined for a source that is too short to have one, or has become so. */
function footOf(source: CacheSource): Buffer | undefined {
  const foot = source.size < FOOT_BYTES ? NO_BYTES : source.read(source.size - FOOT_BYTES, FOOT_BYTES);
  return foot.length < FOOT_BYTES ? undefined : Buffer.from(foot);
}

/** @returns undefined for a damaged index, a wrong length, another format or other settings */
export function decodeCache(source: CacheSource, settings: string): Cached | undefined {
  const foot = footOf(source);
  if (foot?.readUInt32LE(0) !== FORMAT) return undefined;
  const length = foot.readUInt32LE(4);
  const at = source.size - FOOT_BYTES - length;
  const index = at < 0 ? NO_BYTES : source.read(at, length);
  if (foot.readUInt32LE(8) !== crcWithFoot(crc32(index), foot)) return undefined;
  const head = headOf(index);
  if (head.settings !== settings || head.byteOrder !== endianness()) return undefined;
  const reader = new ColumnReader(index, head.lengths);
  const records = new OpenRecords(reader, head.kinds, head.seed, source);
  // They end where the index begins.
  if (records.end !== at) return undefined;
  return { files: head.files, records, image: head.image && decodeImage(head.image, reader, head.seed) };
}

function headOf(index: Uint8Array): Head {
  const end = index.length - HEAD_LENGTH_BYTES;
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.length);
  return JSON.parse(bytes.toString("utf8", end - bytes.readUInt32LE(end), end)) as Head;
}

const NO_BYTES = new Uint8Array();
