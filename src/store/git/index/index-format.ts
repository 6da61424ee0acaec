/**
 * Git's index, versions 2 to 4: what is staged, and the stat data of each working file when git last read it.
 *
 * Only entries of paths that are written are replaced; all others keep their bytes. Extensions that are only caches of
 * git's are dropped, since they would be out of date.
 */
import { createHash } from "node:crypto";
import { setup, type CmsError } from "../../../errors.ts";
import { pace } from "../../../time-slices.ts";
import type { Parts } from "../fs.ts";
import type { Oid, Path } from "../../repo.ts";
import { bytewise } from "../objects/tree-format.ts";
import {
  EMPTY_LIST,
  entriesIn,
  entriesNamed,
  HEADER_BYTES,
  headerOf,
  listAt,
  listOf,
  paddedLength,
  withUpdates,
} from "./entry-list.ts";
import type { EntryList } from "./entry-list.ts";
import { createEntry, headLength, MIN_HEAD_BYTES, type IndexEntry, type IndexUpdate } from "./index-entry.ts";

export interface IndexFile {
  readonly version: 2 | 3 | 4;
  readonly entries: EntryList;
  /** The extensions that are preserved, with their signatures and lengths. */
  readonly extensions: Buffer;
  /** Id of the tree of all entries, if the git command that wrote the index has recorded it. */
  readonly tree: Oid | undefined;
}

export const EMPTY_INDEX: IndexFile = { version: 2, entries: EMPTY_LIST, extensions: Buffer.alloc(0), tree: undefined };

const HASH_BYTES = 20;
/** `REUC` records how conflicts were resolved, for `git checkout -m`. All other optional extensions are caches. */
const PRESERVED_EXTENSIONS = new Set(["REUC"]);

/** The index is truncated or its checksum is wrong. */
export class BrokenIndex extends Error {
  override readonly name = "BrokenIndex";
}

const truncated = (): BrokenIndex => new BrokenIndex(".git/index is truncated");

/**
 * @throws BrokenIndex
 * @throws CmsError `setup` for an index that is not supported
 */
export function parseIndex(bytes: Buffer): IndexFile {
  if (bytes.length < HEADER_BYTES + HASH_BYTES || bytes.toString("latin1", 0, 4) !== "DIRC")
    throw new BrokenIndex(".git/index is not an index");
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3 && version !== 4) {
    throw setup(`.git/index has version ${version}: run \`git update-index --index-version 2\`.`);
  }
  const end = bytes.length - HASH_BYTES;
  checkHash(bytes, end);
  const starts = findEntries(bytes, version, end);
  return {
    version,
    entries: version === 4 ? withFullNames(bytes, starts) : listAt(bytes, starts),
    ...readExtensions(bytes, starts.at(-1) ?? HEADER_BYTES, end),
  };
}

function checkHash(bytes: Buffer, end: number): void {
  const hash = bytes.subarray(end);
  // Git writes zeros under `index.skipHash`. We write a hash, which every git accepts.
  const isHashed = hash.some((byte) => byte !== 0);
  if (isHashed && !createHash("sha1").update(bytes.subarray(0, end)).digest().equals(hash)) {
    throw new BrokenIndex("the checksum of .git/index is wrong");
  }
}

/** The offset of each entry, and of the end of the last one. */
function findEntries(bytes: Buffer, version: IndexFile["version"], end: number): Uint32Array {
  const count = bytes.readUInt32BE(8);
  if (count * MIN_HEAD_BYTES > end) throw truncated();
  const starts = new Uint32Array(count + 1);
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    starts[i] = at;
    const afterHead = at + headLength(bytes, at, end);
    const nul = bytes.indexOf(0, version === 4 ? readVarint(bytes, afterHead).next : afterHead);
    if (nul < 0 || nul >= end) throw truncated();
    at = version === 4 ? nul + 1 : at + paddedLength(nul - at);
  }
  starts[count] = at;
  return starts;
}

/** The entries of a file of version 4. @param starts as `findEntries` returns them */
function withFullNames(bytes: Buffer, starts: Uint32Array): EntryList {
  const entries: IndexEntry[] = [];
  const end = starts.at(-1) ?? 0;
  let name = "";
  for (const at of starts.subarray(0, -1)) {
    const afterHead = at + headLength(bytes, at, end);
    // How many characters of the previous name to remove, and what to append.
    const { value: removed, next } = readVarint(bytes, afterHead);
    name = name.slice(0, name.length - removed) + bytes.toString("latin1", next, bytes.indexOf(0, next));
    entries.push({ name, head: bytes.subarray(at, afterHead) });
  }
  return listOf(entries);
}

