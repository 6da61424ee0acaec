/**
 * Reads objects from packs without loading whole packs, which would not fit in memory for a site with media.
 *
 * Supports packs with an index of version 2. For anything else it throws, and the caller uses isomorphic-git.
 */
import { closeSync, openSync, readFileSync, readSync, readdirSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { inflate, inflateSync } from "node:zlib";
import type { Oid } from "../../repo.ts";
import { isMissing } from "../fs.ts";
import { DeltaBases } from "./delta-bases.ts";
import { applyDelta } from "./pack-delta.ts";
import type { GitObject, ObjectType } from "./object.ts";

export interface Packs {
  /** undefined if no pack has it. @throws if a pack is damaged or not supported */
  read(oid: Oid): Promise<GitObject | undefined>;
  /** Whether a pack that still exists has the object. Packs that were deleted while open do not count. */
  has(oid: Oid): boolean;
  /** The name (`pack-<id>`) of a pack that has it. */
  nameOf(oid: Oid): string | undefined;
  startingWith(prefix: string): Oid[];
  /** Lets the next call list the folder even if it seems unchanged. The packs that are still there stay open. */
  relist(): void;
  close(): void;
}

interface Pack {
  readonly index: Buffer;
  readonly count: number;
  readonly file: number;
  /** In bytes, without the checksum. */
  readonly end: number;
  /** Offsets of the objects in ascending order, and `end`. Sorted at the first read: a look-up by name needs none. */
  offsets?: Float64Array;
}

const TYPES: Readonly<Record<number, ObjectType>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const OFS_DELTA = 6;
const REF_DELTA = 7;
const FANOUT = 8;
const NAMES = FANOUT + 256 * 4;
const OID_BYTES = 20;
const CHECKSUM_BYTES = 20;
/** From this value on, a 32-bit offset is an index into the table of 64-bit offsets. */
const LONG_OFFSET = 0x80000000;
/** The limit for the bases of all packs together. */
const BASES_BYTES = 16 * 1024 * 1024;
const SYNC_BYTES = 256 * 1024;

/** @param basesMax see `BASES_BYTES` */
export function openPacks(gitDir: string, basesMax = BASES_BYTES): Packs {
  const packDir = `${gitDir}/objects/pack`;
  const packs = new Map<string, Pack>();
  const bases = new DeltaBases<Pack>(basesMax);
  /** The version of the folder when it was last listed; "" if it must be listed again. */
  let listedVersion = "";

  /** Opens new packs and closes deleted ones. @returns whether there were new ones */
  function refresh(): boolean {
    const version = versionOf(packDir);
    if (version === listedVersion) return false;
    const names = version ? readdirSync(packDir).filter((name) => name.endsWith(".idx")) : [];
    for (const [name, pack] of packs) {
      if (names.includes(name)) continue;
      closeSync(pack.file);
      packs.delete(name);
      bases.forget(pack);
    }
    let hasNew = false;
    for (const name of names) {
      if (packs.has(name)) continue;
      const pack = openPack(`${packDir}/${name.slice(0, -4)}`);
      if (!pack) continue;
      packs.set(name, pack);
      hasNew = true;
    }
    // A second change within the clock's resolution would not change the version.
    listedVersion = isYoung(version) ? "" : version;
    return hasNew;
  }

  async function find(oid: Oid): Promise<GitObject | undefined> {
    const name = Buffer.from(oid, "hex");
    for (const pack of packs.values()) {
      const position = positionOf(pack, name);
      if (position !== undefined) return readAt(pack, offsetOf(pack, position), bases, read);
    }
    return undefined;
  }

  async function read(oid: Oid): Promise<GitObject | undefined> {
    return (await find(oid)) ?? (refresh() ? find(oid) : undefined);
  }

  function nameOf(oid: Oid): string | undefined {
    refresh();
    const name = Buffer.from(oid, "hex");
    for (const [file, pack] of packs) if (positionOf(pack, name) !== undefined) return file.slice(0, -".idx".length);
    return undefined;
  }

  return {
    read,
    nameOf,
    has: (oid) => nameOf(oid) !== undefined,
    startingWith(prefix) {
      refresh();
      return [...packs.values()].flatMap((pack) => namesFrom(pack, prefix));
    },
    relist() {
      listedVersion = "";
    },
    close() {
      for (const pack of packs.values()) {
        closeSync(pack.file);
        bases.forget(pack);
      }
      packs.clear();
      listedVersion = "";
    },
  };
}

function versionOf(dir: string): string {
  try {
    const { mtimeMs, ino } = statSync(dir);
    return `${mtimeMs} ${ino}`;
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

const isYoung = (version: string): boolean => Date.now() - Number.parseFloat(version) < 2_000;

/** undefined if it was deleted just now. @throws for an index of version 1 */
function openPack(path: string): Pack | undefined {
  try {
    const index = readFileSync(`${path}.idx`);
    if (index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2)
      throw new Error(`${path}.idx is not of version 2`);
    const count = index.readUInt32BE(NAMES - 4);
    const file = openSync(`${path}.pack`, "r");
    return { index, count, file, end: statSync(`${path}.pack`).size - CHECKSUM_BYTES };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The position of a name in the index, or of the first name after it. */
function lowerBound({ index }: Pack, name: Buffer): number {
  const first = name.readUInt8(0);
  let low = first === 0 ? 0 : index.readUInt32BE(FANOUT + (first - 1) * 4);
  let high = index.readUInt32BE(FANOUT + first * 4);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = NAMES + middle * OID_BYTES;
    if (index.compare(name, 0, name.length, at, at + OID_BYTES) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function positionOf(pack: Pack, name: Buffer): number | undefined {
  const position = lowerBound(pack, name);
  const at = NAMES + position * OID_BYTES;
  const isFound = position < pack.count && pack.index.compare(name, 0, OID_BYTES, at, at + OID_BYTES) === 0;
  return isFound ? position : undefined;
}

function namesFrom(pack: Pack, prefix: string): Oid[] {
  const names: Oid[] = [];
  const first = lowerBound(pack, Buffer.from(prefix.padEnd(40, "0"), "hex"));
  for (let position = first; position < pack.count; position++) {
    const at = NAMES + position * OID_BYTES;
    const name = pack.index.toString("hex", at, at + OID_BYTES);
    if (!name.startsWith(prefix)) break;
    names.push(name);
  }
  return names;
}

function offsetOf({ index, count }: Pick<Pack, "index" | "count">, position: number): number {
  // After the names: a checksum per object, the 32-bit offsets, the 64-bit offsets.
  const offsets = NAMES + count * (OID_BYTES + 4);
  const offset = index.readUInt32BE(offsets + position * 4);
  if (offset < LONG_OFFSET) return offset;
  return Number(index.readBigUInt64BE(offsets + count * 4 + (offset - LONG_OFFSET) * 8));
}

/** @param readOther reads the base of a delta that is named by id */
async function readAt(
  pack: Pack,
  offset: number,
  bases: DeltaBases<Pack>,
  readOther: (oid: Oid) => Promise<GitObject | undefined>,
): Promise<GitObject> {
  const cached = bases.get(pack, offset);
  if (cached) return cached;
  const bytes = bytesAt(pack, offset);
  const { kind, length, end } = readHeader(bytes);
  const type = TYPES[kind];
  if (type) return { type, content: await decompress(bytes.subarray(end), length) };

  let base: GitObject | undefined;
  let start = end;
  if (kind === OFS_DELTA) {
    const { distance, end: afterDistance } = readDistance(bytes, end);
    base = await readAt(pack, offset - distance, bases, readOther);
    if (base.content.length <= SYNC_BYTES) bases.add(pack, offset - distance, base);
    start = afterDistance;
  } else if (kind === REF_DELTA) {
    start = end + OID_BYTES;
    base = await readOther(bytes.toString("hex", end, start));
  }
  if (!base) throw new Error(`the pack has an object of kind ${kind} at ${offset} that cannot be read`);
  return { type: base.type, content: applyDelta(base.content, await decompress(bytes.subarray(start), length)) };
}

/** The kind and the decompressed length of an object. */
function readHeader(bytes: Buffer): { kind: number; length: number; end: number } {
  let at = 0;
  let byte = bytes.readUInt8(at++);
  const kind = (byte >> 4) & 7;
  let length = byte & 0x0f;
  for (let scale = 16; byte & 0x80; scale *= 128) {
    byte = bytes.readUInt8(at++);
    length += (byte & 0x7f) * scale;
  }
  return { kind, length, end: at };
}

/** How far before a delta its base begins. */
function readDistance(bytes: Buffer, start: number): { distance: number; end: number } {
  let at = start;
  let byte = bytes.readUInt8(at++);
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes.readUInt8(at++);
    distance = (distance + 1) * 128 + (byte & 0x7f);
  }
  return { distance, end: at };
}

function sortedOffsets(pack: Pack): Float64Array {
  const offsets = new Float64Array(pack.count + 1);
  for (let i = 0; i < pack.count; i++) offsets[i] = offsetOf(pack, i);
  offsets[pack.count] = pack.end;
  return offsets.sort();
}

/** The compressed bytes of an object, up to the start of the next one. */
function bytesAt(pack: Pack, offset: number): Buffer {
  const offsets = (pack.offsets ??= sortedOffsets(pack));
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const bytes = Buffer.allocUnsafe((offsets[low] ?? 0) - offset);
  if (readSync(pack.file, bytes, 0, bytes.length, offset) !== bytes.length) throw new Error("the pack is truncated");
  return bytes;
}

async function decompress(bytes: Buffer, length: number): Promise<Buffer> {
  const isSmall = bytes.length <= SYNC_BYTES && length <= SYNC_BYTES;
  // The length is known, so one buffer of that size avoids several smaller ones.
  const content = isSmall
    ? inflateSync(bytes, { chunkSize: Math.max(length, 64) })
    : await promisify<Buffer, Buffer>(inflate)(bytes);
  if (content.length !== length) throw new Error("the pack has an object whose length does not match its header");
  return content;
}
