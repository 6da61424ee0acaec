/**
 * The content cache: parsed content from earlier starts, in one file of the private state (`cache-file.ts`).
 *
 * It holds complete records of kinds with `summaries`, and parsed files of all other kinds. Opening it reads the summary
 * of each record; the body (the whole record as JSON) is read and parsed when the record is first needed.
 *
 * Invariants, each with a test of its number in test/store/content-cache.test.ts:
 *
 * 1. A record is found only under its kind, its path and the blob ids of exactly the files it was made of; a parsed file
 *    only under its blob id. Otherwise an edit would be served as it was before.
 * 2. A cache of another format version is ignored: its bytes would be misread.
 * 3. A cache of other settings is ignored. They are everything else that decides what a file is parsed as: the program's
 *    version, which stands for its parsers, and the languages.
 * 4. What is damaged is never served. A damaged index or a wrong length is found before anything is read from the file.
 *    A damaged body is found when it is read: the reader is refused as unavailable, and the owner of the cache is told
 *    (`onDamage`), who parses all files again.
 * 5. The file stays open and is replaced as a whole by rename. So what another process or this one writes does not change
 *    what was opened. A program that overwrites it in place damages it (invariant 4).
 * 6. What was parsed from a file that changed after it was scanned is kept under the id of the bytes that were parsed, or
 *    not at all (`content/load-group.ts`).
 * 7. Only what the content consists of when the cache is written is kept, so it does not grow with every edit.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { unavailable } from "../../errors.ts";
import type { FileContent } from "../codec/codec.ts";
import type { AnyKind, Base, Entity } from "../content/record-type.ts";
import { cachedEntry, entryKey, type Entry } from "../content/snapshot.ts";
import { openPace } from "../../time-slices.ts";
import { replaceFile } from "../private/replace-file.ts";
import {
  DamagedBody,
  decodeCache,
  openEncoder,
  openSource,
  sourceOfBytes,
  type CacheEncoder,
  type Cached,
  type CachedRecord,
  type Source,
} from "./cache-file.ts";
import { ParsedRecord } from "./parsed-record.ts";

export interface ContentCache {
  /** @param key blob id of the file, for binary files with a suffix (see `factsKey`) */
  get(key: string): FileContent | undefined;
  set(key: string, content: FileContent): void;
  has(kind: AnyKind, base: Base, files: string): boolean;
  /** The record made of exactly these files. @param files their `filesKey` */
  find(kind: AnyKind, base: Base, files: string): Entry | undefined;
  /**
   * @param isSelfContained whether no other record determines part of it
   * @returns the entry to use: once the cache is written, its record is read from there when it is needed
   */
  setRecord(kind: AnyKind, entry: Entry, isSelfContained: boolean): Entry;
  /** Everything that was set, for the `add` of another process's cache. */
  share(): Uint8Array;
  /** Adds what `share` of another process returned. Damaged bytes and those of other settings are ignored. */
  add(share: Uint8Array): void;
  /**
   * Writes the given files and records if enough of the cache is new, then empties it: the entries are in the snapshot.
   * Works in slices.
   *
   * @param keys of the files (see `get`) and records (see `entryKey`) the content consists of
   */
  flush(keys: () => Iterable<string>): Promise<void>;
  /** Calls the listener once, when a damaged body is read; the file is removed by then. */
  onDamage(listener: () => void): void;
  /** After it, no record is read from the file any more. */
  close(): void;
}

const FILE = "content.cache";
/** Reading fewer files than this takes less time than writing the cache. */
const NEW_MIN = 50;

/**
 * @param dir the private state folder; null keeps everything in memory
 * @param settings see invariant 3
 * @param writes whether `flush` writes the file; of several processes that open one site at once, one does
 */
export function openContentCache(dir: string | null, settings = "", writes = true): ContentCache {
  const path = dir && join(dir, FILE);
  const source = path === null ? undefined : openSource(path);
  const stored = source && decodeCache(source, settings);
  if (!stored) source?.close();
  return new OpenCache(path, settings, writes, stored, stored && source);
}

class OpenCache implements ContentCache {
  readonly #path: string | null;
  readonly #settings: string;
  readonly #writes: boolean;
  readonly #files: Map<string, FileContent>;
  /** By kind. */
  readonly #records = new Map<string, Map<Base, CachedRecord>>();
  /** What was set in this process. */
  readonly #own = { files: new Set<string>(), records: new Set<CachedRecord>() };
  /** The files that were opened: of the last start, and the one that was written. */
  readonly #sources: Source[] = [];
  #added = 0;
  #isFlushed = false;
  #isDamaged = false;
  #tellDamage: () => void = () => undefined;

  constructor(
    path: string | null,
    settings: string,
    writes: boolean,
    stored: Cached | undefined,
    source: Source | undefined,
  ) {
    this.#path = path;
    this.#settings = settings;
    this.#writes = writes;
    this.#files = new Map(stored?.files);
    for (const record of stored?.records ?? []) this.#recordsOf(record.kind).set(record.base, record);
    if (source) this.#sources.push(source);
  }

  get(key: string): FileContent | undefined {
    return this.#files.get(key);
  }

