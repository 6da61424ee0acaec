/**
 * What files were read as, by their blob ids: the same bytes never need parsing twice, also after a restart.
 *
 * Kept in one file of the private state. A cache that cannot be read is an empty one. Records of kinds that can be packed
 * are kept whole, checked as they are; of others the parsed files are.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { FileContent } from "./codec.ts";
import type { AnyKind, Base, Entity, Part } from "./kind.ts";
import type { Oid } from "./repo.ts";
import { filesName, PackedEntry, type Entry, type Packed } from "./snapshot.ts";

export interface ContentCache {
  get(oid: Oid): FileContent | undefined;
  set(oid: Oid, content: FileContent): void;
  /** @param name of the record's files, see `filesName` in snapshot.ts */
  has(name: string): boolean;
  /** The record that these files make; undefined when it is not known, or its kind is not packed. */
  find(kind: AnyKind, base: Base, name: string): Entry | undefined;
  /** @param isWhole whether no other record decides part of it */
  setRecord(kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>, record: Entity, isWhole: boolean): void;
  /** The records that were set, for the `add` of another program's cache. */
  packed(): Uint8Array;
  add(packed: Uint8Array): void;
  /** Ends the cache's work: writes what was asked for or set, when enough is new to be worth it, and keeps no more. */
  retire(keep: () => Iterable<Oid>): Promise<void>;
}

const FILE = "content.cache";
const VERSION = 5;
/** Parsing fewer files than this costs less than writing the cache. */
const WORTH_SAVING = 50;
const LENGTH_BYTES = 4;
/** Texts are read when they are wanted, so damage must be seen before. */
const SUM_BYTES = 4;
const FRONT_BYTES = LENGTH_BYTES + SUM_BYTES;
const STRETCH_BYTES = 256 * 1024;

/** Where a cache lies: in a file that stays open, since others may put a new one in its place, or in memory. */
interface Bytes {
  readonly length: number;
  /** The bytes there; the next call may overwrite them. @throws RangeError past the end */
  read(from: number, length: number): Buffer;
}

/** The head of the file; the packed texts stand behind it, one after the other. */
interface Head {
  readonly version: number;
  readonly setting: string;
  readonly entries: readonly (readonly [Oid, FileContent])[];
  readonly records: readonly (readonly [name: string, outline: Entity, isWhole: boolean, lengths: readonly number[]])[];
}

/** A packed record: where its texts stand, one after the other, in UTF-8. */
class Kept implements Packed {
  readonly outline: Entity;
  readonly isWhole: boolean;
  readonly lengths: readonly number[];
  readonly #bytes: Bytes;
  readonly #from: number;

  constructor(outline: Entity, isWhole: boolean, lengths: readonly number[], bytes: Bytes, from: number) {
    this.outline = outline;
    this.isWhole = isWhole;
    this.lengths = lengths;
    this.#bytes = bytes;
    this.#from = from;
  }

  texts(at: number): string {
    let start = this.#from;
    for (let before = 0; before < at; before++) start += this.lengths[before]!;
    return this.#bytes.read(start, this.lengths[at]!).toString();
  }

  all(): Buffer {
    return Buffer.from(this.#bytes.read(this.#from, sum(this.lengths)));
  }
}

/** A record that was read in this run; its texts are not bytes yet. */
interface Made {
  readonly record: Entity;
  readonly files: ReadonlyMap<Part, Oid>;
  pack(): Fresh;
}

interface Fresh {
  readonly outline: Entity;
  readonly isWhole: boolean;
  readonly text: string;
  readonly lengths: readonly number[];
}

/**
 * @param dir the private state folder; null keeps everything in memory
 * @param setting names whatever else decides what a file is read as: what was kept under another one is not used
 * @param writes whether it is written at the end; of several programs that open one site at once, one does
 */
export async function openContentCache(dir: string | null, setting = "", writes = true): Promise<ContentCache> {
  const file = dir && join(dir, FILE);
  const stored = file === null ? undefined : openFile(file);
  const { entries, records } = (stored && decode(stored, setting)) ?? { entries: new Map<Oid, FileContent>(), records: new Map<string, Kept>() };
  const made = new Map<string, Made>();
  const used = new Set<string>();
  let fresh = 0;
  let retired = false;
  const packedOf = (name: string): Kept | Fresh => made.get(name)?.pack() ?? records.get(name)!;
  return {
    get: (oid) => entries.get(oid),
    set(oid, content) {
      if (retired) return;
      entries.set(oid, content);
      fresh++;
    },
    has: (name) => records.has(name),
    find(kind, base, name) {
      if (retired || !kind.packing) return undefined;
      const fresh = made.get(name);
      if (fresh) return { record: fresh.record, base, files: fresh.files };
      const kept = records.get(name);
      if (!kept) return undefined;
      used.add(name);
      return new PackedEntry(kind, base, name, kept);
    },
    setRecord(kind, base, files, record, isWhole) {
      const { packing } = kind;
      if (retired || !packing) return;
      fresh++;
      const name = filesName(kind, base, files);
      used.add(name);
      let packed: Fresh | undefined;
      made.set(name, { record, files, pack: () => (packed ??= freshFrom(packing.pack(record), isWhole)) });
    },
    packed: () => encode(setting, [], [...made].map(([name, each]) => [name, each.pack()])),
    add(packed) {
      const given = decode(inMemory(packed), setting);
      for (const [name, kept] of given?.records ?? []) records.set(name, kept);
      fresh += given?.records.size ?? 0;
    },
    async retire(keep) {
      const bytes = file && writes && fresh >= WORTH_SAVING
        ? encode(setting, [...new Set(keep())].flatMap((oid) => (entries.has(oid) ? [[oid, entries.get(oid)!] as const] : [])), [...used].map((name) => [name, packedOf(name)]))
        : undefined;
      retired = true;
      for (const each of [entries, records, made, used]) each.clear(); // the records stand in the snapshot; these would be a second copy in memory
      if (!file || !bytes) return;
      const partial = `${file}.${randomBytes(4).toString("hex")}.tmp`;
      await writeFile(partial, bytes, { mode: 0o600 });
      await rename(partial, file);
    },
  };
}

const inMemory = (bytes: Uint8Array): Bytes => ({ length: bytes.length, read: (from, length) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(from, from + length) });

/** undefined where there is none that can be read. It stays open for as long as anybody may want to read it. */
function openFile(path: string): Bytes | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size, mtimeMs } = fstatSync(file);
    const bytes = reading(file, path, size, mtimeMs);
    FILES.register(bytes, file);
    return bytes;
  } catch {
    if (file !== undefined) closeSync(file);
    return undefined;
  }
}

