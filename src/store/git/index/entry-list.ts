/**
 * The entries of an index, by name, then stage, in blocks: a write makes the blocks with its entries anew, and shares
 * all others.
 *
 * They are searched and replaced without being decoded. The index of 100,000 files has 10 MB, of which a write changes
 * some hundred bytes: an object for every entry costs ten times as much as hashing the bytes, and copies of the whole
 * bring garbage collections forward.
 */
import { firstWhere } from "../../../model/text/bisect.ts";
import {
  createEntry,
  headLength,
  MTIME_OFFSET,
  SIZE_OFFSET,
  stageAt,
  type IndexEntry,
  type IndexUpdate,
} from "./index-entry.ts";

export interface EntryList {
  /** None is empty. All entries of a name are in one block. */
  readonly blocks: readonly Block[];
  readonly count: number;
}

interface Block {
  /** As in a file of version 2 or 3: each entry with its head, name and padding. */
  readonly bytes: Buffer;
  /** The offset of each entry, and of the end of the last one. */
  readonly starts: Uint32Array;
  /** When the file that was modified last was modified, in seconds since 1970; 0 without stat data. */
  readonly modified: number;
}

/** Where an entry is: the place of its block, and its place in there. */
export type EntryPosition = number;

/** Above the number of entries of a block. */
const BLOCK_SPACE = 2 ** 24;
const positionOf = (block: number, place: number): EntryPosition => block * BLOCK_SPACE + place;

/**
 * A block has about so many bytes, and at most twice as many unless they are entries of one name.
 *
 * A write replaces two blocks, one for the entry and one for its stat data. V8 collects the whole heap once the buffers
 * that have outlived the young generation have grown by 64 MB: with blocks of 32 kB that took 800 writes.
 */
const BLOCK_BYTES = 4 * 1024;

export const HEADER_BYTES = 12;

