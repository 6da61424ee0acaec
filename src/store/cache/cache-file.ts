/**
 * The format of the content cache, in its file and between processes:
 *
 *     CRC-32 of the three that follow | format version | head length | head (JSON, see `Head`) | record bodies (JSON)
 *
 * with 4 bytes for each of the three numbers. The head has a CRC-32 of each body, which is checked when the body is read:
 * so a start reads and checks the head alone, a tenth of the bytes.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { FileContent } from "../codec/codec.ts";
import type { Base, CachedParts, Entity } from "../content/record-type.ts";

/** A record with what is known of it without parsing its body. */
export interface CachedRecord extends CachedParts {
  readonly kind: string;
  readonly base: Base;
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

interface Head {
  readonly settings: string;
  readonly files: Cached["files"];
  /** In the order of the bodies; lengths in bytes. */
  readonly records: readonly HeadRow[];
}

type HeadRow = readonly [
  kind: string,
  base: Base,
  filesKey: string,
  isSelfContained: boolean,
  summary: Entity,
  length: number,
  crc: number,
];

const FORMAT = 12;
const FRONT_BYTES = 12;

export interface CacheEncoder {
  /** @throws DamagedBody */
  add(record: CachedRecord): void;
  /** The bytes of the cache, in chunks of about a megabyte. */
  chunks(): Iterable<Uint8Array>;
  /** The records that were added, in their order, as they are in the file. undefined for another file. */
  storedIn(source: Source): readonly CachedRecord[] | undefined;
}

/**
 * Encodes record by record, so that it can be done in slices.
 *
 * @param settings what else the content depends on, see invariant 3 of the cache
 */
export function openEncoder(settings: string, files: Cached["files"]): CacheEncoder {
  const rows: HeadRow[] = [];
  const texts: string[] = [];
  const bodies: Uint8Array[] = [];
  let head: Buffer | undefined;
  const headOf = (): Buffer =>
    (head ??= withFront(
      Buffer.from(
        `{"settings":${JSON.stringify(settings)},"files":${JSON.stringify(files)},"records":[${texts.join()}]}`,
      ),
    ));
  return {
    add(record) {
      const { kind, base, filesKey, isSelfContained, summary } = record;
      const body = record.body();
      const row: HeadRow = [kind, base, filesKey, isSelfContained, summary, body.length, crc32(body)];
      rows.push(row);
      texts.push(JSON.stringify(row));
      bodies.push(body);
    },
    chunks: () => chunksOf([headOf(), ...bodies]),
    storedIn(source) {
      const front = headOf().subarray(0, FRONT_BYTES);
      // It has the CRC-32 of the head, and with it that of each body.
      return front.equals(source.read(0, FRONT_BYTES)) ? storedRecords(rows, source, headOf().length) : undefined;
    },
  };
}

const CHUNK_BYTES = 1024 * 1024;

/** The pieces joined, since each chunk is a write of its own. */
function* chunksOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let chunk: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    chunk.push(piece);
    if ((size += piece.length) < CHUNK_BYTES) continue;
    yield Buffer.concat(chunk);
    [chunk, size] = [[], 0];
  }
  yield Buffer.concat(chunk);
}

function withFront(head: Buffer): Buffer {
  const front = Buffer.alloc(FRONT_BYTES);
  front.writeUInt32LE(FORMAT, 4);
  front.writeUInt32LE(head.length, 8);
  front.writeUInt32LE(crc32(head, crc32(front.subarray(4))), 0);
  return Buffer.concat([front, head]);
}

/** @returns undefined for a damaged head, a wrong length, another format or other settings */
export function decodeCache(source: Source, settings: string): Cached | undefined {
  const front = Buffer.from(source.read(0, FRONT_BYTES));
  if (front.length < FRONT_BYTES || front.readUInt32LE(4) !== FORMAT) return undefined;
  const headLength = front.readUInt32LE(8);
  const text = headLength > source.size ? NO_BYTES : source.read(FRONT_BYTES, headLength);
  if (front.readUInt32LE(0) !== crc32(text, crc32(front.subarray(4)))) return undefined;
  const head = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.length).toString()) as Head;
  if (head.settings !== settings) return undefined;
  const records = storedRecords(head.records, source, FRONT_BYTES + headLength);
  return records && { files: head.files, records };
}

/** @param start of the first body @returns undefined where the bodies do not end with the source */
function storedRecords(rows: readonly HeadRow[], source: Source, start: number): readonly CachedRecord[] | undefined {
  let end = start;
  const records = rows.map((row) => {
    const record = new StoredRecord(row, source, end);
    end += row[5];
    return record;
  });
  return end === source.size ? records : undefined;
}

const NO_BYTES = new Uint8Array();

/** A class without closures: there is one for each record of the site. */
class StoredRecord implements CachedRecord {
  readonly kind: string;
  readonly base: Base;
  readonly filesKey: string;
  readonly isSelfContained: boolean;
  readonly summary: Entity;
  readonly #source: Source;
  readonly #at: number;
  readonly #length: number;
  readonly #crc: number;

  constructor([kind, base, filesKey, isSelfContained, summary, length, crc]: HeadRow, source: Source, at: number) {
    this.kind = kind;
    this.base = base;
    this.filesKey = filesKey;
    this.isSelfContained = isSelfContained;
    this.summary = summary;
    this.#source = source;
    this.#at = at;
    this.#length = length;
    this.#crc = crc;
  }

  body(): Uint8Array {
    const bytes = this.#source.read(this.#at, this.#length);
    if (bytes.length === this.#length && crc32(bytes) === this.#crc) return bytes;
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

function sourceOfFile(file: number, size: number): Source {
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