  set(key: string, content: FileContent): void {
    if (this.#isFlushed) return;
    this.#files.set(key, content);
    this.#own.files.add(key);
  }

  has(kind: AnyKind, base: Base, files: string): boolean {
    return this.#records.get(kind.name)?.get(base)?.filesKey === files;
  }

  find(kind: AnyKind, base: Base, files: string): Entry | undefined {
    const record = this.#records.get(kind.name)?.get(base);
    if (record?.filesKey !== files) return undefined;
    return (record.entry ??= cachedEntry(base, record, this.#parse));
  }

  setRecord(kind: AnyKind, entry: Entry, isSelfContained: boolean): Entry {
    if (this.#isFlushed || !kind.summaries) return entry;
    const record = new ParsedRecord(kind, entry, isSelfContained);
    this.#recordsOf(kind.name).set(entry.base, record);
    this.#own.records.add(record);
    return (record.entry = cachedEntry(entry.base, record, this.#parse));
  }

  share(): Uint8Array {
    const encoder = openEncoder(
      this.#settings,
      [...this.#files].filter(([key]) => this.#own.files.has(key)),
    );
    const bodies = Array.from(this.#own.records, (record) => encoder.add(record));
    return Buffer.concat([...bodies, ...encoder.end()]);
  }

  add(share: Uint8Array): void {
    const given = this.#isFlushed ? undefined : decodeCache(sourceOfBytes(share), this.#settings);
    if (!given || !given.records.every(isIntact)) return;
    for (const [key, content] of given.files) this.#files.set(key, content);
    for (const record of given.records) {
      const records = this.#recordsOf(record.kind);
      if (records.get(record.base)?.filesKey !== record.filesKey) records.set(record.base, record);
    }
    this.#added += given.files.length + given.records.length;
  }

  async flush(keys: () => Iterable<string>): Promise<void> {
    if (this.#isFlushed) return;
    this.#isFlushed = true;
    const fresh = this.#own.files.size + this.#own.records.size + this.#added;
    const isWritten = this.#path !== null && this.#writes && fresh >= NEW_MIN;
    const kept = new Set(isWritten ? keys() : []);
    const files = [...this.#files].filter(([key]) => kept.has(key));
    const records = [...this.#records.values()].flatMap((ofKind) =>
      [...ofKind.values()].filter(({ kind, base, filesKey: of }) => kept.has(entryKey({ name: kind }, base, of))),
    );
    this.#clear();
    if (isWritten) await this.#write(this.#path!, files, records);
  }

  onDamage(listener: () => void): void {
    this.#tellDamage = listener;
  }

  close(): void {
    for (const source of this.#sources) source.close();
  }

  #clear(): void {
    for (const each of [this.#files, this.#records, this.#own.files, this.#own.records]) each.clear();
  }

  #recordsOf(kind: string): Map<Base, CachedRecord> {
    const records = this.#records.get(kind) ?? new Map<Base, CachedRecord>();
    this.#records.set(kind, records);
    return records;
  }

  /** @throws CmsError `unavailable` for a damaged body */
  readonly #parse = (record: CachedRecord): Entity => {
    const parsed = record instanceof ParsedRecord ? record.record : undefined;
    if (parsed) return parsed;
    try {
      return JSON.parse(Buffer.from(record.body()).toString()) as Entity;
    } catch (error) {
      if (!(error instanceof DamagedBody)) throw error;
      this.#noteDamage();
      throw unavailable(error.message, "write", error);
    }
  };

  #noteDamage(): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    if (this.#path !== null) rmSync(this.#path, { force: true });
    this.#clear();
    this.#tellDamage();
  }

  /** Writes the file, and has the records that were parsed read from it from now on. */
  async #write(path: string, files: Cached["files"], records: readonly CachedRecord[]): Promise<void> {
    const encoder = openEncoder(this.#settings, files);
    try {
      await replaceFile(path, bytesOf(encoder, records));
    } catch (error) {
      if (!(error instanceof DamagedBody)) throw error;
      return this.#noteDamage();
    }
    // Another process may have written one since, or the disk refused this one, then not all records were encoded.
    const source = openSource(path);
    const stored = source && encoder.storedIn(source);
    if (!source || stored?.length !== records.length) return source?.close();
    this.#sources.push(source);
    for (const [at, record] of records.entries()) if (record instanceof ParsedRecord) record.moveTo(stored[at]!);
  }
}

/** In bytes: each chunk is a write of its own. */
const CHUNK_BYTES = 1024 * 1024;

/** The bytes of the cache of these records, in chunks that are made in slices. @throws DamagedBody */
async function* bytesOf(encoder: CacheEncoder, records: readonly CachedRecord[]): AsyncGenerator<Uint8Array> {
  const pace = openPace();
  let chunk: Uint8Array[] = [];
  let size = 0;
  for (const record of records) {
    const rest = pace();
    if (rest) await rest;
    const body = encoder.add(record);
    chunk.push(body);
    if ((size += body.length) < CHUNK_BYTES) continue;
    yield Buffer.concat(chunk);
    [chunk, size] = [[], 0];
  }
  yield Buffer.concat(chunk);
  for (const piece of encoder.end()) {
    await pace();
    yield piece;
  }
}

/** Of the bytes of another process, which are in memory anyway, all are checked before any is used. */
function isIntact(record: CachedRecord): boolean {
  try {
    return record.body().length > 0;
  } catch (error) {
    if (error instanceof DamagedBody) return false;
    throw error;
  }
}
