/**
 * The content cache: parsed content from earlier starts, in one file of the private state (`cache-file.ts`).
 *
 * It holds complete records of kinds with `summaries`, and parsed files of all other kinds. Opening it reads the index,
 * which has the summary of each record, and an image (`cache-image.ts`) where there can be one. A summary is parsed
 * when it is first needed. The body of a record (the whole of it as JSON) is read and parsed when that is first needed.
 *
 * Invariants, each with a test of its number in test/store/content/content-cache.test.ts:
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
 * 7. Only what the content consists of when the cache is written is kept, so it does not grow with every edit. A record
 *    that was written while others were parsed, and is not part of the content any more then, is not in the next cache.
 * 8. An image is of exactly the records in its file. Otherwise a start would take another record for one of them.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { unavailable } from "../../errors.ts";
import type { FileContent } from "../codec/codec.ts";
import type { AnyKind, Base, Entity } from "../records/record-type.ts";
import { cachedEntry, entryKey, type Entry } from "../snapshot.ts";
import { codeOf } from "../git/fs.ts";
import { decodeCache, openEncoder, type Cached } from "./cache-file.ts";
import type { ContentImage, StoredImage } from "./cache-image.ts";
import { DamagedBody, openSource, sourceOfBytes, type CacheSource } from "./cache-source.ts";
import { CacheWriter } from "./cache-writer.ts";
import { ParsedRecord } from "./parsed-record.ts";
import { RecentRecords } from "./recent-records.ts";
import type { CachedRecord, StoredRecords } from "./stored-records.ts";

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
  /** The content that the cache was opened with; undefined without an image, and once it is flushed. */
  readonly stored: StoredContent | undefined;
  /**
   * Writes the given files and records if enough of the cache is new, then empties it: the entries are in the snapshot.
   * Works in slices.
   *
   * @param keys of the files (see `get`) and records (see `entryKey`) the content consists of
   * @param image of the same content; undefined where a start has to look at each record
   */
  flush(keys: () => Iterable<string>, image?: () => ContentImage | undefined): Promise<void>;
  /** Calls the listener once, when a damaged body is read; the file is removed by then. */
  onDamage(listener: () => void): void;
  /** After it, no record is read from the file any more. */
  close(): void;
}

export interface StoredContent {
  readonly records: StoredRecords;
  readonly image: StoredImage;
  /** The same entry as `ContentCache.find` returns. */
  entryAt(place: number): Entry;
}

const FILE = "content.cache";
/** Reading fewer files than this takes less time than writing the cache. */
const NEW_MIN = 50;
/** Parsed records that are in memory until `flush`. Where there are more, all are written while others are parsed. */
const HELD_MAX = 4096;
/** So many are written at once then. */
const TOGETHER = 256;
/** In bytes of JSON: about 15,000 pages in two languages. As objects, all of 100,000 take half a gigabyte. */
const RECENT_BYTES = 64 * 1024 * 1024;

/**
 * @param dir the private state folder; null keeps everything in memory
 * @param settings see invariant 3
 * @param writes whether `flush` writes the file; of several processes that open one site at once, one does
 * @param heldMax see `HELD_MAX`
 * @param recentBytes see `RECENT_BYTES`
 */
export function openContentCache(
  dir: string | null,
  settings = "",
  writes = true,
  heldMax: number = HELD_MAX,
  recentBytes: number = RECENT_BYTES,
): ContentCache {
  const path = dir && join(dir, FILE);
  const source = path === null ? undefined : openSource(path);
  const stored = source && decodeCache(source, settings);
  if (!stored) source?.close();
  // Without an image a start reads all summaries. Parsed here, they are ready when the thread has scanned the files.
  if (stored && !stored.image) for (const record of stored.records) void record.summary;
  return new OpenCache({ path, settings, writes, heldMax, recentBytes }, stored, stored && source);
}

interface CacheOptions {
  readonly path: string | null;
  readonly settings: string;
  readonly writes: boolean;
  readonly heldMax: number;
  readonly recentBytes: number;
}

