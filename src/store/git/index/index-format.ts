/**
 * Git's index, versions 2 to 4: what a person has staged, and how each working file looked when git last read it.
 *
 * Only entries of paths we write are replaced; all others keep their bytes. Extensions that are mere caches of git's
 * go, since they would be out of date.
 */
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { setup } from "../../../errors.ts";
import type { Oid, Path } from "../../repo.ts";
import { bytewise } from "../objects/trees.ts";

export interface IndexEntry {
  /** One character a byte. */
  readonly name: string;
  /** Stat data, id and flags as they lie in the file, without the name. */
  readonly head: Buffer;
}

export interface IndexFile {
  readonly version: 2 | 3 | 4;
  /** By name, then stage. */
  readonly entries: readonly IndexEntry[];
  /** Extensions kept as they are, signatures and lengths included. */
  readonly kept: Buffer;
  /** Id of the tree that all entries make, where the git command that wrote the index has noted it. */
  readonly tree: Oid | undefined;
}

/** What an entry becomes; null removes it. */
export interface IndexUpdate {
  readonly oid: Oid;
  /** Of the working file; undefined leaves git to look for itself. */
  readonly stat: BigIntStats | undefined;
}

export const EMPTY_INDEX: IndexFile = { version: 2, entries: [], kept: Buffer.alloc(0), tree: undefined };

const HEADER = 12;
/** Up to and including the 16 bits of flags. */
const FIXED = 62;
const MTIME_AT = 8;
const SIZE_AT = 36;
const OID_AT = 40;
const FLAGS_AT = 60;
const EXTENDED = 0x4000;
const INTENT_TO_ADD = 0x2000;
const SKIP_WORKTREE = 0x4000;
const ASSUME_VALID = 0x8000;
const HASH = 20;
/** How a merge was resolved, for `git checkout -m`: nobody could make it again. All others are caches. */
const KEPT = new Set(["REUC"]);

export const entryOid = (entry: IndexEntry): Oid => entry.head.toString("hex", OID_AT, OID_AT + HASH);
/** 0 for an ordinary entry; 1 to 3 for the sides of a conflict. */
export const stageOf = (entry: IndexEntry): number => (entry.head.readUInt16BE(FLAGS_AT) >> 12) & 3;

/**
 * Whether a file has the size and the time it had when git last read or wrote it.
 *
 * Its other facts are left out, as with `core.checkStat=minimal`, since a copied repository has all of them new.
 */
export function isAsLeft({ head }: IndexEntry, { mtimeNs, size }: BigIntStats): boolean {
  if (head.readUInt32BE(MTIME_AT) !== low32(mtimeNs / BILLION) || head.readUInt32BE(12) !== low32(mtimeNs % BILLION))
    return false;
  return head.readUInt32BE(SIZE_AT) === low32(size);
}

/** Of a promise to add a file later (`git add --intent-to-add`), which has no content. */
export const isIntentToAdd = ({ head }: IndexEntry): boolean =>
  head.length > FIXED && (head.readUInt16BE(FIXED) & INTENT_TO_ADD) !== 0;
/** Whether git was told to overlook what is changed in the working file (`--assume-unchanged`, `--skip-worktree`). */
export const isExcludedFromStatus = ({ head }: IndexEntry): boolean =>
  (head.readUInt16BE(FLAGS_AT) & ASSUME_VALID) !== 0 ||
  (head.length > FIXED && (head.readUInt16BE(FIXED) & SKIP_WORKTREE) !== 0);
/** Whether git, or we, had looked at the working file when the entry was written. */
export const hasStat = ({ head }: IndexEntry): boolean => head.readUInt32BE(0) !== 0;

/** Equal for entries that are the same; the size is left out, since git sets it to 0 where the clock is too coarse. */
export const entryKey = ({ head }: IndexEntry): string =>
  head.toString("latin1", 0, SIZE_AT) + head.toString("latin1", OID_AT);

/** When the file had last changed as git saw it, in seconds since 1970. */
export const changedAt = ({ head }: IndexEntry): number => head.readUInt32BE(MTIME_AT);

/** Without the size of its file, so that git reads the file before it takes it for unchanged. */
export function withoutSize({ name, head }: IndexEntry): IndexEntry {
  const copy = Buffer.from(head);
  copy.writeUInt32BE(0, SIZE_AT);
  return { name, head: copy };
}

/** The index is broken: cut short, or its checksum does not fit. */
export class BrokenIndex extends Error {
  override readonly name = "BrokenIndex";
}