/** @param version of the format */
export function headerOf(version: number, count: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("DIRC", "latin1");
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

export const EMPTY_LIST: EntryList = { blocks: [], count: 0 };

/** Entries are padded with one to eight NULs to a multiple of eight bytes. */
export const paddedLength = (length: number): number => (length + 8) & ~7;

const sizeOf = ({ starts }: Block): number => starts.length - 1;
const startOf = ({ starts }: Block, place: number): number => starts[place] ?? 0;

function entryIn({ bytes, starts }: Block, place: number): IndexEntry {
  const at = starts[place] ?? 0;
  const name = at + headLength(bytes, at, bytes.length);
  return { name: bytes.toString("latin1", name, bytes.indexOf(0, name)), head: bytes.subarray(at, name) };
}

export const entryAt = ({ blocks }: EntryList, position: EntryPosition): IndexEntry =>
  entryIn(blocks[Math.floor(position / BLOCK_SPACE)]!, position % BLOCK_SPACE);

export function* entriesIn({ blocks }: EntryList): Generator<IndexEntry> {
  for (const block of blocks) for (let place = 0; place < sizeOf(block); place++) yield entryIn(block, place);
}

/** The order of the name of an entry and another name, as of `Buffer.compare`. */
function compareName({ bytes, starts }: Block, place: number, name: Buffer): number {
  const at = starts[place] ?? 0;
  const from = at + headLength(bytes, at, bytes.length);
  return bytes.compare(name, 0, name.length, from, bytes.indexOf(0, from));
}

/** The block that has a name, or would have it. @param near at or before it */
function blockFor({ blocks }: EntryList, name: Buffer, near = 0): number {
  const after = near + 1;
  // Updates come by name: files of one folder mostly follow each other.
  if (after >= blocks.length || compareName(blocks[after]!, 0, name) > 0) return Math.min(near, blocks.length - 1);
  return near + firstWhere(blocks.length - after, (n) => compareName(blocks[after + n]!, 0, name) > 0);
}

/** The places of the entries with a name, or where they would be. */
function rangeIn(block: Block, name: Buffer): { readonly from: number; readonly to: number } {
  const from = firstWhere(sizeOf(block), (place) => compareName(block, place, name) >= 0);
  let to = from;
  while (to < sizeOf(block) && compareName(block, to, name) === 0) to++;
  return { from, to };
}

/** The position of each name, of lists that are searched for many names; `SEVERAL` of one with several entries. */
const POSITIONS = new WeakMap<EntryList, ReadonlyMap<string, EntryPosition>>();
const SEVERAL = -1;
/** A search by halves reads so many names or more. */
const HALVES = 8;

/** Makes `entriesNamed` faster, if the number of searches is worth it. */
export function prepareSearches(list: EntryList, searches: number): void {
  if (POSITIONS.has(list) || searches * HALVES < list.count) return;
  const positions = new Map<string, EntryPosition>();
  for (const [number, block] of list.blocks.entries()) {
    for (let place = 0; place < sizeOf(block); place++) {
      const { name } = entryIn(block, place);
      positions.set(name, positions.has(name) ? SEVERAL : positionOf(number, place));
    }
  }
  POSITIONS.set(list, positions);
}

/** The entries with a name, all stages. */
export function entriesNamed(list: EntryList, text: string): IndexEntry[] {
  const positions = POSITIONS.get(list);
  const known = positions?.get(text);
  if (positions && known !== SEVERAL) return known === undefined ? [] : [entryAt(list, known)];
  const name = Buffer.from(text, "latin1");
  const block = list.blocks[blockFor(list, name)];
  if (!block) return [];
  const { from, to } = rangeIn(block, name);
  return Array.from({ length: to - from }, (_, n) => entryIn(block, from + n));
}

/** The list with the entries of these names replaced, added or (null) removed. */
export function withUpdates(list: EntryList, updates: readonly (readonly [string, IndexUpdate | null])[]): EntryList {
  const named = updates
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([text, update]) => ({ name: Buffer.from(text, "latin1"), entry: update && createEntry(text, update) }));
  const blocks: Block[] = [];
  let shared = 0;
  for (let at = 0; at < named.length;) {
    const number = blockFor(list, named[at]!.name, shared);
    for (; shared < number; shared++) addBlock(blocks, list.blocks[shared]!);
    const block = list.blocks[shared++] ?? EMPTY_BLOCK;
    const pieces: Piece[] = [];
    let kept = 0;
    for (; at < named.length && blockFor(list, named[at]!.name, Math.max(number, 0)) === number; at++) {
      const { name, entry } = named[at]!;
      const { from, to } = rangeIn(block, name);
      pieces.push({ block, from: kept, to: from });
      kept = to;
      if (entry) pieces.push({ block: encodedBlock(entry), from: 0, to: 1 });
    }
    pieces.push({ block, from: kept, to: sizeOf(block) });
    const joined = joinedBlock(pieces);
    if (joined.bytes.length > 2 * BLOCK_BYTES) blocks.push(...cutBlocks(joined.bytes, joined.starts));
    else if (sizeOf(joined) > 0) addBlock(blocks, joined);
  }
  for (; shared < list.blocks.length; shared++) addBlock(blocks, list.blocks[shared]!);
  return listWith(blocks);
}

/** Adds a block, as a part of the one before if both are short. */
function addBlock(blocks: Block[], block: Block): void {
  const before = blocks.at(-1);
  if (!before || before.bytes.length + block.bytes.length > BLOCK_BYTES) blocks.push(block);
  else
    blocks[blocks.length - 1] = joinedBlock(
      [before, block].map((each) => ({ block: each, from: 0, to: sizeOf(each) })),
    );
}

const listWith = (blocks: readonly Block[]): EntryList => ({
  blocks,
  count: blocks.reduce((sum, block) => sum + sizeOf(block), 0),
});

/** Entries of a block. */
interface Piece {
  readonly block: Block;
  readonly from: number;
  readonly to: number;
}