class OpenCache implements ContentCache {
  readonly #options: CacheOptions;
  readonly #files: Map<string, FileContent>;
  /** What the cache was opened with. */
  #stored: Cached | undefined;
  /** What was set or added since, by kind. */
  readonly #records = new Map<string, Map<Base, CachedRecord>>();
  /** What was set in this process. */
  readonly #own = { files: new Set<string>(), records: new Set<CachedRecord>() };
  /** The files that were opened: of the last start, and the one that was written. */
  readonly #sources: CacheSource[] = [];
  /** The records that were read from them lately. */
  readonly #recent: RecentRecords;
  /** Writes the next file, once it is begun. */
  #writer: CacheWriter | undefined;
  /** Set in this process, and not in that file. */
  #held: ParsedRecord[] = [];
  #isRefused = false;
  #added = 0;
  #isFlushed = false;
  #isDamaged = false;
  #tellDamage: () => void = () => undefined;

  constructor(options: CacheOptions, stored: Cached | undefined, source: CacheSource | undefined) {
    this.#options = options;
    this.#files = new Map(stored?.files);
    this.#recent = new RecentRecords(options.recentBytes);
    this.#stored = stored;
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
    return this.#recordAt(kind.name, base)?.filesKey === files;
  }

  find(kind: AnyKind, base: Base, files: string): Entry | undefined {
    const record = this.#recordAt(kind.name, base);
    return record?.filesKey === files ? this.#entryOf(record) : undefined;
  }