/**
 * @throws BrokenIndex
 * @throws CmsError `setup` for a kind of index that is not supported
 */
export function parseIndex(bytes: Buffer): IndexFile {
  if (bytes.length < HEADER + HASH || bytes.toString("latin1", 0, 4) !== "DIRC")
    throw new BrokenIndex(".git/index is no index");
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3 && version !== 4) {
    throw setup(`.git/index has version ${version}: run \`git update-index --index-version 2\`.`);
  }
  const end = bytes.length - HASH;
  const trailer = bytes.subarray(end);
  // Git leaves zeros there under `index.skipHash`. Ours has a checksum, which every git reads.
  const isHashed = trailer.some((byte) => byte !== 0);
  if (isHashed && !hashOf([bytes.subarray(0, end)]).equals(trailer)) {
    throw new BrokenIndex("the checksum of .git/index does not fit");
  }

  const count = bytes.readUInt32BE(8);
  if (count * FIXED > end) throw new BrokenIndex(".git/index is cut short");
  const starts = new Uint32Array(count + 1);
  let at = HEADER;
  for (let next = 0; next < count; next++) {
    starts[next] = at;
    const nul = bytes.indexOf(0, nameAt(bytes, version, at, end));
    if (nul < 0 || nul >= end) throw new BrokenIndex(".git/index is cut short");
    at = version === 4 ? nul + 1 : at + paddedLength(nul - at);
  }
  starts[count] = at;
  let entries: readonly IndexEntry[] | undefined;
  return {
    version,
    // Most that open a repository only want to know that they can.
    get entries() {
      return (entries ??= readEntries(bytes, version, starts));
    },
    ...readExtensions(bytes, at, end),
  };
}

/** How long the part of an entry is that is the same in every version. */
const fixedLength = (bytes: Buffer, at: number, end: number): number =>
  at + FIXED <= end && bytes.readUInt16BE(at + FLAGS_AT) & EXTENDED ? FIXED + 2 : FIXED;

/** Where an entry's name begins, or in version 4 what is left of it. */
function nameAt(bytes: Buffer, version: IndexFile["version"], at: number, end: number): number {
  const from = at + fixedLength(bytes, at, end);
  return version === 4 ? readVarint(bytes, from).next : from;
}

/** @param starts where each entry starts, and where the last one ends */
function readEntries(bytes: Buffer, version: IndexFile["version"], starts: Uint32Array): IndexEntry[] {
  const entries: IndexEntry[] = [];
  let name = "";
  for (let next = 0; next < starts.length - 1; next++) {
    const at = starts[next]!;
    const end = starts[next + 1]!;
    const from = at + fixedLength(bytes, at, end);
    const strip = version === 4 ? readVarint(bytes, from) : undefined;
    const rest = strip?.next ?? from;
    const text = bytes.toString("latin1", rest, bytes.indexOf(0, rest));
    name = strip ? name.slice(0, name.length - strip.value) + text : text;
    entries.push({ name, head: bytes.subarray(at, from) });
  }
  return entries;
}

/** The entries of a path, all stages. */
export function entriesOf(index: IndexFile, path: Path): readonly IndexEntry[] {
  const name = bytewise(path);
  const from = lowerBound(index.entries, name);
  let to = from;
  while (index.entries[to]?.name === name) to++;
  return index.entries.slice(from, to);
}

/** The index with the entries of these paths replaced, added or (null) removed. */
export function updateIndex(index: IndexFile, updates: ReadonlyMap<Path, IndexUpdate | null>): IndexFile {
  const wanted = [...updates].map(([path, update]) => ({ name: bytewise(path), update }));
  wanted.sort((a, b) => (a.name < b.name ? -1 : 1));
  const entries: IndexEntry[] = [];
  let at = 0;
  for (const { name, update } of wanted) {
    const from = lowerBound(index.entries, name);
    for (; at < from; at++) entries.push(index.entries[at]!);
    while (index.entries[at]?.name === name) at++;
    if (update) entries.push({ name, head: encodeHead(name, update) });
  }
  for (; at < index.entries.length; at++) entries.push(index.entries[at]!);
  return { ...index, entries, tree: undefined };
}

/**
 * An index of a tree's entries, for one that is lost or broken. Git fills in the stat data when it next looks.
 *
 * @param files by name, one character a byte
 */