function joinedBlock(pieces: readonly Piece[]): Block {
  const starts = new Uint32Array(1 + pieces.reduce((sum, { from, to }) => sum + to - from, 0));
  let count = 0;
  let end = 0;
  const parts = pieces.map(({ block, from, to }) => {
    const shift = end - startOf(block, from);
    for (let place = from; place < to; place++) starts[count++] = startOf(block, place) + shift;
    end = startOf(block, to) + shift;
    return block.bytes.subarray(startOf(block, from), startOf(block, to));
  });
  starts[count] = end;
  return blockOf(Buffer.concat(parts, end), starts);
}

const EMPTY_BLOCK: Block = { bytes: Buffer.alloc(0), starts: Uint32Array.of(0), modified: 0 };

function blockOf(bytes: Buffer, starts: Uint32Array): Block {
  let modified = 0;
  for (let place = 0; place < starts.length - 1; place++)
    modified = Math.max(modified, modifiedAt(bytes, starts[place]!));
  return { bytes, starts, modified };
}

/** In seconds since 1970; 0 for an entry without stat data. */
const modifiedAt = (bytes: Buffer, at: number): number =>
  bytes.readUInt32BE(at) === 0 ? 0 : bytes.readUInt32BE(at + MTIME_OFFSET);

/** The list of entries that follow each other. @param starts the offset of each, and of the end of the last one */
export const listAt = (bytes: Buffer, starts: Uint32Array): EntryList => listWith(cutBlocks(bytes, starts));

function cutBlocks(bytes: Buffer, starts: Uint32Array): Block[] {
  const blocks: Block[] = [];
  const count = starts.length - 1;
  let from = 0;
  for (let to = 1; to <= count; to++) {
    const [begin, end] = [starts[from]!, starts[to]!];
    // Other stages follow the first one of their name.
    if (to < count && (end - begin < BLOCK_BYTES || stageAt(bytes, end) > 1)) continue;
    blocks.push(
      blockOf(
        bytes.subarray(begin, end),
        starts.subarray(from, to + 1).map((start) => start - begin),
      ),
    );
    from = to;
  }
  return blocks;
}

export function listOf(entries: readonly IndexEntry[]): EntryList {
  const parts = entries.map(encodeEntry);
  const starts = new Uint32Array(parts.length + 1);
  for (const [i, part] of parts.entries()) starts[i + 1] = (starts[i] ?? 0) + part.length;
  return listAt(Buffer.concat(parts), starts);
}

function encodedBlock(entry: IndexEntry): Block {
  const bytes = encodeEntry(entry);
  return { bytes, starts: Uint32Array.of(0, bytes.length), modified: modifiedAt(bytes, 0) };
}

function encodeEntry({ name, head }: IndexEntry): Buffer {
  const bytes = Buffer.alloc(paddedLength(head.length + name.length));
  head.copy(bytes);
  bytes.write(name, head.length, "latin1");
  return bytes;
}

/** The positions of entries with stat data whose file was modified at a time or later. @param seconds since 1970 */
export function modifiedSince({ blocks }: EntryList, seconds: number): EntryPosition[] {
  const found: EntryPosition[] = [];
  for (const [number, block] of blocks.entries()) {
    if (block.modified < seconds) continue;
    for (let place = 0; place < sizeOf(block); place++) {
      const modified = modifiedAt(block.bytes, startOf(block, place));
      if (modified >= seconds && modified > 0) found.push(positionOf(number, place));
    }
  }
  return found;
}

/** The list with size 0 in some entries, so that git reads their files before taking them for unchanged. */
export function withoutSizes({ blocks, count }: EntryList, positions: readonly EntryPosition[]): EntryList {
  const changed = new Map<number, Buffer>();
  for (const position of positions) {
    const number = Math.floor(position / BLOCK_SPACE);
    const block = blocks[number]!;
    const bytes = changed.get(number) ?? Buffer.from(block.bytes);
    changed.set(number, bytes);
    bytes.writeUInt32BE(0, startOf(block, position % BLOCK_SPACE) + SIZE_OFFSET);
  }
  const withChanged = (block: Block, number: number): Block => {
    const bytes = changed.get(number);
    return bytes ? { ...block, bytes } : block;
  };
  return { blocks: blocks.map(withChanged), count };
}