  get stored(): StoredContent | undefined {
    const { records, image } = this.#stored ?? {};
    return records && image && { records, image, entryAt: (place) => this.#entryOf(records.at(place)) };
  }

  setRecord(kind: AnyKind, entry: Entry, isSelfContained: boolean): Entry {
    if (this.#isFlushed || !kind.summaries) return entry;
    const record = new ParsedRecord(kind, entry, isSelfContained);
    this.#recordsOf(kind.name).set(entry.base, record);
    this.#own.records.add(record);
    this.#held.push(record);
    const { path, writes, heldMax } = this.#options;
    if (path !== null && writes && !this.#isRefused && this.#held.length > (this.#writer ? TOGETHER : heldMax))
      this.#writeHeld(path);
    return this.#entryOf(record);
  }

  share(): Uint8Array {
    const encoder = openEncoder(this.#options.settings);
    const bodies = Array.from(this.#own.records, (record) => encoder.add(record));
    const files = [...this.#files].filter(([key]) => this.#own.files.has(key));
    return Buffer.concat([...bodies, ...encoder.end(files)]);
  }

  add(share: Uint8Array): void {
    const given = this.#isFlushed ? undefined : decodeCache(sourceOfBytes(share), this.#options.settings);
    const records = [...(given?.records ?? [])];
    if (!given || !records.every(isIntact)) return;
    for (const [key, content] of given.files) this.#files.set(key, content);
    for (const record of records) {
      if (this.#recordAt(record.kind, record.base)?.filesKey !== record.filesKey)
        this.#recordsOf(record.kind).set(record.base, record);
    }
    this.#added += given.files.length + records.length;
  }

  async flush(keys: () => Iterable<string>, imageOf?: () => ContentImage | undefined): Promise<void> {
    if (this.#isFlushed) return;
    this.#isFlushed = true;
    const fresh = this.#own.files.size + this.#own.records.size + this.#added;
    const { path, writes } = this.#options;
    const mayWrite = path !== null && writes && !this.#isRefused;
    const image = mayWrite ? imageOf?.() : undefined;
    const lacksImage = image !== undefined && image.count >= NEW_MIN && this.#stored?.image === undefined;
    const isWritten = mayWrite && (fresh >= NEW_MIN || lacksImage);
    const kept = new Set(isWritten ? keys() : []);
    const files = [...this.#files].filter(([key]) => kept.has(key));
    const records = isWritten ? this.#recordsIn(kept) : [];
    this.#clear();
    if (isWritten) await this.#write(path, files, records, image);
    this.#endWriter();
  }

  onDamage(listener: () => void): void {
    this.#tellDamage = listener;
  }

  close(): void {
    this.#endWriter();
    for (const source of this.#sources) source.close();
  }

  #recordAt(kind: string, base: Base): CachedRecord | undefined {
    return this.#records.get(kind)?.get(base) ?? this.#stored?.records.find(kind, base);
  }

  #entryOf(record: CachedRecord): Entry {
    return (record.entry ??= cachedEntry(record.base, record, this.#parse));
  }

  /** One for each path. @param keys see `entryKey` */
  #recordsIn(keys: ReadonlySet<string>): CachedRecord[] {
    const all = [...this.#records.values()].flatMap((ofKind) => [...ofKind.values()]);
    for (const record of this.#stored?.records ?? [])
      if (!this.#records.get(record.kind)?.has(record.base)) all.push(record);
    return all.filter(({ kind, base, filesKey }) => keys.has(entryKey({ name: kind }, base, filesKey)));
  }

  #clear(): void {
    this.#stored = undefined;
    for (const each of [this.#files, this.#records, this.#own.files, this.#own.records]) each.clear();
    this.#held = [];
  }

  #recordsOf(kind: string): Map<Base, CachedRecord> {
    const records = this.#records.get(kind) ?? new Map<Base, CachedRecord>();
    this.#records.set(kind, records);
    return records;
  }

  /** @throws CmsError `unavailable` for a damaged body */
  readonly #parse = (record: CachedRecord): Entity => {
    const known = (record instanceof ParsedRecord ? record.record : undefined) ?? this.#recent.get(record);
    if (known) return known;
    try {
      const body = Buffer.from(record.body());
      const parsed = JSON.parse(body.toString()) as Entity;
      this.#recent.add(record, parsed, body.length);
      return parsed;
    } catch (error) {
      if (!(error instanceof DamagedBody)) throw error;
      this.#noteDamage();
      throw unavailable(error.message, "write", error);
    }
  };

  #noteDamage(): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    if (this.#options.path !== null) rmSync(this.#options.path, { force: true });
    this.#clear();
    this.#tellDamage();
  }

  #openWriter(path: string): CacheWriter {
    const writer = new CacheWriter(path, this.#options.settings);
    this.#sources.push(writer.source);
    return (this.#writer = writer);
  }

  /** Removes its file unless it is complete, and frees the summaries as text that the writer has. */
  #endWriter(): void {
    this.#writer?.discard();
    this.#writer = undefined;
  }

  /** Where the disk refuses, they stay in memory, and this process writes no cache. */
  #writeHeld(path: string): void {
    try {
      (this.#writer ?? this.#openWriter(path)).addAtOnce(this.#held);
    } catch (error) {
      this.#refuse(error);
    }
    this.#held = [];
  }

  /** Completes the file. */
  async #write(
    path: string,
    files: Cached["files"],
    records: readonly CachedRecord[],
    image: ContentImage | undefined,
  ): Promise<void> {
    try {
      const writer = this.#writer ?? this.#openWriter(path);
      await writer.add(records.filter((record) => !(record instanceof ParsedRecord) || record.record !== undefined));
      // Invariant 8.
      const isWhole = image?.count === records.length && writer.count === records.length;
      await writer.finish(files, isWhole ? image : undefined);
    } catch (error) {
      this.#refuse(error);
      if (error instanceof DamagedBody) this.#noteDamage();
    }
  }

  /** @throws the error, unless it is one of the system or of a damaged body: readers must work without the file */
  #refuse(error: unknown): void {
    this.#endWriter();
    this.#isRefused = true;
    if (codeOf(error) === undefined && !(error instanceof DamagedBody)) throw error;
  }
}

/** The bytes of another process are in memory anyway, so all are checked before any is used. */
function isIntact(record: CachedRecord): boolean {
  try {
    return record.body().length > 0;
  } catch (error) {
    if (error instanceof DamagedBody) return false;
    throw error;
  }
}
