/**
 * What files were read as, by their blob ids: the same bytes never need parsing twice, also after a restart.
 *
 * Kept in one file of the private state. A cache that cannot be read is an empty one. Records of kinds that can be packed
 * are kept whole, checked as they are; of others the parsed files are.
 */
import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../model/json.ts";
import type { FileContent } from "./codec.ts";
import type { AnyKind, Base, Entity, Part } from "./kind.ts";
import type { Oid } from "./repo.ts";

export interface ContentCache {
  get(oid: Oid): FileContent | undefined;
  set(oid: Oid, content: FileContent): void;
  /** The record that these files make; undefined when it is not known, or its kind is not packed. */
  record(kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>): Entity | undefined;
  setRecord(kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>, record: Entity): void;
  /** Ends the cache's work: writes what was asked for or set, when enough is new to be worth it, and keeps no more. */
  retire(keep: Iterable<Oid>): Promise<void>;
}

const FILE = "content.cache";
const VERSION = 2;
/** Parsing fewer files than this costs less than writing the cache. */
const WORTH_SAVING = 50;
const LENGTH_BYTES = 4;

/** The head of the file; the packed texts stand behind it, one after the other. */
interface Head {
  readonly version: number;
  readonly setting: string;
  readonly entries: readonly (readonly [Oid, FileContent])[];
  readonly records: readonly (readonly [name: string, head: JsonObject, lengths: readonly number[]])[];
}

interface Kept {
  readonly head: JsonObject;
  /** In UTF-8, one for each text. */
  readonly texts: readonly Uint8Array[];
}

/**
 * @param dir the private state folder; null keeps everything in memory
 * @param setting names whatever else decides what a file is read as: what was kept under another one is not used
 * @param writes whether it is written at the end; of several programs that open one site at once, one does
 */
export async function openContentCache(dir: string | null, setting = "", writes = true): Promise<ContentCache> {
  const file = dir && join(dir, FILE);
  const { entries, records } = file ? await readCache(file, setting) : { entries: new Map<Oid, FileContent>(), records: new Map<string, Kept>() };
  const used = new Map<string, Kept | (() => Kept)>();
  let fresh = 0;
  let retired = false;
  return {
    get: (oid) => entries.get(oid),
    set(oid, content) {
      if (retired) return;
      entries.set(oid, content);
      fresh++;
    },
    record(kind, base, files) {
      const name = nameOf(kind, base, files);
      const kept = kind.packing && records.get(name);
      if (!kept) return undefined;
      used.set(name, kept);
      const { texts } = kept;
      return kind.packing!.unpack({ head: kept.head, texts: (at) => Buffer.from(texts[at]!.buffer, texts[at]!.byteOffset, texts[at]!.byteLength).toString() }) as Entity;
    },
    setRecord(kind, base, files, record) {
      const { packing } = kind;
      if (retired || !packing) return;
      fresh++;
      used.set(nameOf(kind, base, files), () => {
        const { head, texts } = packing.pack(record);
        return { head, texts: texts.map((text) => Buffer.from(text)) };
      });
    },
    async retire(keep) {
      const kept = [...new Set(keep)].flatMap((oid) => {
        const content = entries.get(oid);
        return content ? [[oid, content] as const] : [];
      });
      const isWorthIt = file && writes && fresh >= WORTH_SAVING;
      const packed = isWorthIt ? [...used].map(([name, each]) => [name, typeof each === "function" ? each() : each] as const) : [];
      retired = true;
      for (const map of [entries, records, used]) map.clear(); // the records stand in the snapshot; these would be a second copy in memory
      if (!isWorthIt) return;
      await writeCache(file, { version: VERSION, setting, entries: kept, records: packed.map(([name, { head, texts }]) => [name, head, texts.map(({ length }) => length)]) }, packed.flatMap(([, { texts }]) => texts));
    },
  };
}

const nameOf = (kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>): string => {
  let name = `${kind.name} ${base}`;
  for (const [part, oid] of files.size > 1 ? [...files].sort() : files) name += ` ${part} ${oid}`;
  return name;
};

async function writeCache(file: string, head: Head, texts: readonly Uint8Array[]): Promise<void> {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  const partial = `${file}.${randomBytes(4).toString("hex")}.tmp`;
  await writeFile(partial, Buffer.concat([length, text, ...texts]), { mode: 0o600 });
  await rename(partial, file);
}

async function readCache(file: string, setting: string): Promise<{ entries: Map<Oid, FileContent>; records: Map<string, Kept> }> {
  const [entries, records] = [new Map<Oid, FileContent>(), new Map<string, Kept>()];
  try {
    const bytes = await readFile(file);
    let at = LENGTH_BYTES + bytes.readUInt32LE(0);
    const head = JSON.parse(bytes.toString("utf8", LENGTH_BYTES, at)) as Partial<Head>;
    if (head.version !== VERSION || head.setting !== setting) return { entries, records };
    for (const [oid, content] of head.entries!) entries.set(oid, content);
    for (const [name, each, lengths] of head.records!) {
      records.set(name, { head: each, texts: lengths.map((length) => bytes.subarray(at, (at += length))) });
    }
    if (at !== bytes.length) throw new Error("cut short");
  } catch {
    // Absent, cut short or of another version: everything is parsed again.
    entries.clear();
    records.clear();
  }
  return { entries, records };
}

