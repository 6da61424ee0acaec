/**
 * Writes the next content cache under a temporary name, until it takes the place of the last one. A record that is in
 * it is read from there from then on, so a first start of a large site does not hold the content of all files in
 * memory.
 */
import { randomBytes } from "node:crypto";
import { openSync, readdirSync, rename, rmSync, statSync, write, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { pace } from "../../time-slices.ts";
import { openEncoder, type Cached, type CacheEncoder } from "./cache-file.ts";
import type { ContentImage } from "./cache-image.ts";
import { sourceOfFile, type CacheSource } from "./cache-source.ts";
import { ParsedRecord } from "./parsed-record.ts";
import type { CachedRecord } from "./stored-records.ts";

/** In bytes: about so much is written at once. */
const CHUNK_BYTES = 1024 * 1024;
/** In milliseconds. A process that has written nothing to its file for so long is gone: a start takes seconds. */
const ABANDONED = 600_000;

const writeInThreadPool = promisify(write);
const renameInThreadPool = promisify(rename);

/** Each method throws the errors of the disk: then the writer is to be discarded. */
export class CacheWriter {
  readonly #path: string;
  readonly #file: number;
  /** To be closed by the owner, also of a discarded writer: what was written is still read from it. */
  readonly source: CacheSource;
  readonly #encoder: CacheEncoder;
  /** undefined once it has its name, or is removed. */
  #temporary: string | undefined;
  #count = 0;
  #end = 0;

  /** @param settings see invariant 3 of the cache */
  constructor(path: string, settings: string) {
    removeAbandoned(path);
    this.#path = path;
    this.#temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
    this.#file = openSync(this.#temporary, "wx+", 0o600);
    this.source = sourceOfFile(this.#file, Number.NaN);
    this.#encoder = openEncoder(settings);
  }

  /** Writes records at once, without a turn of the event loop. */
  addAtOnce(records: readonly ParsedRecord[]): void {
    const bytes = Buffer.concat(records.map((record) => this.#encoder.add(record)));
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#end + done);
    this.#noteWritten(records, bytes.length);
  }

  /** Writes records in slices. @throws DamagedBody of a record that is in another file */
  async add(records: readonly CachedRecord[]): Promise<void> {
    let chunk: Uint8Array[] = [];
    let size = 0;
    let written = 0;
    for (const [place, record] of records.entries()) {
      const rest = pace();
      if (rest) await rest;
      const body = this.#encoder.add(record);
      chunk.push(body);
      size += body.length;
      if (size < CHUNK_BYTES && place < records.length - 1) continue;
      await this.#write(Buffer.concat(chunk));
      this.#noteWritten(records.slice(written, place + 1), size);
      written = place + 1;
      [chunk, size] = [[], 0];
    }
  }

  /** How many records were added. */
  get count(): number {
    return this.#count;
  }

  /** Writes what follows the records, and gives the file its name. */
  async finish(files: Cached["files"], image?: ContentImage): Promise<void> {
    for (const piece of this.#encoder.end(files, image)) {
      await pace();
      await this.#write(piece);
      this.#end += piece.length;
    }
    // Hundreds of megabytes take a quarter of a second: ext4 writes a file to the disk before it replaces another one.
    if (this.#temporary !== undefined) await renameInThreadPool(this.#temporary, this.#path);
    this.#temporary = undefined;
  }

  /** Removes the file, unless it is complete. */
  discard(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
    this.#temporary = undefined;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;)
      done += (await writeInThreadPool(this.#file, bytes, done, bytes.length - done, this.#end + done)).bytesWritten;
  }

  #noteWritten(records: readonly CachedRecord[], bytes: number): void {
    const bodies = this.#encoder.bodies(this.source, this.#count);
    for (const [at, record] of records.entries()) if (record instanceof ParsedRecord) record.moveTo(bodies[at]!);
    this.#count += records.length;
    this.#end += bytes;
  }
}

/** Removes what processes that were killed have left. */
function removeAbandoned(path: string): void {
  const dir = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dir)) {
    if (!name.startsWith(start) || !name.endsWith(".tmp")) continue;
    const file = join(dir, name);
    const modified = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - modified > ABANDONED) rmSync(file, { force: true });
  }
}
