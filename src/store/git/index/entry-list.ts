/**
 * The entries of an index as one block of bytes, and where each begins: by name, then stage.
 *
 * They are searched and replaced without being decoded. The index of 100,000 files has 10 MB, of which a write changes
 * some hundred bytes: an object for every entry costs ten times as much as copying and hashing the bytes.
 */
import {
  createEntry,
  headLength,
  MTIME_OFFSET,
  SIZE_OFFSET,
  type IndexEntry,
  type IndexUpdate,
} from "./index-entry.ts";

export interface EntryList {
  /** As in a file of version 2 or 3: its header, then each entry (head, name, padding). */
  readonly bytes: Buffer;
  /** The offset of each entry, and of the end of the last one. */
  readonly starts: Uint32Array;
}

export const HEADER_BYTES = 12;

/** @param version of the format */
export function headerOf(version: number, count: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("DIRC", "latin1");
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

export const EMPTY_LIST: EntryList = { bytes: headerOf(2, 0), starts: Uint32Array.of(HEADER_BYTES) };

export const countOf = ({ starts }: EntryList): number => starts.length - 1;

/** Entries are padded with one to eight NULs to a multiple of eight bytes. */
export const paddedLength = (length: number): number => (length + 8) & ~7;

const startOf = ({ starts }: EntryList, position: number): number => starts[position] ?? 0;

export function entryAt({ bytes, starts }: EntryList, position: number): IndexEntry {
  const at = starts[position] ?? 0;
  const name = at + headLength(bytes, at, bytes.length);
  return { name: bytes.toString("latin1", name, bytes.indexOf(0, name)), head: bytes.subarray(at, name) };
}

function nameAt({ bytes, starts }: EntryList, position: number): string {
  const at = starts[position] ?? 0;
  const name = at + headLength(bytes, at, bytes.length);
  return bytes.toString("latin1", name, bytes.indexOf(0, name));
}

export const entriesIn = (list: EntryList): IndexEntry[] =>
  Array.from({ length: countOf(list) }, (_, position) => entryAt(list, position));

/** The order of the name of an entry and another name, as of `Buffer.compare`. */
function compareName({ bytes, starts }: EntryList, position: number, name: Buffer): number {
  const at = starts[position] ?? 0;
  const from = at + headLength(bytes, at, bytes.length);
  return bytes.compare(name, 0, name.length, from, bytes.indexOf(0, from));
}

/**
 * The positions of the entries with a name, or where they would be.
 *
 * @param near where the search begins: no entry before has the name
 */
function rangeOf(list: EntryList, text: string, near = 0): { readonly from: number; readonly to: number } {
  const count = countOf(list);
  if (near >= count) return { from: count, to: count };
  const name = Buffer.from(text, "latin1");
  const isNear = compareName(list, near, name) >= 0;
  let low = near;
  let high = isNear ? near : count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareName(list, middle, name) < 0) low = middle + 1;
    else high = middle;
  }
  let to = low;
  while (to < count && compareName(list, to, name) === 0) to++;
  return { from: low, to };
}

/** The position of each name, of lists that are searched for many names; `SEVERAL` of one with several entries. */
const POSITIONS = new WeakMap<EntryList, ReadonlyMap<string, number>>();
const SEVERAL = -1;
/** A search by halves reads so many names or more. */
const HALVES = 8;

/** Makes `entriesNamed` faster, if the number of searches is worth it. */
export function prepareSearches(list: EntryList, searches: number): void {
  const count = countOf(list);
  if (POSITIONS.has(list) || searches * HALVES < count) return;
  const positions = new Map<string, number>();
  for (let at = 0; at < count; at++) {
    const name = nameAt(list, at);
    positions.set(name, positions.has(name) ? SEVERAL : at);
  }
  POSITIONS.set(list, positions);
}

/** The entries with a name, all stages. */
export function entriesNamed(list: EntryList, name: string): IndexEntry[] {
  const positions = POSITIONS.get(list);
  const known = positions?.get(name);
  if (positions && known !== SEVERAL) return known === undefined ? [] : [entryAt(list, known)];
  const { from, to } = rangeOf(list, name);
  return Array.from({ length: to - from }, (_, i) => entryAt(list, from + i));
}

/** The list with the entries of these names replaced, added or (null) removed. */
export function withUpdates(list: EntryList, updates: readonly (readonly [string, IndexUpdate | null])[]): EntryList {
  const sorted = updates.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const starts = new Uint32Array(list.starts.length + sorted.length);
  const header = Buffer.from(list.bytes.subarray(0, HEADER_BYTES));
  const parts: Buffer[] = [header];
  let count = 0;
  let end = HEADER_BYTES;
  let kept = 0;
  const keepUntil = (to: number): void => {
    if (to === kept) return;
    const shift = end - startOf(list, kept);
    for (let i = kept; i < to; i++) starts[count++] = startOf(list, i) + shift;
    parts.push(list.bytes.subarray(startOf(list, kept), startOf(list, to)));
    end = startOf(list, to) + shift;
  };
  for (const [name, update] of sorted) {
    // Names in their order: files of one folder mostly follow each other.
    const { from, to } = rangeOf(list, name, kept);
    keepUntil(from);
    kept = to;
    if (!update) continue;
    starts[count++] = end;
    const entry = encodeEntry(createEntry(name, update));
    parts.push(entry);
    end += entry.length;
  }
  keepUntil(countOf(list));
  starts[count] = end;
  header.writeUInt32BE(count, 8);
  return { bytes: Buffer.concat(parts, end), starts: starts.slice(0, count + 1) };
}

export function listOf(entries: readonly IndexEntry[]): EntryList {
  const parts = entries.map(encodeEntry);
  const starts = new Uint32Array(parts.length + 1).fill(HEADER_BYTES, 0, 1);
  for (const [i, part] of parts.entries()) starts[i + 1] = (starts[i] ?? 0) + part.length;
  return { bytes: Buffer.concat([headerOf(2, entries.length), ...parts]), starts };
}

function encodeEntry({ name, head }: IndexEntry): Buffer {
  const bytes = Buffer.alloc(paddedLength(head.length + name.length));
  head.copy(bytes);
  bytes.write(name, head.length, "latin1");
  return bytes;
}

/** The positions of entries with stat data whose file was modified at a time or later. @param seconds since 1970 */
export function modifiedSince({ bytes, starts }: EntryList, seconds: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < starts.length - 1; i++) {
    const at = starts[i] ?? 0;
    if (bytes.readUInt32BE(at + MTIME_OFFSET) >= seconds && bytes.readUInt32BE(at) !== 0) found.push(i);
  }
  return found;
}

/** The list with size 0 in some entries, so that git reads their files before taking them for unchanged. */
export function withoutSizes(list: EntryList, positions: readonly number[]): EntryList {
  const bytes = Buffer.from(list.bytes);
  for (const position of positions) bytes.writeUInt32BE(0, startOf(list, position) + SIZE_OFFSET);
  return { ...list, bytes };
}
