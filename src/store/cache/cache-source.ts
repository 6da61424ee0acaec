/** Where the bytes of a content cache are read from. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Base } from "../records/record-type.ts";

/** The bytes of a body are not those that were written. */
export class DamagedBody extends Error {
  override readonly name = "DamagedBody";
}

/** Bytes that are read piece by piece. */
export interface CacheSource {
  readonly size: number;
  /** Fewer bytes than asked for where it ends. */
  read(at: number, length: number): Uint8Array;
  close(): void;
}

/** Of one record. A class without closures: there is one for each record of the site. */
export class StoredBody {
  readonly #source: Pick<CacheSource, "read">;
  readonly #at: number;
  readonly #length: number;
  readonly #crc: number;

  constructor(source: Pick<CacheSource, "read">, at: number, length: number, crc: number) {
    this.#source = source;
    this.#at = at;
    this.#length = length;
    this.#crc = crc;
  }

  /** @param base of the record @throws DamagedBody */
  read(base: Base): Uint8Array {
    const bytes = this.#source.read(this.#at, this.#length);
    if (bytes.length === this.#length && crc32(bytes) === this.#crc) return bytes;
    throw new DamagedBody(`The content cache is damaged: ${base} cannot be read from it.`);
  }
}

export const sourceOfBytes = (bytes: Uint8Array): CacheSource => ({
  size: bytes.length,
  read: (at, length) => bytes.subarray(at, at + length),
  close: () => undefined,
});

/** A file that stays open, so that it is not another one when its name is given to the next cache. */
export function openSource(path: string): CacheSource | undefined {
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
export function sourceOfFile(file: number, size: number): CacheSource {
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
