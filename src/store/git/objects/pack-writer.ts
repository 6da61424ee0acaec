/** Encodes packs, and their indexes of version 2, as git reads them. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { crc32, deflate, deflateSync } from "node:zlib";
import type { Oid } from "../../repo.ts";
import { pace } from "../../../time-slices.ts";
import { compress, LEVEL, SYNC_BYTES } from "./compressed.ts";
import type { NewObject, ObjectType } from "./object.ts";
import { deltaOf } from "./pack-delta.ts";

export interface EncodedPack {
  /** The checksum, which names the files. */
  readonly id: string;
  readonly pack: readonly Buffer[];
  readonly index: Buffer;
}

export interface PackEntry {
  readonly oid: Oid;
  /** The checksum of the header and the compressed bytes. */
  readonly crc: number;
  /** In the pack. */
  readonly offset: number;
}

export const PACK_HEADER_BYTES = 12;
export const PACK_HASH_BYTES = 20;

const TYPES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const OFS_DELTA = 6;
/** As git's `pack.depth`: how many deltas are applied to read an object. */
const DEPTH_MAX = 50;

interface Written {
  readonly offset: number;
  readonly depth: number;
  readonly content: Uint8Array;
}

/** @param objects each id once, a base before the objects made from it; less than 2 GB together */
export async function encodePack(objects: readonly NewObject[]): Promise<EncodedPack> {
  const written = new Map<Oid, Written>();
  const bodies: Buffer[] = [];
  const entries: PackEntry[] = [];
  let offset = PACK_HEADER_BYTES;
  for (const object of objects) {
    await pace();
    const base = object.basedOn === undefined ? undefined : written.get(object.basedOn);
    const { bytes, depth } = await encodeObject(object, offset, base);
    written.set(object.oid, { offset, depth, content: object.content });
    entries.push({ oid: object.oid, crc: crc32(bytes), offset });
    bodies.push(bytes);
    offset += bytes.length;
  }
  return finishPack(bodies, entries);
}

/** @param bodies the encoded objects, without header and checksum */
export async function finishPack(bodies: readonly Buffer[], entries: readonly PackEntry[]): Promise<EncodedPack> {
  const header = Buffer.alloc(PACK_HEADER_BYTES);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const hash = createHash("sha1").update(header);
  for (const body of bodies) {
    await pace();
    hash.update(body);
  }
  const checksum = hash.digest();
  return { id: checksum.toString("hex"), pack: [header, ...bodies, checksum], index: encodeIndex(entries, checksum) };
}

async function encodeObject(
  { type, content }: NewObject,
  offset: number,
  base: Written | undefined,
): Promise<{ readonly bytes: Buffer; readonly depth: number }> {
  if (base && base.depth < DEPTH_MAX) {
    const delta = deltaOf(base.content, content);
    if (delta.length < content.length / 2) {
      const head = [headerOf(OFS_DELTA, delta.length), distanceOf(offset - base.offset)];
      return { bytes: Buffer.concat([...head, deflateSync(delta, LEVEL)]), depth: base.depth + 1 };
    }
  }
  const compressed =
    content.length <= SYNC_BYTES
      ? compress(content)
      : await promisify<Uint8Array, typeof LEVEL, Buffer>(deflate)(content, LEVEL);
  return { bytes: Buffer.concat([headerOf(TYPES[type], content.length), compressed]), depth: 0 };
}

/** The kind and the decompressed length: four bits of it, then seven a byte. */
function headerOf(kind: number, length: number): Buffer {
  const bytes: number[] = [];
  let left = Math.floor(length / 16);
  let byte = (kind << 4) | (length % 16);
  while (left > 0) {
    bytes.push(byte | 0x80);
    byte = left % 128;
    left = Math.floor(left / 128);
  }
  return Buffer.from([...bytes, byte]);
}

/** How far before a delta its base begins. */
function distanceOf(distance: number): Buffer {
  const bytes = [distance % 128];
  for (let left = Math.floor(distance / 128); left > 0; left = Math.floor(left / 128)) {
    left--;
    bytes.unshift(0x80 | (left % 128));
  }
  return Buffer.from(bytes);
}

const NAMES = 8 + 256 * 4;

/** The entries of an index that `finishPack` made; undefined if it is damaged or another pack's. */
export function readIndex(index: Buffer, packChecksum: Buffer): PackEntry[] | undefined {
  const end = index.length - 2 * PACK_HASH_BYTES;
  const hash = createHash("sha1").update(index.subarray(0, -PACK_HASH_BYTES)).digest();
  const isIntact = end >= NAMES && hash.equals(index.subarray(-PACK_HASH_BYTES));
  if (!isIntact || !packChecksum.equals(index.subarray(end, end + PACK_HASH_BYTES))) return undefined;
  const count = index.readUInt32BE(NAMES - 4);
  return Array.from({ length: count }, (_, at) => ({
    oid: index.toString("hex", NAMES + at * 20, NAMES + at * 20 + 20),
    crc: index.readUInt32BE(NAMES + count * 20 + at * 4),
    offset: index.readUInt32BE(NAMES + count * 24 + at * 4),
  }));
}

/** Header, number of names up to each first byte, names, checksums, offsets, and the two hashes. */
function encodeIndex(entries: readonly PackEntry[], packChecksum: Buffer): Buffer {
  const sorted = entries.toSorted((a, b) => (a.oid < b.oid ? -1 : 1));
  const count = sorted.length;
  const index = Buffer.alloc(NAMES + count * 28 + 2 * PACK_HASH_BYTES);
  index.writeUInt32BE(0xff744f63, 0);
  index.writeUInt32BE(2, 4);
  const checksums = NAMES + count * 20;
  const offsets = checksums + count * 4;
  const counts = new Uint32Array(256);
  for (const [at, { oid, crc, offset }] of sorted.entries()) {
    index.write(oid, NAMES + at * 20, "hex");
    index.writeUInt32BE(crc, checksums + at * 4);
    index.writeUInt32BE(offset, offsets + at * 4);
    const first = index[NAMES + at * 20] ?? 0;
    counts[first] = (counts[first] ?? 0) + 1;
  }
  let total = 0;
  for (const [first, of] of counts.entries()) index.writeUInt32BE((total += of), 8 + first * 4);
  const end = offsets + count * 4;
  packChecksum.copy(index, end);
  createHash("sha1")
    .update(index.subarray(0, end + PACK_HASH_BYTES))
    .digest()
    .copy(index, end + PACK_HASH_BYTES);
  return index;
}
