/**
 * The format of the content cache, in its file and between processes:
 *
 *     record bodies (JSON) | index (JSON, see `Index`) | format version | index length | CRC-32 of the three before
 *
 * with 4 bytes for each of the three numbers. The index has a CRC-32 of each body, which is checked when the body is
 * read: so a start reads and checks the index alone, a tenth of the bytes. It is at the end, so that bodies are written
 * one by one: at 100,000 pages they have 600 MB.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { FileContent } from "../codec/codec.ts";
import type { Base, CachedParts, Entity, Entry } from "../content/record-type.ts";

/** A record with what is known of it without parsing its body. */
export interface CachedRecord extends CachedParts {
  readonly kind: string;
  readonly base: Base;
  /** Its entry in the content, which is made once, when the record is first found. */
  entry: Entry | undefined;
  /** The record as JSON. @throws DamagedBody */
  body(): Uint8Array;
}

export interface Cached {
  readonly files: readonly (readonly [key: string, content: FileContent])[];
  readonly records: readonly CachedRecord[];
}

/** The bytes of a body are not those that were written. */
export class DamagedBody extends Error {
  override readonly name = "DamagedBody";
}

/** Bytes that are read piece by piece. */
export interface Source {
  readonly size: number;
  /** Fewer bytes than asked for where it ends. */
  read(at: number, length: number): Uint8Array;
  close(): void;
}

interface Index {
  readonly settings: string;
  readonly files: Cached["files"];
  readonly records: Columns;
}

/** What there is of each record, in the order of the bodies. An array for each of them would take longer to parse. */
interface Columns {
  readonly kinds: string[];
  readonly bases: Base[];
  readonly filesKeys: string[];
  /** 1 for a record that is self-contained. */
  readonly isSelfContained: number[];
  /** In bytes. */
  readonly lengths: number[];
  /** As signed numbers, which V8 keeps in the array itself. */
  readonly crcs: number[];
  readonly summaries: Entity[];
}

const FORMAT = 14;
const FOOT_BYTES = 12;

export interface CacheEncoder {
  /** @returns its body: the cache begins with those of all records, in the order of these calls. @throws DamagedBody */
  add(record: CachedRecord): Uint8Array;
  /** The records that were added, from one of them on, as they are in the cache. */
  stored(source: Pick<Source, "read">, from: number): readonly CachedRecord[];
  /** What follows the bodies, in pieces. */
  end(files: Cached["files"]): Iterable<Uint8Array>;
}

/** So many summaries are in a piece of the index. */
const PIECE_COUNT = 1000;

