/**
 * Objects in packs, read piece by piece.
 *
 * A pack is never held in memory as a whole, which matters for a site with media, and a walk through five thousand
 * commits takes a second. Whatever these few lines do not understand is left to isomorphic-git by the caller.
 */
import { closeSync, openSync, readFileSync, readSync, readdirSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { inflate, inflateSync } from "node:zlib";
import type { Oid } from "../../repo.ts";
import { isMissing } from "../fs.ts";
import type { GitObject, ObjectType } from "./object.ts";

export interface Packs {
  /** undefined when no pack has it. @throws when a pack is damaged, or of a kind not known here */
  read(oid: Oid): Promise<GitObject | undefined>;
  /** Whether a pack that is there now has it: one deleted since it was opened does not count. */
  has(oid: Oid): boolean;
  startingWith(prefix: string): Oid[];
  close(): void;
}

interface Pack {
  readonly index: Buffer;
  readonly count: number;
  readonly file: number;
  /** Where objects begin, in ascending order, and where the last one ends. */
  readonly offsets: Float64Array;
  /** Objects that others were built on, by offset. */
  readonly bases: Map<number, GitObject>;
  basesBytes: number;
}

const TYPES: Readonly<Record<number, ObjectType>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const OFS_DELTA = 6;
const REF_DELTA = 7;
const FANOUT = 8;
const NAMES = FANOUT + 256 * 4;
const OID_BYTES = 20;
const CHECKSUM_BYTES = 20;
/** Set in a short offset that stands for a place in the table of long ones. */
const LONG = 0x80000000;
const BASES_KEPT_BYTES = 16 * 1024 * 1024;
const SYNC_BYTES = 256 * 1024;

export function openPacks(gitDir: string): Packs {
  const packDir = `${gitDir}/objects/pack`;
  const packs = new Map<string, Pack>();
  let listedAt = "";

  /** Looks for packs that have come or gone. @returns whether any had */
  function refresh(): boolean {
    const stamp = stampOf(packDir);
    // A directory changed within the clock's grain keeps its time, so a young one is listed again.
    if (stamp === listedAt) return false;
    const names = stamp ? readdirSync(packDir).filter((name) => name.endsWith(".idx")) : [];
    for (const [name, pack] of packs) {
      if (names.includes(name)) continue;
      closeSync(pack.file);
      packs.delete(name);
    }
    let hasNew = false;
    for (const name of names) {
      if (packs.has(name)) continue;
      const pack = openPack(`${packDir}/${name.slice(0, -4)}`);
      if (!pack) continue;
      packs.set(name, pack);
      hasNew = true;
    }
    listedAt = isYoung(stamp) ? "" : stamp;
    return hasNew;
  }

  async function find(oid: Oid): Promise<GitObject | undefined> {
    const name = Buffer.from(oid, "hex");
    for (const pack of packs.values()) {
      const at = placeOf(pack, name);
      if (at !== undefined) return readAt(pack, offsetAt(pack, at), read);
    }
    return undefined;
  }

  async function read(oid: Oid): Promise<GitObject | undefined> {
    return (await find(oid)) ?? (refresh() ? find(oid) : undefined);
  }

  return {
    read,
    has(oid) {
      refresh();
      const name = Buffer.from(oid, "hex");
      return [...packs.values()].some((pack) => placeOf(pack, name) !== undefined);
    },
    startingWith(prefix) {
      refresh();
      return [...packs.values()].flatMap((pack) => namesFrom(pack, prefix));
    },
    close() {
      for (const pack of packs.values()) closeSync(pack.file);
      packs.clear();
      listedAt = "";
    },
  };
}

function stampOf(dir: string): string {
  try {
    const { mtimeMs, ino } = statSync(dir);
    return `${mtimeMs} ${ino}`;
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

const isYoung = (stamp: string): boolean => Date.now() - Number.parseFloat(stamp) < 2_000;

/** undefined when it has gone just now. @throws for an index of version 1 */
function openPack(path: string): Pack | undefined {
  try {
    const index = readFileSync(`${path}.idx`);
    if (index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2)
      throw new Error(`${path}.idx is not of version 2`);
    const count = index.readUInt32BE(NAMES - 4);
    const file = openSync(`${path}.pack`, "r");
    const pack = { index, count, file, offsets: new Float64Array(count + 1), bases: new Map(), basesBytes: 0 };
    for (let i = 0; i < count; i++) pack.offsets[i] = offsetAt(pack, i);
    pack.offsets[count] = statSync(`${path}.pack`).size - CHECKSUM_BYTES;
    pack.offsets.sort();
    return pack;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Where a name, or the first one after it, stands in the index. */
function lowerBound({ index }: Pack, name: Buffer): number {
  const first = name[0]!;
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

function placeOf(pack: Pack, name: Buffer): number | undefined {
  const place = lowerBound(pack, name);
  const at = NAMES + place * OID_BYTES;
  return place < pack.count && pack.index.compare(name, 0, OID_BYTES, at, at + OID_BYTES) === 0 ? place : undefined;
}

function namesFrom(pack: Pack, prefix: string): Oid[] {
  const names: Oid[] = [];
  for (let place = lowerBound(pack, Buffer.from(prefix.padEnd(40, "0"), "hex")); place < pack.count; place++) {
    const at = NAMES + place * OID_BYTES;
    const name = pack.index.toString("hex", at, at + OID_BYTES);
    if (!name.startsWith(prefix)) break;
    names.push(name);
  }
  return names;
}

function offsetAt({ index, count }: Pick<Pack, "index" | "count">, place: number): number {
  // After the names come a checksum an object, then the offsets, then the long ones.
  const short = NAMES + count * (OID_BYTES + 4);
  const offset = index.readUInt32BE(short + place * 4);
  return offset < LONG ? offset : Number(index.readBigUInt64BE(short + count * 4 + (offset - LONG) * 8));
}

/** @param readOther reads the object a delta names by its id */
async function readAt(
  pack: Pack,
  offset: number,
  readOther: (oid: Oid) => Promise<GitObject | undefined>,
): Promise<GitObject> {
  const known = pack.bases.get(offset);
  if (known) return known;
  const bytes = bytesAt(pack, offset);
  let at = 0;
  let byte = bytes[at++]!;
  const kind = (byte >> 4) & 7;
  let length = byte & 0x0f;
  for (let scale = 16; byte & 0x80; scale *= 128) {
    byte = bytes[at++]!;
    length += (byte & 0x7f) * scale;
  }
  const type = TYPES[kind];
  if (type) return { type, content: await unpack(bytes.subarray(at), length) };

  let base: GitObject | undefined;
  if (kind === OFS_DELTA) {
    byte = bytes[at++]!;
    let distance = byte & 0x7f;
    while (byte & 0x80) {
      byte = bytes[at++]!;
      distance = (distance + 1) * 128 + (byte & 0x7f);
    }
    base = await readAt(pack, offset - distance, readOther);
    keepBase(pack, offset - distance, base);
  } else if (kind === REF_DELTA) {
    base = await readOther(bytes.toString("hex", at, at + OID_BYTES));
    at += OID_BYTES;
  }
  if (!base) throw new Error(`the pack has an object of kind ${kind} at ${offset} that cannot be read`);
  return { type: base.type, content: applyDelta(base.content, await unpack(bytes.subarray(at), length)) };
}

function bytesAt({ file, offsets }: Pack, offset: number): Buffer {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  const bytes = Buffer.allocUnsafe(offsets[low]! - offset);
  if (readSync(file, bytes, 0, bytes.length, offset) !== bytes.length) throw new Error("the pack is cut short");
  return bytes;
}

function keepBase(pack: Pack, offset: number, object: GitObject): void {
  if (pack.bases.has(offset) || object.content.length > SYNC_BYTES) return;
  pack.bases.set(offset, object);
  pack.basesBytes += object.content.length;
  for (const [oldest, { content }] of pack.bases) {
    if (pack.basesBytes <= BASES_KEPT_BYTES) break;
    pack.bases.delete(oldest);
    pack.basesBytes -= content.length;
  }
}

async function unpack(bytes: Buffer, length: number): Promise<Buffer> {
  const isSmall = bytes.length <= SYNC_BYTES && length <= SYNC_BYTES;
  // The output's length is known: one piece of memory of that size, instead of many.
  const content = isSmall
    ? inflateSync(bytes, { chunkSize: Math.max(length, 64) })
    : await promisify<Buffer, Buffer>(inflate)(bytes);
  if (content.length !== length) throw new Error("the pack has an object of another length than it says");
  return content;
}

/** A delta is a list of pieces: taken from the base, or given. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const length = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at++]!;
      value += (byte & 0x7f) * scale;
      if (!(byte & 0x80)) return value;
    }
  };
  if (length() !== base.length) throw new Error("the pack has a delta that does not fit its base");
  const result = Buffer.allocUnsafe(length());
  let written = 0;
  while (at < delta.length) {
    const op = delta[at++]!;
    if (op & 0x80) {
      let from = 0;
      let size = 0;
      for (let bit = 0, scale = 1; bit < 4; bit++, scale *= 256) if (op & (1 << bit)) from += delta[at++]! * scale;
      for (let bit = 4, scale = 1; bit < 7; bit++, scale *= 256) if (op & (1 << bit)) size += delta[at++]! * scale;
      written += base.copy(result, written, from, from + (size || 0x10000));
    } else {
      written += delta.copy(result, written, at, at + op);
      at += op;
    }
  }
  if (written !== result.length) throw new Error("the pack has a delta that is cut short");
  return result;
}
