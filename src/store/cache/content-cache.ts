/**
 * The content cache: parsed content from earlier starts, in one file of the private state.
 *
 * It holds complete records of kinds with `summaries`, and parsed files of all other kinds. Opening it parses the summary
 * of each record; the body (the whole record as JSON) is parsed when the record is first needed. The file is
 *
 *     CRC-32 of all that follows | format version | head length | head (JSON, see `Head`) | record bodies (JSON)
 *
 * with 4 bytes for each of the three numbers.
 *
 * Invariants, each with a test of its number in test/store/content-cache.test.ts:
 *
 * 1. A record is found only under its kind, its path and the blob ids of exactly the files it was made of; a parsed file
 *    only under its blob id. Otherwise an edit would be served as it was before.
 * 2. A cache of another format version is ignored: its bytes would be misread.
 * 3. A cache of other settings is ignored. They are everything else that decides what a file is parsed as: the program's
 *    version, which stands for its parsers, and the languages.
 * 4. A damaged or truncated file is ignored. Bodies are parsed long after the start, so damage has to be found before.
 * 5. The file is read into memory once and replaced as a whole by rename. What happens to it later, by another process
 *    or this one, does not change what was opened.
 * 6. What was parsed from a file that changed after it was scanned is kept under the id of the bytes that were parsed, or
 *    not at all (`content/load.ts`).
 * 7. Only what the content consists of when the cache is written is kept, so it does not grow with every edit.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { FileContent } from "../codec/codec.ts";
import type { AnyKind, Base, Entity } from "../content/record-type.ts";
import { cachedEntry, entryKey, filesKey, type Entry } from "../content/snapshot.ts";
import { replaceFile } from "../private/replace-file.ts";

export interface ContentCache {
  /** @param key blob id of the file, for binary files with a suffix (see `factsKey`) */
  get(key: string): FileContent | undefined;
  set(key: string, content: FileContent): void;
  has(kind: AnyKind, base: Base, files: string): boolean;
  /** The record made of exactly these files. @param files their `filesKey` */
  find(kind: AnyKind, base: Base, files: string): Entry | undefined;
  /** @param isSelfContained whether no other record determines part of it */
  setRecord(kind: AnyKind, entry: Entry, isSelfContained: boolean): void;
  /** Everything that was set, for the `add` of another process's cache. */
  share(): Uint8Array;
  /** Adds what `share` of another process returned. Damaged bytes and those of other settings are ignored. */
  add(share: Uint8Array): void;
  /**
   * Writes the given files and records if enough of the cache is new, then empties it: the records are in the snapshot.
   *
   * @param keys of the files (see `get`) and records (see `entryKey`) the content consists of
   */
  flush(keys: () => Iterable<string>): Promise<void>;
}

interface CachedRecord {
  readonly summary: Entity;
  readonly isSelfContained: boolean;
  /** The record as JSON. */
  body(): Uint8Array;
}

type Files = ReadonlyMap<string, FileContent>;
type Records = ReadonlyMap<string, CachedRecord>;

/** What stands before the bodies. */
interface Head {
  readonly settings: string;
  readonly files: readonly (readonly [key: string, content: FileContent])[];
  /** In the order of the bodies; lengths in bytes. */
  readonly records: readonly (readonly [key: string, isSelfContained: boolean, summary: Entity, length: number])[];
}

const FILE = "content.cache";
const FORMAT = 11;
const FRONT_BYTES = 12;
/** Reading fewer files than this takes less time than writing the cache. */
const NEW_MIN = 50;

/**
 * @param dir the private state folder; null keeps everything in memory
 * @param settings see invariant 3
 * @param writes whether `flush` writes the file; of several processes that open one site at once, one does
 */
