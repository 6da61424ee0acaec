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

interface Index {
  readonly settings: string;
  readonly files: Cached["files"];
  /** In the order of the bodies; lengths in bytes. */
  readonly records: readonly IndexRow[];
}

type IndexRow = readonly [
  kind: string,
  base: Base,
  filesKey: string,
  isSelfContained: boolean,
  summary: Entity,
  length: number,
  crc: number,
];

const FORMAT = 13;
const FOOT_BYTES = 12;

export interface CacheEncoder {
  /** @returns its body: the cache begins with those of all records, in the order of these calls. @throws DamagedBody */
  add(record: CachedRecord): Uint8Array;
  /** What follows the bodies. */
  end(): Uint8Array;
  /** The records that were added, in their order, as they are in the file. undefined for another file. */
  storedIn(source: Source): readonly CachedRecord[] | undefined;
}

/** @param settings what else the content depends on, see invariant 3 of the cache */
export function openEncoder(settings: string, files: Cached["files"]): CacheEncoder {
  const rows: IndexRow[] = [];
  const texts: string[] = [];
  let end: Buffer | undefined;
  const endOf = (): Buffer =>
    (end ??= withFoot(
      Buffer.from(
        `{"settings":${JSON.stringify(settings)},"files":${JSON.stringify(files)},"records":[${texts.join()}]}`,
      ),
    ));
  return {
    add(record) {
      const { kind, base, filesKey, isSelfContained, summary } = record;
      const body = record.body();
      const row: IndexRow = [kind, base, filesKey, isSelfContained, summary, body.length, crc32(body)];
      rows.push(row);
      texts.push(JSON.stringify(row));
      return body;
    },
    end: endOf,
    storedIn(source) {
      // It has the CRC-32 of the index, and with it that of each body.
      const isOurs = footOf(source)?.equals(endOf().subarray(-FOOT_BYTES));
      return isOurs ? storedRecords(rows, source, source.size - endOf().length) : undefined;
    },
  };
}

function withFoot(index: Buffer): Buffer {
  const foot = Buffer.alloc(FOOT_BYTES);
  foot.writeUInt32LE(FORMAT, 0);
  foot.writeUInt32LE(index.length, 4);
  foot.writeUInt32LE(checksum(index, foot), 8);
  return Buffer.concat([index, foot]);
}

/** undefined for a source that is too short to have one, or has become so. */
function footOf(source: Source): Buffer | undefined {
  const foot = source.size < FOOT_BYTES ? NO_BYTES : source.read(source.size - FOOT_BYTES, FOOT_BYTES);
  return foot.length < FOOT_BYTES ? undefined : Buffer.from(foot);
}

const checksum = (index: Uint8Array, foot: Buffer): number => crc32(foot.subarray(0, 8), crc32(index));

/** @returns undefined for a damaged index, a wrong length, another format or other settings */
export function decodeCache(source: Source, settings: string): Cached | undefined {
  const foot = footOf(source);
  if (foot?.readUInt32LE(0) !== FORMAT) return undefined;
  const length = foot.readUInt32LE(4);
  const at = source.size - FOOT_BYTES - length;
  const text = at < 0 ? NO_BYTES : source.read(at, length);
  if (foot.readUInt32LE(8) !== checksum(text, foot)) return undefined;
  const index = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.length).toString()) as Index;
  if (index.settings !== settings) return undefined;
  const records = storedRecords(index.records, source, at);
  return records && { files: index.files, records };
}

/** @param end of the last body @returns undefined where the bodies do not end there */
function storedRecords(rows: readonly IndexRow[], source: Source, end: number): readonly CachedRecord[] | undefined {
  let at = 0;
  const records = rows.map((row) => {
    const record = new StoredRecord(row, source, at);
    at += row[5];
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
  readonly #source: Source;
  readonly #at: number;
  readonly #length: number;
  readonly #crc: number;

  constructor([kind, base, filesKey, isSelfContained, summary, length, crc]: IndexRow, source: Source, at: number) {
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