/** @param settings what else the content depends on, see invariant 3 of the cache */
export function openEncoder(settings: string): CacheEncoder {
  const columns: Columns = {
    kinds: [],
    bases: [],
    filesKeys: [],
    isSelfContained: [],
    lengths: [],
    crcs: [],
    summaries: [],
  };
  /** Made record by record: that of all at once would block the event loop. */
  const summaryTexts: string[] = [];
  const starts: number[] = [];
  let end = 0;

  function* index(files: Cached["files"]): Generator<string> {
    const { summaries: _, ...others } = columns;
    yield `{"settings":${JSON.stringify(settings)},"files":${JSON.stringify(files)},"records":{`;
    for (const [name, column] of Object.entries(others)) yield `"${name}":${JSON.stringify(column)},`;
    yield '"summaries":[';
    for (let at = 0; at < summaryTexts.length; at += PIECE_COUNT)
      yield (at === 0 ? "" : ",") + summaryTexts.slice(at, at + PIECE_COUNT).join();
    yield "]}}";
  }

  return {
    add(record) {
      const body = record.body();
      starts.push(end);
      end += body.length;
      columns.kinds.push(record.kind);
      columns.bases.push(record.base);
      columns.filesKeys.push(record.filesKey);
      columns.isSelfContained.push(Number(record.isSelfContained));
      columns.lengths.push(body.length);
      columns.crcs.push(signedCrc(body));
      columns.summaries.push(record.summary);
      summaryTexts.push(JSON.stringify(record.summary));
      return body;
    },
    stored: (source, from) =>
      starts.slice(from).map((start, place) => new StoredRecord(columns, from + place, source, start)),
    *end(files) {
      let length = 0;
      let crc = 0;
      for (const text of index(files)) {
        const piece = Buffer.from(text);
        length += piece.length;
        crc = crc32(piece, crc);
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

const signedCrc = (bytes: Uint8Array): number => crc32(bytes) | 0;

/** The CRC-32 of the index and the first two numbers of the foot. @param crc that of the index */
const crcWithFoot = (crc: number, foot: Buffer): number => crc32(foot.subarray(0, 8), crc);

/** undefined for a source that is too short to have one, or has become so. */
function footOf(source: Source): Buffer | undefined {
  const foot = source.size < FOOT_BYTES ? NO_BYTES : source.read(source.size - FOOT_BYTES, FOOT_BYTES);
  return foot.length < FOOT_BYTES ? undefined : Buffer.from(foot);
}

/** @returns undefined for a damaged index, a wrong length, another format or other settings */
export function decodeCache(source: Source, settings: string): Cached | undefined {
  const foot = footOf(source);
  if (foot?.readUInt32LE(0) !== FORMAT) return undefined;
  const length = foot.readUInt32LE(4);
  const at = source.size - FOOT_BYTES - length;
  const text = at < 0 ? NO_BYTES : source.read(at, length);
  if (foot.readUInt32LE(8) !== crcWithFoot(crc32(text), foot)) return undefined;
  const index = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.length).toString()) as Index;
  if (index.settings !== settings) return undefined;
  const records = storedRecords(index.records, source, at);
  return records && { files: index.files, records };
}

/** @param end of the last body @returns undefined where the bodies do not end there */
function storedRecords(columns: Columns, source: Source, end: number): readonly CachedRecord[] | undefined {
  let at = 0;
  const records = columns.lengths.map((length, place) => {
    const record = new StoredRecord(columns, place, source, at);
    at += length;
    return record;
  });
  return at === end ? records : undefined;
}

const NO_BYTES = new Uint8Array();

/** A class without closures: there is one for each record of the site. */
class StoredRecord implements CachedRecord {
  readonly kind: string;
  readonly base: Base;
  readonly filesKey: string;
  readonly isSelfContained: boolean;
  readonly summary: Entity;
  entry: Entry | undefined;
  readonly #source: Pick<Source, "read">;
  readonly #at: number;
  readonly #length: number;
  readonly #crc: number;

  constructor(columns: Columns, place: number, source: Pick<Source, "read">, at: number) {
    this.kind = columns.kinds[place]!;
    this.base = columns.bases[place]!;
    this.filesKey = columns.filesKeys[place]!;
    this.isSelfContained = columns.isSelfContained[place] === 1;
    this.summary = columns.summaries[place]!;
    this.#source = source;
    this.#at = at;
    this.#length = columns.lengths[place]!;
    this.#crc = columns.crcs[place]!;
  }

  body(): Uint8Array {
    const bytes = this.#source.read(this.#at, this.#length);
    if (bytes.length === this.#length && signedCrc(bytes) === this.#crc) return bytes;
    throw new DamagedBody(`The content cache is damaged: ${this.base} cannot be read from it.`);
  }
}

export const sourceOfBytes = (bytes: Uint8Array): Source => ({
  size: bytes.length,
  read: (at, length) => bytes.subarray(at, at + length),
  close: () => undefined,
});

/** A file that stays open, so that it is not another one when its name is given to the next cache. */
export function openSource(path: string): Source | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    return sourceOfFile(file, fstatSync(file).size);
  } catch {
    if (file !== undefined) closeSync(file);
    return undefined; // a cache that cannot be read is an empty one
  }
}

/** @param size in bytes; NaN of a file that is still written */
export function sourceOfFile(file: number, size: number): Source {
  let isClosed = false;
  return {
    size,
    read(at, length) {
      // The number of a closed file may be that of another one by now.
      if (isClosed) throw new Error("The site is closed: its content cannot be read any more.");
      const bytes = Buffer.allocUnsafe(length);
      let done = 0;
      for (let more = 1; more > 0 && done < length; done += more)
        more = readSync(file, bytes, done, length - done, at + done);
      return bytes.subarray(0, done);
    },
    close() {
      if (!isClosed) closeSync(file);
      isClosed = true;
    },
  };
}
