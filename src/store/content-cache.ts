/**
 * What files were read as, by their blob ids: the same bytes never need parsing twice, also after a restart.
 *
 * Kept in one file of the private state. A cache that cannot be read is an empty one. Records of kinds that can be packed
 * are kept whole, checked as they are; of others the parsed files are.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileContent } from "./codec.ts";
import type { AnyKind, Base, Entity, Part } from "./kind.ts";
import type { Oid } from "./repo.ts";
import { PackedEntry, type Entry, type Packed } from "./snapshot.ts";

export interface ContentCache {
  get(oid: Oid): FileContent | undefined;
  set(oid: Oid, content: FileContent): void;
  has(kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>): boolean;
  /** The record that these files make; undefined when it is not known, or its kind is not packed. */
  find(kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>): Entry | undefined;
  /** @param isWhole whether no other record decides part of it */
  setRecord(kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>, record: Entity, isWhole: boolean): void;
  /** The records that were set, for the `add` of another program's cache. */
  packed(): Uint8Array;
  add(packed: Uint8Array): void;
  /** Ends the cache's work: writes what was asked for or set, when enough is new to be worth it, and keeps no more. */
  retire(keep: Iterable<Oid>): Promise<void>;
}

const FILE = "content.cache";
const VERSION = 4;
/** Parsing fewer files than this costs less than writing the cache. */
const WORTH_SAVING = 50;
const LENGTH_BYTES = 4;
/** Texts are parsed when they are wanted, so damage must be seen before. */
const DIGEST_BYTES = 20;
const FRONT_BYTES = LENGTH_BYTES + DIGEST_BYTES;

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
  readonly #bytes: Buffer;
  readonly #from: number;

  constructor(outline: Entity, isWhole: boolean, lengths: readonly number[], bytes: Buffer, from: number) {
    this.outline = outline;
    this.isWhole = isWhole;
    this.lengths = lengths;
    this.#bytes = bytes;
    this.#from = from;
  }

  texts(at: number): string {
    let start = this.#from;
    for (let before = 0; before < at; before++) start += this.lengths[before]!;
    return this.#bytes.toString("utf8", start, start + this.lengths[at]!);
  }

  all(): Buffer {
    return this.#bytes.subarray(this.#from, this.#from + sum(this.lengths));
  }
}

/** A record that was read in this run; its texts are not bytes yet. */
interface Made {
  readonly record: Entity;
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
  const { entries, records } = (file && (await readCache(file, setting))) || { entries: new Map<Oid, FileContent>(), records: new Map<string, Kept>() };
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
    has: (kind, base, files) => records.has(nameOf(kind, base, files)),
    find(kind, base, files) {
      if (retired || !kind.packing) return undefined;
      const name = nameOf(kind, base, files);
      const record = made.get(name)?.record;
      if (record) return { record, base, files };
      const kept = records.get(name);
      if (!kept) return undefined;
      used.add(name);
      return new PackedEntry(base, files, kept, kind.packing);
    },
    setRecord(kind, base, files, record, isWhole) {
      const { packing } = kind;
      if (retired || !packing) return;
      fresh++;
      const name = nameOf(kind, base, files);
      used.add(name);
      let packed: Fresh | undefined;
      made.set(name, { record, pack: () => (packed ??= freshFrom(packing.pack(record), isWhole)) });
    },
    packed: () => encode(setting, [], [...made].map(([name, each]) => [name, each.pack()])),
    add(packed) {
      const given = decode(Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength), setting);
      for (const [name, kept] of given?.records ?? []) records.set(name, kept);
      fresh += given?.records.size ?? 0;
    },
    async retire(keep) {
      const bytes = file && writes && fresh >= WORTH_SAVING
        ? encode(setting, [...new Set(keep)].flatMap((oid) => (entries.has(oid) ? [[oid, entries.get(oid)!] as const] : [])), [...used].map((name) => [name, packedOf(name)]))
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

/** Names the files a record is made of, whatever it holds: another name whenever any of them is another. */
export const nameOf = (kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>): string => {
  let name = `${kind.name} ${base}`;
  for (const [part, oid] of files.size > 1 ? [...files].sort() : files) name += ` ${part} ${oid}`;
  return name;
};

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
  digestOf(bytes).copy(bytes, LENGTH_BYTES);
  return bytes;
}

const digestOf = (bytes: Buffer): Buffer => createHash("sha1").update(bytes.subarray(0, LENGTH_BYTES)).update(bytes.subarray(FRONT_BYTES)).digest();

/** @returns undefined when it is damaged, of another version or made under another setting */
function decode(bytes: Buffer, setting: string): { entries: Map<Oid, FileContent>; records: Map<string, Kept> } | undefined {
  try {
    if (!digestOf(bytes).equals(bytes.subarray(LENGTH_BYTES, FRONT_BYTES))) return undefined;
    let at = FRONT_BYTES + bytes.readUInt32LE(0);
    const head = JSON.parse(bytes.toString("utf8", FRONT_BYTES, at)) as Head;
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

/** Absent or unreadable: everything is parsed again. */
const readCache = (file: string, setting: string): Promise<ReturnType<typeof decode>> =>
  readFile(file).then(
    (bytes) => decode(bytes, setting),
    () => undefined,
  );