export function openContentCache(dir: string | null, settings = "", writes = true): ContentCache {
  const path = dir && join(dir, FILE);
  const stored = path === null ? undefined : decode(readIfThere(path), settings);
  const files = new Map(stored?.files);
  const records = new Map(stored?.records);
  const entries = new Map<string, Entry>();
  /** Keys of what was set in this process. */
  const own = new Set<string>();
  let added = 0;
  let isFlushed = false;
  const pick = <T>(from: ReadonlyMap<string, T>, keys: Iterable<string>): Map<string, T> =>
    new Map([...keys].flatMap((key) => (from.has(key) ? [[key, from.get(key)!] as const] : [])));
  return {
    get: (key) => files.get(key),
    set(key, content) {
      if (isFlushed) return;
      files.set(key, content);
      own.add(key);
    },
    has: (kind, base, filesOf) => records.has(entryKey(kind, base, filesOf)),
    find(kind, base, filesOf) {
      const key = entryKey(kind, base, filesOf);
      const record = records.get(key);
      let entry = entries.get(key);
      if (!entry && record) {
        const read = (): Entity => JSON.parse(Buffer.from(record.body()).toString()) as Entity;
        const { summary, isSelfContained } = record;
        entry = cachedEntry(base, { summary, isSelfContained, filesKey: filesOf }, read);
        entries.set(key, entry);
      }
      return entry;
    },
    setRecord(kind, entry, isSelfContained) {
      if (isFlushed || !kind.summaries) return;
      const key = entryKey(kind, entry.base, filesKey(entry.files));
      records.set(key, parsedRecord(kind, entry.record, isSelfContained));
      entries.set(key, entry);
      own.add(key);
    },
    share: () => encode(settings, pick(files, own), pick(records, own)),
    add(share) {
      const given = decode(share, settings);
      if (isFlushed || !given) return;
      for (const [key, content] of given.files) files.set(key, content);
      for (const [key, record] of given.records) if (!records.has(key)) records.set(key, record);
      added += given.files.size + given.records.size;
    },
    async flush(keys) {
      if (isFlushed) return;
      isFlushed = true;
      let bytes: Uint8Array | undefined;
      if (path !== null && writes && own.size + added >= NEW_MIN) {
        const kept = [...new Set(keys())];
        bytes = encode(settings, pick(files, kept), pick(records, kept));
      }
      for (const each of [files, records, entries, own]) each.clear();
      if (bytes) await replaceFile(path!, bytes);
    },
  };
}

/** A record that was parsed in this process: it becomes JSON only if it is shared or written. */
function parsedRecord(kind: AnyKind, record: Entity, isSelfContained: boolean): CachedRecord {
  let body: Uint8Array | undefined;
  return {
    isSelfContained,
    get summary() {
      return kind.summaries!.summarize(record) as Entity;
    },
    body: () => (body ??= Buffer.from(JSON.stringify(record))),
  };
}

function encode(settings: string, files: Files, records: Records): Buffer {
  const bodies = Array.from(records.values(), (record) => record.body());
  const head: Head = {
    settings,
    files: [...files],
    records: Array.from(records, ([key, record], at) => [
      key,
      record.isSelfContained,
      record.summary,
      bodies[at]!.length,
    ]),
  };
  const text = Buffer.from(JSON.stringify(head));
  const front = Buffer.alloc(FRONT_BYTES);
  front.writeUInt32LE(FORMAT, 4);
  front.writeUInt32LE(text.length, 8);
  const bytes = Buffer.concat([front, text, ...bodies]);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}

/** @returns undefined for damaged bytes, another format or other settings */
function decode(
  given: Uint8Array | undefined,
  settings: string,
): { readonly files: Files; readonly records: Records } | undefined {
  if (!given || given.length < FRONT_BYTES) return undefined;
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  if (bytes.readUInt32LE(0) !== crc32(bytes.subarray(4)) || bytes.readUInt32LE(4) !== FORMAT) return undefined;
  let end = FRONT_BYTES + bytes.readUInt32LE(8);
  const head = JSON.parse(bytes.toString("utf8", FRONT_BYTES, end)) as Head;
  if (head.settings !== settings) return undefined;
  const records = new Map<string, CachedRecord>();
  for (const [key, isSelfContained, summary, length] of head.records) {
    const start = end;
    end += length;
    records.set(key, { isSelfContained, summary, body: () => bytes.subarray(start, start + length) });
  }
  return { files: new Map(head.files), records };
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // a cache that cannot be read is an empty one
  }
}