/** The entries of a path, all stages. */
export const entriesOf = (index: IndexFile, path: Path): readonly IndexEntry[] =>
  entriesNamed(index.entries, bytewise(path));

/** The index with the entries of these paths replaced, added or (null) removed. */
export function updateIndex(index: IndexFile, updates: ReadonlyMap<Path, IndexUpdate | null>): IndexFile {
  const named = [...updates].map(([path, update]) => [bytewise(path), update] as const);
  return { ...index, entries: withUpdates(index.entries, named), tree: undefined };
}

/**
 * An index of the entries of a tree, without stat data.
 *
 * @param files by path, one character a byte
 */
export function indexOf(files: ReadonlyMap<string, { readonly mode: string; readonly oid: Oid }>): IndexFile {
  const entries = [...files].map(([name, { mode, oid }]) => createEntry(name, { oid, stat: undefined, mode }));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ...EMPTY_INDEX, entries: listOf(entries) };
}

/** The file: its content in parts, and its hash, whose computation yields to the event loop. */
export function encodeIndex({ version, entries, extensions }: IndexFile): Required<Parts> {
  const blocks = version === 4 ? [withShortNames(entries)] : entries.blocks.map(({ bytes }) => bytes);
  const parts = [headerOf(version, entries.count), ...blocks, extensions];
  return {
    parts,
    async end() {
      const hash = createHash("sha1");
      for (const part of parts) {
        await pace();
        hash.update(part);
      }
      return hash.digest();
    },
  };
}

/** The entries as in a file of version 4, where a name is given by its difference from the one before. */
function withShortNames(entries: EntryList): Buffer {
  const parts: Buffer[] = [];
  let previous = "";
  for (const { name, head } of entriesIn(entries)) {
    let shared = 0;
    while (shared < previous.length && previous[shared] === name[shared]) shared++;
    parts.push(head, encodeVarint(previous.length - shared), Buffer.from(`${name.slice(shared)}\0`, "latin1"));
    previous = name;
  }
  return Buffer.concat(parts);
}

function readExtensions(bytes: Buffer, start: number, end: number): Pick<IndexFile, "extensions" | "tree"> {
  const preserved: Buffer[] = [];
  let tree: Oid | undefined;
  for (let at = start; at < end;) {
    if (at + 8 > end) throw truncated();
    const signature = bytes.toString("latin1", at, at + 4);
    const next = at + 8 + bytes.readUInt32BE(at + 4);
    if (next > end) throw truncated();
    if (PRESERVED_EXTENSIONS.has(signature)) preserved.push(bytes.subarray(at, next));
    else if (signature === "TREE") tree = rootTree(bytes.subarray(at + 8, next));
    // The signatures of optional extensions begin with a capital letter.
    else if (!/^[A-Z]/.test(signature)) throw unsupported(signature);
    at = next;
  }
  return { extensions: Buffer.concat(preserved), tree };
}

/** The first record: an empty name, the number of entries (-1 if the tree is out of date) and of subtrees, the id. */
function rootTree(bytes: Buffer): Oid | undefined {
  const newline = bytes.indexOf(0x0a);
  const isValid = /^\0\d+ \d+$/.test(bytes.toString("latin1", 0, Math.max(newline, 0)));
  const oid = bytes.subarray(newline + 1, newline + 1 + HASH_BYTES);
  return isValid && oid.length === HASH_BYTES ? oid.toString("hex") : undefined;
}

function unsupported(signature: string): CmsError {
  if (signature === "link") return setup("The index is split in two files: run `git update-index --no-split-index`.");
  if (signature === "sdir") return setup("The index is sparse: run `git sparse-checkout disable`.");
  return setup(
    `.git/index has the extension "${signature}", which is not supported: make it anew with ` +
      "`rm .git/index && git reset`.",
  );
}

function readVarint(bytes: Buffer, at: number): { value: number; next: number } {
  let next = at;
  let byte = bytes[next++] ?? 0;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[next++] ?? 0;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return { value, next };
}

function encodeVarint(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift(0x80 | (--left & 0x7f));
  return Buffer.from(bytes);
}
