/** The content cache as it lies in a file, or goes from one program to another: a head in JSON, and packed records behind it. */
import { closeSync, fstatSync, openSync, readSync, type BigIntStats } from "node:fs";
import { crc32 } from "node:zlib";
import { BYTE_ORDER } from "../../model/columns.ts";
import type { FileContent } from "../codec/codec.ts";
import type { AnyKind } from "../content/record-type.ts";
import { openSpool, packGroup, PackedGroup, type Bytes, type Packable, type PackedColumns } from "./packed.ts";
import type { Oid } from "../repo.ts";

const VERSION = `10 ${BYTE_ORDER}`;
const LENGTH_BYTES = 4;
/** Texts are read when they are wanted, so damage must be seen before. */
const SUM_BYTES = 4;
const FRONT_BYTES = LENGTH_BYTES + SUM_BYTES;
const STRETCH_BYTES = 256 * 1024;

/** The head of the file; groups stand behind it, one after the other. */
interface Head {
  readonly version: string;
  readonly setting: string;
  readonly entries: readonly (readonly [Oid, FileContent])[];
  readonly groups: readonly PackedColumns[];
}

export interface Decoded {
  readonly entries: Map<Oid, FileContent>;
  readonly groups: PackedGroup[];
}

/** Records of one kind that are to be kept. */
export interface PackedSet {
  readonly kind: AnyKind;
  readonly records: readonly Packable[];
}

export const inMemory = (bytes: Uint8Array): Bytes => ({
  length: bytes.length,
  read: (from, length) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(from, from + length),
});

/** undefined where there is none that can be read. It stays open for as long as anybody may want to read it. */
export function openFile(path: string): Bytes | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const stat = fstatSync(file, { bigint: true });
    const bytes = reading(file, path, Number(stat.size), nameOf(stat));
    FILES.register(bytes, file);
    return bytes;
  } catch {
    if (file !== undefined) closeSync(file);
    return undefined;
  }
}

/** Tells a file from any other that lies, or lay, in its place. */
const nameOf = ({ ino, size, mtimeNs }: BigIntStats): string => `${ino} ${size} ${mtimeNs}`;

const FILES = new FinalizationRegistry<number>((file) => closeSync(file));

function reading(file: number, path: string, length: number, name: string): Bytes {
  const usual = Buffer.allocUnsafe(STRETCH_BYTES);
  return {
    length,
    read(from, length) {
      // Whoever writes a cache puts it in the place of the old one; somebody has copied another over this.
      if (nameOf(fstatSync(file, { bigint: true })) !== name)
        throw new Error(`${path} was written over while it was in use: start again`);
      const buffer = length > usual.length ? Buffer.allocUnsafe(length) : usual;
      for (let done = 0; done < length;) {
        const count = readSync(file, buffer, done, length - done, from + done);
        if (count === 0) throw new RangeError(`${path} ends too early`);
        done += count;
      }
      return buffer.subarray(0, length);
    },
  };
}

export function encode(setting: string, entries: Head["entries"], sets: readonly PackedSet[]): Buffer {
  const spool = openSpool();
  const groups = sets.map(({ kind, records }) => packGroup(kind, records, spool));
  const text = Buffer.from(JSON.stringify({ version: VERSION, setting, entries, groups } satisfies Head));
  const front = Buffer.alloc(FRONT_BYTES);
  front.writeUInt32LE(text.length);
  const bytes = Buffer.concat([front, text, ...spool.parts]);
  bytes.writeUInt32LE(sumOf(inMemory(bytes)), LENGTH_BYTES);
  return bytes;
}

/** A check sum of everything but itself. */
function sumOf(bytes: Bytes): number {
  let sum = crc32(bytes.read(0, LENGTH_BYTES), 0);
  for (let at = FRONT_BYTES; at < bytes.length; at += STRETCH_BYTES)
    sum = crc32(bytes.read(at, Math.min(STRETCH_BYTES, bytes.length - at)), sum);
  return sum;
}

/** Whether none of it is damaged. */
export function isSound(bytes: Bytes): boolean {
  try {
    return bytes.read(0, FRONT_BYTES).readUInt32LE(LENGTH_BYTES) === sumOf(bytes);
  } catch {
    return false; // cut short
  }
}

/** @returns undefined when it is none, of another version or made under another setting */
export function decode(bytes: Bytes, setting: string): Decoded | undefined {
  try {
    const length = bytes.read(0, FRONT_BYTES).readUInt32LE(0);
    const head = JSON.parse(bytes.read(FRONT_BYTES, length).toString()) as Head;
    if (head.version !== VERSION || head.setting !== setting) return undefined;
    let at = FRONT_BYTES + length;
    const groups = head.groups.map((columns) => {
      const group = new PackedGroup(columns, bytes, at);
      at += group.length;
      return group;
    });
    return at === bytes.length ? { entries: new Map(head.entries), groups } : undefined;
  } catch {
    return undefined;
  }
}