export function indexOf(files: ReadonlyMap<string, { readonly mode: string; readonly oid: Oid }>): IndexFile {
  const entries = [...files].map(([name, { mode, oid }]) => {
    const head = encodeHead(name, { oid, stat: undefined });
    head.writeUInt32BE(Number.parseInt(mode, 8), 24);
    return { name, head };
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ...EMPTY_INDEX, entries };
}

export function encodeIndex(index: IndexFile): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write("DIRC", "latin1");
  header.writeUInt32BE(index.version, 4);
  header.writeUInt32BE(index.entries.length, 8);
  const parts: Buffer[] = [header];
  let previous = "";
  for (const { name, head } of index.entries) {
    if (index.version === 4) {
      let shared = 0;
      while (shared < previous.length && previous[shared] === name[shared]) shared++;
      parts.push(head, varint(previous.length - shared), Buffer.from(`${name.slice(shared)}\0`, "latin1"));
      previous = name;
    } else {
      const tail = Buffer.alloc(paddedLength(head.length + name.length) - head.length);
      tail.write(name, "latin1");
      parts.push(head, tail);
    }
  }
  parts.push(index.kept);
  return Buffer.concat([...parts, hashOf(parts)]);
}

function encodeHead(name: string, { oid, stat }: IndexUpdate): Buffer {
  const head = Buffer.alloc(FIXED);
  if (stat) {
    const fields = [
      stat.ctimeNs / BILLION,
      stat.ctimeNs % BILLION,
      stat.mtimeNs / BILLION,
      stat.mtimeNs % BILLION,
      stat.dev,
      stat.ino,
    ];
    for (const [i, field] of fields.entries()) head.writeUInt32BE(low32(field), i * 4);
    head.writeUInt32BE(low32(stat.uid), 28);
    head.writeUInt32BE(low32(stat.gid), 32);
    head.writeUInt32BE(low32(stat.size), SIZE_AT);
  }
  head.writeUInt32BE(0o100644, 24);
  head.write(oid, OID_AT, "hex");
  head.writeUInt16BE(Math.min(name.length, 0xfff), FLAGS_AT);
  return head;
}

const BILLION = 1_000_000_000n;
const low32 = (value: bigint): number => Number(BigInt.asUintN(32, value));

/** Entries end in one to eight NULs, so that each takes a multiple of eight bytes. */
const paddedLength = (length: number): number => (length + 8) & ~7;

function lowerBound(entries: readonly IndexEntry[], name: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.name < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readExtensions(bytes: Buffer, start: number, end: number): Pick<IndexFile, "kept" | "tree"> {
  const kept: Buffer[] = [];
  let tree: Oid | undefined;
  for (let at = start; at < end;) {
    if (at + 8 > end) throw new BrokenIndex(".git/index is cut short");
    const signature = bytes.toString("latin1", at, at + 4);
    const next = at + 8 + bytes.readUInt32BE(at + 4);
    if (next > end) throw new BrokenIndex(".git/index is cut short");
    if (KEPT.has(signature)) kept.push(bytes.subarray(at, next));
    else if (signature === "TREE") tree = rootTree(bytes.subarray(at + 8, next));
    // Git writes the name of an extension one must understand in small letters.
    else if (!/^[A-Z]/.test(signature)) throw unsupported(signature);
    at = next;
  }
  return { kept: Buffer.concat(kept), tree };
}

/** The first record: an empty name, how many entries (-1 when the tree is out of date), how many folders, the id. */
function rootTree(bytes: Buffer): Oid | undefined {
  const end = bytes.indexOf(0x0a);
  const isValid = /^\0\d+ \d+$/.test(bytes.toString("latin1", 0, Math.max(end, 0)));
  return isValid && bytes.length >= end + 1 + HASH ? bytes.toString("hex", end + 1, end + 1 + HASH) : undefined;
}

function unsupported(signature: string) {
  if (signature === "link") return setup("The index is split in two files: run `git update-index --no-split-index`.");
  if (signature === "sdir") return setup("The index is sparse: run `git sparse-checkout disable`.");
  const wayOut = "make it anew with `rm .git/index && git reset`";
  return setup(`.git/index has the extension "${signature}", which is not supported: ${wayOut}.`);
}

const hashOf = (parts: readonly Buffer[]): Buffer => {
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function readVarint(bytes: Buffer, at: number): { value: number; next: number } {
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[at++] ?? 0;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, next: at };
}

function varint(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift(0x80 | (--left & 0x7f));
  return Buffer.from(bytes);
}