const FILES = new FinalizationRegistry<number>((file) => closeSync(file));

function reading(file: number, path: string, size: number, mtimeMs: number): Bytes {
  const usual = Buffer.allocUnsafe(STRETCH_BYTES);
  return {
    length: size,
    read(from, length) {
      const now = fstatSync(file);
      // Whoever writes a cache puts it in the place of the old one; somebody has copied another over this.
      if (now.size !== size || now.mtimeMs !== mtimeMs) throw new Error(`${path} was written over while it was in use: start again`);
      const buffer = length > usual.length ? Buffer.allocUnsafe(length) : usual;
      for (let done = 0; done < length; ) {
        const count = readSync(file, buffer, done, length - done, from + done);
        if (count === 0) throw new RangeError(`${path} ends too early`);
        done += count;
      }
      return buffer.subarray(0, length);
    },
  };
}

const freshFrom = ({ outline, texts }: { readonly outline: Entity; readonly texts: readonly string[] }, isWhole: boolean): Fresh => ({ outline, isWhole, text: texts.join(""), lengths: texts.map((text) => Buffer.byteLength(text)) });

const sum = (lengths: readonly number[]): number => lengths.reduce((total, each) => total + each, 0);

function encode(setting: string, entries: Head["entries"], packed: readonly (readonly [name: string, packed: Kept | Fresh])[]): Buffer {
  const head: Head = { version: VERSION, setting, entries, records: packed.map(([name, { outline, isWhole, lengths }]) => [name, outline, isWhole, lengths]) };
  const text = Buffer.from(JSON.stringify(head));
  const front = Buffer.alloc(FRONT_BYTES);
  front.writeUInt32LE(text.length);
  const parts: Buffer[] = [front, text];
  // Texts become bytes many at a time: a call for each would take most of the time.
  let waiting: string[] = [];
  const settle = (): void => {
    if (waiting.length > 0) parts.push(Buffer.from(waiting.join("")));
    waiting = [];
  };
  for (const [, each] of packed) {
    if ("text" in each) waiting.push(each.text);
    else {
      settle();
      parts.push(each.all());
    }
  }
  settle();
  const bytes = Buffer.concat(parts);
  bytes.writeUInt32LE(sumOf(inMemory(bytes)), LENGTH_BYTES);
  return bytes;
}

/** A check sum of everything but itself. */
function sumOf(bytes: Bytes): number {
  let sum = crc32(bytes.read(0, LENGTH_BYTES), 0);
  for (let at = FRONT_BYTES; at < bytes.length; at += STRETCH_BYTES) sum = crc32(bytes.read(at, Math.min(STRETCH_BYTES, bytes.length - at)), sum);
  return sum;
}

/** @returns undefined when it is damaged, of another version or made under another setting */
function decode(bytes: Bytes, setting: string): { entries: Map<Oid, FileContent>; records: Map<string, Kept> } | undefined {
  try {
    const front = Buffer.from(bytes.read(0, FRONT_BYTES));
    if (front.readUInt32LE(LENGTH_BYTES) !== sumOf(bytes)) return undefined;
    const length = front.readUInt32LE(0);
    let at = FRONT_BYTES + length;
    const head = JSON.parse(bytes.read(FRONT_BYTES, length).toString()) as Head;
    if (head.version !== VERSION || head.setting !== setting) return undefined;
    const records = new Map<string, Kept>();
    for (const [name, outline, isWhole, lengths] of head.records) {
      records.set(name, new Kept(outline, isWhole, lengths, bytes, at));
      at += sum(lengths);
    }
    return at === bytes.length ? { entries: new Map(head.entries), records } : undefined;
  } catch {
    return undefined;
  }
}
